"""Checks the lines about phases: their opening, lock and results, and secrets revealed later."""

import json
import random
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.bots import BOTS, Bot, find_bot
from diplomaccloud.bots.arena import choose_orders
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.levels import LEVEL, VariedBot, vary
from diplomaccloud.bots.player import RandomBot
from diplomaccloud.bots.seats import hide_character, looks_ahead
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import Json, Node
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.protocol.answers import answer
from diplomaccloud.judge.protocol.records import compare_phase, compare_positions
from diplomaccloud.judge.protocol.requests import Boards, position_to_request, read_request
from diplomaccloud.judge.version import __version__
from diplomaccloud.record.chain import canonical_text, hash_text, parse_time
from diplomaccloud.record.commitments import (
    Purpose,
    bot_seed,
    has_conditional_orders,
    judge_seed,
    orders_text,
    salted_digest,
)
from diplomaccloud.record.game_checks import read_board, require_setup_board, require_start
from diplomaccloud.record.lines import SUBSTITUTE
from diplomaccloud.record.report import RecordFault, printable
from diplomaccloud.record.state import (
    MAX_BOARDS,
    MAX_PHASES,
    MAX_TEXT,
    Context,
    LockedDigests,
    RecordedGame,
    RecordedPhase,
    check_secret,
    read_hash,
    read_salt,
    read_seat,
    read_secret,
)

MAX_ORDER = 400
"""The most characters of a canonical order, even one with a long route."""

Orders = Mapping[Power, Sequence[str]]
"""Orders as canonical texts, by power."""


@dataclass(frozen=True, slots=True)
class Played:
    """The position that the bots of a phase saw, and the orders of all powers."""

    position: Position
    orders: Orders
    secret: str


def check_open(context: Context, node: Node, boards: Boards) -> None:
    """Check that a phase starts where the last one ended."""
    state = context.state
    require_start(state)
    if state.is_blind and not state.phases:
        state.skipped = node["sequence"].integer(1, MAX_PHASES) - 1
        state.branch = node["branch"].integer(0)
        state.top_branch = max(state.top_branch, state.branch)
    _require_next(state, node)
    if "map" in node:
        if state.setup is None:
            raise RecordFault("map: the map of this game cannot change")
        if state.boards >= MAX_BOARDS:
            raise RecordFault(f"the map changes more than {MAX_BOARDS} times")
        state.board, state.boards = read_board(node, boards), state.boards + 1
    commits = {
        purpose.value: state.add_commit(read_hash(node["commits"][purpose.value]))
        for purpose in (Purpose.JUDGE, Purpose.BOTS)
    }
    position = _read_position(state, node["position"])
    data = position_to_request(position)
    _compare_start(state, data)
    require_setup_board(state, position.phase, node["engine"].text())
    phase = RecordedPhase(
        sequence=node["sequence"].integer(1),
        branch=state.branch,
        phase=position.phase,
        engine=node["engine"].text(),
        position_hash=hash_text(canonical_text(data)),
        commits=commits,
        disorder=frozenset(Power(key.word()) for key, _ in node["disorder"].entries()),
        board=state.board,
        position=position,
        data=data,
    )
    phase.powers = {seat: state.powers_of(seat, phase.phase) for seat in state.powers}
    phase.bots = {seat: bot for seat, bot in state.bots.items() if bot}
    phase.draws = {seat: state.draws[seat] for seat in phase.bots if seat in state.draws}
    if "due_at" in node:
        parse_time(node["due_at"].text())
    state.phases[phase.sequence] = phase
    state.line.append(phase.sequence)
    state.expected, state.is_blind = None, False


def _require_next(state: RecordedGame, node: Node) -> None:
    """Raise `RecordFault` unless a phase with this number and branch may open now."""
    current = state.current
    if state.is_ended:
        raise RecordFault("the game has ended")
    if state.expected is None and current is not None and not current.is_resolved:
        raise RecordFault(f"phase {current.sequence} is still open")
    if state.expected is None and state.ending is not None:
        raise RecordFault("the game is over: the last phase decided it")
    if len(state.phases) >= MAX_PHASES:
        raise RecordFault(f"there are more than {MAX_PHASES} phases")
    number = state.skipped + len(state.phases) + 1
    if node["sequence"].value != number:
        raise RecordFault(f"the number of the phase must be {number}")
    if node["branch"].value != state.branch:
        raise RecordFault(f"the branch must be {state.branch}")


