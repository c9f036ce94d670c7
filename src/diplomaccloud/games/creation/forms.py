"""The form that creates a game."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.db.models import TextChoices

from diplomaccloud.bots.seats import SEAT_CHOICES
from diplomaccloud.endings import Measure
from diplomaccloud.games.creation.presets import (
    GAME_PRESETS,
    SPEEDS,
    USUAL_CALENDAR,
    USUAL_INTERVAL,
    GamePlan,
    GamePreset,
    OptionFault,
)
from diplomaccloud.games.lobby.forms import BotsField
from diplomaccloud.games.table.forms import (
    PhraseError,
    format_adjudication,
    format_days,
    format_due,
    format_span,
    format_times,
    read_adjudication,
    read_days,
    read_due,
    read_span,
    read_times,
)
from diplomaccloud.games.table.options import (
    MAX_TURNS,
    MAX_WRITING,
    MAX_YEAR,
    Ends,
    Master,
    Missed,
    Opening,
    Options,
    Press,
    Start,
    Successor,
    Talk,
    Watch,
)
from diplomaccloud.judge.rules import EDITIONS, Victory
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.schedule import (
    PRESETS,
    Calendar,
    Caps,
    Days,
    Interval,
    Lengths,
    Schedule,
    ScheduleError,
    Weekday,
)
from diplomaccloud.schedule.deadline import DEFAULT_CAPS
from diplomaccloud.schedule.local_time import WEEK, find_zone
from diplomaccloud.schedule.presets import move_to_zone
from diplomaccloud.setups import setups


class PhraseField(forms.CharField):
    """Text that stands for a value, such as a length of time; blank gives `empty`."""

    def __init__(
        self, read: Callable[[str], object], label: str, help_text: str = "", empty: object = None
    ) -> None:
        super().__init__(max_length=1_000, required=False, label=label, help_text=help_text)
        self._read, self._empty = read, empty

    def clean(self, value: object) -> object:
        """Return the value that the text stands for."""
        text = super().clean(value)
        if not text:
            return self._empty
        try:
            return self._read(text)
        except PhraseError as error:
            raise forms.ValidationError(str(error)) from error


def _number(
    label: str, least: int, most: int, help_text: str = "", *, required: bool = False
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, help_text=help_text, required=required
    )


_span = partial(PhraseField, read_span, empty=dt.timedelta())


def _choice(label: str, titles: Mapping[Any, str], **named: Any) -> forms.TypedChoiceField:
    """Return a field for one of the values of an enumeration, or texts, each with its title."""
    return forms.TypedChoiceField(choices=list(titles.items()), label=label, **named)


_PARTS = {
    "days": ("weekdays", "zone", "holidays", "least", "opening", "grace"),
    "limits": ("extension", "extensions", "pause", "pauses", "credit_after"),
    "ends": ("centers", "end_year", "turns", "end_date"),
    "absence": ("missed", "master", "slack", "grace_locks", "reliability", "bots_give_way"),
    "press": ("press", "gray", "writing", "silent", "successor", "archives", "master_reads"),
}
"""The fields in each part of the page that is closed unless one of them has an error."""


class Who(TextChoices):
    """Who plays in a new game."""

    FRIENDS = "friends"
    ANYONE = "anyone"
    SOLO = "solo"

    @property
    def about(self) -> str:
        """The consequence of the choice, in a sentence."""
        return {
            "friends": "Only people with your invitation link can find and join the game.",
            "anyone": "The game is listed in the lobby, and anyone may join.",
            "solo": "You play against bots. The game starts now, and turns end when you are ready.",
        }[self.value]


INTERVAL, CALENDAR = "interval", "calendar"
"""The two kinds of deadlines."""
CUSTOM = "custom"
"""The speed of a game whose schedule is set by hand."""


class GameForm(forms.Form):
    """Everything the creator of a game decides.

    Without a `speed`, or with `custom`, the schedule is read from its own fields. Without `who`,
    only `private` says who can join. The map `new` is made, or taken from the stock, when the game
    is created.
    """

    map = forms.RegexField(
        r"\A([0-9a-f]{64}|standard|new)\Z",
        label="Map",
        error_messages={"required": "Choose a map.", "invalid": "This map is not in the gallery."},
    )
    who = _choice("Who plays", dict(Who.choices), required=False, widget=forms.RadioSelect)
    speed = _choice(
        "Speed",
        {**{speed.key: speed.title for speed in SPEEDS.values()}, CUSTOM: "My own times"},
        required=False,
        widget=forms.RadioSelect,
    )
    preset = forms.ChoiceField(
        choices=[(key, key) for key in ("", *PRESETS)], required=False, widget=forms.HiddenInput
    )
    world = forms.CharField(
        max_length=40, label="Name", error_messages={"required": "Give the game a name."}
    )
    setup = _choice("Players and start", {}, required=False)
    edition = _choice(
        "Rules edition",
        {name: name for name in EDITIONS},
        help_text="Editions differ in convoys, disbands and how to win.",
    )
    press = _choice(
        "Press",
        {
            Press.FULL: "Full: to anyone, at any time",
            Press.PUBLIC: "Public only: to everyone at once",
            Press.RULEBOOK: "As in the rulebook: only during movement phases",
            Press.NONE: "None",
        },
        coerce=Press,
        help_text="Who may write to whom, and when.",
    )
    gray = forms.BooleanField(
        required=False,
        label="Gray messages",
        help_text="Players may write unsigned messages to everyone. Nobody learns who wrote them.",
    )
    writing = _number(
        "Quiet time, in minutes",
        0,
        int(MAX_WRITING.total_seconds()) // 60,
        "With press as in the rulebook, nobody can write this long before moves are due.",
    )
    silent = forms.BooleanField(
        required=False,
        label="Eliminated players can only read",
        help_text="An eliminated player can read, but not write, until the game ends.",
    )
    successor = _choice(
        "A new player of a seat can read",
        {Successor.ARCHIVE: "the seat's earlier messages", Successor.BLANK: "only new messages"},
        coerce=Successor,
        empty_value=Successor.ARCHIVE,
        required=False,
        help_text="Notes and messages to the game master are never passed on.",
    )
    archives = _choice(
        "Private conversations after the end",
        {
            Opening.CONSENT: "open if everyone who could read them agrees",
            Opening.END: "are open to everyone who may see the game",
            Opening.NEVER: "stay private forever",
        },
        coerce=Opening,
        empty_value=Opening.CONSENT,
        required=False,
        help_text="Notes and messages to the game master open only if their readers agree.",
    )
    master_reads = forms.BooleanField(
        required=False,
        label="The game master may read private messages",
        help_text=(
            "Only if you run the game without playing. Each look requires a reason and is "
            "logged, and the players whose messages are read are notified."
        ),
    )
    slack = forms.BooleanField(
        required=False,
        label="Orders by Slack",
        help_text="Players may link a Slack account and send orders from there.",
    )
    anonymous = forms.BooleanField(required=False, label="Anonymous: hide names until the end")

    clock = _choice(
        "Deadlines",
        {INTERVAL: "A fixed time after each phase opens", CALENDAR: "Fixed times of the week"},
        widget=forms.RadioSelect,
    )
    movement = _span("Movement", "For example: 2 days, 12 hours, 15 minutes.")
    retreats = _span("Retreats")
    builds = _span("Builds")
    weekdays = forms.MultipleChoiceField(
        choices=[(day.value, day.word) for day in WEEK],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="Days on which a deadline may fall",
    )
    times = PhraseField(
        read_times, "Movement orders are due", "For example: Wed 24:00, Sun 24:00, or daily 20:00."
    )
    adjudication = PhraseField(
        read_adjudication,
        "Adjudicated",
        "Leave blank for at the deadline. For example: 30 minutes, next day 12:30.",
        empty=dt.timedelta(),
    )
    retreat_times = PhraseField(
        read_due,
        "Retreats are due",
        "A length of time (2 hours) or times of the week (daily 08:00).",
    )
    build_times = PhraseField(read_due, "Builds are due")
    least = _span("Minimum time for a movement phase", "A deadline that comes sooner is skipped.")
    zone = forms.CharField(
        max_length=60, label="Time zone", help_text="For example: Europe/Berlin.", required=False
    )
    holidays = PhraseField(
        read_days,
        "Holidays",
        "No deadline falls on these days. For example: 2026-12-25, 2026-12-26.",
        empty=frozenset(),
    )
    early = forms.BooleanField(required=False, label="Process turns early when everyone is ready")
    opening = _span("Time to negotiate before the first turn", "Leave blank for none.")
    grace = _span("Grace period", "Extra time when a player misses a deadline for the first time.")
    extension = _span("Longest single extension", "Leave blank for none.")
    extensions = _span("All extensions of a phase together")
    pause = _span("Longest single pause", "Leave blank for none.")
    pauses = _span("All pauses of a phase together")
    credit_after = PhraseField(
        read_span,
        "Extend the deadline after an outage longer than",
        f"At least 1 minute. Leave blank for {format_span(DEFAULT_CAPS.credit_after)}.",
        empty=DEFAULT_CAPS.credit_after,
    )

    victory = _choice(
        "Victory",
        {
            "": "As in the chosen edition",
            Victory.CENTERS: "Enough supply centers",
            Victory.PIECES: "Most of the units on the board",
        },
        coerce=Victory,
        required=False,
    )
    centers = _number("Centers needed to win", 1, 1_000, "Leave blank for the map's own number.")
    end_year = _number("Last year", 1, MAX_YEAR)
    turns = _number("Turns", 1, MAX_TURNS, "Spring and Fall count as one turn each.")
    end_date = forms.DateField(
        required=False,
        label="Date",
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    measure = _choice(
        "At the time limit, the winner is the player with the most",
        {
            Measure.CENTERS: "Supply centers (ties share the win)",
            Measure.PIECES: "Units (ties share the win)",
        },
        coerce=Measure,
    )

    private = forms.BooleanField(required=False, label="By invitation only")
    rated = forms.BooleanField(
        required=False,
        label="Rated",
        help_text=(
            "The result changes the ratings of the people who play, if at least four do. Games by "
            "invitation are never rated."
        ),
    )
    watch = _choice(
        "Who may watch", {Watch.ANYONE: "Anyone", Watch.PLAYERS: "Only its players"}, coerce=Watch
    )
    start = _choice(
        "The game starts",
        {Start.CREATOR: "When I start it", Start.FULL: "Automatically when the last seat is taken"},
        coerce=Start,
    )
    opponents = BotsField(required=False, label="Opponents")
    hints = forms.BooleanField(
        required=False,
        label="Hints: I may ask what a General would do",
        help_text="A button beside your orders shows what a General would order for you.",
    )
    grace_locks = forms.BooleanField(
        required=False,
        label="Lock saved orders when extra time begins",
        help_text="In the extra time after a missed deadline, only players who had not saved an "
        "order for every unit can order. Otherwise everyone can change orders, knowing who is "
        "late.",
    )
    bots_give_way = forms.BooleanField(
        required=False,
        label="People may take the seats of bots",
        help_text="Until three quarters of a phase are over. The deals of that bot end. This needs "
        "a game in which everyone sees who plays.",
    )
    fill_with = BotsField(
        required=False,
        label="Empty seats at the start go to",
        help_text="You can start as soon as you like, and bots play the seats that are still free.",
    )
    master = _choice(
        "Game master",
        {
            Master.SOFTWARE: "The site",
            Master.CREATOR: "Me, and I don't play",
            Master.PLAYING: "Me, and I play (the other players vote on my actions)",
        },
        coerce=Master,
    )
    missed = _number(
        "Turns a player may miss in a row before losing the seat",
        0,
        20,
        "0 means never.",
        required=True,
    )
    reliability = _number(
        "Least reliability of a player, in percent",
        0,
        100,
        (
            "The share of turns with orders, or of games not left, whichever is lower. "
            "Leave blank for none. New players without a history may join."
        ),
    )
    substitute = _choice(
        "A lost seat goes to",
        {"": "A volunteer, and is empty until then", **dict(SEAT_CHOICES)},
        required=False,
    )

    def __init__(
        self,
        *args: Any,
        setup_names: tuple[str, ...] = (),
        faults: Callable[[GamePlan], Iterable[OptionFault]] | None = None,
        **named: Any,
    ) -> None:
        """Offer the map's own setup and `setup_names`; `faults` checks the whole plan."""
        super().__init__(*args, **named)
        self._faults = faults
        if not getattr(settings, "SLACK_SIGNING_SECRET", ""):  # of an extra
            del self.fields["slack"]
        known = setups()
        offered = [(name, _setup_title(name)) for name in setup_names if name in known]
        if isinstance(choice := self.fields["setup"], forms.ChoiceField):
            choice.choices = [("", "The map's own"), *offered]

    def clean(self) -> dict[str, Any]:
        """Read the schedule, and name the field of each invalid part."""
        given = super().clean() or {}
        by_hand = given.get("speed", "") in ("", CUSTOM)
        unused = UNUSED.get(given.get("clock", ""), ()) if by_hand else SCHEDULE_FIELDS
        for name in unused:
            # Hidden on the page, and unused for the chosen kind of deadlines.
            self.errors.pop(name, None)
        if not self.errors:
            try:
                given["schedule"] = build_schedule(given)
            except ScheduleError as error:
                sentence = f"{error.what[:1].upper()}{error.what[1:]}."
                self.add_error(find_field(given["clock"], error.field), sentence)
        if not self.errors and self._faults:
            for fault in self._faults(self.plan()):
                self.add_error(OPTION_FIELDS.get(fault.part, fault.part), fault.what)
        return given

    @property
    def is_solo(self) -> bool:
        """Whether a valid form describes a game against bots that starts now."""
        return bool(self.cleaned_data["who"] == Who.SOLO)

    def faulty_parts(self) -> frozenset[str]:
        """Return the closed parts of the page with an error in them."""
        return frozenset(part for part, names in _PARTS.items() if self.errors.keys() & set(names))

    def plan(self) -> GamePlan:
        """Return the plan that a valid form describes."""
        given = self.cleaned_data
        rules = EDITIONS[given["edition"]]
        if given["victory"]:
            rules = replace(rules, victory=given["victory"])
        options = build_options(given)
        if given["who"] == Who.SOLO and given["opponents"]:
            options = replace(options, fill_with=given["opponents"])
        return GamePlan(
            world=given["world"],
            map_hash=standard_hash() if given["map"] == "standard" else given["map"],
            options=options,
            rules=rules,
            private=given["private"] or given["who"] in (Who.FRIENDS, Who.SOLO),
            rated=given["rated"],
        )


