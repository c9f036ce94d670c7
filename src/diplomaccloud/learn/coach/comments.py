"""The coach's advice before a turn, and its comments on a turn that was played."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from diplomaccloud.judge import adjudicate, legal_orders
from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import Power, ProvinceCode, province_of
from diplomaccloud.judge.orders import (
    Disband,
    Hold,
    Move,
    MovementOrder,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.units import Unit
from diplomaccloud.learn.coach.first_game import FirstGame, last_movement
from diplomaccloud.learn.wording import join, name_country, name_foreign, name_own, name_place
from diplomaccloud.sandbox.engine import PlayedPhase


def advise(game: FirstGame) -> tuple[str, ...]:
    """Return a few sentences about the open phase."""
    match game.position.phase.stage:
        case Stage.MOVEMENT:
            return tuple(_advise_movement(game))
        case Stage.RETREATS:
            return tuple(_advise_retreats(game))
        case Stage.ADJUSTMENTS:
            return tuple(_advise_adjustments(game))


def _advise_movement(game: FirstGame) -> Iterator[str]:
    phase = game.position.phase
    if phase == Phase.first(game.board.first_year):
        yield (
            "Welcome to your first game. This year, try to take supply centers (provinces "
            "with a star) that nobody owns. You have two moves, Spring and Fall."
        )
    staying: list[Unit] = []
    if phase.begins_year:
        yield (
            "It is Spring, and centers change hands only after Fall. Use this move to get into "
            "or next to the centers that you want."
        )
    else:
        yield "It is Fall: you will own every center that your units are in after this move."
        staying = [
            unit
            for unit in game.position.units_of(game.power)
            if game.board.by_code[unit.province].center
            and game.position.centers.get(unit.province) != game.power
        ]
        if staying:
            places = join([name_place(game.board, unit.location) for unit in staying])
            them = "it" if len(staying) == 1 else "them"
            yield f"Stay in {places}, or you will not own {them}."
    free = [unit for unit in game.position.units_of(game.power) if unit not in staying]
    within_reach = list(_list_within_reach(game, free))
    if within_reach:
        yield "Within reach now: " + "; ".join(within_reach) + "."


def _list_within_reach(game: FirstGame, units: Iterable[Unit]) -> Iterator[str]:
    """Yield, for each of the learner's `units`, the empty centers that it could take."""
    occupied = {unit.province for unit in game.position.units}
    for unit in units:
        places = sorted(game.board.destinations(unit.kind, unit.location))
        codes = dict.fromkeys(province_of(place) for place in places)
        names = [
            name_place(game.board, code)
            for code in codes
            if game.board.by_code[code].center
            and code not in occupied
            and game.position.centers.get(code) != game.power
        ]
        if names:
            yield f"{name_own(game.board, unit).replace('Your', 'your', 1)} can go to {join(names)}"


def _advise_retreats(game: FirstGame) -> Iterator[str]:
    for entry in game.position.dislodged_of(game.power):
        places = [name_place(game.board, place) for place in entry.retreats]
        yield (
            f"{name_own(game.board, entry.unit)} was driven out. It can retreat to {join(places)}."
        )
    yield "Choose a place from which it can defend a center or strike back."


def _advise_adjustments(game: FirstGame) -> Iterator[str]:
    owed = adjustments_owed(game.board, game.position, game.power)
    if owed > 0:
        free = build_sites(game.board, game.position, game.power)
        sites = join([name_place(game.board, code) for code in free])
        units = "one unit" if owed == 1 else f"{owed} units"
        yield f"You have more centers than units, so build {units}. Free: {sites}."
        yield "Build fleets for the sea and the coast, armies for the land. Where will you go next?"
    else:
        units = "one unit" if owed == -1 else f"{-owed} units"
        yield f"You have fewer centers than units, so disband {units}."
        yield "Give up a unit that is far from your centers and from your plans."


# The coach's comments on a turn that was played.
#
# Each "could have" is checked: the judge adjudicates the same turn again with the other order, and
# the coach mentions that order only if it would have helped.


