"""Forms about drafts and conditional orders."""

from enum import StrEnum

from django import forms
from django.http import HttpRequest

from diplomaccloud.games.table.forms import CONDITION, FlagField, PhaseForm, RawTextField


class DraftAction(StrEnum):
    """What a button does with a draft."""

    NEW = "new"
    RENAME = "rename"
    DROP = "drop"
    LIVE = "live"


_UNKNOWN_ACTION = "The form does not say what to do with the draft. Reload the page."


class DraftForm(PhaseForm):
    """One of the buttons under a draft, with the draft's name and, for some, a new one."""

    act = forms.TypedChoiceField(
        choices=[(action.value, action.value) for action in DraftAction],
        coerce=DraftAction,
        error_messages={"required": _UNKNOWN_ACTION, "invalid_choice": _UNKNOWN_ACTION},
    )
    draft = RawTextField()
    name = RawTextField()
    copy = FlagField()


class ConditionalOrdersForm(PhaseForm):
    """Conditional orders, as text and as choices from lists; the text wins if it was changed."""

    ahead = RawTextField()
    was = RawTextField()
    version = RawTextField()
    forget = FlagField()

    @property
    def typed(self) -> str | None:
        """The text as typed, None if it is the same as when the page was shown."""
        if self.cleaned_data["forget"]:
            return ""
        typed = _unify_lines(self.cleaned_data["ahead"])
        return typed if typed != _unify_lines(self.cleaned_data["was"]) else None


def read_condition_lists(request: HttpRequest) -> dict[str, list[str]]:
    """Return the choices sent for each condition, under the condition's text."""
    return {key: values for key, values in request.POST.lists() if CONDITION.fullmatch(key)}


def _unify_lines(text: str) -> str:
    """Return `text` with line feeds only: browsers change the line endings of the page."""
    return "\n".join(text.splitlines()).strip()
