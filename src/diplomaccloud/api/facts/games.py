"""The public view of games, alone and in lists."""

from collections.abc import Mapping
from typing import Any

from diplomaccloud.api.facts.boards import describe_board
from diplomaccloud.api.schemas.boards import PhaseRef
from diplomaccloud.api.schemas.games import (
    EndingState,
    GameState,
    HolderState,
    ListedState,
    OwnGame,
    PhaseState,
    SeatState,
)
from diplomaccloud.games.deadlines.read import read_clock
from diplomaccloud.games.lobby.read import ListedGame
from diplomaccloud.games.results.read import (
    PhaseName,
    read_ending,
    read_newest_name,
    read_processed,
)
from diplomaccloud.games.seats.read import SeatFacts, read_seats
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.phases import Stage


def describe_game(reader: Reader) -> GameState:
    """Return the public state of a game. It is the same for every viewer."""
    game, phase = reader.game, reader.phase
    master = None if game.master is None else game.master.name
    return GameState(
        id=game.slug,
        version=reader.version,
        world=game.world,
        map=game.map_hash,
        map_name=game.map_name,
        status=game.status.value,
        private=game.private,
        anonymous=game.options.anonymous,
        suspended=game.suspended,
        rules=game.rules.name,
        options=_describe_options(reader),
        centers_to_win=game.centers_to_win,
        master=master,
        phase=None if phase is None else _describe_phase(reader),
        board=describe_board(reader.position),
        standoffs=_list_standoffs(reader),
        seats=[_describe_seat(reader, seat) for seat in read_seats(reader)],
        last_phase=refer_to(read_newest_name(reader)),
        ending=_describe_ending(reader),
        unrated=None if reader.unrated is None else reader.unrated.value,
    )


def refer_to(name: PhaseName | None) -> PhaseRef | None:
    """Return the number and name of a processed phase, if there is one."""
    return None if name is None else PhaseRef(sequence=name.sequence, name=str(name.phase))


def describe_listed(game: ListedGame) -> ListedState:
    """Return a game in a list."""
    return ListedState(**_list_fields(game))


def describe_own(game: ListedGame) -> OwnGame:
    """Return a game of the caller's own."""
    return OwnGame(
        **_list_fields(game),
        plays=game.yours,
        country=game.your_country,
        invited=game.invited,
        needs_you=game.needs_you,
    )


def _list_fields(game: ListedGame) -> dict[str, Any]:
    return {
        "id": game.slug,
        "world": game.world,
        "map": game.map_hash,
        "map_name": game.map_name,
        "status": game.status,
        "phase": None if game.phase is None else str(game.phase),
        "due_at": game.due_at,
        "people": game.humans,
        "bots": game.bots,
        "seats": game.seats,
        "private": game.private,
        "reliability": game.reliability,
        "suspended": game.suspended,
    }


def _describe_ending(reader: Reader) -> EndingState | None:
    ending = read_ending(reader)
    if ending is None:
        return None
    powers = (info.power for info in reader.board.powers)
    winners = [power for power in powers if power in ending.winners]
    return EndingState(winners=winners, reason=ending.reason)


def _describe_options(reader: Reader) -> dict[str, object]:
    options = reader.game.options.to_json()
    assert isinstance(options, Mapping)  # noqa: S101
    return {name: value for name, value in options.items() if name != "v"}


def _describe_phase(reader: Reader) -> PhaseState:
    phase, clock = reader.phase, read_clock(reader)
    assert phase is not None  # noqa: S101
    return PhaseState(
        sequence=phase.sequence,
        name=str(phase.phase),
        title=phase.phase.title,
        opens_at=phase.opens_at,
        due_at=phase.due_at,
        adjudicate_at=phase.adjudicate_at,
        closed=phase.locked or clock is None or clock.closed,
        paused_until=clock.paused_until if clock else None,
        quiet_from=clock.quiet_from if clock else None,
    )


def _list_standoffs(reader: Reader) -> list[str]:
    """Return the places left empty by standoffs, in a retreat phase."""
    name = read_newest_name(reader)
    if name is None or reader.position.phase.stage is not Stage.RETREATS:
        return []
    return list(read_processed(reader, name.sequence).resolution.standoffs)


def _describe_seat(reader: Reader, seat: SeatFacts) -> SeatState:
    return SeatState(
        powers=list(seat.powers),
        country=seat.name,
        holder=describe_holder(reader, seat),
        centers=seat.strength.centers,
        units=seat.strength.units,
        eliminated=seat.eliminated,
        must_order=seat.must_order,
        ready=None if seat.is_you and _hides_readiness(reader) else seat.ready,
    )


def _hides_readiness(reader: Reader) -> bool:
    """Return whether the ready marks of players are hidden from others."""
    return reader.hides_seats or (
        reader.is_running and reader.position.phase.stage is not Stage.MOVEMENT
    )


def describe_holder(reader: Reader, seat: SeatFacts) -> HolderState:
    """Return the holder of a seat, the same for every viewer."""
    holder = seat.holder
    if holder.bot:
        return HolderState(kind="bot", name=holder.bot)
    if not seat.held:
        return HolderState(kind="vacant", name="")
    # Showing the viewer's own name would make answers differ between viewers.
    hidden = holder.hidden or (seat.is_you and reader.masked)
    return HolderState(kind="person", name="" if hidden else holder.name)