def _read_position(state: RecordedGame, node: Node) -> Position:
    request = {**_dict(node), "rules": state.rules_data}
    return read_request(request, lambda _: state.board).position


def _compare_start(state: RecordedGame, data: Json) -> None:
    """Raise `RecordFault` if the game does not continue with the position `data`."""
    if state.expected is not None:
        if hash_text(canonical_text(data)) != state.phases[state.expected].position_hash:
            raise RecordFault(f"the position is not the one at the start of phase {state.expected}")
        return
    after = state.after
    if state.is_blind:
        return
    if after is None:
        start = state.setup.position if state.setup else starting_position(state.board)
        after = position_to_request(start)
    if what := compare_positions(data, after):
        raise RecordFault(what)


def check_lock(context: Context, node: Node) -> None:
    """Check that every seat that could order has a digest."""
    state = context.state
    phase = _require_current(state, node)
    if phase.lock_place is not None or phase.position is None:
        raise RecordFault(f"the orders of phase {phase.sequence} are already locked")
    for entry in node["seats"].items():
        seat = read_seat(entry["seat"], state.seat_count)
        if phase.seats and seat <= max(phase.seats):
            raise RecordFault("the seats are not in order")
        phase.seats[seat] = LockedDigests(
            orders=read_hash(entry["orders"]) if "orders" in entry else None,
            sealed=read_hash(entry["sealed"]) if "sealed" in entry else None,
        )
    ordering = powers_to_order(phase.board, phase.position) - phase.disorder
    expected = {seat for seat, powers in phase.powers.items() if ordering.intersection(powers)}
    given = {seat for seat, digests in phase.seats.items() if digests.orders}
    if missing := sorted(expected - given):
        raise RecordFault(f"the digest of the orders of seat {missing[0]} is missing")
    if extra := sorted(given - expected):
        raise RecordFault(f"seat {extra[0]} has a digest, but nothing to order")
    phase.lock_place = context.place
    phase.locked_at = node["at"].text() if "at" in node else None


def _require_current(state: RecordedGame, node: Node) -> RecordedPhase:
    """Return the newest phase; raise `RecordFault` if it is processed or not the line's phase."""
    phase = state.current
    if phase is None or phase.is_resolved or state.is_ended or state.expected is not None:
        raise RecordFault("no phase is open")
    if node["sequence"].value != phase.sequence:
        raise RecordFault(f"the open phase is phase {phase.sequence}")
    return phase


def check_resolve(context: Context, node: Node) -> None:
    """Adjudicate a phase again, and check digests, commitments and the orders of bots."""
    state, report = context.state, context.report
    phase = _require_current(state, node)
    if phase.lock_place is None or phase.data is None or phase.position is None:
        raise RecordFault(f"the orders of phase {phase.sequence} have not been locked")
    orders = _read_orders(phase, node["orders"])
    _check_digests(context, phase, orders, node["salts"])
    secret = read_secret(node["secrets"]["judge"], is_site=state.is_site)
    check_secret(Purpose.JUDGE, secret, phase.commits["judge"], report)
    answered = _adjudicate(state, phase, orders, secret)
    engine = node["engine"].text()
    _compare_results(node, answered, engine)
    if engine != phase.engine:
        # The site was upgraded during the phase, so either version may have run the bots.
        phase.engine = f"{phase.engine} or {engine}"
    if "bots" in node["secrets"]:
        bots_secret = read_secret(node["secrets"]["bots"], is_site=state.is_site)
        check_secret(Purpose.BOTS, bots_secret, phase.commits["bots"], report)
        _check_bots(context, phase, Played(phase.position, orders, bots_secret), node["bots"])
    elif state.hides_bots or state.characters_commit:
        phase.is_sealed = bool(state.characters_commit)
        state.store(phase, {"position": phase.data, "orders": orders})
    else:
        raise RecordFault("the secret of the bots is missing")
    after, ending = answered["next"], answered.get("ending")
    state.after = after if isinstance(after, dict) else None
    state.ending = ending if isinstance(ending, dict) else None
    phase.is_resolved = True
    phase.close()
    report.phases += 1


