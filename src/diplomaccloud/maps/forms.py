"""What the map test page takes."""

from django import forms
from django.core.exceptions import ValidationError

from diplomaccloud.maps.names import clean_name


class SeedForm(forms.Form):
    """A seed and a number of players."""

    seed = forms.CharField(max_length=60, label="Seed")
    players = forms.TypedChoiceField(
        coerce=int,
        choices=[(number, str(number)) for number in range(2, 11)],
        initial=7,
        label="Players",
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
