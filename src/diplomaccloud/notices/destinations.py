"""Where a person wants notices: adding, confirming, testing and removing destinations.

The end of the file says what becomes of them when a session or an account ends.
"""

import base64
import binascii
import datetime as dt
import hashlib
import json
import re
import secrets
from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.http import HttpRequest

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.accounts.mail_queue import add_mail
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.notices.kinds import MESSAGE_KINDS, Channel, NoticeKind
from diplomaccloud.notices.models import Delivery, Destination, Notice, NoticeSettings, PushKey
from diplomaccloud.notices.preferences import read_preferences

MAX_DESTINATIONS: Final = 20
"""For one person, in all channels together."""
MAX_ADDRESS: Final = 1000
CONFIRMATION_DELAY: Final = dt.timedelta(minutes=10)
"""How long to wait before sending another confirmation e-mail."""
CONFIRMATION_DAYS: Final = 3
MAX_CONFIRMATIONS: Final = 10
"""How many confirmation e-mails one person may cause per day."""
TEST_DELAY: Final = dt.timedelta(seconds=20)
OLD_SECRET_WORKS: Final = dt.timedelta(days=1)
"""How long a replaced secret still signs calls, so that none is refused in the meantime."""
_CHATS: Final = (
    (
        Channel.SLACK,
        r"hooks\.slack\.com",
        r"https://hooks\.slack\.com/(services|workflows|triggers)/[\w/-]{10,200}",
    ),
    (
        Channel.DISCORD,
        r"((ptb|canary)\.)?discord(app)?\.com",
        r"https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{1,30}/[\w-]{10,200}",
    ),
)
"""The host and the webhooks of each kind of chat."""
_SALT: Final = "notices.confirmation"
_SECRET_BYTES: Final = 24
_POINT_BYTES: Final = 65
"""The length of an uncompressed P-256 public key."""
_AUTH_BYTES: Final = 16


def list_destinations(user_id: int) -> list[Destination]:
    """Return the person's destinations, oldest first."""
    return list(Destination.objects.filter(user=user_id))


def add_webhook(
    *, user_id: int, address: str, origin: str, now: dt.datetime, has_messages: bool = True
) -> Destination:
    """Add a Slack or Discord channel, or any other webhook, by its address.

    Without `has_messages`, it gets no notices about messages. An address that was added before
    stays unchanged, except that `has_messages` can be turned on. Raises `RefusedDestination` with a
    sentence about the problem.
    """
    address = address.strip()
    channel = find_channel(address)
    row = Destination(user_id=user_id, channel=channel, address=address, origin=origin)
    row.label = (urlsplit(address).hostname or "")[:80]
    row.created_at, row.has_messages = now, has_messages
    if channel is Channel.WEBHOOK:
        _require_public(address)
        row.secret = {"key": _make_secret()}
    row = _add(row)
    if has_messages and not row.has_messages:
        row.has_messages = True
        row.save(update_fields=["has_messages"])
    return row


def find_channel(address: str) -> Channel:
    """Return the channel for the address; raise `RefusedDestination`."""
    if len(address) > MAX_ADDRESS or not address.isprintable() or " " in address:
        raise RefusedDestination(
            "This address is not valid. Copy all of it, starting with https://"
        )
    try:
        parts = urlsplit(address)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        parts, has_port = urlsplit(""), False
    allowed = ("https", "http") if settings.PRIVATE_WEBHOOKS else ("https",)
    if parts.scheme not in allowed or not parts.hostname or not has_port or parts.fragment:
        raise RefusedDestination("The address must start with https:// and name a public server.")
    if parts.username is not None or parts.password is not None:
        raise RefusedDestination("Remove the user name and the password from the address.")
    for channel, host, pattern in _CHATS:
        if re.fullmatch(host, parts.hostname):
            if not re.fullmatch(pattern, address):
                name = channel.value.title()
                raise RefusedDestination(
                    f"This is not the address of a {name} webhook. Copy all of it."
                )
            return channel
    return Channel.WEBHOOK


def _require_public(address: str) -> None:
    """Raise `RefusedDestination` if the address leads to a network that calls never enter.

    Each call is checked again, because a name can lead elsewhere by then.
    """
    if not settings.WEBHOOK_LOOKUPS:
        return
    from diplomaccloud.notices.outbound import leads_inside  # noqa: PLC0415 large, rarely needed

    host = urlsplit(address).hostname or ""
    if leads_inside(host):
        raise RefusedDestination(f"This site does not call {host}: it is in a private network.")


