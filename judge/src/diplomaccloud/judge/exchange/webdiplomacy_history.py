"""Reads the history of a webDiplomacy game from its file `history.json`.

The file follows schema 1 of September 2026: `phases`, each with `turn`, `phase`, `units`, `centers`
and `orders`. Territories and countries have the numbers of the Classic map. Turn 0 is Spring 1901.
"""

from collections.abc import Iterator, Mapping, Sequence

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.codec import Node
from diplomaccloud.judge.exchange.reading import Reading, read_value
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position, PositionError
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

EDITION = "webDiplomacy"
"""The edition with webDiplomacy's rules."""
FINISHED = "Finished"
MAX_TURN = 2_000

_POWERS = ("ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA")
"""The powers in the order of their country numbers, from 1."""

_PLACE_NAMES = (
    "CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL RUM CON "
    "SMY ANK ARM SYR SEV UKR WAR LVN MOS STP FIN SWE NWY DEN KIE BER PRU SIL MUN RUH HOL BEL "
    "PIC BRE PAR BUR MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO IRI ENG MAO WES LYO TYS ION ADR "
    "AEG EAS BLA TYR BOH VIE TRI BUD GAL SPA/NC SPA/SC STP/NC STP/SC BUL/EC BUL/SC"
)
_PLACES = tuple(Location(name) for name in _PLACE_NAMES.split())
"""The places in the order of their territory numbers, from 1."""

_KINDS = {"Army": UnitKind.ARMY, "Fleet": UnitKind.FLEET}
_STAGES = {
    "Diplomacy": Stage.MOVEMENT,
    "Retreats": Stage.RETREATS,
    "Builds": Stage.ADJUSTMENTS,
}


def read_history(reading: Reading, entries: Sequence[tuple[int, object]]) -> None:
    """Read a history, which is the only one of `entries`.

    Every phase is adjudicated with the site's edition, and must lead to the next units and centers.
    The site has a retreat phase even if no unit can retreat, and skips a phase in which all builds
    are waived.
    """
    node = Node(read_value(entries[0][1]))
    if node["schema"].value != 1:
        raise node["schema"].error("only schema 1 is supported")
    reading.name = f"webDiplomacy {node['gameID'].integer(0, 2**53)}"
    phases = node["phases"].items()
    if not phases:
        raise node["phases"].error("there are no phases")
    game = reading.game = _open_game(phases[0])
    for number, entry in enumerate(phases, start=1):
        if entry["phase"].value == FINISHED:
            if number < len(phases):
                raise entry.error("there are phases after the game is finished")
            reading.require_position(_read_position(game.position.phase, entry), ("units",))
            return
        phase = _read_phase(entry)
        if not _reach(reading, phase, entry):
            continue
        reading.require_position(_read_position(phase, entry))
        for power, orders in _read_orders(game, entry["orders"]).items():
            game.order(power, orders)
        if number < len(phases):
            game.adjudicate()


def _open_game(entry: Node) -> Game:
    """Return a game that starts with the first phase."""
    phase = _read_phase(entry)
    if phase.stage is not Stage.MOVEMENT:
        raise entry["phase"].error("a history begins with Diplomacy")
    try:
        return Game(rules=EDITIONS[EDITION], position=_read_position(phase, entry))
    except PositionError as error:
        raise entry.error(f"not a position of the Classic map: {error}") from error


def _read_position(phase: Phase, entry: Node) -> Position:
    return Position(phase, tuple(_read_units(entry["units"])), _read_centers(entry["centers"]))


def _read_phase(entry: Node) -> Phase:
    turn = entry["turn"].integer(0, MAX_TURN)
    stage = _STAGES.get(entry["phase"].text())
    if stage is None:
        raise entry["phase"].error(f"not one of {', '.join([*_STAGES, FINISHED])}")
    return Phase.of_turn(turn, stage, standard_board().first_year)


