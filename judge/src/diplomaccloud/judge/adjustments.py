"""Winter adjustments: balances, builds, disbands, and removals in civil disorder."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.geography import FAR, Geography, geography, steps_by_fleet, steps_over_all
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import Message, Parameter, Place, PowerName
from diplomaccloud.judge.orders import AdjustmentOrder, Build, Disband, Order, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import DEFAULT, Pick, Removal, RuleSet
from diplomaccloud.judge.units import Unit

# What is owed.


def build_sites(board: Board, position: Position, power: Power) -> tuple[ProvinceCode, ...]:
    """Return the places where `power` may build: empty centers that it owns, in board order."""
    occupied = {unit.province for unit in position.units}
    return tuple(
        code
        for code in board.build_centers.get(power, ())
        if position.centers.get(code) == power and code not in occupied
    )


def adjustments_owed(board: Board, position: Position, power: Power) -> int:
    """Return how many units `power` may build, or minus the number that it must disband.

    Builds are limited to its `build_sites`.
    """
    balance = len(position.centers_of(power)) - len(position.units_of(power))
    return min(balance, len(build_sites(board, position, power))) if balance > 0 else balance


def powers_adjusting(board: Board, position: Position) -> frozenset[Power]:
    """Return all powers for which `adjustments_owed` is not zero, in one pass."""
    owned = Counter(position.centers.values())
    standing = Counter([unit.power for unit in position.units])
    adjusting = [power for power, count in standing.items() if count > owned[power]]
    gaining = [power for power, count in owned.items() if count > standing[power]]
    if gaining:
        center_at = board.center_at
        occupied = {center_at.get(unit.location) for unit in position.units}
        owners = position.centers.get
        for power in gaining:
            for code in board.build_centers.get(power, ()):
                if code not in occupied and owners(code) == power:
                    adjusting.append(power)
                    break
    return frozenset(adjusting)


# Builds and disbands.


def write_result(
    names: Geography,
    order: Order,
    outcome: Outcome,
    key: str,
    *,
    implicit: bool = False,
    **parameters: Parameter,
) -> OrderResult:
    """Return the result of an order with the catalog's sentence `key` as its reason."""
    why = Sentence(Message(key, parameters), names)
    return OrderResult(order, outcome, why, implicit=implicit)


def adjust(
    board: Board,
    position: Position,
    power: Power,
    orders: Sequence[AdjustmentOrder],
    rules: RuleSet = DEFAULT,
    *,
    seed: str = "",
) -> list[OrderResult]:
    """Return the results of the adjustments of `power`; each of `orders` is legal on its own.

    The first possible orders count (DATC 4.D.4 to 4.D.6), unless `rules` say otherwise. Builds
    that are not ordered are waived. If disbands are missing, the first units of `removal_order` go.
    """
    owed = adjustments_owed(board, position, power)
    if owed <= 0:
        queue = partial(removal_order, board, position, power, rules, seed)
        return _disband(geography(board), power, -owed, orders, queue, rules=rules)
    results = _build(geography(board), owed, power, orders, rules)
    if not rules.may_waive and orders:
        _fill_up(board, position, power, results)
    return results


def _build(
    names: Geography, owed: int, power: Power, orders: Sequence[AdjustmentOrder], rules: RuleSet
) -> list[OrderResult]:
    results: list[OrderResult] = []
    write = partial(write_result, names)
    placed = _choose_by_province(orders, rules.builds_in_one_place)
    counted = _choose_counted(placed, owed, rules.too_many_builds)
    for number, order in enumerate(orders):
        if number in counted and isinstance(order, Build):
            place = Place(order.unit.location)
            results.append(write(order, Outcome.BUILT, "built", place=place))
        elif number in counted:
            results.append(write(order, Outcome.WAIVED, "waived_as_ordered"))
        elif number in placed:
            named = PowerName(power)
            results.append(write(order, Outcome.VOID, "too_many_builds", power=named, units=owed))
        elif isinstance(order, Build):
            place = Place(order.unit.province)
            results.append(write(order, Outcome.VOID, "one_build_per_province", place=place))
    waived = write(Waive(power), Outcome.WAIVED, "waived_without_order", implicit=True)
    return results + [waived] * (owed - len(counted))


def _choose_by_province(orders: Sequence[AdjustmentOrder], pick: Pick) -> list[int]:
    """Return the indexes of the `orders` that remain with one build per province (4.D.5)."""
    kept: dict[object, int] = {}
    rivals: dict[object, set[AdjustmentOrder]] = {}
    for number, order in enumerate(orders):
        key = order.unit.province if isinstance(order, Build) else number
        rivals.setdefault(key, set()).add(order)
        if key not in kept or pick is Pick.LAST:
            kept[key] = number
    if pick is Pick.NONE:
        kept = {key: number for key, number in kept.items() if len(rivals[key]) == 1}
    return sorted(kept.values())


