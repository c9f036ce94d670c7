"""What the pages of maps take."""

from django import forms
from django.core.exceptions import ValidationError

from diplomaccloud.accounts.lines import clean_name
from diplomaccloud.maps.bench import Wish
from diplomaccloud.maps.gallery import Order, Wanted

_PLAYERS = [(number, str(number)) for number in range(2, 11)]
MOST_PROVINCES = 400
SEA = 25
"""The usual share of sea, in percent."""


def _within(low: int, high: int) -> dict[str, str]:
    text = f"{low} to {high}."
    return {"min_value": text, "max_value": text, "invalid": text}


class GalleryForm(forms.Form):
    """Which maps to show, and in which order; what makes no sense is left out."""

    players = forms.TypedChoiceField(
        coerce=int,
        required=False,
        choices=[("", "any number"), *_PLAYERS],
        label="Players",
    )
    order = forms.ChoiceField(
        required=False,
        choices=[(Order.NEWEST, "newest first"), (Order.FAIREST, "fairest first")],
        label="Order",
    )
    certified = forms.BooleanField(required=False, label="Certified only")

    def wanted(self, *, for_game: bool) -> Wanted:
        """Return what is asked for, as far as it makes sense."""
        self.is_valid()
        given = self.cleaned_data
        return Wanted(
            players=given.get("players") or 0,
            certified=bool(given.get("certified")),
            order=Order(given.get("order") or Order.NEWEST),
            for_game=for_game,
        )


class SeedForm(forms.Form):
    """What a map is made from."""

    seed = forms.CharField(
        max_length=60, label="Seed", error_messages={"required": "Type something first."}
    )
    players = forms.TypedChoiceField(coerce=int, choices=_PLAYERS, initial=7, label="Players")
    provinces = forms.IntegerField(
        min_value=34,
        max_value=MOST_PROVINCES,
        required=False,
        label="Provinces",
        error_messages=_within(34, MOST_PROVINCES),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    sea = forms.IntegerField(
        min_value=17,
        max_value=32,
        required=False,
        initial=SEA,
        label="Sea, %",
        error_messages=_within(17, 32),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def wish(self) -> Wish:
        """Return the wish of a valid form."""
        given = self.cleaned_data
        return Wish(
            seed=given["seed"],
            players=given["players"],
            provinces=given.get("provinces"),
            sea=(given.get("sea") or SEA) / 100,
        )


class KeepForm(SeedForm):
    """A made map to be kept under a name."""

    name = forms.CharField(max_length=40, label="Name of the world")

    def clean_name(self) -> str:
        """Return the name as it will be shown."""
        try:
            return clean_name(self.cleaned_data["name"])
        except ValueError as error:
            raise ValidationError(str(error)) from error