def _setup_title(name: str) -> str:
    setup = setups()[name]
    return f"{setup.title} ({setup.source.partition(',')[0]})"


_CAPS = ("extension", "extensions", "pause", "pauses", "credit_after")
SCHEDULE_FIELDS = (
    *("movement", "retreats", "builds", "weekdays", "times", "adjudication", "retreat_times"),
    *("build_times", "least", "holidays", "opening", "grace", *_CAPS),
)
"""The fields that only a schedule set by hand uses; a speed uses only the time zone."""


_OPTIONS = (
    *("press", "anonymous", "watch", "start", "master", "hints", "grace_locks", "fill_with"),
    "bots_give_way",
)
"""The options that the form reads as they are."""


def initial_values(preset: GamePreset) -> dict[str, object]:
    """Return the initial values of the form's fields for a preset."""
    options, talk = preset.options, preset.options.talk
    return {
        **{name: getattr(options, name) for name in _OPTIONS},
        "preset": preset.key,
        "rated": True,
        "edition": preset.rules.name,
        "slack": options.slack,
        "reliability": options.reliability,
        "missed": options.missed.limit,
        "substitute": options.missed.substitute,
        "measure": options.ends.measure,
        "gray": talk.gray,
        "writing": int(talk.writing.total_seconds()) // 60,
        "silent": talk.silent,
        "successor": talk.successor,
        "archives": talk.opening,
        "master_reads": talk.master_reads,
        **_initial_schedule(options.schedule),
    }


