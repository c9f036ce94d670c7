"""Forms about orders: saving them, previewing them, being ready."""

from diplomaccloud.games.table.forms import (
    ActionForm,
    FlagField,
    PhaseForm,
    RawTextField,
    TextListField,
)


class OrderForm(PhaseForm):
    """Orders chosen from the lists and typed as text, for one draft.

    `version` identifies the orders that the page showed. `ready` also marks the player as ready;
    `anyway` does so even if something is left to order.
    """

    draft = RawTextField()
    version = RawTextField()
    order = TextListField()
    sheet = RawTextField()
    ready = FlagField()
    anyway = FlagField()


class PreviewForm(ActionForm):
    """Orders to draw without saving them."""

    order = TextListField()
    sheet = RawTextField()


class ReadyForm(PhaseForm):
    """Whether the player is ready."""

    ready = FlagField()
