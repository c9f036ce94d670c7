"""Forms about orders: saving them, previewing them, being ready."""

from django import forms

from diplomaccloud.games.table.forms import (
    ActionForm,
    FlagField,
    NumberField,
    PhaseForm,
    RawTextField,
    TextListField,
)

MAX_CHANGE = 10**6
_BAD_PAGE = {"max_length": "The form has a wrong name of the page. Reload the page."}


class OrderForm(PhaseForm):
    """Orders chosen from the lists and typed as text, for one draft.

    `version` identifies the orders that the page showed; a page with scripts also sends its name
    and the number of the `change`. `ready` also marks the player as ready; `anyway` does so even if
    something is left to order. With `whole`, no other saved orders stay.
    """

    draft = RawTextField()
    version = RawTextField()
    order = TextListField()
    sheet = RawTextField()
    page = forms.CharField(required=False, max_length=32, error_messages=_BAD_PAGE)
    change = NumberField("which change it saves", MAX_CHANGE, required=False)
    ready = FlagField()
    anyway = FlagField()
    whole = FlagField()


class PreviewForm(ActionForm):
    """Orders to draw without saving them."""

    order = TextListField()
    sheet = RawTextField()


class ReadyForm(PhaseForm):
    """Whether the player is ready."""

    ready = FlagField()


class ReceiptForm(PhaseForm):
    """A request for a receipt of the orders as they are saved now."""
