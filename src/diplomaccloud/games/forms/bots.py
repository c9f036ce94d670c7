"""The form field for choosing bots."""

from typing import Any

from django import forms

from diplomaccloud.bots.seats import is_mixture


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
