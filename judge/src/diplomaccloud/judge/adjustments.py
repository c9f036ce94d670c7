"""Winter adjustments: balances, builds, disbands, and removals in civil disorder."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.geography import FAR, Geography, geography, steps_by_fleet, steps_over_all
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import Message, Place, PowerName
from diplomaccloud.judge.orders import AdjustmentOrder, Build, Disband, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import DEFAULT, Pick, Removal, RuleSet
from diplomaccloud.judge.units import Unit

# What is owed.


def build_sites(board: Board, position: Position, power: Power) -> tuple[ProvinceCode, ...]:
    """Return the empty home centers that `power` owns, in board order."""
    occupied = {unit.province for unit in position.units}
    return tuple(
        code
        for code in board.home_centers.get(power, ())
        if position.centers.get(code) == power and code not in occupied
    )


def adjustments_owed(board: Board, position: Position, power: Power) -> int:
    """Return how many units `power` may build, or minus the number that it must disband.

    Builds are limited to the empty home centers that it owns.
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
            for code in board.home_centers.get(power, ()):
                if code not in occupied and owners(code) == power:
                    adjusting.append(power)
                    break
    return frozenset(adjusting)


# Builds and disbands.


@dataclass(slots=True)
class AdjustmentResults:
    """The results of one power's adjustments, and the units built and removed."""

    results: list[OrderResult] = field(default_factory=list)
    built: list[Unit] = field(default_factory=list)
    removed: list[Unit] = field(default_factory=list)


def adjust(
    board: Board,
    position: Position,
    power: Power,
    orders: Iterable[AdjustmentOrder],
    queue: Callable[[], Sequence[Unit]],
    *,
    rules: RuleSet = DEFAULT,
) -> AdjustmentResults:
    """Return the units that `power` builds or loses; each of `orders` is legal on its own.

    The first possible orders count (DATC 4.D.4 to 4.D.6), unless `rules` say otherwise. Builds
    that are not ordered are waived. If disbands are missing, the first units of `queue()` go.
    """
    owed = adjustments_owed(board, position, power)
    if owed <= 0:
        return _disband(geography(board), power, -owed, orders, queue, rules=rules)
    listed = list(orders)
    done = _build(board, owed, power, listed, rules)
    if not rules.may_waive and listed:
        _fill_up(board, position, power, done)
    return done


def _build(
    board: Board, owed: int, power: Power, orders: Sequence[AdjustmentOrder], rules: RuleSet
) -> AdjustmentResults:
    done = AdjustmentResults()
    names = geography(board)
    placed = _choose_by_province(orders, rules.builds_in_one_place)
    counted = _choose_counted(placed, owed, rules.too_many_builds)
    for number, order in enumerate(orders):
        if number in counted:
            _follow(done, names, order)
        elif number in placed:
            message = Message.of("too_many_builds", power=PowerName(power), units=owed)
            done.results.append(OrderResult(order, Outcome.VOID, Sentence(message, names)))
        elif isinstance(order, Build):
            place = Place(order.unit.province)
            message = Message.of("one_build_per_province", place=place)
            done.results.append(OrderResult(order, Outcome.VOID, Sentence(message, names)))
    for _ in range(owed - len(counted)):
        why = Sentence(Message.of("waived_without_order"), names)
        done.results.append(OrderResult(Waive(power), Outcome.WAIVED, why, implicit=True))
    return done


def _follow(done: AdjustmentResults, names: Geography, order: AdjustmentOrder) -> None:
    if isinstance(order, Build):
        done.built.append(order.unit)
        why = Sentence(Message.of("built", place=Place(order.unit.location)), names)
        done.results.append(OrderResult(order, Outcome.BUILT, why))
    else:
        why = Sentence(Message.of("waived_as_ordered"), names)
        done.results.append(OrderResult(order, Outcome.WAIVED, why))


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


def _fill_up(board: Board, position: Position, power: Power, done: AdjustmentResults) -> None:
    """Replace missing builds with armies, in vacant home centers by name (4.D.7)."""
    names = geography(board).names
    taken = {unit.province for unit in done.built}
    free = [code for code in build_sites(board, position, power) if code not in taken]
    free.sort(key=lambda code: names[code].casefold())
    for at, result in enumerate(done.results):
        if result.outcome is Outcome.WAIVED:
            unit = Unit(UnitKind.ARMY, Location(free.pop(0)), power)
            done.built.append(unit)
            why = Sentence(Message.of("built_without_order"), geography(board))
            done.results[at] = OrderResult(Build(unit), Outcome.BUILT, why, implicit=True)


def _disband(
    names: Geography,
    power: Power,
    owed: int,
    orders: Iterable[AdjustmentOrder],
    queue: Callable[[], Sequence[Unit]],
    *,
    rules: RuleSet,
) -> AdjustmentResults:
    done = AdjustmentResults()
    given = [order for order in orders if isinstance(order, Disband)]
    fresh = [at for at, order in enumerate(given) if order not in given[:at]]
    counted = _choose_counted(fresh, owed, rules.too_many_disbands)
    for at, order in enumerate(given):
        if at in counted:
            done.removed.append(order.unit)
            why = Sentence(Message.of("disbanded_as_ordered"), names)
            done.results.append(OrderResult(order, Outcome.DISBANDED, why))
            continue
        message = Message.of("too_many_disbands", power=PowerName(power), units=owed)
        if at not in fresh:
            message = Message.of("already_disbanded")
        done.results.append(OrderResult(order, Outcome.VOID, Sentence(message, names)))
    if len(done.removed) < owed:
        rest = [unit for unit in queue() if unit not in done.removed]
        for unit in rest[: owed - len(done.removed)]:
            done.removed.append(unit)
            why = Sentence(Message.of("disbanded_in_civil_disorder"), names)
            result = OrderResult(Disband(unit), Outcome.DISBANDED, why, implicit=True)
            done.results.append(result)
    return done


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
