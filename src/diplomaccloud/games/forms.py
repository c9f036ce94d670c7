"""What the pages of games take."""

import datetime as dt

from django import forms

from diplomaccloud.bots import BOTS
from diplomaccloud.games.actions import GamePlan
from diplomaccloud.games.options import Ends, Options
from diplomaccloud.games.schedule import Interval, Lengths, Schedule
from diplomaccloud.judge.rules import DEFAULT, EDITIONS

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_LENGTHS = [
    (5 * _MINUTE, "5 minutes"),
    (15 * _MINUTE, "15 minutes"),
    (_HOUR, "1 hour"),
    (12 * _HOUR, "12 hours"),
    (_DAY, "1 day"),
    (2 * _DAY, "2 days"),
    (3 * _DAY, "3 days"),
    (7 * _DAY, "1 week"),
]


def _length(label: str, initial: int) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(choices=_LENGTHS, coerce=int, initial=initial, label=label)


class GameForm(forms.Form):
    """Everything the maker of a game decides."""

    map = forms.RegexField(r"\A[0-9a-f]{64}\Z", widget=forms.HiddenInput)
    world = forms.CharField(max_length=40, label="Name of the game's world")
    movement = _length("Movement phases", 2 * _DAY)
    retreats = _length("Retreat phases", _DAY)
    builds = _length("Build phases", _DAY)
    edition = forms.ChoiceField(
        choices=[(name, name) for name in EDITIONS], initial=DEFAULT.name, label="Rules edition"
    )
    fill_with = forms.ChoiceField(
        choices=[("", "nobody: wait for people")]
        + [(name, f"{name.capitalize()} bot") for name in BOTS],
        initial="greedy",
        required=False,
        label="Empty seats are played by",
    )
    end_year = forms.IntegerField(
        min_value=1,
        max_value=9999,
        required=False,
        label="Last year",
        help_text="The game ends after this year even without a victory. Blank: no limit.",
    )
    private = forms.BooleanField(required=False, label="By invitation only")

    def plan(self) -> GamePlan:
        """Return the decisions of a valid form."""
        given = self.cleaned_data
        return GamePlan(
            world=given["world"],
            map_hash=given["map"],
            options=Options(
                schedule=Schedule(
                    Interval(
                        Lengths(
                            dt.timedelta(seconds=given["movement"]),
                            dt.timedelta(seconds=given["retreats"]),
                            dt.timedelta(seconds=given["builds"]),
                        )
                    )
                ),
                fill_with=given["fill_with"],
                ends=Ends(last_year=given["end_year"]),
            ),
            rules=EDITIONS[given["edition"]],
            private=given["private"],
        )


class QuickForm(forms.Form):
    """A game against bots, at once."""

    map = forms.RegexField(r"\A(standard|new|[0-9a-f]{64})\Z")
    bot = forms.ChoiceField(choices=[(name, name) for name in BOTS], required=False)
