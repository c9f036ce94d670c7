"""Forms for taking and leaving seats, and for naming a country."""

from django import forms

from diplomaccloud.games.seats.wording import LastWish
from diplomaccloud.games.table.forms import ActionForm, FlagField, RawTextField


class TakeoverForm(ActionForm):
    """A vacant seat to take over: its power, and the code of a private game.

    With `more_time`, the person wants to ask for an extension next.
    """

    power = RawTextField()
    code = RawTextField()
    more_time = FlagField()


class ResignForm(ActionForm):
    """What happens when the last player leaves; blank for others."""

    then = forms.TypedChoiceField(
        required=False,
        choices=[(wish.value, wish.value) for wish in LastWish],
        coerce=LastWish,
        empty_value=None,
        error_messages={"invalid_choice": "Choose whether the game ends or bots play on."},
    )


class CountryForm(ActionForm):
    """A player's name for their country."""

    country = RawTextField()


class ColorForm(ActionForm):
    """The color of one of a player's powers."""

    power = RawTextField()
    color = RawTextField()
