"""A person's choices: kinds of notices by channel, quiet hours, and the calendar address.

Links in e-mail change them without logging in.
"""

import datetime as dt
import secrets
import zoneinfo
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.core import signing
from django.db import transaction

from diplomaccloud.accounts.models import User
from diplomaccloud.notices.kinds import (
    DEFAULTS,
    MAILED_HOURS,
    Channel,
    Default,
    Group,
    NoticeKind,
    find_row,
    is_offered,
    is_wanted,
)
from diplomaccloud.notices.models import NoticeSettings
from diplomaccloud.shared.prepared_queries import PreparedQuery

_CALENDAR_BYTES: Final = 24
_LAST_REMINDER: Final = 1
"""How many hours before the deadline the last reminder is sent."""
_DAY: Final = dt.timedelta(days=1)
_MINUTE: Final = dt.timedelta(minutes=1)
_UNSUBSCRIBE_SALT: Final = "notices.unsubscribe"


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


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's choices; `choices` has only what differs from the defaults."""

    choices: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    quiet: QuietHours | None = None
    zone: str = "UTC"
    last_reminder_passes: bool = True
    calendar_key: str = ""
    with_text: bool = False

    def wants(self, kind: NoticeKind, channel: Channel, data: Mapping[str, object]) -> bool:
        """Return whether the person wants a notice through the channel."""
        if kind is NoticeKind.REMINDER and channel is Channel.EMAIL:
            return data.get("hours") in MAILED_HOURS and is_wanted(kind, channel, self.choices)
        return is_wanted(kind, channel, self.choices)

    def find_delay(
        self, kind: NoticeKind, data: Mapping[str, object], at: dt.datetime
    ) -> dt.datetime:
        """Return the first moment at or after `at` when the person may be disturbed."""
        if self.quiet is None or kind is NoticeKind.TEST:
            return at
        is_last = kind is NoticeKind.REMINDER and data.get("hours") == _LAST_REMINDER
        if is_last and self.last_reminder_passes:
            return at
        return self.quiet.find_end(at) or at


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


DEFAULT_PREFERENCES: Final = Preferences()
_settings = PreparedQuery(lambda users: NoticeSettings.objects.filter(user__in=users), list)


def read_preferences(users: Collection[int]) -> dict[int, Preferences]:
    """Return the choices of each person."""
    found = {row.pk: _read_row(row) for row in _settings.read(list(users))}
    return {user: found.get(user, DEFAULT_PREFERENCES) for user in users}


def lock_preferences(user_id: int) -> Preferences:
    """Return the person's choices, locked until the transaction ends."""
    return _read_row(_lock_row(user_id))


def save_choices(
    *, user_id: int, on: Iterable[tuple[NoticeKind, Group]], with_text: bool = False
) -> None:
    """Save which kinds the person wants through which channels, with all others off.

    `with_text` lets notices quote messages.
    """
    wanted = frozenset(on)
    choices: dict[str, dict[str, bool]] = {}
    for kind, row in DEFAULTS.items():
        for group, default in row.items():
            is_on = (kind, group) in wanted
            if is_offered(kind, group) and is_on != (default is Default.ON):
                choices.setdefault(kind, {})[group] = is_on
    _save(user_id, choices=choices, with_text=with_text)


def switch_off(*, user_id: int, kinds: Iterable[NoticeKind], group: Group) -> None:
    """Turn off notices of the kinds through the channels of the group."""
    _choose(user_id, kinds, group, is_on=False)


def switch_on(*, user_id: int, kinds: Iterable[NoticeKind], group: Group) -> None:
    """Turn on notices of the kinds through the channels of the group."""
    _choose(user_id, kinds, group, is_on=True)


@transaction.atomic
def _choose(user_id: int, kinds: Iterable[NoticeKind], group: Group, *, is_on: bool) -> None:
    choices = _lock_row(user_id).choices
    for kind in map(find_row, kinds):
        if is_offered(kind, group):
            choices.setdefault(kind, {})[group] = is_on
    _save(user_id, choices=choices)


def save_quiet_hours(
    *,
    user_id: int,
    start: dt.time | None,
    end: dt.time | None,
    zone: str,
    last_reminder_passes: bool,
) -> None:
    """Save the person's quiet hours; None for both times means no quiet hours."""
    _save(
        user_id,
        quiet_from=start,
        quiet_until=end,
        zone=zone,
        last_reminder_passes=last_reminder_passes,
    )


def renew_calendar_key(*, user_id: int) -> str:
    """Set and return a new secret for the person's calendar address, replacing the old one."""
    key = secrets.token_urlsafe(_CALENDAR_BYTES)
    _save(user_id, calendar_key=key)
    return key


def end_calendar(*, user_id: int) -> None:
    """Remove the calendar's address."""
    _save(user_id, calendar_key=None)


def find_calendar_owner(key: str) -> int | None:
    """Return the person whose calendar has this key."""
    rows = NoticeSettings.objects.filter(calendar_key=key, user__is_active=True)
    return rows.values_list("pk", flat=True).first() if key else None


def _read_row(row: NoticeSettings) -> Preferences:
    quiet = None
    if row.quiet_from is not None and row.quiet_until is not None:
        quiet = QuietHours(row.quiet_from, row.quiet_until, row.zone)
    return Preferences(
        row.choices,
        quiet,
        row.zone,
        row.last_reminder_passes,
        row.calendar_key or "",
        row.with_text,
    )


def _lock_row(user_id: int) -> NoticeSettings:
    """Return the person's row, locked; a row that does not exist could not be locked."""
    NoticeSettings.objects.get_or_create(user_id=user_id)
    return NoticeSettings.objects.select_for_update().get(pk=user_id)


def _save(user_id: int, **values: object) -> None:
    NoticeSettings.objects.update_or_create(user_id=user_id, defaults=values)


@dataclass(frozen=True, slots=True)
class Subscription:
    """The kinds of notices that a person gets by e-mail."""

    user: int
    kinds: tuple[NoticeKind, ...]


def make_unsubscribe_token(user: int, kinds: Iterable[NoticeKind]) -> str:
    """Return the secret part of the unsubscribe address for these kinds. It never expires."""
    return signing.dumps([user, [kind.value for kind in kinds]], salt=_UNSUBSCRIBE_SALT)


def read_unsubscribe_token(token: str) -> Subscription | None:
    """Return the subscription for a token; None if the site did not create it."""
    try:
        user, names = signing.loads(token, salt=_UNSUBSCRIBE_SALT)
        kinds = tuple(NoticeKind(name) for name in names if is_offered(name, Group.EMAIL))
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return Subscription(user, kinds) if User.objects.filter(pk=user).exists() else None
