"""The template values of the settings page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from diplomaccloud.notices.kinds import (
    SECRET_PREFIX,
    Channel,
    Group,
    NoticeKind,
)
from diplomaccloud.notices.models import Destination, NoticeSettings
from diplomaccloud.notices.wording import KIND_LABELS

GROUP_LABELS: Final = {Group.PUSH: "Browser", Group.EMAIL: "E-mail", Group.CHAT: "Webhooks"}
_CHANNEL_LABELS: Final = {
    Channel.PUSH: "Browser",
    Channel.EMAIL: "E-mail",
    Channel.SLACK: "Slack",
    Channel.DISCORD: "Discord",
    Channel.WEBHOOK: "Webhook",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One checkbox; `label` is for screen readers, and blank if this cannot be chosen."""

    value: str
    label: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class DestinationView:
    """One destination; `state` is a sentence about a problem, and `secret` is a webhook's."""

    key: int
    channel: str
    name: str
    state: str
    secret: str
    can_test: bool
    is_off: bool
    needs_confirmation: bool


def present_kinds(preferences: NoticeSettings) -> list[tuple[str, list[Cell]]]:
    """Return the table of kinds and channels."""
    return [
        (KIND_LABELS[kind], [_present_cell(kind, group, row.get(group)) for group in Group])
        for kind, row in preferences.kinds.items()
    ]


def present_destinations(rows: Iterable[Destination]) -> Sequence[DestinationView]:
    """Return the destinations of a person."""
    return [
        DestinationView(
            row.pk,
            _CHANNEL_LABELS[Channel(row.channel)],
            row.address if row.channel == Channel.EMAIL else row.label or "without a name",
            _describe_state(row),
            f"{SECRET_PREFIX}{row.secret['key']}" if row.channel == Channel.WEBHOOK else "",
            can_test=row.confirmed_at is not None and row.off_at is None,
            is_off=row.off_at is not None,
            needs_confirmation=row.confirmed_at is None,
        )
        for row in rows
    ]


def _present_cell(kind: NoticeKind, group: Group, is_on: bool | None) -> Cell:
    if is_on is None:
        return Cell("", "", is_on=False)
    return Cell(f"{kind} {group}", f"{KIND_LABELS[kind]}: {GROUP_LABELS[group]}", is_on)


def _describe_state(row: Destination) -> str:
    if row.confirmed_at is None:
        return "Waiting for you to follow the link in our e-mail."
    if row.off_at is not None:
        return "Switched off because no notices got through for a day."
    if row.failing_since is not None:
        return "The last notice did not get through. We will try again."
    return ""