def _initial_schedule(schedule: Schedule) -> dict[str, object]:
    """Return the fields of both kinds of deadlines; the other kind gets default values."""
    plan, caps = schedule.plan, schedule.caps
    interval = plan if isinstance(plan, Interval) else USUAL_INTERVAL
    calendar = plan if isinstance(plan, Calendar) else USUAL_CALENDAR
    return {
        "clock": INTERVAL if isinstance(plan, Interval) else CALENDAR,
        "movement": format_span(interval.lengths.movement),
        "retreats": format_span(interval.lengths.retreats),
        "builds": format_span(interval.lengths.adjustments),
        "weekdays": [day.value for day in (interval.days.weekdays if interval.days else WEEK)],
        "times": format_times(calendar.movement),
        "adjudication": format_adjudication(calendar.adjudication),
        "retreat_times": format_due(calendar.retreats),
        "build_times": format_due(calendar.adjustments),
        "least": format_span(calendar.least),
        "zone": plan.zone,
        "holidays": format_days(plan.holidays if isinstance(plan, Calendar) else frozenset()),
        "early": schedule.early,
        "opening": format_span(schedule.opening),
        "grace": format_span(schedule.grace),
        **{name: format_span(getattr(caps, name)) for name in _CAPS},
    }


_FIELDS: Mapping[str, Mapping[str, str]] = {
    INTERVAL: {"adjustments": "builds"},
    CALENDAR: {"movement": "times", "retreats": "retreat_times", "adjustments": "build_times"},
}
"""The field of the form for each part of a schedule with another name, by the kind of deadlines."""
UNUSED: Mapping[str, tuple[str, ...]] = {
    INTERVAL: ("times", "adjudication", "retreat_times", "build_times", "least"),
    CALENDAR: ("movement", "retreats", "builds", "weekdays"),
}
"""The fields that each kind of deadlines does not use."""
OPTION_FIELDS: Mapping[str, str] = {"last_year": "end_year", "date": "end_date"}
"""The field of the form for each option whose field has a different name."""