def add_browser(
    *,
    user_id: int,
    endpoint: str,
    p256dh: str,
    auth: str,
    label: str,
    session: str,
    origin: str,
    now: dt.datetime,
) -> Destination:
    """Add a browser that has subscribed. It is removed when its session ends."""
    if find_channel(endpoint) is not Channel.WEBHOOK:
        raise RefusedDestination("This browser sent an address that notices cannot be sent to.")
    _require_public(endpoint)
    if len(_decode(p256dh)) != _POINT_BYTES or len(_decode(auth)) != _AUTH_BYTES:
        raise RefusedDestination("This browser sent keys that do not work for notices.")
    # An endpoint belongs to the person who is currently logged in there.
    for row in Destination.objects.filter(channel=Channel.PUSH, digest=_digest(endpoint)):
        remove_destination(user_id=row.user_id, key=row.pk)
    row = Destination(
        user_id=user_id,
        channel=Channel.PUSH,
        address=endpoint,
        label=label,
        secret={"p256dh": p256dh, "auth": auth},
        origin=origin,
        created_at=now,
    )
    return _add(row, session)


def add_email(*, user_id: int, address: str, origin: str, now: dt.datetime) -> Destination:
    """Add an e-mail address, and send a confirmation e-mail to it."""
    address = address.strip()
    try:
        validate_email(address)
    except ValidationError:
        raise RefusedDestination("This is not an e-mail address. Check its spelling.") from None
    with transaction.atomic():
        row = Destination(user_id=user_id, channel=Channel.EMAIL, address=address, origin=origin)
        row.created_at = now
        row = _add(row)
        if row.confirmed_at is None:
            ask_for_confirmation(row, now=now)
    return row


def ask_for_confirmation(row: Destination, *, now: dt.datetime) -> None:
    """Queue a confirmation e-mail; raise `RefusedDestination` if it is too soon for another."""
    if row.asked_at is not None and now - row.asked_at < CONFIRMATION_DELAY:
        raise RefusedDestination(
            "An e-mail is on its way. If it does not arrive, wait ten minutes and try again."
        )
    kind = OutgoingMail.Kind.CONFIRMATION
    today = OutgoingMail.objects.filter(
        kind=kind, user=row.user_id, created_at__gt=now - dt.timedelta(days=1)
    )
    if today.count() >= MAX_CONFIRMATIONS:
        raise RefusedDestination("You have added too many addresses today. Try again tomorrow.")
    Destination.objects.filter(pk=row.pk).update(asked_at=now)
    mail = OutgoingMail(kind=kind, recipient=row.address, user_id=row.user_id, origin=row.origin)
    add_mail(mail, now=now)


def make_confirmation(row: Destination) -> str:
    """Return the secret part of the confirmation address."""
    return signing.dumps([row.pk, row.digest[:16]], salt=_SALT)


def read_confirmation(token: str) -> Destination | None:
    """Return the destination to confirm; None if the token is not valid."""
    age = dt.timedelta(days=CONFIRMATION_DAYS)
    try:
        key, digest = signing.loads(token, salt=_SALT, max_age=age)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    rows = Destination.objects.filter(pk=key, digest__startswith=digest)
    return rows.select_related("user").first()


def confirm(row: Destination, *, now: dt.datetime) -> None:
    """Confirm the address, so that notices are sent there."""
    Destination.objects.filter(pk=row.pk, confirmed_at=None).update(confirmed_at=now)


def find_destination(*, user_id: int, key: int) -> Destination | None:
    """Return the person's destination with this key."""
    return Destination.objects.filter(user=user_id, pk=key).first()


@transaction.atomic
def remove_destination(*, user_id: int, key: int) -> bool:
    """Delete the person's destination with its deliveries; return whether it existed."""
    row = Destination.objects.select_for_update().filter(user=user_id, pk=key).first()
    if row is None:
        return False
    Delivery.objects.filter(destination=row).delete()
    row.delete()
    return True


@transaction.atomic
def switch_on(*, user_id: int, key: int) -> bool:
    """Switch a failed destination back on; return whether it was off."""
    rows = Destination.objects.filter(user=user_id, pk=key).exclude(off_at=None)
    return bool(rows.update(off_at=None, failing_since=None))


@transaction.atomic
def renew_secret(row: Destination, *, now: dt.datetime) -> str:
    """Set and return a new secret for a webhook. For a day, the old one also signs calls.

    Raises `RefusedDestination` if the webhook has been removed.
    """
    newest = Destination.objects.select_for_update().filter(pk=row.pk).first()
    if newest is None:
        raise RefusedDestination("The webhook was removed a moment ago.")
    key, until = _make_secret(), now + OLD_SECRET_WORKS
    newest.secret = {"key": key, "old_key": newest.secret["key"], "old_until": until.isoformat()}
    newest.save(update_fields=["secret"])
    return key


