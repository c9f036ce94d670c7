"""Forms of a game before it starts, and of vacant seats."""

from django import forms

from diplomaccloud.bots import BOTS
from diplomaccloud.games.forms.base import (
    MAX_ROW_KEY,
    ActionForm,
    FlagField,
    NumberField,
    RawTextField,
)
from diplomaccloud.games.viewpoint.lobby import ListQuery, Status


class QuickGameForm(forms.Form):
    """A game against bots that starts now."""

    map = forms.RegexField(r"\A(standard|new|[0-9a-f]{64})\Z")
    bot = forms.ChoiceField(choices=[(name, name) for name in BOTS], required=False)


class JoinForm(ActionForm):
    """The code of a private game, blank for an open one."""

    code = RawTextField()


class TakeoverForm(ActionForm):
    """A vacant seat to take over: its power, and the code of a private game."""

    power = RawTextField()
    code = RawTextField()


class CountryForm(ActionForm):
    """What a player calls their country."""

    country = RawTextField()


class ColorForm(ActionForm):
    """The color of one of a player's powers."""

    power = RawTextField()
    color = RawTextField()


class InvitationForm(ActionForm):
    """A person to invite, by screen name."""

    name = RawTextField()


class WithdrawInvitationForm(ActionForm):
    """An invited person who should not come after all."""

    user = NumberField("which player it is for", MAX_ROW_KEY)


class BotForm(ActionForm):
    """The bot for free seats; blank for the usual one."""

    bot = forms.ChoiceField(choices=[(name, name) for name in BOTS], required=False)


class ReadyToStartForm(ActionForm):
    """Whether the player is ready for the start."""

    ready = FlagField()


class DismissForm(ActionForm):
    """A seat to free before the game starts."""

    seat = NumberField("which seat it is for", MAX_ROW_KEY)


class LobbyForm(forms.Form):
    """Which games the lobby lists: all, or older ones of one status; invalid values are ignored."""

    status = forms.ChoiceField(choices=Status.choices)
    before = forms.IntegerField(min_value=1, max_value=MAX_ROW_KEY)

    def query(self) -> ListQuery:
        """Return which games to list."""
        if not self.is_valid():
            return ListQuery()
        status, before = Status(self.cleaned_data["status"]), self.cleaned_data["before"]
        return ListQuery((status,), size=36, before=before, own=False, vacant=False)