IsBetter: TypeAlias = Callable[[Resolution], bool]

MAX_THREATS = 3
"""Nobody would read more warnings at once."""

_FAILURES = {
    Outcome.CUT: "An attacked unit cannot support. If you can, support with a unit that nobody "
    "can reach.",
    Outcome.VOID: "Support counts only if the other unit does exactly what the support names.",
    Outcome.NOPATH: "The fleet needs an order, too: to convoy this army to this place.",
}
"""What to learn from an order that failed."""


class Tone(StrEnum):
    """The tone of a comment."""

    GOOD = "good"
    ADVICE = "advice"
    WATCH = "watch"
    NEWS = "news"


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment by the coach, and the province that it is about, if any."""

    tone: Tone
    text: str
    province: str = ""


def comment_game(game: FirstGame) -> tuple[Comment, ...]:
    """Return the coach's comments on the phases that were just played."""
    comments: list[Comment] = []
    for played in game.played:
        match played.position.phase.stage:
            case Stage.MOVEMENT:
                comments += _Movement(game, played).comment()
            case Stage.RETREATS:
                comments += _comment_retreats(game, played)
            case Stage.ADJUSTMENTS:
                comments += _comment_adjustments(game, played)
    return (*comments, *_list_news(game), *find_threats(game))


class _Movement:
    """Comments on the learner's orders of a movement phase."""

    def __init__(self, game: FirstGame, played: PlayedPhase) -> None:
        self.board, self.power, self.played = game.board, game.power, played
        self.position, self.resolution = played.position, played.resolution
        self.own = [r for r in self.resolution.results if power_of(r.order) == game.power]
        self.legal = legal_orders(game.board, played.position, game.power)
        self.busy = {province_of(r.order.to) for r in self.own if isinstance(r.order, Move)}

    def comment(self) -> Iterator[Comment]:
        """Yield at most one comment on each of the learner's units."""
        for result in self.own:
            unit = _unit_of(result)
            if any(entry.unit == unit for entry in self.resolution.dislodged):
                yield self._comment_dislodged(unit, result)
            elif comment := self._comment_order(unit, result):
                yield comment

    def _comment_order(self, unit: Unit, result: OrderResult) -> Comment | None:
        match result.outcome, result.order:
            case Outcome.MOVED, Move(to=to):
                return self._comment_moved(unit, province_of(to), result)
            case Outcome.BOUNCED, Move(to=to):
                return self._comment_bounced(unit, province_of(to), result)
            case Outcome.HOLD, Hold():
                return self._comment_idle(unit)
        if result.outcome in _FAILURES:
            text = f"{name_own(self.board, unit)}: {result.why} {_FAILURES[result.outcome]}"
            return Comment(Tone.ADVICE, text, unit.province)
        return None

    def _comment_moved(self, unit: Unit, goal: ProvinceCode, result: OrderResult) -> Comment | None:
        name, place = name_own(self.board, unit), name_place(self.board, goal)
        if any(entry.unit.province == goal for entry in self.resolution.dislodged):
            return Comment(Tone.GOOD, f"{name}: {result.why}", goal)
        if not self._is_foreign_center(goal):
            return None
        if self.position.phase.ends_year:
            return Comment(Tone.GOOD, f"{name} took {place}: a new supply center.", goal)
        text = (
            f"{name} reached {place}. It becomes yours if one of your units is there after Fall, "
            "so stay."
        )
        return Comment(Tone.ADVICE, text, goal)

    def _comment_bounced(self, unit: Unit, goal: ProvinceCode, result: OrderResult) -> Comment:
        text = f"{name_own(self.board, unit)}: {result.why}"
        if any(
            isinstance(second.order, Move)
            and second.order.unit != unit
            and province_of(second.order.to) == goal
            for second in self.own
        ):
            advice = (
                "Two of your units moved to the same place. Move one and support it with the other."
            )
            return Comment(Tone.ADVICE, f"{text} {advice}", goal)
        helper = self._find_helper(
            SupportMove, lambda after: self._stands_in(after, goal), target=unit
        )
        if helper is not None:
            name = name_own(self.board, helper)
            text += f" {name} could have supported it, and the move would have succeeded."
        return Comment(Tone.ADVICE, text, goal)

    def _comment_dislodged(self, unit: Unit, result: OrderResult) -> Comment:
        text = f"{name_own(self.board, unit)}: {result.why}"
        helper = self._find_helper(
            SupportHold,
            lambda after: all(entry.unit != unit for entry in after.dislodged),
            target=unit,
        )
        if helper is not None:
            name = name_own(self.board, helper).replace("Your", "your", 1)
            text += f" With support from {name} it would have held."
        return Comment(Tone.ADVICE, text, unit.province)

    def _comment_idle(self, unit: Unit) -> Comment | None:
        """Return a comment on a unit that held: it took a center, or it could have taken one."""
        if self._is_foreign_center(unit.province):
            if self.position.phase.ends_year:
                place = name_place(self.board, unit.location)
                return Comment(Tone.GOOD, f"You held {place}: a new supply center.", unit.province)
            return None
        for order in self.legal:
            if not isinstance(order, Move) or order.unit != unit or order.via_convoy:
                continue
            goal = province_of(order.to)
            if not self._is_foreign_center(goal) or goal in self.busy:
                continue
            after = self._try(order)
            if self._stands_in(after, goal) and not self._loses(after):
                return Comment(
                    Tone.ADVICE,
                    f"{name_own(self.board, unit)} stayed. It could have gone to "
                    f"{name_place(self.board, order.to)}, which has a supply center.",
                    goal,
                )
        return None

    def _find_helper(
        self, kind: type[SupportHold | SupportMove], is_better: IsBetter, *, target: Unit
    ) -> Unit | None:
        """Return an idle unit whose support of `target` would have helped, if any."""
        wanted = next(r.order for r in self.own if _unit_of(r) == target)
        for order in self.legal:
            if not isinstance(order, kind) or order.target != target:
                continue
            if isinstance(order, SupportMove):
                if not isinstance(wanted, Move) or province_of(order.to) != province_of(wanted.to):
                    continue
            elif isinstance(wanted, Move):
                continue
            # A unit is free if its own order had no effect.
            outcome = next(r.outcome for r in self.own if _unit_of(r) == order.unit)
            is_free = outcome in {Outcome.HOLD, Outcome.VOID, Outcome.BOUNCED, Outcome.CUT}
            if is_free and is_better(self._try(order)):
                return order.unit
        return None

    def _try(self, order: MovementOrder) -> Resolution:
        """Return the resolution with `order` in place of the unit's own order."""
        others = [o for o in self.played.orders if isinstance(o, Waive) or o.unit != order.unit]
        return adjudicate(self.board, self.position, (*others, order))

    def _stands_in(self, after: Resolution, goal: ProvinceCode) -> bool:
        return any(unit.province == goal for unit in after.next.units_of(self.power))

    def _loses(self, after: Resolution) -> bool:
        """Return whether more of the learner's units would be dislodged than actually were."""
        then, now = (
            sum(entry.unit.power == self.power for entry in turn.dislodged)
            for turn in (after, self.resolution)
        )
        return then > now

    def _is_foreign_center(self, code: ProvinceCode) -> bool:
        is_center = self.board.by_code[code].center
        return is_center and self.position.centers.get(code) != self.power


