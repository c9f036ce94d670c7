"""The form for conditional orders: what a player may choose, and what is saved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diplomaccloud.games.conditional_orders.plans import ConditionalOrders, write_player_text
from diplomaccloud.games.conditional_orders.read import SavedConditions, read_conditions
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Location, Power, UnitKind, province_of
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox.order_choices import place_name, unit_name, unit_title
from diplomaccloud.shared.links import find_url

RETREAT_RANKS = 3
"""The form offers this many places to retreat to, in order of preference."""
MAX_BUILDS, MAX_DISBANDS = 3, 2
"""The form offers conditions for up to this many builds and disbands."""
_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
Options = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """One list of choices, as `(value, label)`; `blank` labels the empty choice."""

    options: Options
    chosen: str
    blank: str


@dataclass(frozen=True, slots=True)
class ConditionFields:
    """One condition with its lists; `hint` is the condition as the start of a sentence."""

    condition: str
    title: str
    hint: str
    lists: tuple[ChoiceList, ...]


@dataclass(frozen=True, slots=True)
class ConditionsForm:
    """The viewer's conditional orders, as lists and as text; `clauses` is what is saved.

    `was` is the text that matches the lists: if different text is sent, the player changed it.
    `problem` is why the last text was refused.
    """

    url: str
    retreats: tuple[ConditionFields, ...]
    adjustments: tuple[ConditionFields, ...]
    text: str
    was: str
    clauses: tuple[str, ...]
    orders: SavedConditions
    saved: bool = False
    problem: str = ""


def present_conditions(reader: Reader, *, with_lists: bool = True) -> ConditionsForm | None:
    """Return the viewer's conditional orders; None if none can be written now."""
    saved = read_conditions(reader)
    if saved is None:
        return None
    clauses = write_player_text(saved.by_power, reader.board)
    text = "\n".join(clauses)
    is_fall = reader.position.phase.ends_year
    return ConditionsForm(
        url=find_url("games:conditional-orders", reader.game.slug),
        retreats=tuple(
            _present_retreat(reader, unit, conditions)
            for power, conditions in (saved.by_power.items() if with_lists else ())
            for unit in reader.position.units_of(power)
        ),
        adjustments=tuple(
            fields
            for power, conditions in (saved.by_power.items() if is_fall and with_lists else ())
            for fields in _present_adjustments(reader, power, conditions)
        ),
        text=text,
        was=text,
        clauses=clauses,
        orders=saved,
    )


def _prefix(reader: Reader, power: Power) -> str:
    """Return `England: ` if the player has several powers."""
    name = reader.board.power_info[power].name
    return f"{name}: " if len(reader.own_powers) > 1 else ""


def _present_retreat(reader: Reader, unit: Unit, conditions: ConditionalOrders) -> ConditionFields:
    board = reader.board
    near = board.destinations(unit.kind, unit.location)
    places = sorted((place_name(board, place), str(place)) for place in near)
    options = (*((code, name) for name, code in places), ("disband", "Disband it"))
    saved = next((r for r in conditions.retreats if r.province == unit.province), None)
    chosen = [_find_option(choice, near) for choice in saved.choices] if saved else []
    return ConditionFields(
        condition=f"{_prefix(reader, unit.power)}if {unit.province} is dislodged",
        title=unit_title(board, unit),
        hint=f"If the {unit_name(board, unit)} is dislodged, it retreats to",
        lists=_present_lists(options, chosen, RETREAT_RANKS),
    )


def _find_option(choice: Location | None, near: frozenset[Location]) -> str:
    """Return the value of the option for `choice`, which may omit the only coast in reach."""
    if choice is None:
        return "disband"
    return str(next((to for to in near if choice in (to, province_of(to))), choice))


def _present_adjustments(
    reader: Reader, power: Power, conditions: ConditionalOrders
) -> Iterator[ConditionFields]:
    saved = {
        adjustment.owed: ["waive" if unit is None else str(unit) for unit in adjustment.units]
        for adjustment in conditions.adjustments
    }
    prefix, options = _prefix(reader, power), _list_builds(reader, power)
    homes = len(reader.board.build_centers.get(power, ()))
    for owed in sorted({*range(1, 1 + min(homes, MAX_BUILDS)), *(n for n in saved if n > 0)}):
        builds = f"{_spell(owed)} build" if owed == 1 else f"{_spell(owed)} builds"
        yield ConditionFields(
            condition=f"{prefix}if {_spell(owed)} gained",
            title=f"{prefix}{builds}".capitalize(),
            hint=f"{prefix}If you have {builds}, build",
            lists=_present_lists(options, saved.get(owed, ()), owed + 1, owed),
        )
    options = _list_disbands(reader, power)
    most = min(len(reader.position.units_of(power)), MAX_DISBANDS)
    for lost in sorted({*range(1, 1 + most), *(-n for n in saved if n < 0)}):
        plural = "" if lost == 1 else "s"
        yield ConditionFields(
            condition=f"{prefix}if {_spell(lost)} lost",
            title=f"{prefix}{_spell(lost)} disband{plural}".capitalize(),
            hint=f"{prefix}If you must disband {_spell(lost)} unit{plural}, disband",
            lists=_present_lists(options, saved.get(-lost, ()), lost + 1, lost),
        )


def _spell(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _list_builds(reader: Reader, power: Power) -> Options:
    board = reader.board
    units = [
        Unit(kind, place, power)
        for home in board.build_centers.get(power, ())
        for kind in UnitKind
        for place in sorted(board.locations(kind))
        if province_of(place) == home
    ]
    return (*((str(unit), unit_title(board, unit)) for unit in units), ("waive", "No build"))


def _list_disbands(reader: Reader, power: Power) -> Options:
    """Return the power's units where they are and where the live orders would move them."""
    units = list(reader.position.units_of(power))
    moves = (order for order in reader.live_draft.orders if isinstance(order, Move))
    units += [order.unit.at(order.to) for order in moves if order.unit.power == power]
    return tuple((str(unit), unit_title(reader.board, unit)) for unit in dict.fromkeys(units))


def _present_lists(
    options: Options, chosen: Sequence[str], ranks: int, needed: int = 1
) -> tuple[ChoiceList, ...]:
    """Return at least `ranks` lists of `options`, or one more than are chosen.

    There are never more lists than options. The first `needed` choices are used together; the
    others are alternatives.
    """
    known = {value for value, _ in options}
    options = (*options, *((value, value) for value in chosen if value not in known))
    number = max(len(chosen), min(max(ranks, len(chosen) + 1), len(options)))
    values = [*chosen, *("" for _ in range(number - len(chosen)))]
    blanks = ["No choice", *("and…" for _ in range(needed - 1))]
    blanks += ["or else…"] * max(0, number - len(blanks))
    return tuple(
        ChoiceList(options, value, blank) for value, blank in zip(values, blanks, strict=False)
    )
