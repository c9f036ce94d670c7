"""The outbox: notices, their destinations, and the deliveries of notices to destinations."""

import datetime as dt
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models

from diplomaccloud.notices.kinds import (
    DEFAULTS,
    GROUPS,
    MAILED_HOURS,
    Channel,
    Default,
    Group,
    NoticeKind,
    find_row,
    is_offered,
)
from diplomaccloud.press.news.read import NewsPlace

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

_LAST_REMINDER: Final = 1
"""How many hours before the deadline the last reminder is sent."""
_DAY: Final = dt.timedelta(days=1)
_MINUTE: Final = dt.timedelta(minutes=1)


class Notice(models.Model):
    """Something to notify a person of; `key` is unique for the person.

    `data` has public facts for its text, for example the phase, the question of a vote or a
    country, but no message and no names of people, because texts are composed from what the person
    may see when they are shown. After `useful_until` it is no longer sent. A notice about press has
    the `membership` that represents the conversation, and one about a new message its stored
    `number`: once that message is read, the notice is no longer new.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="notices"
    )
    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=120)
    game = models.ForeignKey("games.Game", models.PROTECT, null=True, related_name="+")
    membership = models.ForeignKey(
        "press.Membership", models.PROTECT, null=True, related_name="+", db_index=False
    )
    number = models.PositiveIntegerField(null=True)
    data: "models.JSONField[dict[str, object], dict[str, object]]" = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_index=True)
    read_at = models.DateTimeField(null=True)
    useful_until = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("user", "key"), name="notice_key"),)
        indexes = (
            models.Index(fields=("user", "id"), name="notice_list"),
            models.Index(fields=("user", "read_at", "number"), name="notice_news"),
            models.Index(fields=("membership", "number"), name="notice_talk"),
        )

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"

    @property
    def followed(self) -> tuple[int, ...]:
        """The keys of the people whom it is about because its reader follows them."""
        people = self.data.get("people")
        return tuple(people) if isinstance(people, list) else ()

    @property
    def place(self) -> NewsPlace | None:
        """The message that it is about, or None."""
        number = self.number or self.data.get("message")
        if self.membership_id is None or not isinstance(number, int):
            return None
        return NewsPlace(self.membership_id, number)


class Destination(models.Model):
    """Where a person wants notices besides the site.

    `address` is an e-mail address, the endpoint of a browser or the URL of a webhook, and `digest`
    its hash, since databases cannot index long texts. `secret` has the keys of a browser or the
    secret that signs calls of a webhook. `origin` is the site's address as the person used it.
    `session` identifies the session in which a browser subscribed. Nothing is sent before
    `confirmed_at` or after `off_at`. `failing_since` is set while the destination does not answer.
    Without `has_messages`, it gets no notices about messages, whatever the person has chosen,
    because a program that may not read messages created it.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="destinations"
    )
    channel = models.CharField(max_length=10)
    address = models.TextField()
    digest = models.CharField(max_length=64)
    label = models.CharField(max_length=80, blank=True)
    secret: "models.JSONField[dict[str, str], dict[str, str]]" = models.JSONField(default=dict)
    origin = models.CharField(max_length=300)
    session = models.CharField(max_length=64, blank=True, db_index=True)
    created_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    off_at = models.DateTimeField(null=True)
    has_messages = models.BooleanField(default=True, db_default=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("user", "channel", "digest"), name="destination_address"
            ),
        )

    def __str__(self) -> str:
        return f"{self.channel} of {self.user_id}"


class Delivery(models.Model):
    """One notice on its way to one destination.

    `due_at` is when to try next, NULL once it is done; a worker that tries it moves `due_at` to the
    end of its lease. `tries` counts the tries and so distinguishes leases. `mail` is the key
    of the e-mail that contains it.
    """

    class State(models.TextChoices):
        """The state of the delivery."""

        WAITING = "waiting"
        MAILED = "mailed"
        """Handed to the mail queue, which sends it."""
        SENT = "sent"
        DROPPED = "dropped"
        """No longer useful, for example because the person has seen it."""
        FAILED = "failed"

    notice = models.ForeignKey(Notice, models.PROTECT, related_name="deliveries")
    destination = models.ForeignKey(Destination, models.PROTECT, related_name="deliveries")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    mail = models.BigIntegerField(null=True, db_index=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("notice", "destination"), name="delivery_once"),
        )
        indexes = (models.Index(fields=("state", "due_at"), name="delivery_due"),)

    def __str__(self) -> str:
        return f"{self.notice_id} to {self.destination_id}: {self.state}"


