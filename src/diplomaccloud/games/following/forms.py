"""The form that follows a person by name."""

from typing import Final

from django import forms

MAX_NAME: Final = 40


class FollowForm(forms.Form):
    """The screen name of the player to follow."""

    name = forms.CharField(
        max_length=MAX_NAME,
        label="Screen name",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": "Enter a screen name."},
    )
