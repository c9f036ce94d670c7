"""Forms of the map pages: gallery filter, new map, saving a map."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from diplomaccloud.accounts.screen_names import clean_name
from diplomaccloud.atlas.landforms import Landform
from diplomaccloud.maps.gallery import GalleryFilter, SortOrder
from diplomaccloud.maps.map_worker import MapRequest

MIN_PLAYERS, MAX_PLAYERS = 2, 34
PLAYERS = [(number, str(number)) for number in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
MIN_PROVINCES, MAX_PROVINCES = 34, 512
PROVINCES_PER_PLAYER = "10 10.7 20"
"""The smallest, the usual and the largest worlds that the page's slider offers."""
PROVINCES_PER_MANY = "20 13"
"""For more players than the first number, the second is the usual size."""
HOMES = {"varied": "Two to four", "equal": "Three"}
"""The choices of how many home centers each power has."""
MIN_SEA_PERCENT, MAX_SEA_PERCENT = 17, 45
MAX_NAME_LENGTH = 40
_LANDFORM_CHOICES = [(form.value, form.label) for form in Landform]
_LANDFORMS = Path(__file__).with_name("landforms.json")
"""Written by `scripts/landforms`."""


@dataclass(frozen=True, slots=True)
class LandformTile:
    """A landform and the SVG paths of its picture; some are empty.

    `min_players` and `max_players` are the fewest and the most players that it can be made for.
    """

    landform: Landform
    land: str
    ranges: str = ""
    rivers: str = ""
    min_players: int = MIN_PLAYERS
    max_players: int = MAX_PLAYERS


@cache
def load_tiles() -> tuple[LandformTile, ...]:
    """Return the tiles of all landforms, in the order of the generator."""
    tiles: dict[str, dict[str, Any]] = json.loads(_LANDFORMS.read_text(encoding="utf-8"))
    return tuple(LandformTile(Landform(name), **facts) for name, facts in tiles.items())


def _build_number(
    label: str, low: int, high: int, *, required: bool = False, **options: Any
) -> forms.IntegerField:
    text = f"Enter a number from {low} to {high}."
    return forms.IntegerField(
        min_value=low,
        max_value=high,
        required=required,
        label=label,
        error_messages={"required": text, "min_value": text, "max_value": text, "invalid": text},
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        **options,
    )


class GalleryForm(forms.Form):
    """Which maps to show and in which order; invalid values are ignored."""

    players = forms.TypedChoiceField(
        coerce=int,
        required=False,
        choices=[("", "any number"), *PLAYERS],
        label="Players",
    )
    landform = forms.ChoiceField(
        required=False,
        choices=[("", "any"), *_LANDFORM_CHOICES],
        label="Landform",
    )
    order = forms.ChoiceField(
        required=False,
        choices=[(order, order.label) for order in SortOrder],
        label="Order",
    )
    certified = forms.BooleanField(required=False, label="Certified only")

    def read_filter(self, *, for_game: bool) -> GalleryFilter:
        """Return the filter from the form's valid values."""
        self.is_valid()
        values = self.cleaned_data
        return GalleryFilter(
            players=values.get("players") or 0,
            certified=bool(values.get("certified")),
            landform=values.get("landform") or "",
            order=SortOrder(values.get("order") or SortOrder.NEWEST),
            for_game=for_game,
        )


def _require_fitting_players(tile: LandformTile, players: int) -> None:
    if players < tile.min_players:
        raise ValidationError(f"{tile.landform.label} needs at least {tile.min_players} players.")
    if players > tile.max_players:
        raise ValidationError(f"{tile.landform.label} has room for {tile.max_players} players.")


def find_province_limits(players: int) -> tuple[int, int]:
    """Return the least and greatest number of provinces of a map for `players`."""
    low, _, high = map(float, PROVINCES_PER_PLAYER.split())
    return max(round(low * players), MIN_PROVINCES), min(round(high * players), MAX_PROVINCES)


class SeedForm(forms.Form):
    """The options of a new map."""

    seed = forms.CharField(
        max_length=60, label="Seed", error_messages={"required": "Enter a seed."}
    )
    players = _build_number("Players", MIN_PLAYERS, MAX_PLAYERS, required=True, initial=7)
    provinces = _build_number("Provinces", MIN_PROVINCES, MAX_PROVINCES)
    sea = _build_number("Sea (%)", MIN_SEA_PERCENT, MAX_SEA_PERCENT)
    landform = forms.ChoiceField(
        required=False,
        choices=[("", "Any"), *_LANDFORM_CHOICES],
        label="Landform",
        error_messages={"invalid_choice": "Choose a landform from the list."},
    )
    homes = forms.ChoiceField(
        required=False,
        choices=[*HOMES.items()],
        label="Home centers of each power",
        error_messages={"invalid_choice": f"Choose {' or '.join(HOMES)}."},
    )

    def clean_landform(self) -> str:
        """Return the landform, which must fit the players."""
        landform, players = self.cleaned_data["landform"], self.cleaned_data.get("players")
        for tile in load_tiles():
            if tile.landform == landform and players is not None:
                _require_fitting_players(tile, players)
        return cast("str", landform)

    def clean_provinces(self) -> int | None:
        """Return the number of provinces, which must fit the players."""
        provinces, players = self.cleaned_data["provinces"], self.cleaned_data.get("players")
        if provinces is not None and players is not None:
            least, most = find_province_limits(players)
            if not least <= provinces <= most:
                raise ValidationError(
                    f"Enter a number from {least} to {most}: the sizes for {players} players."
                )
        return cast("int | None", provinces)

    def read_request(self) -> MapRequest:
        """Return the map request from a valid form."""
        values = self.cleaned_data
        return MapRequest(
            seed=values["seed"],
            players=values["players"],
            provinces=values.get("provinces"),
            sea=None if values.get("sea") is None else values["sea"] / 100,
            landform=values["landform"] or None,
            homes=values["homes"] or "varied",
        )


class MapNameField(forms.CharField):
    """A map's name, cleaned as pages show it."""

    def clean(self, value: object) -> str:
        """Return the cleaned name."""
        try:
            return clean_name(super().clean(value))
        except ValueError as error:
            raise ValidationError(str(error)) from error


class SaveMapForm(SeedForm):
    """The options of a new map and the name to save it under."""

    name = MapNameField(max_length=MAX_NAME_LENGTH, label="Map name")
