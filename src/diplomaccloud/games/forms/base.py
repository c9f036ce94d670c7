"""The base of all forms that act on a game, and the kinds of fields they share."""

import datetime as dt
from typing import Any, Self, TypedDict

from django import forms
from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games.errors import NoSuchGame, Refused

MAX_SEQUENCE = 999_999
MAX_ROW_KEY = 10**15 - 1


class PhaseAction(TypedDict):
    """Who acts in which phase, and when: the arguments of every action that concerns a phase."""

    slug: str
    user_id: int
    sequence: int
    now: dt.datetime


class RawTextField(forms.Field):
    """Text exactly as it was sent, or blank; the action decides whether it is valid."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def clean(self, value: object) -> str:
        """Return the text."""
        return value if isinstance(value, str) else ""


class TextListField(forms.Field):
    """All values sent under one name, in order."""

    widget = forms.MultipleHiddenInput

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def clean(self, value: object) -> list[str]:
        """Return the values."""
        return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


class FlagField(forms.Field):
    """Whether a button or hidden field sent `1`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def clean(self, value: object) -> bool:
        """Return the flag."""
        return value == "1"


class NumberField(forms.IntegerField):
    """A number that the page itself fills in, such as a phase; `missing` says what it is for."""

    def __init__(self, missing: str, max_value: int, **options: Any) -> None:
        text = f"The form is incomplete: it does not say {missing}. Reload the page."
        kinds = ("required", "invalid", "min_value", "max_value")
        messages = dict.fromkeys(kinds, text)
        super().__init__(min_value=0, max_value=max_value, error_messages=messages, **options)


class ActionForm(forms.Form):
    """A form that a button sends: it is accepted as a whole, or refused with one sentence."""

    @classmethod
    def read(cls, request: HttpRequest) -> Self:
        """Return the form that was posted; raise `Refused` with its first error."""
        form = cls(request.POST)
        if not form.is_valid():
            errors = next(iter(form.errors.values()))
            raise Refused(str(errors[0]))
        return form


class PhaseForm(ActionForm):
    """A form about one phase, whose number the page fills in."""

    phase = NumberField("which phase it is for", MAX_SEQUENCE)

    @property
    def sequence(self) -> int:
        """The number of the phase that the form is for."""
        return int(self.cleaned_data["phase"])

    def action(self, request: HttpRequest, slug: str) -> PhaseAction:
        """Return the arguments of the action; raise `NoSuchGame` for a visitor."""
        return {
            "slug": slug,
            "user_id": require_user_id(request),
            "sequence": self.sequence,
            "now": timezone.now(),
        }


def require_user_id(request: HttpRequest) -> int:
    """Return the key of the logged-in person; raise `NoSuchGame` for a visitor."""
    if not isinstance(request.user, User):
        raise NoSuchGame
    return request.user.pk
