"""Forms of the waiting room, and the search and filters of the lobby."""

from typing import Any, Final

from django import forms

from diplomaccloud.bots.seats import is_mixture
from diplomaccloud.games.lobby.read import (
    ALL_GAMES,
    LISTED,
    MAX_FEW,
    MIN_SEVERAL,
    WINDOW,
    ListFilter,
    ListQuery,
    Status,
)
from diplomaccloud.games.table.forms import MAX_ROW_KEY, ActionForm, NumberField
from diplomaccloud.maps.forms import PLAYERS


class BotsField(forms.Field):
    """The bots for free seats, assigned in turn; blank for the default bot."""

    widget = forms.SelectMultiple

    def clean(self, value: Any) -> str:
        """Return their names, separated by commas."""
        # Text comes from a preset or another program, a list from the checkboxes of a page.
        names = [value] if isinstance(value, str) else value or ()
        mixture = ",".join(name for name in names if name)
        if mixture and not is_mixture(mixture):
            raise forms.ValidationError("Choose bots from the list.")
        return mixture


class WithdrawInvitationForm(ActionForm):
    """The person whose invitation to withdraw."""

    user = NumberField("which player it is for", MAX_ROW_KEY)


class BotForm(ActionForm):
    """The bot for free seats; blank for the default bot."""

    bot = BotsField(required=False)


LOBBY: Final = ListQuery(size=8, yours=False)
"""The first page of the lobby. A person's own games are on the home page."""


class LobbyForm(forms.Form):
    """Which games the lobby lists: all, or more games of one status; invalid values are ignored."""

    status = forms.ChoiceField(choices=[(status.value, status.label) for status in LISTED])
    before = forms.IntegerField(min_value=1, max_value=MAX_ROW_KEY, required=False)
    start = forms.IntegerField(min_value=1, max_value=WINDOW, required=False)

    def query(self, wanted: ListFilter) -> ListQuery:
        """Return which games to list."""
        page = self.cleaned_data if self.is_valid() else {}
        before, start = page.get("before"), page.get("start") or 0
        statuses, size = [Status.FORMING, Status.RUNNING], 24
        if before or start:
            statuses, size = [Status(page["status"])], 36
        elif wanted == ALL_GAMES:
            return LOBBY
        elif wanted.free:
            statuses = [Status.FORMING]
        return ListQuery(
            tuple(statuses),
            size=size,
            before=before,
            start=start,
            yours=False,
            vacant=False,
            filter=wanted,
        )


def _choose(label: str, every: str, **titles: str) -> forms.ChoiceField:
    """Return a field for one of the named values; `every` is the title of none of them."""
    return forms.ChoiceField(required=False, label=label, choices=[("", every), *titles.items()])


class FilterForm(forms.Form):
    """How the lobby is filtered and sorted, as in `ListFilter`; invalid values are ignored."""

    q = forms.CharField(max_length=40, required=False, label="Search")
    players = forms.TypedChoiceField(
        coerce=int,
        required=False,
        label="Players",
        choices=[("", "Any number"), *PLAYERS],
    )
    speed = _choose(
        "Speed",
        "Any speed",
        live="Live: minutes a turn",
        daily="About a turn a day",
        slow="Slower",
    )
    free = _choose(
        "Free seats",
        "Any number",
        last="The last one",
        few=f"At most {MAX_FEW}",
        several=f"At least {MIN_SEVERAL}",
    )
    map = _choose("Map", "Any map", standard="The standard map", other="Other maps")
    order = _choose(
        "Order",
        "Newest first",
        seats="Fewest free seats first",
        speed="Fastest first",
        players="Fewest players first",
    )

    def filter(self) -> ListFilter:
        """Return the filter from the fields that are valid."""
        self.is_valid()
        return ListFilter(**{name: value for name, value in self.cleaned_data.items() if value})

    def parameters(self) -> dict[str, str]:
        """Return the filter as query parameters, leaving out blank fields."""
        self.is_valid()
        return {name: str(value) for name, value in self.cleaned_data.items() if value}
