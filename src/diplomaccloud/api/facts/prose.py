"""A page of prose about a game from a player's view, for language models and screen readers."""

from collections.abc import Iterable

from diplomaccloud.games.orders.read import read_missing_orders
from diplomaccloud.games.results.read import read_ending, read_newest_name, read_processed
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Move, power_of


def write_prose(reader: Reader) -> str:
    """Return the page: what is due, the board, nearby units, and the last results."""
    parts = [
        _describe_moment(reader),
        _describe_orders(reader),
        *(_describe_power(reader, info.power) for info in reader.board.powers),
        _describe_threats(reader),
        _describe_results(reader),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _describe_moment(reader: Reader) -> str:
    phase, own = reader.phase, _list(_name(reader, power) for power in reader.own_powers)
    if phase is None:
        return f"The game {reader.game.world} has not started."
    text = f"{reader.game.world}, {reader.position.phase.title}. You play {own}."
    ending = read_ending(reader)
    if ending is not None:
        return f"{text} The game is over. {ending.reason}"
    text += f" The phase has the number {phase.sequence}."
    return f"{text} Orders are due at {phase.due_at:%Y-%m-%d %H:%M} UTC."


def _describe_orders(reader: Reader) -> str:
    if not reader.is_running:
        return ""
    if not reader.must_order:
        return "You have nothing to order now."
    orders, missing = sorted(map(str, reader.live_draft.orders)), read_missing_orders(reader)
    text = f"Your orders: {_list(orders)}." if orders else "You have saved no orders."
    if missing.units:
        text += f" Without an order: {_list(map(str, missing.units))}."
    for power, number in missing.adjustments.items():
        act = "build" if number > 0 else "disband"
        text += f" {_name(reader, power)} may still {act} {abs(number)}."
    return text + (" You are ready." if reader.own_submission.ready else " You are not ready.")


def _describe_power(reader: Reader, power: Power) -> str:
    position = reader.position
    units, centers = position.units_of(power), position.centers_of(power)
    gone = [entry for entry in position.dislodged if entry.unit.power == power]
    if not (units or centers or gone):
        return f"{_name(reader, power)} is eliminated."
    text = (
        f"{_name(reader, power)} has {len(centers)} centers ({_list(sorted(centers))}) and "
        f"{len(units)} units ({_list(map(str, units))})."
    )
    for entry in gone:
        text += f" {entry.unit} is dislodged and may go to {_list(entry.retreats)}."
    return text


def _describe_threats(reader: Reader) -> str:
    """Return, in a movement phase, the other powers' units that can enter the player's places."""
    own = set(reader.own_powers)
    if not (reader.is_running and reader.must_order):
        return ""
    position = reader.position
    places = {unit.province for power in own for unit in position.units_of(power)}
    places |= {code for power in own for code in position.centers_of(power)}
    near: dict[str, set[str]] = {}
    for order in legal_orders(reader.board, position, rules=reader.game.rules):
        if isinstance(order, Move) and power_of(order) not in own:
            target = order.to.partition("/")[0]
            if target in places:
                name = f"{order.unit} of {_name(reader, power_of(order))}"
                near.setdefault(target, set()).add(name)
    lines = [f"Able to enter {place}: {_list(sorted(near[place]))}." for place in sorted(near)]
    return " ".join(lines)


def _describe_results(reader: Reader) -> str:
    newest = read_newest_name(reader)
    if newest is None:
        return ""
    processed = read_processed(reader, newest.sequence)
    lines = [f"Results of {processed.name.phase.title}:"]
    lines += [
        f"{_name(reader, power_of(result.order))}: {result.order}: {result.outcome.value}. "
        f"{result.reason}"
        for result in processed.resolution.results
    ]
    return "\n".join(lines)


def _name(reader: Reader, power: Power) -> str:
    return reader.board.power_info[power].name


def _list(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"
