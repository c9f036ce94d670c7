"""The line that a person says to everybody: the status message."""

from django import forms
from django.core.exceptions import ValidationError

from diplomaccloud.accounts.lines import clean_line
from diplomaccloud.accounts.models import MOST_OF_A_STATUS, User


def set_status(*, user_id: int, text: str) -> str:
    """Return the status message that a person has now; a blank one is none.

    Raises `ValueError` for what `clean_status` refuses, and then nothing is changed.
    """
    status = clean_status(text)
    User.objects.filter(pk=user_id).update(status=status)
    return status


def clean_status(text: str) -> str:
    """Return the message on one line; raise `ValueError` if it is too long or no text."""
    status = clean_line(text, "A status message")
    if len(status) > MOST_OF_A_STATUS:
        raise ValueError(_TOO_LONG)
    return status


class StatusForm(forms.Form):
    """Asks a person for the message."""

    status = forms.CharField(
        max_length=10 * MOST_OF_A_STATUS,  # of what was typed: spaces are still to be put together
        required=False,
        label="Status message",
        help_text=f"One line of up to {MOST_OF_A_STATUS} characters, for everybody. "
        "Leave it blank to have none.",
        widget=forms.TextInput(attrs={"maxlength": MOST_OF_A_STATUS, "autocomplete": "off"}),
    )

    def clean_status(self) -> str:
        """Return the message as it will be shown."""
        try:
            return clean_status(self.cleaned_data["status"])
        except ValueError as error:
            raise ValidationError(str(error)) from error


_TOO_LONG = f"Take at most {MOST_OF_A_STATUS} characters."
