"""What the viewer has written ahead in a movement phase, and what can be chosen for it."""

from collections.abc import Iterator, Sequence

from django.urls import reverse

from diplomaccloud.games.models import Plan
from diplomaccloud.games.presenters.drafts import AheadClause, AheadList, AheadView
from diplomaccloud.games.presenters.order_form import place_name, unit_name, unit_title
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.judge.board import Location, Power, UnitKind, province_of
from diplomaccloud.judge.conditional_orders import (
    ConditionalOrders,
    parse_conditional_orders,
    write_player_text,
)
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.units import Unit

RANKS = 3
"""So many places in order of preference are asked for before more are."""
MOST_BUILDS, MOST_REMOVALS = 3, 2
_WORDS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
Options = tuple[tuple[str, str], ...]


def ahead_of(table: Table) -> AheadView | None:
    """Return what the viewer has written ahead; None outside movement phases."""
    if table.position.phase.stage is not Stage.MOVEMENT or table.mine is None:
        return None
    row = Plan.objects.filter(phase=table.phase, seat=table.mine).first()
    plans = {power: _kept(table, row, power) for power in table.my_powers}
    clauses = write_player_text(plans, table.board)
    text = "\n".join(clauses)
    fall = table.position.phase.season is Season.FALL
    return AheadView(
        url=reverse("games:conditional-orders", args=[table.game.slug]),
        retreats=tuple(
            _retreat(table, unit, plan)
            for power, plan in plans.items()
            for unit in table.position.units_of(power)
        ),
        adjustments=tuple(
            clause
            for power, plan in (plans.items() if fall else ())
            for clause in _adjustments(table, power, plan)
        ),
        text=text,
        was=text,
        clauses=clauses,
        saved_at=row.saved_at if row else None,
    )


def _kept(table: Table, row: Plan | None, power: Power) -> ConditionalOrders:
    text = row.text_for(power) if row else ""
    return parse_conditional_orders(text, table.board, power)


def _prefix(table: Table, power: Power) -> str:
    """Return what names the power before a condition, where the player has several."""
    name = table.board.power_info[power].name
    return f"{name}: " if len(table.my_powers) > 1 else ""


def _retreat(table: Table, unit: Unit, plan: ConditionalOrders) -> AheadClause:
    board = table.board
    near = board.destinations(unit.kind, unit.location)
    places = sorted((place_name(board, place), str(place)) for place in near)
    options = (*((code, name) for name, code in places), ("disband", "Disband it"))
    wish = next((one for one in plan.retreats if one.province == unit.province), None)
    chosen = [_option(choice, near) for choice in wish.choices] if wish else []
    return AheadClause(
        condition=f"{_prefix(table, unit.power)}if {unit.province} is dislodged",
        title=unit_title(board, unit),
        hint=f"If the {unit_name(board, unit)} is dislodged it retreats to",
        lists=_lists(options, chosen, RANKS),
    )


def _option(choice: Location | None, near: frozenset[Location]) -> str:
    """Return the value of the option for `choice`, which may leave out the only coast."""
    if choice is None:
        return "disband"
    return str(next((to for to in near if choice in (to, province_of(to))), choice))


def _adjustments(table: Table, power: Power, plan: ConditionalOrders) -> Iterator[AheadClause]:
    kept = {
        wish.owed: ["waive" if unit is None else str(unit) for unit in wish.units]
        for wish in plan.adjustments
    }
    builds, removals = _buildable(table, power), _removable(table, power)
    homes = len(table.board.home_centers.get(power, ()))
    for owed in sorted({*range(1, 1 + min(homes, MOST_BUILDS)), *(n for n in kept if n > 0)}):
        yield _adjustment(table, power, owed, builds, kept.get(owed, ()))
    most = min(len(table.position.units_of(power)), MOST_REMOVALS)
    for lost in sorted({*range(1, 1 + most), *(-n for n in kept if n < 0)}):
        yield _adjustment(table, power, -lost, removals, kept.get(-lost, ()))


def _adjustment(
    table: Table, power: Power, owed: int, options: Options, chosen: Sequence[str]
) -> AheadClause:
    number = abs(owed)
    word = _WORDS[number] if number < len(_WORDS) else str(number)
    are, verb = "is" if number == 1 else "are", "build" if owed > 0 else "remove"
    what = ("build" if owed > 0 else "removal") + ("" if number == 1 else "s")
    return AheadClause(
        condition=f"{_prefix(table, power)}if {word} {'gained' if owed > 0 else 'lost'}",
        title=f"{_prefix(table, power)}{word} {what}".capitalize(),
        hint=f"{_prefix(table, power)}If {word} {what} {are} due, {verb}",
        lists=_lists(options, chosen, number + 1, number),
    )


def _buildable(table: Table, power: Power) -> Options:
    board = table.board
    units = [
        Unit(kind, place, power)
        for home in board.home_centers.get(power, ())
        for kind in UnitKind
        for place in sorted(board.locations(kind))
        if province_of(place) == home
    ]
    return (*((str(unit), unit_title(board, unit)) for unit in units), ("waive", "No build"))


def _removable(table: Table, power: Power) -> Options:
    """Return the power's units where they stand, and where the live orders lead them."""
    units = list(table.position.units_of(power))
    orders = (one for one in table.live_sheet.orders if isinstance(one, Move))
    units += [order.unit.at(order.to) for order in orders if order.unit.power == power]
    return tuple((str(unit), unit_title(table.board, unit)) for unit in dict.fromkeys(units))


def _lists(
    options: Options, chosen: Sequence[str], ranks: int, needed: int = 1
) -> tuple[AheadList, ...]:
    """Return at least `ranks` lists of `options`, one more than are chosen, as far as they go.

    The first `needed` are for what is done together, the others stand in for them.
    """
    known = {value for value, _ in options}
    options = (*options, *((value, value) for value in chosen if value not in known))
    number = max(len(chosen), min(max(ranks, len(chosen) + 1), len(options)))
    picked = [*chosen, *("" for _ in range(number - len(chosen)))]
    blanks = ["Nothing said", *("and…" for _ in range(needed - 1))]
    blanks += ["else…"] * max(0, number - len(blanks))
    return tuple(AheadList(options, *one) for one in zip(picked, blanks, strict=False))
