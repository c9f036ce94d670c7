"""Conditional orders: retreats, builds and disbands written during a movement phase.

    if MUN is dislodged: BER, KIE; if two gained: A LON, F EDI; if one: F LON

`parse_conditional_orders` reads the conditional orders of one power, and `choose_retreats` and
`choose_adjustments` apply them when their conditions are met. `read_player_text` and
`write_player_text` are for a player of one or several powers, who names one before each clause
unless only one makes sense: `England: if one gained: F LON`. A name and a colon on their own apply
to all clauses below.

Source: the errata of document 2, "Submitting Conditional Retreats and Adjustments".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.legality.reader import Reader as OrderReader
from diplomaccloud.judge.legality.reader import Refusal
from diplomaccloud.judge.messages.english import capitalize
from diplomaccloud.judge.notation import NotationError, parse_unit
from diplomaccloud.judge.notation.units import Reader, choose_province, require_end
from diplomaccloud.judge.orders import AdjustmentOrder, Build, Disband, Retreat, Waive
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit

MAX_LENGTH = 2_000
MAX_CLAUSES = 60
MAX_CHOICES = 40
MAX_QUOTED = 60
"""How many characters of a clause an error quotes."""

_DISLODGED = re.compile(
    r"if (?:the )?(?:(?:army|fleet|unit|a|f)(?: in| at)? )?(?P<place>.{1,60}?)"
    r"(?: is| gets| was)? dislodged ?[:,]? ?(?P<body>.*)"
)
_COUNTED = re.compile(
    r"if (?:only |just )?(?P<number>\w{1,8})"
    r"(?: (?:supply )?(?:center|centre|sc|build|unit|removal|disband)s?)?"
    r"(?: (?:is|are|was|were))?(?: (?P<way>gained|won|owed|built|lost|removed|disbanded))?"
    r" ?[:,] ?(?P<body>.*)"
)
_COMMENT = re.compile(r"#[^\n]*")
_RETREAT_WORDS = re.compile(
    r"(?:then )?(?:it )?retreats?(?: to)?(?: \(?in order of preference\)?)? ?:? ?"
)
_ADJUSTMENT_WORDS = re.compile(
    r"(?:then )?(?:(?P<builds>builds?)|(?P<removes>removes?|disbands?)) ?:? ?"
)
# "and" separates only before a unit or a waive, because a name may contain it.
_SEPARATOR = re.compile(
    r" ?, ?(?:(?:and|or|then) )*| (?:or|then) | and (?=(?:a|f|army|fleet|waive)\b)"
)
_REPEATED = "there is already a clause with this condition"
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
}
_LOST = frozenset({"lost", "removed", "disbanded"})
_DISBAND = frozenset({"disband", "disbands", "destroy", "remove"})
_WAIVE = frozenset({"waive", "waives", "nothing", "pass"})
_PREFIX = re.compile(r"(?P<power>[^:]{1,40}?) ?: ?(?P<clause>if .*)", re.IGNORECASE)
MAX_QUOTED_NAME = 40


class ConditionError(ValueError):
    """Text that is not a conditional order, or one that can never apply; `str()` says why."""


@dataclass(frozen=True, slots=True)
class RetreatPlan:
    """Where the unit in `province` retreats to: the first of `choices` that is possible.

    `None` among the choices means to disband.
    """

    province: ProvinceCode
    choices: tuple[Location | None, ...]

    def __str__(self) -> str:
        choices = ", ".join(choice or "disband" for choice in self.choices)
        return f"if {self.province} is dislodged: {choices}"


@dataclass(frozen=True, slots=True)
class AdjustmentPlan:
    """What to build when `owed` builds are due, or to disband when `owed` is negative.

    The first possible entries in `units` are used; later entries replace impossible ones.
    `None` waives a build.
    """

    owed: int
    units: tuple[Unit | None, ...]

    def __str__(self) -> str:
        units = ", ".join("waive" if unit is None else str(unit) for unit in self.units)
        return f"if {abs(self.owed)} {'gained' if self.owed > 0 else 'lost'}: {units}"


@dataclass(frozen=True, slots=True)
class ConditionalOrders:
    """All conditional orders of one power; `str()` gives canonical text that can be read back."""

    retreats: tuple[RetreatPlan, ...] = ()
    adjustments: tuple[AdjustmentPlan, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.retreats, *self.adjustments)))


def parse_conditional_orders(text: str, board: Board, power: Power) -> ConditionalOrders:
    """Return the conditional orders of `power` in `text`.

    Clauses end with a semicolon or a line break. "Two gained" means that two builds are due,
    however many centers changed hands. A clause without "gained" or "lost" uses the word of the
    clause before it. Raises `ConditionError` naming the clause at fault; two clauses may not have
    the same condition.
    """
    retreats: dict[ProvinceCode, RetreatPlan] = {}
    adjustments: dict[int, AdjustmentPlan] = {}
    sign = 1
    for clause in split_clauses(text):
        try:
            plan = _parse_clause(clause, board, power, sign)
        except (ConditionError, NotationError) as error:
            raise clause_error(clause, str(error)) from None
        if isinstance(plan, RetreatPlan):
            if plan.province in retreats:
                raise clause_error(clause, _REPEATED)
            retreats[plan.province] = plan
        else:
            if plan.owed in adjustments:
                raise clause_error(clause, _REPEATED)
            adjustments[plan.owed] = plan
            sign = 1 if plan.owed > 0 else -1
    return ConditionalOrders(tuple(retreats.values()), tuple(adjustments.values()))


def split_clauses(text: str) -> list[str]:
    """Return the clauses of `text` with single spaces, without periods and `#` comments.

    Raises `ConditionError` if the text is too long or has too many clauses.
    """
    if len(text) > MAX_LENGTH:
        raise ConditionError(f"conditional orders have at most {MAX_LENGTH} characters")
    clauses = [" ".join(clause.split()) for clause in re.split(r"[;\n]", _COMMENT.sub("", text))]
    clauses = [clause.rstrip(".") for clause in clauses if clause.strip(" .")]
    if len(clauses) > MAX_CLAUSES:
        raise ConditionError(f"there are more than {MAX_CLAUSES} conditions")
    return clauses


def clause_error(clause: str, message: str) -> ConditionError:
    """Return the error that quotes `clause` and says what is wrong with it."""
    return ConditionError(f"{clause[:MAX_QUOTED]!r}: {message}")


def _parse_clause(
    clause: str, board: Board, power: Power, sign: int
) -> RetreatPlan | AdjustmentPlan:
    """Return a clause's plan; `sign` says whether a number alone means gained or lost."""
    lowered = clause.lower()
    if match := _DISLODGED.fullmatch(lowered):
        province = _parse_place(match["place"], board)[0]
        parts = _split_choices(_without_start(match["body"], _RETREAT_WORDS))
        return RetreatPlan(province, tuple(_parse_retreat(part, board) for part in parts))
    if match := _COUNTED.fullmatch(lowered):
        number = _parse_number(match["number"])
        if match["way"] is not None:
            sign = -1 if match["way"] in _LOST else 1
        _require_same_way(match["body"], sign)
        parts = _split_choices(_without_start(match["body"], _ADJUSTMENT_WORDS))
        units = tuple(_parse_adjustment(part, board, power, sign) for part in parts)
        return AdjustmentPlan(sign * number, units)
    raise ConditionError("write 'if MUN is dislodged: BER, KIE' or 'if two gained: A LON, F EDI'")


