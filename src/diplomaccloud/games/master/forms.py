"""Forms of the game master's page; each one takes a reason for the public log."""

import re
from dataclasses import replace
from typing import Final

from django import forms
from django.http import HttpRequest

from diplomaccloud.games.table.forms import (
    MAX_SEQUENCE,
    NumberField,
    PhaseAction,
    PhaseForm,
    RawTextField,
    TextListField,
)
from diplomaccloud.games.votes.forms import LengthField, QuestionField
from diplomaccloud.games.votes.wording import Question, Terms

_INCOMPLETE = "The form is incomplete. Reload the page."
_TENURE: Final = re.compile(r"[0-9]{1,15}")


class KeyField(forms.RegexField):
    """A random key that the page fills in, so that a form that is sent twice acts only once."""

    def __init__(self, *, required: bool = True) -> None:
        messages = {"required": _INCOMPLETE, "invalid": _INCOMPLETE}
        super().__init__(r"\A[0-9A-Za-z]{1,32}\Z", required=required, error_messages=messages)


class ReasonedAction(PhaseAction):
    """The arguments of a game master's action."""

    reason: str


class ReasonForm(PhaseForm):
    """An action that needs only a reason."""

    reason = RawTextField()
    asks_for: tuple[str, ...] = ("reason",)
    """The fields that are terms of a vote."""

    def reasoned_action(self, request: HttpRequest, slug: str) -> ReasonedAction:
        """Return the arguments of the action; raise `NoSuchGame` for a visitor."""
        return {**self.action(request, slug), "reason": self.cleaned_data["reason"]}

    @property
    def terms(self) -> Terms:
        """The terms of a vote on the action."""
        return Terms(**{name: self.cleaned_data[name] for name in self.asks_for})


class OnceForm(ReasonForm):
    """An action that must happen only once, no matter how often the form is sent."""

    key = KeyField()

    @property
    def log_key(self) -> str:
        """The key of the action in the log."""
        return f"master {self.cleaned_data['key']}"


class TimeForm(OnceForm):
    """A change of the deadline: an extension, a pause or its end."""

    question = QuestionField(question for question in Question if question.changes_deadline)
    length = LengthField()
    asks_for = ("reason", "length")


class PlayerForm(ReasonForm):
    """An action that concerns the player of one power, whose tenure the page fills in.

    `tenures` are those of all players on the page, each as `<tenure> <power>`.
    """

    power = RawTextField()
    tenures = TextListField()
    key = KeyField(required=False)

    @property
    def tenure(self) -> int | None:
        """The tenure of the player whom the page showed, or None if the page does not say."""
        for text in self.cleaned_data["tenures"]:
            number, _, power = text.partition(" ")
            if power == self.cleaned_data["power"] and _TENURE.fullmatch(number):
                return int(number)
        return None


class RemovalForm(PlayerForm):
    """The removal of a player; a game master who plays needs a `cause` that the players vote on."""

    cause = RawTextField()
    asks_for = ("reason", "power", "cause")

    @property
    def terms(self) -> Terms:
        """The terms of a vote on the action."""
        return replace(super().terms, tenure=self.tenure)


class BotForm(ReasonForm):
    """A bot for a vacant seat."""

    power = RawTextField()
    bot = RawTextField()
    asks_for = ("reason", "power", "bot")


class RollbackForm(ReasonForm):
    """A rollback to the phase `to`."""

    to = NumberField("which phase to return to", MAX_SEQUENCE)
    asks_for = ("reason", "to")
