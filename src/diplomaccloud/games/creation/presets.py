"""The plan of a new game, and named sets of options from which its creator can start."""

from dataclasses import dataclass, replace

from diplomaccloud.bots.seats import USUAL_BOT
from diplomaccloud.games.table.options import Master, Missed, Options, Press, Start, Talk
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet
from diplomaccloud.schedule import PRESETS as SCHEDULES
from diplomaccloud.schedule import Calendar, Clock, Interval, Lengths, Schedule, Weekday, WeekTime
from diplomaccloud.schedule.local_time import DAY, HOUR, MINUTE


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The creator's choices for a new game; a private one is never `rated`."""

    world: str
    map_hash: str
    options: Options
    rules: RuleSet = DEFAULT
    private: bool = False
    rated: bool = True


@dataclass(frozen=True, slots=True)
class OptionFault:
    """An option that makes no sense: `part` is its name, `what` a sentence to show the creator."""

    part: str
    what: str


@dataclass(frozen=True, slots=True)
class GamePreset:
    """Options and rules that go together, with a title and a description."""

    key: str
    title: str
    about: str
    options: Options
    rules: RuleSet


USUAL_INTERVAL = Interval(Lengths(2 * DAY, DAY, DAY))


def _weekly(*days: Weekday) -> frozenset[WeekTime]:
    return frozenset(WeekTime(day, Clock.parse("20:00")) for day in days)


USUAL_CALENDAR = Calendar("UTC", _weekly(Weekday.WEDNESDAY, Weekday.SUNDAY), DAY, DAY)
"""The default in forms for the kind of deadlines that the chosen preset does not use."""

USUAL = GamePreset(
    "",
    "the usual game",
    "Two days for moves, a day for retreats and builds; bots take empty seats.",
    Options(schedule=Schedule(USUAL_INTERVAL), fill_with=USUAL_BOT),
    DEFAULT,
)


def _preset(key: str, rules: str, options: Options, about: str = "") -> GamePreset:
    preset = SCHEDULES[key]
    whole = replace(options, schedule=preset.schedule, preset=key)
    return GamePreset(key, preset.title, about or preset.about, whole, EDITIONS[rules])


_PLAIN = USUAL.options
GAME_PRESETS = {
    preset.key: preset
    for preset in (
        _preset(
            "2009",
            "2009",
            replace(_PLAIN, fill_with="", missed=Missed(limit=0)),
            "One turn length for everything; a turn is processed early when all orders are in.",
        ),
        _preset(
            "table",
            "2000",
            replace(
                _PLAIN,
                fill_with="",
                press=Press.RULEBOOK,
                start=Start.FULL,
                talk=Talk(writing=5 * MINUTE),
            ),
        ),
        _preset(
            "invitation",
            "1961",
            replace(_PLAIN, fill_with="", master=Master.CREATOR, missed=Missed(limit=3)),
        ),
        _preset("live", "2000", replace(_PLAIN, fill_with="", start=Start.FULL)),
        _preset("daily", "2000", _PLAIN),
    )
}
"""The presets by their keys, in the order in which they are offered."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a game is played: a schedule with a title, and a sentence about what it means.

    `preset` is the key of the preset with the same schedule, or blank.
    """

    key: str
    title: str
    about: str
    schedule: Schedule
    preset: str = ""


SPEEDS = {
    speed.key: speed
    for speed in (
        Speed(
            "evening",
            "This evening",
            "Everyone is online: five minutes a turn, two for retreats and builds.",
            SCHEDULES["live"].schedule,
            "live",
        ),
        Speed(
            "daily",
            "A turn a day",
            "Moves are due every evening at 20:00, retreats and builds the next day.",
            SCHEDULES["daily"].schedule,
            "daily",
        ),
        Speed(
            "twice",
            "Two turns a week",
            "Moves are due on Wednesdays and Sundays at 20:00, retreats and builds a day later.",
            Schedule(USUAL_CALENDAR, opening=2 * DAY, grace=12 * HOUR),
        ),
        Speed(
            "mail",
            "Classic mail",
            "Moves are due every Sunday at 20:00, retreats and builds two days later.",
            Schedule(
                Calendar("UTC", _weekly(Weekday.SUNDAY), 2 * DAY, 2 * DAY),
                opening=7 * DAY,
                grace=DAY,
            ),
        ),
    )
}
"""The speeds that the form offers first, in order; anything else is set by hand."""
USUAL_SPEED = "daily"
