"""Which part of a long record to show."""

from django import forms

from diplomaccloud.games.table.options import MAX_YEAR


class OwnerYearForm(forms.Form):
    """The last year of the table of owners; an invalid value is ignored."""

    last = forms.IntegerField(min_value=1, max_value=MAX_YEAR)

    def until(self) -> int | None:
        """Return the last year to show, None for the last year of the game."""
        return self.cleaned_data["last"] if self.is_valid() else None
