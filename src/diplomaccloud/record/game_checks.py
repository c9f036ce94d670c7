"""Checks the lines about a game as a whole: its start, draw, seats, coin, rollbacks and end."""

from collections.abc import Sequence
from dataclasses import replace

from diplomaccloud.bots.seats import give_character, hide_character
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import Node
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.protocol.records import RECORD, board_hash
from diplomaccloud.judge.protocol.requests import Boards, read_rules
from diplomaccloud.judge.version import __version__
from diplomaccloud.record.chain import canonical_text, hash_text, parse_time
from diplomaccloud.record.commitments import Purpose, commit_places, draw_powers
from diplomaccloud.record.lines import VERSION, SeatChange, Source
from diplomaccloud.record.report import RecordFault, printable
from diplomaccloud.record.state import (
    MAX_ROLLBACKS,
    Context,
    Left,
    RecordedGame,
    check_secret,
    read_hash,
    read_seat,
)
from diplomaccloud.setups import Setup, flip_coin, setups

ACTORS = ("site", "master", "player")
"""Who may have acted, if the line does not name a seat."""


def read_game(node: Node, boards: Boards) -> RecordedGame:
    """Return the state of a game whose record starts with the line `node`."""
    if node["record"].value != RECORD or node["v"].value != VERSION:
        raise RecordFault(f"it is not the first line of a {RECORD!r} of version {VERSION}")
    is_site = node["source"].member(Source) is Source.SITE
    board = read_board(node, boards)
    if hash_text(canonical_text(node["rules"].value)) != node["rules_hash"].value:
        raise RecordFault("rules_hash is not the hash of the rules")
    setup = _read_setup(node["setup"])
    players = len(setup.players if setup else board.powers)
    if node["seats"].value != players:
        raise RecordFault(f"seats: the setup has {players} players")
    commits = node["commits"]
    state = RecordedGame(
        name=node["id"].text(),
        board=board,
        rules=read_rules(node["rules"]),
        rules_data=node["rules"].value,
        setup=setup,
        seat_count=players,
        is_site=is_site,
        engine=node["engine"].text(),
        hides_bots=node["bots"].text() == "hidden",
        draw_commit=read_hash(commits["draw"]) if is_site else "",
        coin_commit=read_hash(commits["coin"]) if "coin" in commits else "",
    )
    for digest in filter(None, (state.draw_commit, state.coin_commit)):
        state.add_commit(digest)
    _read_commits(state, node)
    if "reserved" in node:
        state.reserved = tuple(part.text() for part in node["reserved"].items(most=players))
    return state


def _read_commits(state: RecordedGame, node: Node) -> None:
    """Note the commitments to the seats' numbers and the bots' characters; old games have none."""
    if "seats" in node["commits"]:
        state.seats_commit = state.add_commit(read_hash(node["commits"]["seats"]))
        state.places = tuple(map(read_hash, node["places"].items(state.seat_count)))
    if "characters" in node["commits"]:
        digest = read_hash(node["commits"]["characters"])
        state.characters_commit = state.add_commit(digest)


def read_board(node: Node, boards: Boards) -> Board:
    """Return the board of a line; raise `RecordFault` if its hash is not `map_hash`."""
    board = boards(node["map"].value)
    if board_hash(board) != node["map_hash"].value:
        raise RecordFault("map_hash is not the hash of the map used to check the game")
    return board


def require_setup_board(state: RecordedGame, when: Phase, engine: str) -> None:
    """Raise `RecordFault` if the board in the phase `when` is not that of the game's setup.

    The players may have agreed on a different number of centers needed to win, and other versions
    of the judge may have different boards.
    """
    if state.setup is None or engine != __version__:
        return
    agreed = state.board.victory_centers
    if replace(state.setup.board_at(when), victory_centers=agreed) != state.board:
        raise RecordFault(f"map: this is not the board of the setup {state.setup.name!r} in {when}")


def _read_setup(node: Node) -> Setup | None:
    name = node.text()
    if name and name not in setups():
        raise node.error(f"there is no setup called {printable(name, 40)!r}")
    return setups().get(name)