def find_field(kind: str, part: str) -> str:
    """Return the field for `part` of a schedule with deadlines of `kind`."""
    field = _FIELDS[kind].get(part, part)
    return field if field in (*SCHEDULE_FIELDS, "zone") else "clock"


def build_schedule(given: Mapping[str, Any]) -> Schedule:
    """Return the schedule from cleaned fields; raise `ScheduleError` naming the invalid part."""
    if speed := SPEEDS.get(given["speed"]):
        zone = given["zone"] or "UTC"
        find_zone(zone)
        return move_to_zone(speed.schedule, zone)
    return Schedule(
        _calendar(given) if given["clock"] == CALENDAR else _interval(given),
        early=given["early"],
        opening=given["opening"],
        grace=given["grace"],
        caps=Caps(**{name: given[name] for name in _CAPS}),
    )


def _interval(given: Mapping[str, Any]) -> Interval:
    lengths = Lengths(given["movement"], given["retreats"], given["builds"])
    weekdays = frozenset(Weekday(day) for day in given["weekdays"])
    days = Days(given["zone"] or "UTC", weekdays, given["holidays"])
    # Even without excluded days, the time zone decides how deadlines are shown.
    return Interval(lengths, None if days == Days("UTC") else days)


def _find_preset(given: Mapping[str, Any]) -> str:
    speed = SPEEDS.get(given["speed"])
    key: str = speed.preset if speed else given["preset"]
    return key if key in GAME_PRESETS else ""