class Reminder(models.Model):
    """When to check whether players in a phase still owe orders; deleted after the check.

    It is for one deadline. If the deadline moves, there are new reminders, and the old ones do
    nothing.
    """

    game = models.ForeignKey("games.Game", models.PROTECT, related_name="+")
    sequence = models.PositiveIntegerField()
    due_at = models.DateTimeField()
    hours = models.PositiveSmallIntegerField()
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("game", "sequence", "due_at", "hours"), name="reminder_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.hours} h before {self.due_at} in {self.game_id}"


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one clock time to another, every day; past midnight if the end is earlier."""

    start: dt.time
    end: dt.time
    zone: str

    def find_end(self, at: dt.datetime) -> dt.datetime | None:
        """Return when the quiet hours around `at` end; None if `at` is not in quiet hours.

        This follows the person's clock even when daylight saving time starts or ends. A skipped
        time counts as the moment of the change. Of a repeated time, the first counts as the start
        and the second as the end.
        """
        if self.start == self.end:
            return None
        zone = zoneinfo.ZoneInfo(self.zone)
        today = at.astimezone(zone).date()
        length = _DAY if self.end < self.start else dt.timedelta(0)
        for day in (today - _DAY, today):
            start = _find_instant(day, self.start, zone, fold=0)
            end = _find_instant(day + length, self.end, zone, fold=1)
            if start <= at < end:
                return end
        return None


def _find_instant(
    day: dt.date, time: dt.time, zone: zoneinfo.ZoneInfo, *, fold: int
) -> dt.datetime:
    """Return the instant of a clock time; if the clock skips it, the first instant after."""
    local = dt.datetime.combine(day, time, tzinfo=zone).replace(fold=fold)
    instant = local.astimezone(dt.UTC)
    if instant.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return instant
    # The clock skips it: find the first minute after the jump.
    after = local.replace(fold=0).astimezone(dt.UTC)
    offset = after.astimezone(zone).utcoffset()
    while (after - _MINUTE).astimezone(zone).utcoffset() == offset:
        after -= _MINUTE
    return after


class NoticeSettings(models.Model):
    """A person's choices; a person without a row has the defaults.

    `choices` has only what differs from the defaults, by kind and group of channels. Quiet hours
    are clock times in `zone`, and both are NULL without quiet hours. `calendar_key` is the secret
    in the address of the person's calendar; NULLs are never equal, so any number of people can have
    none. `with_text` lets notices quote messages.
    """

    user: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="+"
    )
    choices: "models.JSONField[dict[str, dict[str, bool]], dict[str, dict[str, bool]]]" = (
        models.JSONField(default=dict)
    )
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    zone = models.CharField(max_length=60, default="UTC")
    last_reminder_passes = models.BooleanField(default=True)
    with_text = models.BooleanField(default=False)
    calendar_key = models.CharField(max_length=43, null=True, unique=True)  # noqa: DJ001

    def __str__(self) -> str:
        return f"notices of {self.user_id}"

    @property
    def quiet(self) -> QuietHours | None:
        """The person's quiet hours, if any."""
        if self.quiet_from is None or self.quiet_until is None:
            return None
        return QuietHours(self.quiet_from, self.quiet_until, self.zone)

    @property
    def kinds(self) -> dict[NoticeKind, dict[Group, bool]]:
        """All choices of the settings, and whether they are on."""
        return {
            kind: {group: self.is_on(kind, group) for group in Group if is_offered(kind, group)}
            for kind in DEFAULTS
        }

    def is_on(self, kind: NoticeKind, group: Group) -> bool:
        """Return whether a choice in the settings is on."""
        return self.choices.get(kind, {}).get(group, DEFAULTS[kind][group] is Default.ON)

    def wants(self, kind: NoticeKind, channel: Channel, data: Mapping[str, object]) -> bool:
        """Return whether the person wants a notice through the channel."""
        if kind is NoticeKind.TEST:
            return True
        is_mail = channel is Channel.EMAIL
        if kind is NoticeKind.SWITCHED_OFF:
            return is_mail
        if kind is NoticeKind.REMINDER and is_mail and data.get("hours") not in MAILED_HOURS:
            return False
        row, group = find_row(kind), GROUPS[channel]
        return is_offered(row, group) and self.is_on(row, group)

    def find_delay(
        self, kind: NoticeKind, data: Mapping[str, object], at: dt.datetime
    ) -> dt.datetime:
        """Return the first moment at or after `at` when the person may be disturbed."""
        quiet = self.quiet
        if quiet is None or kind is NoticeKind.TEST:
            return at
        is_last = kind is NoticeKind.REMINDER and data.get("hours") == _LAST_REMINDER
        if is_last and self.last_reminder_passes:
            return at
        return quiet.find_end(at) or at


class PushKey(models.Model):
    """The key with which the site identifies itself to the push services of browsers (VAPID).

    P-256; both halves are raw and in base64url. It is never replaced, because browsers subscribe to
    one key.
    """

    public = models.CharField(max_length=88)
    private = models.CharField(max_length=44)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.public
