"""Reading the options of a new game: those of a preset, with changes."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from diplomaccloud.api.problems import Problem, naming
from diplomaccloud.bots.seats import is_mixture
from diplomaccloud.games.creation.actions import GamePlan, plan_faults
from diplomaccloud.games.creation.presets import USUAL_CALENDAR, USUAL_INTERVAL
from diplomaccloud.games.seats.actions import clean_country_name
from diplomaccloud.games.table.options import Options
from diplomaccloud.judge.codec.reader import CodecError
from diplomaccloud.schedule import Schedule, schedule_from_json, schedule_to_json
from diplomaccloud.schedule.local_time import Weekday

Json = dict[str, Any]
MAX_WORLD: Final = 40
"""The longest name of a world."""
_ROOT: Final = "options"
_SCHEDULE: Final = f"{_ROOT}.schedule"
_KINDS: Final[Mapping[str, Json]] = {
    "interval": schedule_to_json(Schedule(USUAL_INTERVAL)),
    "calendar": schedule_to_json(Schedule(USUAL_CALENDAR)),
}
_OWN: Final = ("zone", "movement", "retreats", "adjustments")
"""What a schedule of another kind than the preset's must say itself."""
_SHARED: Final = ("early", "opening", "grace", "caps")
"""What it takes from the preset's schedule."""
_PLACES: Final[Mapping[str, str]] = {
    "extension": "schedule.caps.extension",
    "pause": "schedule.caps.pause",
    "date": "ends.date",
    "centers": "ends.centers",
    "last_year": "ends.last_year",
    "gray": "talk.gray",
    "master_reads": "talk.master_reads",
    "writing": "talk.writing",
}
"""Where the option is that `plan_faults` names."""
_NO_NAMES: Final[Mapping[str, str]] = {}


def read_options(preset: Options, changes: Mapping[str, object]) -> Options:
    """Return the options of a preset with changes; raise `Problem` naming each invalid option."""
    known = preset.to_json()
    unknown: list[str] = []
    merged = _merge({name: known[name] for name in known if name != "v"}, changes, _ROOT, unknown)
    if unknown:
        name = unknown[0].removeprefix(f"{_ROOT}.")[:60]
        errors = [{"field": field, "message": "There is no such option."} for field in unknown]
        raise Problem(422, "invalid", f"There is no option {name!r}.", more={"errors": errors})
    try:
        # By itself first: an error within it would not say that it is about the schedule.
        schedule_from_json(merged["schedule"])
    except CodecError as error:
        raise _refuse(_SCHEDULE, error) from error
    try:
        return Options.from_json({**merged, "v": known["v"], "preset": ""})
    except CodecError as error:
        raise _refuse("", error) from error


def require_plan(plan: GamePlan, *, now: dt.datetime, names: Mapping[str, str] = _NO_NAMES) -> None:
    """Raise `Problem` naming each part of a plan that the rules of the site refuse.

    `names` has the field for each option that the request does not call by its path.
    """
    with naming("world"):
        clean_country_name(plan.world, "The world", MAX_WORLD)
    faults = [
        (f"{_ROOT}.{_PLACES.get(fault.part, fault.part)}", fault.what)
        for fault in plan_faults(plan, now=now)
    ]
    options = plan.options
    bots = {"fill_with": options.fill_with, "missed.substitute": options.missed.substitute}
    faults += [
        (f"{_ROOT}.{place}", f"There is no bot called {bot[:60]!r}.")
        for place, bot in bots.items()
        if bot and not is_mixture(bot)
    ]
    if faults:
        errors = [
            {"field": names.get(field, field), "message": message} for field, message in faults
        ]
        raise Problem(422, "refused", faults[0][1], more={"errors": errors})


def _merge(
    known: Mapping[str, Any], changes: Mapping[str, Any], path: str, unknown: list[str]
) -> Json:
    """Return `known` with the changes; add the path of each unknown name to `unknown`."""
    merged = dict(known)
    for name, change in changes.items():
        place = f"{path}.{name}"
        if name not in known:
            unknown.append(place[:200])
        elif isinstance(change, dict) and (base := _find_base(known[name], change, place)):
            merged[name] = _merge(base, change, place, unknown)
        else:
            merged[name] = change
    return merged


def _find_base(known: object, change: Mapping[str, Any], place: str) -> Mapping[str, Any] | None:
    """Return the values that stay where `change` names none; None if it must be complete."""
    if place == f"{_SCHEDULE}.days" and known is None:
        return {"zone": None, "weekdays": [day.value for day in Weekday], "holidays": []}
    if not isinstance(known, dict):
        return None
    kind = str(change.get("kind", ""))
    if place != _SCHEDULE or kind not in _KINDS or kind == known["kind"]:
        return known
    usual = _KINDS[kind]
    if missing := [name for name in _OWN if name in usual and name not in change]:
        errors = [{"field": f"{place}.{name}", "message": "Missing."} for name in missing]
        detail = f"A schedule of the kind {kind!r} needs {' and '.join(missing)}."
        raise Problem(422, "invalid", detail, more={"errors": errors})
    return {**usual, **{name: known[name] for name in _SHARED}}


def _refuse(path: str, error: CodecError) -> Problem:
    """Return the problem for an option that cannot be read, naming it by its path."""
    place, _, why = str(error).partition(": ")
    field = ".".join(part for part in (path, place if place != "value" else "") if part)
    message = f"{why[:1].upper()}{why[1:]}." if why[:1].isalpha() else f"The value {why}."
    detail = f"{field.removeprefix(f'{_ROOT}.')}: {why}."
    return Problem(422, "invalid", detail, more={"errors": [{"field": field, "message": message}]})