def _calendar(given: Mapping[str, Any]) -> Calendar:
    parts = {"movement": "times", "retreats": "retreat_times", "adjustments": "build_times"}
    for part, field in parts.items():
        if given[field] is None:
            raise ScheduleError(part, "enter when they are due")
    return Calendar(
        zone=given["zone"] or "UTC",
        movement=given["times"],
        retreats=given["retreat_times"],
        adjustments=given["build_times"],
        adjudication=given["adjudication"],
        holidays=given["holidays"],
        least=given["least"],
    )


def build_options(given: Mapping[str, Any]) -> Options:
    """Return the options from cleaned fields, which include `schedule`."""
    return Options(
        **{name: given[name] for name in _OPTIONS},
        schedule=given["schedule"],
        setup=given["setup"],
        ends=Ends(
            centers=given["centers"],
            last_year=given["end_year"],
            turns=given["turns"],
            date=given["end_date"],
            measure=given["measure"],
        ),
        missed=Missed(limit=given["missed"], substitute=given["substitute"]),
        preset=_find_preset(given),
        slack=given.get("slack", False),
        reliability=given["reliability"] or 0,
        talk=Talk(
            gray=given["gray"],
            writing=dt.timedelta(minutes=given["writing"] or 0),
            silent=given["silent"],
            successor=given["successor"],
            opening=given["archives"],
            master_reads=given["master_reads"],
        ),
    )


class QuickGameForm(forms.Form):
    """A game against bots that starts now."""

    map = forms.RegexField(r"\A(standard|new|[0-9a-f]{64})\Z")
    bot = BotsField(required=False)
    asked = forms.CharField(required=False)
    hints = forms.BooleanField(required=False)

    @property
    def has_hints(self) -> bool:
        """Whether a valid form wants hints; a form without the checkbox does."""
        return bool(self.cleaned_data["hints"] or self.cleaned_data["asked"] != "hints")