def _choose_counted(numbers: Sequence[int], owed: int, pick: Pick) -> Sequence[int]:
    """Return the `numbers` that count if at most `owed` can (4.D.4, 4.D.6)."""
    if len(numbers) <= owed:
        return numbers
    if pick is Pick.NONE:
        return ()
    return numbers[:owed] if pick is Pick.FIRST else numbers[-owed:]


def _fill_up(board: Board, position: Position, power: Power, results: list[OrderResult]) -> None:
    """Replace missing builds with armies, in vacant build sites by name (4.D.7)."""
    names = geography(board)
    built = {result.order for result in results if result.outcome is Outcome.BUILT}
    taken = {order.unit.province for order in built if isinstance(order, Build)}
    free = [code for code in build_sites(board, position, power) if code not in taken]
    free.sort(key=lambda code: names.names[code].casefold())
    for at, result in enumerate(results):
        if result.outcome is Outcome.WAIVED:
            order = Build(Unit(UnitKind.ARMY, Location(free.pop(0)), power))
            key = "built_without_order"
            results[at] = write_result(names, order, Outcome.BUILT, key, implicit=True)


def _disband(
    names: Geography,
    power: Power,
    owed: int,
    orders: Iterable[AdjustmentOrder],
    queue: Callable[[], Sequence[Unit]],
    *,
    rules: RuleSet,
) -> list[OrderResult]:
    results: list[OrderResult] = []
    write = partial(write_result, names)
    given = [order for order in orders if isinstance(order, Disband)]
    fresh = [at for at, order in enumerate(given) if order not in given[:at]]
    counted = _choose_counted(fresh, owed, rules.too_many_disbands)
    for at, order in enumerate(given):
        if at in counted:
            results.append(write(order, Outcome.DISBANDED, "disbanded_as_ordered"))
        elif at in fresh:
            named = PowerName(power)
            results.append(write(order, Outcome.VOID, "too_many_disbands", power=named, units=owed))
        else:
            results.append(write(order, Outcome.VOID, "already_disbanded"))
    if len(counted) < owed:
        gone = {given[at].unit for at in counted}
        rest = [Disband(unit) for unit in queue() if unit not in gone]
        for order in rest[: owed - len(counted)]:
            key = "disbanded_in_civil_disorder"
            results.append(write(order, Outcome.DISBANDED, key, implicit=True))
    return results


def removal_order(
    board: Board, position: Position, power: Power, rules: RuleSet, seed: str
) -> Sequence[Unit]:
    """Return the units of `power` in the order in which civil disorder removes them.

    The farthest goes first, then fleets before armies, then alphabetically by the full name
    of the province (2000 rulebook, "Civil Disorder"; DATC 4.D.8). The distance is to the
    nearest home center: for an army over land and sea, for a fleet as fleets sail. In 1961 it
    is to the nearest province of the home country, and in 2023 to the nearest center owned now,
    over land and sea for both. In 2009 the order is drawn by lot from `seed`, with units
    outside the home country first.
    """
    units = position.units_of(power)
    if rules.removal is Removal.RANDOM_2009:
        from random import Random  # noqa: PLC0415 no other rules draw lots

        home = {p.code for p in board.provinces if p.home == power}
        rng = Random(f"{seed}:{position.phase}:{power}")
        drawn = rng.sample(units, len(units))
        return sorted(drawn, key=lambda unit: unit.province in home)
    steps = distance_home(board, position, power, rules.removal)
    names = geography(board).names
    return sorted(
        units,
        key=lambda unit: (
            -steps(unit),
            unit.kind is not UnitKind.FLEET,
            names.get(unit.province, unit.province).casefold(),
        ),
    )


def distance_home(
    board: Board, position: Position, power: Power, removal: Removal
) -> Callable[[Unit], int]:
    """Return a unit's distance from home for civil disorder, or `FAR` if no route leads there."""
    if removal is Removal.OWNED_2023:
        near = steps_over_all(board, position.centers_of(power))
        return lambda unit: near.get(unit.province, FAR)
    goals = board.home_centers.get(power, ())
    if removal is Removal.HOME_1961:
        goals = tuple(p.code for p in board.provinces if p.home == power)
    walk, sail = steps_over_all(board, goals), steps_by_fleet(board, goals)

    def steps(unit: Unit) -> int:
        if unit.kind is UnitKind.FLEET:
            return sail.get(unit.location, FAR)
        return walk.get(unit.province, FAR)

    return steps