def check_draw(context: Context, node: Node) -> None:
    """Check that the secret gives each seat its powers, and note which bots play them."""
    state = context.state
    if state.powers:
        raise RecordFault("the powers have already been drawn")
    if state.is_late and node["late"].value is not True:
        raise RecordFault("the powers are drawn too late")
    players: list[tuple[Power, ...]] = [(info.power,) for info in state.board.powers]
    if state.setup:
        players = list(state.setup.players)
    first = [powers[0] for powers in players]
    if state.is_site:
        secret = read_hash(node["secret"])
        check_secret(Purpose.DRAW, secret, state.draw_commit, context.report)
        first = list(draw_powers(secret, first, len(first)))
    whole = {powers[0]: powers for powers in players}
    seats = node["seats"].items(state.seat_count)
    first = _place_reserved(state, seats, first)
    for number, (power, seat) in enumerate(zip(first, seats, strict=True), start=1):
        if seat["seat"].value != number:
            raise RecordFault(f"the seats are not listed in order: seat {number} is missing")
        if seat["powers"].value != list(whole[power]):
            names = ", ".join(whole[power])
            raise RecordFault(f"the draw gives seat {number} {names}, but the record differs")
        state.powers[number] = whole[power]
        if "bot" in seat:
            _set_bot(state, number, seat["bot"], str(number))
    context.report.checked["draws"] += state.is_site
    if "commits" in node:
        if state.seats_commit:
            raise RecordFault("commits: the first line has them already")
        _read_commits(state, node)
    if "secrets" in node:
        _check_numbers(context, node["secrets"]["seats"])


def _place_reserved(
    state: RecordedGame, seats: Sequence[Node], drawn: Sequence[Power]
) -> list[Power]:
    """Return the first power of each seat: the reserved ones in place, the others as drawn."""
    given: dict[int, Power] = {}
    for number, seat in enumerate(seats):
        if "reserved" not in seat:
            continue
        power = Power(seat["powers"].items()[0].text())
        if power not in state.reserved or power not in drawn or power in given.values():
            raise seat["powers"].error(f"{printable(power, 40)} was not reserved")
        given[number] = power
    rest = iter([power for power in drawn if power not in given.values()])
    return [given[number] if number in given else next(rest) for number in range(len(seats))]


def _check_numbers(context: Context, node: Node) -> None:
    """Check that the secret gives the seats the numbers that the game committed to."""
    state, secret = context.state, read_hash(node)
    check_secret(Purpose.SEATS, secret, state.seats_commit, context.report)
    if commit_places(secret, state.seat_count) != state.places:
        raise RecordFault("the secret gives the seats other numbers than the game committed to")
    state.knows_seats = True
    context.report.checked["numbers of seats"] += state.seat_count


def check_seat(context: Context, node: Node) -> None:
    """Note a change of who plays a seat."""
    state = context.state
    require_start(state)
    seat = read_seat(node["seat"], state.seat_count)
    node["change"].member(SeatChange)
    if state.current:
        state.current.seats_changed.add(seat)
    if "bot" in node:
        at = f" {parse_time(node['at'].text()).isoformat()}" if state.is_site else ""
        _set_bot(state, seat, node["bot"], f"{seat}{at}")


def _set_bot(state: RecordedGame, seat: int, node: Node, draw: str) -> None:
    if state.hides_bots:
        raise node.error("this game hides which seats are bots")
    state.bots[seat], state.draws[seat] = node.text(), draw


def check_vote(context: Context, node: Node) -> None:
    """Check that a vote is complete; only the site knows the ballots behind its outcome."""
    context.state.has_votes = True
    node["vote"].integer(1)
    node["question"].text()
    node["state"].text()
    if "seat" in node:
        read_seat(node["seat"], context.state.seat_count)


def check_log(context: Context, node: Node) -> None:
    """Check that a log entry is complete."""
    node["entry"].text()
    node["text"].text()
    by = node["by"]
    if by.value not in ACTORS:
        read_seat(by, context.state.seat_count)
    if "sequence" in node:
        node["sequence"].integer(1)


def check_coin(context: Context, node: Node) -> None:
    """Check the coin flip against the secret that the game committed to."""
    state = context.state
    require_start(state)
    coin = state.setup.coin if state.setup else None
    if coin is None or state.setup is None:
        raise RecordFault("this setup has no coin flip")
    read_coin(context, node["secret"])
    winner = state.setup.players[flip_coin(str(state.coin), len(state.setup.players))]
    if node["power"].value != coin.power or state.powers.get(_seat(state, node)) != winner:
        raise RecordFault(f"according to the secret, {coin.power} joins {', '.join(winner)}")
    context.report.checked["coin flips"] += 1


def _seat(state: RecordedGame, node: Node) -> int:
    return read_seat(node["seat"], state.seat_count)


def read_coin(context: Context, node: Node) -> None:
    """Check and note the secret of the coin flip."""
    state = context.state
    secret = read_hash(node)
    if not state.coin_commit:
        raise node.error("the game has not committed to a coin flip")
    check_secret(Purpose.COIN, secret, state.coin_commit, context.report)
    state.coin = secret