def _read_orders(phase: RecordedPhase, node: Node) -> dict[Power, list[str]]:
    """Return the orders by power; raise `RecordFault` for a power that could not order."""
    seats = [seat for seat, digests in phase.seats.items() if digests.orders]
    could = {power for seat in seats for power in phase.powers[seat]}
    most = len(phase.board.provinces)
    orders = {
        Power(key.word()): [text.text(MAX_ORDER) for text in texts.items(most=most)]
        for key, texts in node.entries()
    }
    for power in orders:
        if power not in could:
            raise RecordFault(f"{printable(power, 40)} has orders, but nothing to order")
    return orders


def _check_digests(context: Context, phase: RecordedPhase, orders: Orders, node: Node) -> None:
    """Check the orders of each seat against its digest at the lock."""
    given = {seat: digests for seat, digests in phase.seats.items() if digests.orders}
    salts = {
        read_seat(entry["seat"], context.state.seat_count): read_salt(entry["salt"])
        for entry in node.items()
    }
    if sorted(salts) != sorted(given):
        raise RecordFault("salts: there must be one for each digest of orders at the lock")
    for seat, digests in given.items():
        text = orders_text(
            game=context.state.name,
            sequence=phase.sequence,
            phase=phase.title,
            seat=seat,
            powers=phase.powers[seat],
            orders=orders,
        )
        if salted_digest(salts[seat], text) != digests.orders:
            raise RecordFault(
                f"the orders of seat {seat} are not the ones locked in line {phase.lock_place}: "
                "their digest differs"
            )
        digests.text_hash = hash_text(text)
        context.report.checked["digests of orders"] += 1


def _adjudicate(state: RecordedGame, phase: RecordedPhase, orders: Orders, secret: str) -> Json:
    request = {
        **(phase.data or {}),
        "rules": state.rules_data,
        "orders": orders,
        "seed": judge_seed(secret),
    }
    answered = answer(request, lambda _: phase.board)
    if "error" in answered:
        raise RecordFault(f"it cannot be adjudicated: {answered['error']}")
    return answered


def _compare_results(node: Node, answered: Json, engine: str) -> None:
    """Raise `RecordFault` if the results in the record differ from the judge's."""
    recorded = {"results": _dict(node["results"]), "next": _dict(node["next"])}
    what = compare_phase(recorded, answered)
    if what is None and recorded["results"] != answered["results"]:
        what = "results: they differ"
    ending = node["ending"].value if "ending" in node else None
    if what is None and ending != answered.get("ending"):
        what = "ending: the judge's differs"
    if what is None:
        return
    if engine != __version__:
        what = f"{what} (judged by version {engine} of the judge, this is version {__version__})"
    raise RecordFault(what)


# Bots.


def _check_bots(context: Context, phase: RecordedPhase, played: Played, node: Node) -> None:
    """Check the orders of the seats for which bots wrote them.

    Promises of bots are not in the record, so orders that keep a promise are not checked.
    """
    state, report = context.state, context.report
    listed = {
        read_seat(entry["seat"], state.seat_count): entry["bot"].text() for entry in node.items()
    }
    for seat, digests in phase.seats.items():
        # A bot that takes over a seat keeps the orders that are already there.
        if state.hides_bots or digests.orders is None or seat in phase.seats_changed:
            continue
        name = listed.get(seat)
        if name is not None and state.characters_commit:
            _note_character(context, phase, seat, name)
            name = hide_character(name)
        if name != phase.bots.get(seat):
            player = f"the bot {phase.bots[seat]!r}" if seat in phase.bots else "no bot"
            raise RecordFault(f"bots: seat {seat} is played by {player}")
    promised = {entry["seat"].value for entry in node.items() if "promised" in entry}
    replaced = {entry["seat"].value for entry in node.items() if _is_replaced(entry)}
    for seat, bot in listed.items():
        locked = phase.seats.get(seat)
        if locked is None or locked.orders is None:
            raise RecordFault(f"bots: seat {seat} has nothing to order")
        if seat in promised:
            report.note_unchecked("orders by which bots kept promises to other players")
        else:
            _check_bot(context, phase, played, seat, SUBSTITUTE if seat in replaced else bot)


def _note_character(context: Context, phase: RecordedPhase, seat: int, name: str) -> None:
    """Note the character of a bot, which is checked at the end; it must stay the same."""
    draw = phase.draws.get(seat)
    if draw is not None and context.state.characters.setdefault(draw, name) != name:
        known = printable(repr(context.state.characters[draw]), 40)
        raise RecordFault(f"bots: seat {seat} was played by the bot {known} before")


