"""The options of a game: their JSON schema, and reading those of a new game."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from diplomaccloud.api.problems import Problem, naming
from diplomaccloud.bots.seats import is_mixture
from diplomaccloud.endings import Measure
from diplomaccloud.games.creation.actions import plan_faults
from diplomaccloud.games.creation.presets import USUAL_CALENDAR, USUAL_INTERVAL, GamePlan
from diplomaccloud.games.seats.actions import clean_country_name
from diplomaccloud.games.table import options as table_options
from diplomaccloud.judge.codec import CodecError
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


def read_options(
    preset: table_options.Options, changes: Mapping[str, object]
) -> table_options.Options:
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
        if isinstance(merged["preset"], str):
            merged["preset"] = ""
        options = table_options.Options.from_json({**merged, "v": known["v"]})
    except CodecError as error:
        raise _refuse("", error) from error
    return preset if options == replace(preset, preset="") else options


def read_solo_options(
    usual: table_options.Options, changes: Mapping[str, object]
) -> table_options.Options:
    """Return the options of a game against bots with changes; raise `Problem` as for others."""
    names = [name for name in changes if name not in SOLO_MEMBERS]
    if not names:
        return read_options(usual, changes)
    errors = [
        {"field": f"{_ROOT}.{name[:60]}", "message": "A game against bots has no such option."}
        for name in names[:20]
    ]
    raise Problem(422, "invalid", errors[0]["message"], more={"errors": errors})


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
    for place, bot in bots.items():
        if bot and not is_mixture(bot):
            faults.append((f"{_ROOT}.{place}", f"There is no bot called {bot[:60]!r}."))
    if faults:
        errors = [{"field": names.get(field, field), "message": why} for field, why in faults]
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


def _text(about: str, kind: Iterable[str] = ()) -> Json:
    enum = [str(member) for member in kind]
    return {"type": "string", **({"enum": enum} if enum else {}), "description": about}


def _is(about: str) -> Json:
    return {"type": "boolean", "description": about}


def _number(about: str, most: int | None = None) -> Json:
    limits = {"minimum": 0} if most is None else {"minimum": 0, "maximum": most}
    return {"type": "integer", **limits, "description": about}


def _span(about: str) -> Json:
    return _number(f"{about}, in seconds.")


def _either(about: str, *kinds: Json) -> Json:
    return {"anyOf": list(kinds), "description": about}


def _limit(most: int, about: str) -> Json:
    return _either(about, {"type": "integer", "minimum": 1, "maximum": most}, {"type": "null"})


def _list(**items: object) -> Json:
    return {"type": "array", "items": items}


def _times(about: str) -> Json:
    return _either(
        about, {"type": "integer", "minimum": 0}, {**_list(type="string"), "minItems": 1}
    )


def _object(about: str, **members: Json) -> Json:
    return {
        "type": "object",
        "description": about,
        "properties": members,
        "additionalProperties": False,
    }


def _holidays(about: str) -> Json:
    return {**_list(type="string", format="date"), "description": about}


_WEEKDAYS: Final = _object(
    "The days on which orders are due; null for every day.",
    zone={
        **_text("A time zone such as `Europe/Berlin`."),
        "minLength": 1,
        "examples": ["Europe/Berlin"],
    },
    weekdays={**_list(enum=[day.value for day in Weekday]), "minItems": 1},
    holidays=_holidays("Days without deadlines."),
) | {"required": ["zone"]}
_LATER: Final = _object(
    "Processed at a clock time some days after moves are due.",
    days={"type": "integer", "minimum": 0, "maximum": 7},
    clock={"type": "string"},
) | {"required": ["days", "clock"]}
_SCHEDULE_SCHEMA: Final = _object(
    "When orders are due. With the `kind` of the preset, members that you leave out stay. With the "
    "other `kind`, send `movement`, `retreats` and `adjustments`, and `zone` for a calendar.",
    v={"type": "integer", "enum": [1], "description": "The version of this format."},
    kind=_text(
        "`interval`: each phase lasts a number of seconds. `calendar`: moves are due at fixed "
        "times of the week.",
        _KINDS,
    ),
    early=_is("Whether a phase is processed once everyone is ready."),
    opening=_span("Extra time for the first phase"),
    grace=_span("Extra time for players who have given no orders"),
    caps=_object(
        "Limits for votes.",
        extension=_span("The longest extension"),
        extensions=_span("The most extensions for a phase"),
        pause=_span("The longest pause"),
        pauses=_span("The most pauses for a phase"),
        credit_after=_span("The outage of the site after which deadlines move"),
    ),
    movement=_times(
        "`interval`: seconds. `calendar`: times of the week. For example `wed 20:00`, in the time "
        "zone."
    ),
    retreats=_times("Seconds or, with `calendar`, times of the week."),
    adjustments=_times("Seconds or, with `calendar`, times of the week."),
    days=_either(
        "Only with `interval`: the days on which orders are due; null for every day.",
        _WEEKDAYS,
        {"type": "null"},
    ),
    zone={**_text("Only with `calendar`: the time zone of its times."), "minLength": 1},
    adjudication=_either(
        "Only with `calendar`: when moves are processed after they are due, in seconds or at a "
        "clock time.",
        {"type": "integer", "minimum": 0},
        _LATER,
    ),
    holidays=_holidays("Only with `calendar`: days without deadlines."),
    least=_span("Only with `calendar`: the shortest time for moves"),
)
_MEMBERS: Final[Mapping[str, Json]] = {
    "schedule": _SCHEDULE_SCHEMA,
    "setup": _text(
        "Another start on the standard map, for example for fewer players. Blank for the map's own."
    ),
    "fill_with": _text(
        "The bot, or bots with commas, that take empty seats at the start. Blank for none."
    ),
    "press": _text("How players may write to each other.", table_options.Press),
    "watch": _text("Who may watch a public game.", table_options.Watch),
    "anonymous": _is("Whether names are hidden until the game is over."),
    "start": _text(
        "Whether the creator starts the game, or it starts once it is full.", table_options.Start
    ),
    "master": _text(
        "The game master: the site, the creator, or the creator who also plays.",
        table_options.Master,
    ),
    "ends": _object(
        "How the game may end before a player has the centers needed to win. At a limit, the "
        "player who leads wins.",
        centers=_limit(1_000, "Centers needed to win; null for the map's own number."),
        last_year=_limit(table_options.MAX_YEAR, "The last year; null for no limit."),
        turns=_limit(table_options.MAX_TURNS, "The number of turns; null for no limit."),
        date=_either(
            "The last day, for example `2027-03-01`; null for no limit.",
            {"type": "string", "format": "date"},
            {"type": "null"},
        ),
        measure=_text("What counts at the limit.", Measure),
    ),
    "missed": _object(
        "What happens if a player gives no orders.",
        limit=_number(
            "After this many missed turns in a row, the seat becomes vacant; 0 for never.", 20
        ),
        substitute=_text("The bot that then takes over at once. Blank for none."),
    ),
    "talk": _object(
        "More options of press.",
        gray=_is("Whether players may write to everyone without a name."),
        writing={
            **_span("With `rulebook` press, the quiet time before moves are due"),
            "maximum": int(table_options.MAX_WRITING.total_seconds()),
        },
        silent=_is("Whether eliminated players can only read until the game is over."),
        successor=_text(
            "Whether the next player of a seat can read its earlier messages.",
            table_options.Successor,
        ),
        master_reads=_is("Whether a game master may read private conversations."),
        opening=_text("When private conversations open to everyone.", table_options.Opening),
    ),
    "slack": _is("Whether players may send orders by Slack."),
    "hints": _is("Whether a person who plays alone against bots may get hints."),
    "grace_locks": _is(
        "Whether saved orders are locked when a grace period begins, so that only players who had "
        "saved none can order in it."
    ),
    "reliability": _number(
        "The least reliability of a player in percent; 0 for none. New players without a history "
        "may play.",
        100,
    ),
    "bots_give_way": _is(
        "Whether people may take the seats of bots, early in a phase. Not in anonymous games."
    ),
    "preset": _text("The preset, if the game has exactly its options. Ignored in requests."),
}


SOLO_MEMBERS: Final = ("setup", "hints", "ends")


def _open(value: Any) -> Any:
    """Return a schema that also allows members that it does not list."""
    if isinstance(value, dict):
        return {name: _open(part) for name, part in value.items() if name != "additionalProperties"}
    return list(map(_open, value)) if isinstance(value, list) else value


OPTIONS_GIVEN: Final = {
    **_object(
        "Options that differ from the preset's. Options that you leave out, also within "
        "objects such as `ends`, stay as in the preset.",
        **_MEMBERS,
    ),
    "default": {},
}
"""Options in requests: all of them may be missing."""
SOLO_OPTIONS_GIVEN: Final = {
    **_object(
        "Options that differ from the usual ones of a game against bots. Options that you leave "
        "out, also within `ends`, stay as usual.",
        **{name: _MEMBERS[name] for name in SOLO_MEMBERS},
    ),
    "default": {},
}
"""Options in requests for games against bots."""
OPTIONS: Final = _open(_object("The options of a game.", **_MEMBERS))
"""Options in answers, to which later versions may add."""