def _reach(reading: Reading, phase: Phase, entry: Node) -> bool:
    """Advance the game to `phase`; return whether it has that phase, or stop at another."""
    game = reading.game
    now = game.position.phase
    if now.stage is Stage.ADJUSTMENTS and phase == now.next_phase() and game.ending is None:
        game.adjudicate()  # all builds were waived
    is_idle = phase.stage is Stage.RETREATS and all(
        order["type"].value == "Disband" for order in entry["orders"].items()
    )
    if is_idle and (phase != game.position.phase or game.ending is not None):
        return False
    reading.require_phase(phase)
    return True


def _read_units(node: Node) -> Iterator[Unit]:
    """Yield the units that do not have to retreat."""
    for entry in node.items():
        unit = Unit(_read_kind(entry["type"]), _read_place(entry["terrID"]), _read_power(entry))
        if not entry["retreating"].truth():
            yield unit


def _read_centers(node: Node) -> Mapping[ProvinceCode, Power]:
    """Return the owners of supply centers from the file's owners of all territories."""
    owners: dict[ProvinceCode, Power] = {}
    for entry in node.items():
        code = ProvinceCode(_read_place(entry["terrID"]))
        if code in standard_board().centers and entry["countryID"].value not in {0, None}:
            owners[code] = _read_power(entry)
    return owners


def _read_power(entry: Node) -> Power:
    return Power(_POWERS[entry["countryID"].integer(1, len(_POWERS)) - 1])


def _read_place(node: Node) -> Location:
    return _PLACES[node.integer(1, len(_PLACES)) - 1]


def _read_kind(node: Node) -> UnitKind:
    kind = _KINDS.get(node.text())
    if kind is None:
        raise node.error(f"not one of {', '.join(_KINDS)}")
    return kind


# Orders.


def _read_orders(game: Game, node: Node) -> dict[Power, list[Order]]:
    """Return the orders by power, leaving out disbands of units that had no retreat."""
    orders: dict[Power, list[Order]] = {}
    for entry in node.items():
        power = _read_power(entry)
        order = _read_order(game.position, entry, power)
        if order is not None:
            orders.setdefault(power, []).append(order)
    return orders


def _read_order(position: Position, entry: Node, power: Power) -> Order | None:
    word = entry["type"].text()
    if word == "Wait":
        return None
    place = _read_place(entry["terrID"])
    if word in {"Build Army", "Build Fleet"}:
        return Build(Unit(_KINDS[word.removeprefix("Build ")], place, power))
    if word in {"Retreat", "Disband"}:
        gone = {each.unit.province: each.unit for each in position.dislodged}
        unit = gone.get(province_of(place))
        if unit is None and word == "Disband":
            return None
    else:
        unit = position.unit_in(province_of(place))
    if unit is None or unit.power != power:
        raise entry["terrID"].error(f"{power} has no unit in {place} to order")
    return _read_unit_order(position, entry, word, unit)


def _read_unit_order(position: Position, entry: Node, word: str, unit: Unit) -> Order:
    match word:
        case "Hold":
            order: Order = Hold(unit)
        case "Move":
            by_sea = entry["viaConvoy"].truth() and unit.kind is UnitKind.ARMY
            order = Move(unit, _read_place(entry["toTerrID"]), by_sea)
        case "Support hold":
            order = SupportHold(unit, _find_unit(position, entry["toTerrID"]))
        case "Support move" | "Convoy":
            target = _find_unit(position, entry["fromTerrID"])
            to = _read_place(entry["toTerrID"])
            is_convoy = word == "Convoy"
            order = (
                Convoy(unit, target, province_of(to))
                if is_convoy
                else SupportMove(unit, target, to)
            )
        case "Retreat":
            order = Retreat(unit, _read_place(entry["toTerrID"]))
        case "Disband" | "Destroy":
            order = Disband(unit)
        case _:
            raise entry["type"].error(f"not an order of webDiplomacy: {word[:20]!r}")
    return order


def _find_unit(position: Position, node: Node) -> Unit:
    """Return the supported or convoyed unit."""
    place = _read_place(node)
    unit = position.unit_in(province_of(place))
    if unit is None:
        raise node.error(f"there is no unit in {place}")
    return unit
