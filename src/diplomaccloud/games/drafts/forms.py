"""The form of the buttons under a draft."""

from enum import StrEnum

from django import forms

from diplomaccloud.games.table.forms import FlagField, PhaseForm, RawTextField


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
