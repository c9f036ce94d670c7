"""The form of a player who leaves a game."""

from django import forms

from diplomaccloud.games.seats.wording import LastWish
from diplomaccloud.games.table.forms import ActionForm


class ResignForm(ActionForm):
    """What happens when the last player leaves; blank for others."""

    then = forms.TypedChoiceField(
        required=False,
        choices=[(wish.value, wish.value) for wish in LastWish],
        coerce=LastWish,
        empty_value=None,
        error_messages={"invalid_choice": "Choose whether the game ends or bots play on."},
    )