def _is_replaced(entry: Node) -> bool:
    """Return whether the bot failed, so that the greedy bot ordered for it."""
    if "instead" not in entry:
        return False
    if entry["instead"].text() != SUBSTITUTE:
        raise RecordFault(f"bots: only the bot {SUBSTITUTE!r} may order in place of another")
    return True


def _find_bot(name: str) -> Bot | None:
    """Return the bot if it thinks no longer than a level does, or None."""
    try:
        return find_bot(name) if name in BOTS or name.startswith(f"{LEVEL}:") else None
    except ValueError:
        return None


def _check_bot(
    context: Context, phase: RecordedPhase, played: Played, seat: int, name: str
) -> None:
    """Compute the orders of a seat's bot again, and compare them."""
    report = context.report
    bot = _find_bot(name)
    if phase.engine != __version__ or bot is None:
        known = f"the bot {name!r} of version {phase.engine}"
        report.note_unchecked(f"the orders of {printable(known)}, which this version cannot play")
        return
    if phase.branch > 0:
        bot = vary(bot)
    if SLOW_KERNEL and (looks_ahead(name) or isinstance(bot, VariedBot)):
        report.note_unchecked("the orders of bots that look ahead, which need the compiled kernel")
        return
    powers = [power for power in phase.powers[seat] if power not in phase.disorder]
    if not any(played.orders.get(power) for power in powers):
        # If a bot fails, the site records no orders for it and continues.
        report.note_unchecked(
            f"whether the bot {printable(repr(name))} really failed to give orders"
        )
        return
    for power in powers:
        derived = _derive_orders(context.state, phase, played, power, bot)
        if sorted(map(str, derived)) != sorted(played.orders.get(power, ())):
            raise RecordFault(
                f"the orders of {power} are not the ones of the bot {name!r} in seat {seat}"
            )
    report.checked["order sets of bots"] += 1


def _derive_orders(
    state: RecordedGame, phase: RecordedPhase, played: Played, power: Power, bot: Bot
) -> Sequence[Order]:
    """Return the orders that a bot gives a power with the secret of the phase."""
    position, rules = played.position, state.rules
    if not state.is_site and set(phase.bots.values()) == {RandomBot.name}:
        # Random bots draw the orders of all powers together if they are alone in the arena.
        bots = dict.fromkeys(phase.board.power_info, bot)
        seed = played.secret.removesuffix(f"/{phase.phase}")
        orders = choose_orders(phase.board, position, bots, rules, seed)
        return [order for order in orders if power_of(order) == power]
    rng = random.Random(bot_seed(played.secret, power))
    return bot.orders(phase.board, position, power, rules, rng)


def check_reveal(context: Context, node: Node) -> None:
    """Check the secrets of a phase that were hidden until the end of the game."""
    state, report = context.state, context.report
    sequence = node["sequence"].integer(1)
    phase = state.phases.get(sequence)
    if state.skips(sequence):
        return
    if phase is None or not phase.is_resolved:
        raise RecordFault("sequence: there is no such phase")
    if "secrets" in node:
        _reveal_bots(context, phase, node)
    for entry in node["sealed"].items():
        seat = read_seat(entry["seat"], state.seat_count)
        digests = phase.seats.get(seat)
        text = entry["text"].text(MAX_TEXT)
        digest = salted_digest(read_salt(entry["salt"]), text)
        if digests is None or digests.sealed != digest:
            raise RecordFault(
                f"the sealed text of seat {seat} is not the one locked in line {phase.lock_place}"
            )
        digests.is_revealed = True
        report.checked["digests of sealed texts"] += 1
        if has_conditional_orders(text):
            # The player may have given other orders once the phase opened.
            report.note_unchecked("whether the site used conditional orders correctly")


def _reveal_bots(context: Context, phase: RecordedPhase, node: Node) -> None:
    state = context.state
    secret = read_secret(node["secrets"]["bots"], is_site=state.is_site)
    check_secret(Purpose.BOTS, secret, phase.commits["bots"], context.report)
    phase.is_sealed = False
    if phase.stored is None:
        context.report.note_unchecked("the orders of bots in very long records")
        return
    stored = json.loads(zlib.decompress(phase.stored))
    request = {**stored["position"], "rules": state.rules_data}
    position = read_request(request, lambda _: phase.board).position
    _check_bots(context, phase, Played(position, stored["orders"], secret), node["bots"])
    phase.stored = None


def _dict(node: Node) -> dict[str, object]:
    if not isinstance(node.value, dict):
        raise node.error("not an object")
    return node.value