def _require_same_way(body: str, sign: int) -> None:
    """Raise `ConditionError` if `body` removes units for a gain or builds units for a loss."""
    verb = _ADJUSTMENT_WORDS.match(body)
    if verb and verb["removes" if sign > 0 else "builds"]:
        raise ConditionError(
            "units are built for centers gained and removed for centers lost, "
            "not the other way around"
        )


def _without_start(body: str, words: re.Pattern[str]) -> str:
    match = words.match(body)
    return body[match.end() :] if match else body


def _split_choices(body: str) -> list[str]:
    parts = [part.strip() for part in _SEPARATOR.split(body)]
    if not body or not all(parts):
        raise ConditionError("a choice is missing")
    if len(parts) > MAX_CHOICES:
        raise ConditionError(f"there are more than {MAX_CHOICES} choices")
    return parts


def _parse_number(word: str) -> int:
    number = _NUMBERS.get(word, int(word) if word.isascii() and word.isdecimal() else 0)
    if not 0 < number <= MAX_CHOICES:
        raise ConditionError(f"{word!r} is not a number of builds or removals")
    return number


def _parse_place(text: str, board: Board) -> tuple[ProvinceCode, str | None]:
    reader = Reader(text, board)
    reading, coast = reader.place()
    require_end(reader, reading.text)
    return choose_province(reading, lambda _: True, board), coast


def _parse_retreat(part: str, board: Board) -> Location | None:
    if part in _DISBAND:
        return None
    code, coast = _parse_place(part, board)
    return Location(f"{code}/{coast}" if coast else code)


