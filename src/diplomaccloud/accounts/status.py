"""The status message: one line about a person that everyone can read."""

from django import forms
from django.core.exceptions import ValidationError

from diplomaccloud.accounts.lines import clean_line
from diplomaccloud.accounts.models import MAX_STATUS_LENGTH, User


def set_status(*, user_id: int, text: str) -> str:
    """Set a person's status message and return it; a blank message clears it.

    Raises `ValueError` as `clean_status` does, and then does not change anything.
    """
    status = clean_status(text)
    User.objects.filter(pk=user_id).update(status=status)
    return status


def clean_status(text: str) -> str:
    """Return the message on one line; raise `ValueError` if it is too long or not printable."""
    status = clean_line(text, "A status message")
    if len(status) > MAX_STATUS_LENGTH:
        raise ValueError(_TOO_LONG)
    return status


class StatusForm(forms.Form):
    """The form for the status message."""

    status = forms.CharField(
        max_length=10 * MAX_STATUS_LENGTH,  # before repeated spaces are merged
        required=False,
        label="Status message",
        help_text=f"One line of up to {MAX_STATUS_LENGTH} characters that everyone can read. "
        "Leave it blank to clear it.",
        widget=forms.TextInput(attrs={"maxlength": MAX_STATUS_LENGTH, "autocomplete": "off"}),
    )

    def clean_status(self) -> str:
        """Return the message as it will be displayed."""
        try:
            return clean_status(self.cleaned_data["status"])
        except ValueError as error:
            raise ValidationError(str(error)) from error


_TOO_LONG = f"Use at most {MAX_STATUS_LENGTH} characters."
