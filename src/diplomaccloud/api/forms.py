"""The form with which a person makes a token."""

import datetime as dt
from typing import Final

from django import forms

from diplomaccloud.api.tokens import LIVES, MAX_NAME, Scope

_WORDS: Final = {
    Scope.READ: "Read games, and your own orders and drafts",
    Scope.PLAY: "Play: orders, drafts and votes",
    Scope.PRESS: "Read and write your messages",
    Scope.CREATE: "Create, join and leave games",
    Scope.GM: "Act as game master",
}
_USUAL_LIFE: Final = 90


class TokenForm(forms.Form):
    """The name of a token, its scopes, its seat, and how long it lasts."""

    name = forms.CharField(
        label="Name",
        max_length=MAX_NAME,
        help_text="The purpose of the token, for example “my bot”. Only you see it.",
    )
    scopes = forms.TypedMultipleChoiceField(
        label="Good for",
        choices=[(scope.value, words) for scope, words in _WORDS.items()],
        coerce=Scope,
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what the token can do."},
    )
    seat = forms.ChoiceField(
        label="Games",
        required=False,
        help_text="A token for one game stops working as soon as you leave your seat there.",
    )
    days = forms.TypedChoiceField(
        label="Works for",
        choices=[(str(days), f"{days} days") for days in LIVES],
        coerce=lambda text: dt.timedelta(days=int(text)),
        initial=str(_USUAL_LIFE),
    )

    def __init__(self, data: object, seats: list[tuple[str, str]]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [("", "All your games"), *seats]


def describe_scope(scope: Scope) -> str:
    """Return what a scope allows."""
    return _WORDS[scope]
