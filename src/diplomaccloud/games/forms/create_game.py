"""What the pages of games take."""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from django import forms

from diplomaccloud.bots import BOTS
from diplomaccloud.games.actions import GamePlan, OptionFault
from diplomaccloud.games.forms.create_game_mapping import (
    CALENDAR,
    INTERVAL,
    OPTION_FIELDS,
    UNUSED,
    field_of,
    options_of_form,
    schedule_of,
)
from diplomaccloud.games.forms.fields import (
    PhraseError,
    read_adjudication,
    read_days,
    read_due,
    read_span,
    read_times,
)
from diplomaccloud.games.options.options import (
    LAST_YEAR,
    MOST_TURNS,
    Master,
    Press,
    Start,
    Watch,
)
from diplomaccloud.judge.rules import EDITIONS, Victory
from diplomaccloud.judge.standard.setups import setups
from diplomaccloud.judge.victory import Measure
from diplomaccloud.schedule import (
    PRESETS,
    ScheduleError,
)
from diplomaccloud.schedule.local_time import WEEK

_BOTS = [(name, f"{name.capitalize()} bot") for name in BOTS]


class PhraseField(forms.CharField):
    """Text that is read as a value; blank gives `empty`."""

    def __init__(self, read: Callable[[str], object], empty: object = None, **named: Any) -> None:
        super().__init__(max_length=1_000, **named)
        self._read, self._empty = read, empty

    def clean(self, value: object) -> object:
        """Return the value that the text says."""
        text = super().clean(value)
        if not text:
            return self._empty
        try:
            return self._read(text)
        except PhraseError as error:
            raise forms.ValidationError(str(error)) from error


def _span(label: str, *, required: bool = False, help_text: str = "") -> PhraseField:
    empty = None if required else dt.timedelta()
    return PhraseField(read_span, empty, label=label, required=required, help_text=help_text)


def _choice(label: str, choices: list[tuple[str, str]], **named: Any) -> forms.ChoiceField:
    return forms.ChoiceField(choices=choices, label=label, **named)


