"""Forms of the waiting room, and the search and filters of the lobby."""

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
from diplomaccloud.games.table.forms import (
    MAX_ROW_KEY,
    ActionForm,
    FlagField,
    NumberField,
    RawTextField,
)


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


class JoinForm(ActionForm):
    """The code of a private game, blank for an open one."""

    code = RawTextField()


class InvitationForm(ActionForm):
    """A person to invite, by screen name."""

    name = RawTextField()


class WithdrawInvitationForm(ActionForm):
    """The person whose invitation to withdraw."""

    user = NumberField("which player it is for", MAX_ROW_KEY)


class BotForm(ActionForm):
    """The bot for free seats; blank for the default bot."""

    bot = BotsField(required=False)


class ReadyToStartForm(ActionForm):
    """Whether the player is ready for the start."""

    ready = FlagField()


class DismissForm(ActionForm):
    """The token of a seat to free before the game starts."""

    seat = RawTextField()


class LobbyForm(forms.Form):
    """Which games the lobby lists: all, or more games of one status; invalid values are ignored."""

    status = forms.ChoiceField(choices=[(status.value, status.label) for status in LISTED])
    before = forms.IntegerField(min_value=1, max_value=MAX_ROW_KEY, required=False)
    start = forms.IntegerField(min_value=1, max_value=WINDOW, required=False)

    def query(self, wanted: ListFilter) -> ListQuery:
        """Return which games to list."""
        if self.is_valid():
            before, start = self.cleaned_data["before"], self.cleaned_data["start"]
            if before or start:
                status = Status(self.cleaned_data["status"])
                return ListQuery(
                    (status,),
                    size=36,
                    before=before,
                    own=False,
                    vacant=False,
                    filter=wanted,
                    start=start or 0,
                )
        if wanted == ALL_GAMES:
            return ListQuery()
        statuses = (Status.FORMING,) if wanted.free else (Status.FORMING, Status.RUNNING)
        return ListQuery(statuses, size=24, own=False, vacant=False, filter=wanted)


class FilterForm(forms.Form):
    """How the lobby is filtered and sorted; invalid values are ignored."""

    q = forms.CharField(max_length=40, required=False, label="Search")
    players = forms.TypedChoiceField(
        coerce=int,
        required=False,
        label="Players",
        choices=[("", "Any number"), *((str(number), str(number)) for number in range(2, 11))],
    )
    speed = forms.ChoiceField(
        required=False,
        label="Speed",
        choices=[
            ("", "Any speed"),
            (Pace.LIVE.value, "Live: minutes a turn"),
            (Pace.DAILY.value, "About a turn a day"),
            (Pace.SLOW.value, "Slower"),
        ],
    )
    free = forms.ChoiceField(
        required=False,
        label="Free seats",
        choices=[
            ("", "Any number"),
            (FreeSeats.LAST.value, "The last one"),
            (FreeSeats.FEW.value, f"At most {MAX_FEW}"),
            (FreeSeats.SEVERAL.value, f"At least {MIN_SEVERAL}"),
        ],
    )
    map = forms.ChoiceField(
        required=False,
        label="Map",
        choices=[
            ("", "Any map"),
            (MapKind.STANDARD.value, "The standard map"),
            (MapKind.OTHER.value, "Other maps"),
        ],
    )
    order = forms.ChoiceField(
        required=False,
        label="Order",
        choices=[
            ("", "Newest first"),
            (Order.SEATS.value, "Fewest free seats first"),
            (Order.SPEED.value, "Fastest first"),
            (Order.PLAYERS.value, "Fewest players first"),
        ],
    )

    def filter(self) -> ListFilter:
        """Return the filter from the fields that are valid."""
        self.is_valid()
        given = self.cleaned_data
        return ListFilter(
            players=given.get("players") or 0,
            map=MapKind(given["map"]) if given.get("map") else None,
            pace=Pace(given["speed"]) if given.get("speed") else None,
            free=FreeSeats(given["free"]) if given.get("free") else None,
            text=given.get("q", ""),
            order=Order(given["order"]) if given.get("order") else Order.NEWEST,
        )

    def parameters(self) -> dict[str, str]:
        """Return the filter as query parameters, leaving out blank fields."""
        self.is_valid()
        return {name: str(value) for name, value in self.cleaned_data.items() if value}