def _parse_adjustment(part: str, board: Board, power: Power, sign: int) -> Unit | None:
    if part in _WAIVE:
        if sign < 0:
            raise ConditionError("a removal cannot be waived")
        return None
    return parse_unit(part, board, power)


@dataclass(frozen=True, slots=True)
class PlayerContext:
    """The board, the position of the movement phase, and the player's powers."""

    board: Board
    position: Position
    powers: tuple[Power, ...]

    def find_power(self, text: str) -> Power:
        """Return the player's power that `text` names; raise `ConditionError` for others."""
        wanted = text.strip().casefold()
        for power in self.powers:
            if wanted in (power.casefold(), self.board.power_info[power].name.casefold()):
                return power
        countries = [self.board.power_info[power].name for power in self.powers]
        listed = " or ".join(filter(None, (", ".join(countries[:-1]), countries[-1])))
        raise ConditionError(
            f"{text[:MAX_QUOTED_NAME]!r} is not one of your countries: write {listed}"
        )


def read_player_text(text: str, context: PlayerContext) -> dict[Power, ConditionalOrders]:
    """Return the conditional orders in `text` for each of the player's powers.

    Raises `ConditionError` naming the clause at fault. A clause that can never apply, for example
    because its unit does not exist, is also an error, so that no player relies on it.
    """
    reader = _PlayerReader(context)
    for clause in split_clauses(text):
        reader.take(clause)
    return reader.plans


def write_player_text(plans: Mapping[Power, ConditionalOrders], board: Board) -> tuple[str, ...]:
    """Return the canonical clauses of `plans`, which name their power if there are several."""
    return tuple(
        f"{board.power_info[power].name}: {clause}" if len(plans) > 1 else str(clause)
        for power, orders in plans.items()
        for clause in (*orders.retreats, *orders.adjustments)
    )


def compose_player_text(choices: Mapping[str, Sequence[str]]) -> str:
    """Return the text for choices from lists; `choices` has them by condition, in order."""
    clauses = []
    for condition, values in choices.items():
        chosen = [value for value in values if value]
        if condition.endswith("dislodged"):
            # Choosing a destination twice means nothing, but waiving twice waives two builds.
            chosen = list(dict.fromkeys(chosen))
        if chosen:
            clauses.append(f"{condition}: {', '.join(chosen)}")
    return "\n".join(clauses)


class _PlayerReader:
    """Takes clauses one by one and assigns each to a power."""

    def __init__(self, context: PlayerContext) -> None:
        self._context = context
        self._texts: dict[Power, list[str]] = {power: [] for power in context.powers}
        self._last: Power | None = None
        self._heading: Power | None = None
        self.plans = {power: ConditionalOrders() for power in context.powers}

    def take(self, clause: str) -> None:
        """Add the clause to its power's plans; raise `ConditionError` naming it."""
        if clause.endswith(":") and not clause.lower().startswith("if "):
            self._heading = self._find_power(clause.rstrip(" :"), clause)
            return
        match = _PREFIX.fullmatch(clause)
        if match and not match["power"].lower().startswith("if "):
            self._last = self._find_power(match["power"], clause)
            self._add(match["clause"], self._last)
        else:
            self._add(clause, self._heading or self._guess_power(clause))

    def _find_power(self, name: str, clause: str) -> Power:
        try:
            return self._context.find_power(name)
        except ConditionError as error:
            raise clause_error(clause, str(error)) from None

    def _add(self, clause: str, power: Power) -> None:
        plans = self._parse(clause, power)
        self._texts[power].append(clause)
        self.plans[power] = plans

    def _guess_power(self, clause: str) -> Power:
        """Return the only power for which the clause makes sense, or the power named last."""
        powers = [power for power in self._context.powers if self._makes_sense(clause, power)]
        if len(powers) == 1:
            return powers[0]
        if self._last in powers or (not powers and self._last):
            return self._last
        if not powers:
            return self._context.powers[0]
        country = self._context.board.power_info[powers[0]].name
        raise clause_error(clause, f"say which country it is for, as in '{country}: if …'")

    def _makes_sense(self, clause: str, power: Power) -> bool:
        try:
            self._parse(clause, power)
        except ConditionError:
            return False
        return True

    def _parse(self, clause: str, power: Power) -> ConditionalOrders:
        """Return the power's plans with `clause` added; raise `ConditionError` if it is useless."""
        text = "; ".join((*self._texts[power], clause))
        plans = parse_conditional_orders(text, self._context.board, power)
        before = self.plans[power]
        try:
            for retreat in plans.retreats[len(before.retreats) :]:
                _require_possible_retreats(retreat, self._context, power)
            for adjustment in plans.adjustments[len(before.adjustments) :]:
                _require_possible_adjustments(adjustment, self._context, power)
        except ConditionError as error:
            raise clause_error(clause, str(error)) from None
        return plans