def _comment_retreats(game: FirstGame, played: PlayedPhase) -> Iterator[Comment]:
    entries = {entry.unit: entry for entry in played.position.dislodged_of(game.power)}
    for result in played.resolution.results:
        if power_of(result.order) == game.power:
            entry = entries[_unit_of(result)]
            attacker = name_place(game.board, entry.by)
            yield Comment(
                Tone.NEWS if result.outcome is Outcome.RETREATED else Tone.ADVICE,
                f"{name_own(game.board, entry.unit)} was dislodged by an attack from {attacker}. "
                f"{_describe_retreat(game, entry, result)}",
                entry.unit.province,
            )


def _describe_retreat(game: FirstGame, entry: Dislodged, result: OrderResult) -> str:
    match result.order:
        case Retreat(to=to) if result.outcome is Outcome.RETREATED:
            return f"It retreated to {name_place(game.board, to)}."
        case Disband() if entry.retreats:
            places = join([name_place(game.board, to) for to in entry.retreats], last=" or ")
            return f"You chose no retreat, so it was disbanded. It could have gone to {places}."
        case Disband():
            return "It had nowhere to retreat, so it was disbanded."
    return str(result.why)


def _comment_adjustments(game: FirstGame, played: PlayedPhase) -> Iterator[Comment]:
    waived = 0
    for result in played.resolution.results:
        if power_of(result.order) != game.power:
            continue
        if isinstance(result.order, Waive):
            waived += 1
        elif result.outcome is Outcome.BUILT:
            unit = result.order.unit
            place = name_place(game.board, unit.location)
            built = "an army" if unit.kind.word == "army" else "a fleet"
            yield Comment(Tone.GOOD, f"You built {built} in {place}.", unit.province)
    if waived:
        builds = "one build" if waived == 1 else f"{waived} builds"
        yield Comment(
            Tone.ADVICE, f"You left {builds} unused. More units are almost always better."
        )