def list_secrets(row: Destination, *, now: dt.datetime) -> list[str]:
    """Return the secrets that currently sign a webhook's calls, newest first."""
    keys, until = [row.secret["key"]], row.secret.get("old_until")
    if until is not None and now < dt.datetime.fromisoformat(until):
        keys.append(row.secret["old_key"])
    return keys


@transaction.atomic
def send_test(row: Destination, *, now: dt.datetime) -> None:
    """Send a test notice; raise `RefusedDestination` if one was just sent."""
    recent = Notice.objects.filter(
        user=row.user_id, kind=NoticeKind.TEST, created_at__gt=now - TEST_DELAY
    )
    if recent.exists():
        raise RefusedDestination("You just sent a test. Wait half a minute before the next one.")
    notice = Notice.objects.create(
        user_id=row.user_id,
        kind=NoticeKind.TEST,
        key=f"test {secrets.token_hex(8)}",
        created_at=now,
        read_at=now,
        useful_until=now + dt.timedelta(hours=1),
    )
    Delivery.objects.create(notice=notice, destination=row, due_at=now)


def digest_session(session: str) -> str:
    """Return the digest that identifies a session in a destination."""
    return hashlib.sha256(f"notices {session}".encode()).hexdigest()


def is_open_to(row: Destination, kind: NoticeKind) -> bool:
    """Return whether the destination may get notices of the kind, regardless of preferences."""
    return row.has_messages or kind not in MESSAGE_KINDS


def read_usable(users: Collection[int]) -> dict[int, list[Destination]]:
    """Return each person's confirmed destinations that are not switched off."""
    rows = Destination.objects.filter(user__in=users, off_at=None).exclude(confirmed_at=None)
    usable: dict[int, list[Destination]] = {}
    for row in rows:
        usable.setdefault(row.user_id, []).append(row)
    return usable


@transaction.atomic
def _add(row: Destination, session: str = "") -> Destination:
    """Save a new destination; return the known one if the person has it already."""
    # Locking the person keeps concurrent requests from exceeding the limit.
    User.objects.select_for_update().get(pk=row.user_id)
    row.digest = _digest(row.address)
    own_rows = Destination.objects.filter(user=row.user_id)
    if known := own_rows.filter(channel=row.channel, digest=row.digest).first():
        return known
    if own_rows.count() >= MAX_DESTINATIONS:
        raise RefusedDestination(f"You have {MAX_DESTINATIONS} destinations. Remove one first.")
    row.session = digest_session(session) if session else ""
    row.confirmed_at = None if row.channel == Channel.EMAIL else row.created_at
    row.save()
    return row


def _make_secret() -> str:
    return base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def _digest(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()


def _decode(text: str) -> bytes:
    """Return the bytes of base64url text; empty if it is invalid."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""


class RefusedDestination(ValueError):
    """A destination that cannot be used; the text tells the person why."""


def forget_device(*, request: HttpRequest | None, **_signal: object) -> None:
    """Remove the browsers that subscribed in the session that ends."""
    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        for row in Destination.objects.filter(session=digest_session(session.session_key)):
            remove_destination(user_id=row.user_id, key=row.pk)


def find_push_key() -> PushKey | None:
    """Return the site's key: the oldest one, if two processes created one at the same time."""
    return PushKey.objects.order_by("pk").first()


def ensure_push_key(now: dt.datetime) -> PushKey:
    """Return the site's key, creating it if necessary."""
    if known := find_push_key():
        return known
    key = ec.generate_private_key(ec.SECP256R1())
    number = key.private_numbers().private_value.to_bytes(32, "big")
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    PushKey.objects.create(public=_encode(point), private=_encode(number), created_at=now)
    # The oldest key wins, which another process may just have created.
    return PushKey.objects.order_by("pk")[0]


def _encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def _erase(user_id: int, _now: dt.datetime) -> None:
    Delivery.objects.filter(notice__user=user_id).delete()
    Delivery.objects.filter(destination__user=user_id).delete()
    Notice.objects.filter(user=user_id).delete()
    Destination.objects.filter(user=user_id).delete()
    NoticeSettings.objects.filter(user=user_id).delete()


def _export(user_id: int) -> Iterator[ExportFile]:
    wishes = read_preferences([user_id])[user_id]
    content = {
        "choices": wishes.choices,
        "quiet_hours": wishes.quiet and [str(wishes.quiet.start), str(wishes.quiet.end)],
        "zone": wishes.zone,
        "destinations": [
            {"channel": row.channel, "address": row.address, "label": row.label}
            for row in list_destinations(user_id)
        ],
    }
    text = json.dumps(content, ensure_ascii=False, indent=2)
    yield ExportFile("notices.json", iter([text]))


PART = AccountPart(erase=_erase, export=_export)
"""Listed in `settings.ACCOUNT_PARTS`."""
