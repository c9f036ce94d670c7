"""The forms of the notice settings."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from diplomaccloud.notices.destinations import MAX_ADDRESS
from diplomaccloud.notices.kinds import Group, NoticeKind, is_offered
from diplomaccloud.schedule import ScheduleError
from diplomaccloud.schedule.local_time import find_zone


def _make_time(label: str) -> forms.TimeField:
    return forms.TimeField(
        label=label,
        required=False,
        error_messages={"invalid": "Enter hours and minutes, for example 22:30."},
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )


class QuietHoursForm(forms.Form):
    """When a person does not want to be disturbed."""

    start = _make_time("From")
    end = _make_time("Until")
    zone = forms.CharField(
        label="Time zone",
        required=False,
        max_length=60,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        help_text="For example: Europe/Berlin. Times in notices are in this zone, too.",
    )
    last_reminder_passes = forms.BooleanField(
        label="Send the one-hour reminder even in quiet hours", required=False
    )

    def clean_zone(self) -> str:
        """Return the name of the time zone."""
        name: str = self.cleaned_data["zone"] or "UTC"
        try:
            find_zone(name)
        except ScheduleError:
            text = "Unknown time zone. Choose one from the list, for example Europe/Berlin."
            raise ValidationError(text) from None
        return name

    def clean(self) -> dict[str, Any]:
        """Return the values; require both times or neither."""
        given = super().clean() or {}
        start, end = given.get("start"), given.get("end")
        if self.errors:
            return given
        if (start is None) != (end is None):
            raise ValidationError("Enter both times, or leave both blank for no quiet hours.")
        if start is not None and start == end:
            raise ValidationError(
                "The two times are the same. Leave both blank for no quiet hours."
            )
        return given


class AddressForm(forms.Form):
    """The address of a webhook or of a mailbox; `destinations` decides whether it can be used."""

    address = forms.CharField(
        max_length=MAX_ADDRESS,
        strip=True,
        error_messages={"required": "Enter an address.", "max_length": "This address is too long."},
    )


class BrowserForm(forms.Form):
    """The data from a browser that has subscribed to push messages."""

    endpoint = forms.CharField(max_length=MAX_ADDRESS)
    p256dh = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)
    label = forms.CharField(max_length=80, required=False)


def read_choices(sent: list[str]) -> set[tuple[NoticeKind, Group]]:
    """Return the checked kinds and channels, ignoring unknown values."""
    return {
        (kind, group)
        for kind in NoticeKind
        for group in Group
        if f"{kind} {group}" in sent and is_offered(kind, group)
    }