def _list_news(game: FirstGame) -> Iterator[Comment]:
    """Yield the centers that the learner lost and those that other countries gained."""
    for played in game.played:
        gains: dict[Power, list[str]] = {}
        lost = []
        for code, power in played.resolution.gained:
            if played.position.centers.get(code) == game.power:
                lost.append(f"{name_place(game.board, code)} to {name_country(game.board, power)}")
            elif power != game.power:
                gains.setdefault(power, []).append(name_place(game.board, code))
        if lost:
            yield Comment(
                Tone.WATCH, f"You lost {join(lost)}. A center with a unit in it is hard to take."
            )
        if gains:
            sentences = [
                f"{name_country(game.board, power)} took {join(places)}."
                for power, places in gains.items()
            ]
            yield Comment(Tone.NEWS, " ".join(sentences))


def find_threats(game: FirstGame) -> tuple[Comment, ...]:
    """Return warnings about foreign units that moved into or next to centers, worst first.

    The centers are the learner's; a unit in one of them is worse than any that is next to one.
    """
    played = last_movement(game)
    if game.over or played is None:
        return ()
    guarded = {unit.province for unit in game.position.units}
    warnings = []
    for unit in game.position.units:
        if unit.power == game.power or unit in played.position.units:
            continue
        name = name_foreign(game.board, unit)
        if game.position.centers.get(unit.province) == game.power:
            text = (
                f"{name} occupies your center. If it is still there after Fall, the center is lost."
            )
            warnings.append((-math.inf, 0, Comment(Tone.WATCH, text, unit.province)))
            continue
        near = game.board.reach(unit.kind, unit.location)
        centers = [c for c in game.position.centers_of(game.power) if c in near]
        if not centers:
            continue
        empty = [code for code in centers if code not in guarded]
        places = join([name_place(game.board, code) for code in centers])
        text = f"{name} is now next to {places}."
        if empty:
            names = join([name_place(game.board, code) for code in empty], last=" or ")
            text += f" Nobody guards {names}."
        else:
            text += " Keep an eye on it."
        warnings.append((-len(empty), -len(centers), Comment(Tone.WATCH, text, unit.province)))
    warnings.sort(key=lambda warning: warning[:2])
    return tuple(comment for _, _, comment in warnings[:MAX_THREATS])


def _unit_of(result: OrderResult) -> Unit:
    if isinstance(result.order, Waive):
        raise TypeError("a waived build has no unit")
    return result.order.unit
