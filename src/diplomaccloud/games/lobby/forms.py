"""Forms of the waiting room, and the search and filters of the lobby."""

from collections.abc import Callable
from typing import Any

from django import forms

from diplomaccloud.bots.seats import is_mixture
from diplomaccloud.games.lobby.read import (
    ALL_GAMES,
    LISTED,
    MAX_FEW,
    MIN_SEVERAL,
    WINDOW,
    FreeSeats,
    ListFilter,
    ListQuery,
    MapKind,
    Order,
    Pace,
    Status,
)
from diplomaccloud.games.table.forms import MAX_ROW_KEY, ActionForm, NumberField


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
            return ListQuery()
        elif wanted.free:
            statuses = [Status.FORMING]
        return ListQuery(
            tuple(statuses),
            size=size,
            before=before,
            start=start,
            own=False,
            vacant=False,
            filter=wanted,
        )


def _choose(label: str, kind: Callable[[str], object], **titles: str) -> forms.TypedChoiceField:
    """Return a field for one of the values of `kind`, or none; `any` is the title of none."""
    choices = [("", titles.pop("any")), *titles.items()]
    return forms.TypedChoiceField(
        coerce=kind, empty_value=None, required=False, label=label, choices=choices
    )


class FilterForm(forms.Form):
    """How the lobby is filtered and sorted; invalid values are ignored."""

    q = forms.CharField(max_length=40, required=False, label="Search")
    players = _choose("Players", int, any="Any number", **{str(n): str(n) for n in range(2, 11)})
    speed = _choose(
        "Speed",
        Pace,
        any="Any speed",
        live="Live: minutes a turn",
        daily="About a turn a day",
        slow="Slower",
    )
    free = _choose(
        "Free seats",
        FreeSeats,
        any="Any number",
        last="The last one",
        few=f"At most {MAX_FEW}",
        several=f"At least {MIN_SEVERAL}",
    )
    map = _choose("Map", MapKind, any="Any map", standard="The standard map", other="Other maps")
    order = _choose(
        "Order",
        Order,
        any="Newest first",
        seats="Fewest free seats first",
        speed="Fastest first",
        players="Fewest players first",
    )

    def filter(self) -> ListFilter:
        """Return the filter from the fields that are valid."""
        self.is_valid()
        given = self.cleaned_data
        return ListFilter(
            players=given.get("players") or 0,
            map=given.get("map"),
            pace=given.get("speed"),
            free=given.get("free"),
            text=given.get("q", ""),
            order=given.get("order") or Order.NEWEST,
        )

    def parameters(self) -> dict[str, str]:
        """Return the filter as query parameters, leaving out blank fields."""
        self.is_valid()
        return {name: str(value) for name, value in self.cleaned_data.items() if value}