def _require_possible_retreats(plan: RetreatPlan, context: PlayerContext, power: Power) -> None:
    """Raise `ConditionError` if no unit of `power` could follow `plan` as written."""
    board, names = context.board, geography(context.board)
    units = (unit for unit in context.position.units_of(power) if unit.province == plan.province)
    unit = next(units, None)
    if unit is None:
        raise ConditionError(f"you have no unit in {names.names[plan.province]}")
    near = board.destinations(unit.kind, unit.location)
    for choice in plan.choices:
        if choice is None or choice in near:
            continue
        coasts = [place for place in near if str(province_of(place)) == choice]
        place = names.full_name(choice)
        if not coasts:
            origin = names.full_name(unit.location)
            raise ConditionError(f"the {unit.kind.word} in {origin} cannot go to {place}")
        if len(coasts) > 1:
            raise ConditionError(f"say which coast of {place}, for example {min(coasts)}")


def _require_possible_adjustments(
    plan: AdjustmentPlan, context: PlayerContext, power: Power
) -> None:
    """Raise `ConditionError` if `power` could not build or remove the units in `plan`."""
    if not context.position.phase.ends_year:
        raise ConditionError("nothing is built or removed before Fall: write this in Fall")
    homes = context.board.build_centers.get(power, ())
    if plan.owed > len(homes):
        raise ConditionError(f"no more than {len(homes)} units can be built at once")
    for unit in plan.units if plan.owed > 0 else ():
        if unit is not None and unit.province not in homes:
            place = context.board.by_code[unit.province].name
            raise ConditionError(f"{capitalize(place)} is not one of your home centers")
    if len(plan.units) < plan.owed:
        raise ConditionError(f"name {plan.owed} units, or write waive for a build not taken")
    if len(plan.units) < -plan.owed:
        raise ConditionError(f"name {-plan.owed} units to remove")


def choose_retreats(
    plans: ConditionalOrders, position: Position, power: Power
) -> tuple[Retreat | Disband, ...] | None:
    """Return the planned retreats, or `None` if a dislodged unit has no plan that applies.

    Units choose in the order in which their plans were written. Each skips provinces that an
    earlier unit chose, because two units that retreat to one province are both disbanded.
    """
    dislodged = {entry.unit.province: entry for entry in position.dislodged_of(power)}
    orders: list[Retreat | Disband] = []
    taken: set[ProvinceCode] = set()
    for plan in plans.retreats:
        entry = dislodged.pop(plan.province, None)
        if entry is None:
            continue
        order = _first_retreat(entry, plan, taken)
        if order is None:
            return None
        if isinstance(order, Retreat):
            taken.add(province_of(order.to))
        orders.append(order)
    return None if dislodged else tuple(orders)


def _first_retreat(
    entry: Dislodged, plan: RetreatPlan, taken: set[ProvinceCode]
) -> Retreat | Disband | None:
    for choice in plan.choices:
        if choice is None:
            return Disband(entry.unit)
        reached = [to for to in entry.retreats if choice in (to, province_of(to))]
        # If two coasts of a province are within reach, the plan must name one.
        if len(reached) == 1 and province_of(reached[0]) not in taken:
            return Retreat(entry.unit, reached[0])
    return None


def choose_adjustments(
    plans: ConditionalOrders, board: Board, position: Position, power: Power
) -> tuple[AdjustmentOrder, ...] | None:
    """Return the planned builds or disbands, or `None` if no plan applies."""
    owed = adjustments_owed(board, position, power)
    plan = next((plan for plan in plans.adjustments if plan.owed == owed), None)
    if plan is None:
        return None
    orders = list(_possible_orders(plan, board, position, power))[: abs(owed)]
    return tuple(orders) if len(orders) == abs(owed) else None


def _possible_orders(
    plan: AdjustmentPlan, board: Board, position: Position, power: Power
) -> Iterator[AdjustmentOrder]:
    reader = OrderReader(board, position)
    used: set[ProvinceCode] = set()
    for unit in plan.units:
        if unit is None:
            yield Waive(power)
            continue
        order = Build(unit) if plan.owed > 0 else Disband(unit)
        if unit.province in used:
            continue
        try:
            reader.read(power, order)
        except Refusal:
            continue
        used.add(unit.province)
        yield order