def check_rollback(context: Context, node: Node) -> None:
    """Go back to an earlier phase, or undo a rollback."""
    state = context.state
    require_start(state)
    branch, to = node["branch"].integer(0), node["to"].integer(1)
    if node["direction"].text() == "forward":
        _roll_forward(state, branch, to)
    else:
        _roll_back(state, branch, to)
    if "commits" in node and "coin" in node["commits"]:
        state.coin_commit = state.add_commit(read_hash(node["commits"]["coin"]))
        state.coin = None
    elif state.coin is not None and state.expected is not None:
        _require_flipped(state, state.phases[state.expected].phase)


def _require_flipped(state: RecordedGame, when: Phase) -> None:
    """Raise `RecordFault` if the game goes back to before a coin flip whose result is known."""
    coin = state.setup.coin if state.setup else None
    if coin is None:
        return
    flip = Phase.last(coin.joins.year - 1)
    if when.order < flip.order:
        raise RecordFault("the coin must be flipped again, because its secret is public")


def _roll_back(state: RecordedGame, branch: int, to: int) -> None:
    is_known = not state.skips(to)
    if branch != state.top_branch + 1:
        raise RecordFault(f"the new branch must be {state.top_branch + 1}")
    if is_known and (to not in state.line or not state.phases[to].is_resolved):
        raise RecordFault(f"phase {to} is not an earlier phase of this branch")
    if len(state.rollbacks) >= MAX_ROLLBACKS:
        raise RecordFault(f"there are more than {MAX_ROLLBACKS} rollbacks")
    place = state.line.index(to) if is_known else 0
    state.rollbacks.append(
        Left(
            line=tuple(state.line[place:]),
            branch=state.branch,
            after=state.after,
            ending=state.ending,
            is_ended=state.is_ended,
            coin_commit=state.coin_commit,
            coin=state.coin,
        )
    )
    del state.line[place:]
    state.branch = state.top_branch = branch
    state.expected, state.is_ended, state.ending = to if is_known else None, False, None
    state.is_blind = not is_known


def _roll_forward(state: RecordedGame, branch: int, to: int) -> None:
    rollback = state.rollbacks.pop() if state.rollbacks else None
    if state.is_late and (rollback is None or not rollback.line):
        # The rollback came before the first phase that is checked.
        state.line.clear()
        state.branch, state.expected, state.ending, state.is_blind = branch, None, None, True
        return
    if rollback is None or (branch, to) != (rollback.branch, rollback.line[-1]):
        raise RecordFault("this does not undo the last rollback")
    first = len(state.line)
    while first and state.phases[state.line[first - 1]].branch == state.branch:
        first -= 1
        if state.phases[state.line[first]].is_resolved:
            raise RecordFault("a phase has been processed since the rollback")
    # The reopened phase also had any changes of players that happened while it was left behind.
    changed = [state.phases[key].seats_changed for key in state.line[first:]]
    state.phases[rollback.line[-1]].seats_changed.update(*changed)
    del state.line[first:]
    state.line.extend(rollback.line)
    state.branch, state.after, state.ending = rollback.branch, rollback.after, rollback.ending
    state.is_ended, state.expected = rollback.is_ended, None
    state.coin_commit, state.coin = rollback.coin_commit, rollback.coin


def check_end(context: Context, node: Node) -> None:
    """Check the ending against the results of the last phase, and the secrets revealed with it."""
    state = context.state
    if state.is_ended:
        raise RecordFault("the game has already ended")
    ending = node["ending"]
    for power in ending["winners"].items():
        if Power(power.text()) not in state.board.power_info:
            raise power.error("not a power of this game")
    ending["reason"].text()
    if state.ending is not None and state.ending != ending.value:
        raise RecordFault("the last phase led to a different ending")
    if "coin" in node["secrets"]:
        read_coin(context, node["secrets"]["coin"])
    if state.seats_commit and ("seats" in node["secrets"] or not state.knows_seats):
        _check_numbers(context, node["secrets"]["seats"])
    if state.characters_commit:
        _check_characters(context, node["secrets"]["characters"])
    state.is_ended = True


def _check_characters(context: Context, node: Node) -> None:
    """Check that all bots have been revealed, and that the secret gives them their characters."""
    state, secret = context.state, read_hash(node)
    check_secret(Purpose.CHARACTERS, secret, state.characters_commit, context.report)
    for phase in state.phases.values():
        if phase.is_sealed:
            raise RecordFault(f"the bots of phase {phase.sequence} have not been revealed")
    for draw, bot in state.characters.items():
        if state.engine != __version__:
            context.report.note_unchecked("the characters of bots, drawn by another version")
        elif give_character(hide_character(bot), f"{secret} {draw}") != bot:
            raise RecordFault(f"the secret does not make a bot {printable(repr(bot), 40)}")
        else:
            context.report.checked["characters of bots"] += 1


def require_start(state: RecordedGame) -> None:
    """Raise `RecordFault` if the powers have not been drawn."""
    if not state.powers:
        raise RecordFault("the powers have not been drawn yet")
