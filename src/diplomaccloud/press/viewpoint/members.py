"""The members of conversations, and the countries of a game, as named in press."""

from collections.abc import Iterator, Sequence

from diplomaccloud.games.table.models import Seat, Tenure
from diplomaccloud.games.visibility.read import is_masked, seat_holder
from diplomaccloud.judge.phases import Phase
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.table import Table, find_past_seat
from diplomaccloud.press.viewpoint.facts import Change, CountryFacts, MemberFacts, SeatChange


def list_members(table: Table, kind: Kind, seats: Sequence[Seat]) -> tuple[MemberFacts, ...]:
    """Return the other members of a conversation between `seats`, in board order."""
    if kind not in (Kind.SEATS, Kind.MASTER):
        return ()
    order = {str(info.power): rank for rank, info in enumerate(table.game.board.powers)}
    others = [seat for seat in seats if seat != table.seat and seat != find_past_seat(table)]
    return tuple(
        _present_member(table, seat)
        for seat in sorted(others, key=lambda row: order[row.power or ""])
    )


def list_changes(table: Table, members: Sequence[MemberFacts]) -> list[SeatChange]:
    """Return how the seats of `members` have changed hands, oldest first.

    They follow from the tenures, which the log of the game shows as well, and are not messages: the
    numbers of messages do not depend on them.
    """
    seats = [table.holders.find_power(member.power) for member in members]
    found = [
        change
        for seat in seats
        if seat is not None
        for change in _list_seat_changes(seat.power or "", table.holders.tenures.get(seat.pk, []))
    ]
    return sorted(found, key=lambda change: change.at)


def _list_seat_changes(power: str, tenures: Sequence[Tenure]) -> Iterator[SeatChange]:
    for number, tenure in enumerate(tenures):
        since, until = (getattr(tenure, name, None) for name in ("since_phase", "until_phase"))
        if number and since:
            taken = Change.BOT if tenure.bot else Change.PLAYER
            yield SeatChange(tenure.since_at, power, taken, Phase.parse(since))
        following = tenures[number + 1] if number + 1 < len(tenures) else None
        # A bot that takes the seat in the same instant says enough.
        is_followed = following is not None and following.since_at == tenure.until_at
        if tenure.until_at is not None and until and not is_followed:
            left = Change.VACANT if following is None else Change.LEFT
            yield SeatChange(tenure.until_at, power, left, Phase.parse(until))


def list_groups(table: Table) -> tuple[tuple[str, ...], ...]:
    """Return the powers of each seat, in board order; none before the draw."""
    phase = table.newest.phase
    groups = [phase.powers_of(seat) for seat in table.holders.seats] if phase else []
    ranks = {info.power: rank for rank, info in enumerate(table.game.board.powers)}
    return tuple(sorted(filter(None, groups), key=lambda group: ranks[group[0]]))


def list_countries(table: Table) -> dict[str, tuple[CountryFacts, ...]]:
    """Return the countries of each seat, by its first power; none before the draw."""
    seats, phase = table.holders.seats, table.newest.phase
    if phase is None:
        return {}
    colors, info = table.game.power_colors(seats), phase.board.power_info
    countries: dict[str, tuple[CountryFacts, ...]] = {}
    for seat in seats:
        powers = phase.powers_of(seat)
        if seat.power and len(powers) > 1:
            parts = [CountryFacts(info[power].name, colors[power]) for power in powers]
            countries[seat.power] = tuple(parts)
        elif seat.power:
            countries[seat.power] = (CountryFacts(seat.country_name, colors[seat.power]),)
    return countries


def _present_member(table: Table, seat: Seat) -> MemberFacts:
    tenures = table.holders.tenures.get(seat.pk, [])
    since = None
    if tenures and tenures[-1].user_id and tenures[-1].until_at is None and len(tenures) > 1:
        name = getattr(tenures[-1], "since_phase", None)
        since = Phase.parse(name) if name else None
    return MemberFacts(
        power=seat.power or "",
        country=seat.country_name,
        holder=seat_holder(table.game, seat, hidden=is_masked(table.game)),
        vacant=seat.vacated_at is not None,
        since=since,
        muted=bool(tenures) and bool(getattr(tenures[-1], "is_muted", False)),
    )