class GameForm(forms.Form):
    """Everything the maker of a game decides."""

    map = forms.RegexField(r"\A[0-9a-f]{64}\Z", widget=forms.HiddenInput)
    preset = forms.ChoiceField(
        choices=[(key, key) for key in ("", *PRESETS)], required=False, widget=forms.HiddenInput
    )
    world = forms.CharField(max_length=40, label="Name of the game's world")
    setup = _choice("Players and start", [], required=False)
    edition = _choice(
        "Rules edition",
        [(name, name) for name in EDITIONS],
        help_text="The editions differ in convoys, removals and how one wins.",
    )
    press = _choice(
        "Press",
        [
            (Press.FULL.value, "full: to anybody, at any time"),
            (Press.PUBLIC.value, "public only: to all at once"),
            (Press.RULEBOOK.value, "as the rulebook: while moves are negotiated"),
            (Press.NONE.value, "none"),
        ],
        # To be deleted with the first message that can be sent.
        help_text="What you agree on: messages are not sent through this site yet.",
    )
    anonymous = forms.BooleanField(required=False, label="Anonymous: no names until the end")

    clock = _choice(
        "Deadlines",
        [
            (INTERVAL, "a length of time after each phase opens"),
            (CALENDAR, "fixed times of the week"),
        ],
        widget=forms.RadioSelect,
    )
    movement = _span("Moves", help_text="Such as 2 days, 12 hours, 15 minutes.")
    retreats = _span("Retreats")
    builds = _span("Builds")
    weekdays = forms.MultipleChoiceField(
        choices=[(day.value, day.word) for day in WEEK],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="Days on which a deadline may fall",
    )
    times = PhraseField(
        read_times,
        required=False,
        label="Moves are due",
        help_text="Such as Wed 24:00, Sun 24:00, or daily 20:00.",
    )
    adjudication = PhraseField(
        read_adjudication,
        dt.timedelta(),
        required=False,
        label="Adjudicated",
        help_text="Blank: at once. Or 30 minutes, or next day 12:30.",
    )
    retreat_times = PhraseField(
        read_due,
        required=False,
        label="Retreats are due",
        help_text="A length, such as 2 hours, or times, such as daily 08:00.",
    )
    build_times = PhraseField(read_due, required=False, label="Builds are due")
    least = _span("Shortest time for moves", help_text="A nearer deadline is left out.")
    zone = forms.CharField(
        max_length=60, label="Time zone", help_text="Such as Europe/Berlin.", required=False
    )
    holidays = PhraseField(
        read_days,
        frozenset(),
        required=False,
        label="Holidays",
        help_text="No deadline falls on these days. Such as 2026-12-25, 2026-12-26.",
    )
    early = forms.BooleanField(required=False, label="The turn rolls over when all are ready")
    opening = _span("Time to negotiate before the first turn", help_text="Blank: none.")
    grace = _span("Grace", help_text="More time for whoever misses a turn the first time.")
    extension = _span("One extension, at most")
    extensions = _span("All extensions of a phase")
    pause = _span("One pause, at most")
    pauses = _span("All pauses of a phase")
    credit_after = _span("Give back time lost to the site from")

    victory = _choice(
        "Victory",
        [
            ("", "as the edition has it"),
            (Victory.CENTERS.value, "enough supply centers"),
            (Victory.PIECES.value, "most of the pieces on the board"),
        ],
        required=False,
    )
    centers = forms.IntegerField(
        min_value=1,
        max_value=1_000,
        required=False,
        label="Centers that win",
        help_text="Blank: the map's own number.",
    )
    end_year = forms.IntegerField(
        min_value=1, max_value=LAST_YEAR, required=False, label="Last year"
    )
    turns = forms.IntegerField(
        min_value=1,
        max_value=MOST_TURNS,
        required=False,
        label="Turns",
        help_text="A Spring or a Fall each.",
    )
    end_date = forms.DateField(
        required=False,
        label="Date",
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    measure = _choice(
        "Who has most, wins",
        [
            (Measure.CENTERS.value, "of the centers, shared if tied"),
            (Measure.PIECES.value, "of the pieces, shared if tied"),
        ],
    )

    private = forms.BooleanField(required=False, label="By invitation only")
    watch = _choice(
        "Who may watch",
        [(Watch.ANYONE.value, "anybody"), (Watch.PLAYERS.value, "only its players")],
    )
    start = _choice(
        "The game starts",
        [
            (Start.CREATOR.value, "when I start it"),
            (Start.FULL.value, "by itself when the last seat is taken"),
        ],
    )
    fill_with = _choice(
        "Seats empty at the start",
        [("", "nobody's: wait for people"), *_BOTS],
        required=False,
    )
    master = _choice(
        "Game master",
        [
            (Master.SOFTWARE.value, "the software"),
            (Master.CREATOR.value, "I, and I do not play"),
            (Master.PLAYING.value, "I, and I play too: no looks at others' orders"),
        ],
    )
    missed = forms.IntegerField(
        min_value=0,
        max_value=20,
        label="Turns missed in a row until the seat is lost",
        help_text="0: never.",
    )
    substitute = _choice(
        "Then it goes to", [("", "nobody, until a volunteer takes it"), *_BOTS], required=False
    )

    def __init__(
        self,
        *args: Any,
        setup_names: tuple[str, ...] = (),
        faults: Callable[[GamePlan], Iterable[OptionFault]] | None = None,
        **named: Any,
    ) -> None:
        """Offer the setups `setup_names` besides the map's own; `faults` judges the whole plan."""
        super().__init__(*args, **named)
        self._faults = faults
        known = setups()
        offered = [(name, _setup_title(name)) for name in setup_names if name in known]
        if isinstance(choice := self.fields["setup"], forms.ChoiceField):
            choice.choices = [("", "the map's own"), *offered]

    def clean(self) -> dict[str, Any]:
        """Read the schedule, naming the field of each part that cannot be."""
        given = super().clean() or {}
        for name in UNUSED.get(given.get("clock", ""), ()):
            # Hidden on the page, and without meaning for the kind of deadlines chosen.
            self.errors.pop(name, None)
        if not self.errors:
            try:
                given["schedule"] = schedule_of(given)
            except ScheduleError as error:
                sentence = f"{error.what[:1].upper()}{error.what[1:]}."
                self.add_error(field_of(given["clock"], error.field), sentence)
        if not self.errors and self._faults:
            for fault in self._faults(self.plan()):
                self.add_error(OPTION_FIELDS.get(fault.part, fault.part), fault.what)
        return given

    def plan(self) -> GamePlan:
        """Return the decisions of a valid form."""
        given = self.cleaned_data
        rules = EDITIONS[given["edition"]]
        if given["victory"]:
            rules = replace(rules, victory=Victory(given["victory"]))
        return GamePlan(
            world=given["world"],
            map_hash=given["map"],
            options=options_of_form(given),
            rules=rules,
            private=given["private"],
        )


def _setup_title(name: str) -> str:
    setup = setups()[name]
    return f"{setup.title} ({setup.source.partition(',')[0]})"
