"""Tokens: creating them, finding their owners, and revoking them."""

import datetime as dt
import hashlib
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from diplomaccloud.accounts.deletion import AccountPart
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.sessions import USE_STEP, Grant
from diplomaccloud.api.models import KEEP_FOR, REMEMBER_FOR, AppGrant, AppToken, KeptAnswer, Token
from diplomaccloud.games.seats.read import HeldSeat, find_tenure, list_held_seats
from diplomaccloud.games.table.errors import NoSuchGame, Refused, WrongMoment
from diplomaccloud.shared.prepared_queries import PreparedQuery

PREFIX: Final = "dc_"
MAX_TOKENS: Final = 20
"""The maximum number of active tokens per person."""
MAX_NAME: Final = 60
LIVES: Final = (7, 30, 90, 365)
"""The lifetimes of tokens to choose from, in days."""
_BYTES: Final = 32
_READ: Final = (
    *("name", "scopes", "tenure", "expires_at", "used_at"),
    *("user__username", "user__guest", "user__banned_at", "user__deleted_at"),
)
"""The columns of a token and its holder that each call needs."""
_SEATLESS_OR_HELD: Final = Q(tenure=None) | Q(tenure__until_at=None)


class Scope(StrEnum):
    """What a token allows."""

    READ = "read"
    PLAY = "play"
    PRESS = "press"
    CREATE = "create"
    GM = "gm"


SCOPE_WORDS: Final[Mapping[str, str]] = {
    Scope.READ: "Read games, and your own orders and drafts",
    Scope.PLAY: "Play: orders, drafts and votes",
    Scope.PRESS: "Read and write your messages",
    Scope.CREATE: "Create, join and leave games",
    Scope.GM: "Act as game master",
}
SEAT_SCOPES: Final = frozenset({Scope.READ, Scope.PLAY, Scope.PRESS})
"""The scopes that a token for one seat can have."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """The bearer of a token: the person, the scopes, and the only seat, if limited to one.

    `token_id` is negative for an app, whose tokens count together.
    """

    token_id: int
    user_id: int
    name: str
    screen_name: str
    scopes: frozenset[Scope]
    expires_at: dt.datetime
    banned: bool
    seat: HeldSeat | None

    @property
    def is_app(self) -> bool:
        """Whether an app acts for the person."""
        return self.token_id < 0


def make_token(
    *,
    user_id: int,
    name: str,
    scopes: Collection[Scope],
    life: dt.timedelta,
    now: dt.datetime,
    slug: str = "",
) -> str:
    """Return a new token, which is stored only as a hash; with `slug`, for the seat in that game.

    Raises `Refused` for a guest, a token without a scope or name, too many tokens, or a scope that
    a token for one seat cannot have; `NoSuchGame` for a game in which the person has no seat.
    """
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME:
        raise Refused(f"Give the token a name of up to {MAX_NAME} characters.")
    if not scopes:
        raise Refused("Choose what the token can do.")
    if slug and not SEAT_SCOPES.issuperset(scopes):
        raise Refused("A token for one seat can only read, play and write messages.")
    text = PREFIX + secrets.token_urlsafe(_BYTES)
    with transaction.atomic():
        # This lock keeps two simultaneous requests from exceeding the limit.
        user = User.objects.select_for_update().get(pk=user_id)
        if user.guest or user.banned_at is not None:
            raise Refused("Sign up first. Guests cannot have tokens.")
        if _find_living(user_id, now).count() >= MAX_TOKENS:
            raise WrongMoment(f"You have {MAX_TOKENS} tokens. Revoke one first.")
        tenure = find_tenure(slug, user_id) if slug else None
        if slug and tenure is None:
            raise NoSuchGame
        Token.objects.create(
            user_id=user_id,
            name=name,
            digest=hash_token(text),
            scopes=" ".join(scope.value for scope in Scope if scope in scopes),
            tenure_id=tenure,
            created_at=now,
            expires_at=now + life,
        )
    return text


def revoke_token(*, user_id: int, key: int) -> bool:
    """Delete a token of a person; return whether there was one."""
    return bool(Token.objects.filter(user=user_id, pk=key).delete()[0])


def end_tokens(*, user: User, **_facts: object) -> None:
    """Revoke all tokens of a person whose password changed, since a thief may have created one."""
    Token.objects.filter(user=user).delete()


def find_bearer(text: str, now: dt.datetime) -> Bearer | None:
    """Return the bearer of a token; None if it is unknown, expired, or for a lost seat."""
    if not text.startswith(PREFIX):
        return _find_app(text, now) if text else None
    row = _token_of_digest.find(hash_token(text))
    if row is None or row.expires_at <= now:
        return None
    seat = None
    if row.tenure_id is not None:
        held = list_held_seats([row.tenure_id], row.user_id)
        if not held:
            return None
        seat = held[row.tenure_id]
    if row.used_at is None or now - row.used_at >= USE_STEP:
        Token.objects.filter(pk=row.pk).update(used_at=now)
    return Bearer(
        token_id=row.pk,
        user_id=row.user_id,
        name=row.name,
        screen_name=row.user.screen_name,
        scopes=frozenset(map(Scope, row.scopes.split())),
        expires_at=row.expires_at,
        banned=row.user.banned_at is not None,
        seat=seat,
    )


def _find_app(text: str, now: dt.datetime) -> Bearer | None:
    row = (
        _select_of_apps(now, of_banned=True)
        .filter(digest=hash_token(text))
        .select_related("grant__user", "grant__client")
        .first()
    )
    if row is None:
        return None
    grant = row.grant
    if grant.used_at is None or now - grant.used_at >= USE_STEP:
        AppGrant.objects.filter(pk=grant.pk).update(used_at=now)
    return Bearer(
        token_id=-grant.pk,
        user_id=grant.user_id,
        name=grant.client.name,
        screen_name=grant.user.screen_name,
        scopes=frozenset(map(Scope, row.scopes.split())),
        expires_at=row.expires_at,
        banned=grant.user.banned_at is not None,
        seat=None,
    )


def _select_of_apps(now: dt.datetime, *, of_banned: bool = False) -> "models.QuerySet[AppToken]":
    """Return the access tokens of apps that work, also those of banned people if asked."""
    open_accounts = {"grant__user__is_active": True, "grant__user__deleted_at": None}
    open_accounts["grant__client__owner__banned_at"] = None
    rows = AppToken.objects.filter(is_refresh=False, expires_at__gt=now, **open_accounts)
    return rows if of_banned else rows.filter(grant__user__banned_at=None)


def select_working(now: dt.datetime) -> "models.QuerySet[Token]":
    """Return the tokens that work: unexpired, with an owner who is not banned and has the seat."""
    rows = _select_of_open_accounts().filter(expires_at__gt=now)
    return rows.filter(_SEATLESS_OR_HELD, user__banned_at=None)


def list_working(digests: Collection[str]) -> "list[models.QuerySet[Any]]":
    """Return queries for the working tokens with these hashes: those of people, those of apps."""
    now = timezone.now()
    return [rows.filter(digest__in=digests) for rows in (select_working(now), _select_of_apps(now))]


def find_holders(digests: Collection[str]) -> dict[str, int]:
    """Return the owners of the working tokens with these hashes."""
    people, apps = list_working(digests)
    return dict(people.values_list("digest", "user")) | dict(
        apps.values_list("digest", "grant__user")
    )


def list_tokens(user_id: int, now: dt.datetime) -> list[tuple[Token, str]]:
    """Return the person's valid tokens, newest first, each with the world of its only seat."""
    rows = list(_find_living(user_id, now).order_by("-pk"))
    held = list_held_seats([row.tenure_id for row in rows if row.tenure_id is not None], user_id)
    return [
        (row, "" if row.tenure_id is None else held[row.tenure_id].world)
        for row in rows
        if row.tenure_id is None or row.tenure_id in held
    ]


def list_grants(user_id: int, *, now: dt.datetime) -> list[Grant]:
    """Return the person's working tokens, for the list of sessions."""
    return [Grant(row.name, row.created_at, row.used_at) for row, _ in list_tokens(user_id, now)]


def prune_api(*, now: dt.datetime) -> None:
    """Delete expired tokens, old answers, and then their keys."""
    Token.objects.filter(expires_at__lte=now).delete()
    KeptAnswer.objects.filter(at__lt=now - REMEMBER_FOR).delete()
    KeptAnswer.objects.filter(at__lt=now - KEEP_FOR, status__gt=0).update(status=0, body="")


def hash_token(text: str) -> str:
    """Return the hash stored for a token. Tokens are random, so a plain hash is safe."""
    return hashlib.sha256(text.encode()).hexdigest()


def _find_living(user_id: int, now: dt.datetime) -> "models.QuerySet[Token]":
    return Token.objects.filter(_SEATLESS_OR_HELD, user=user_id, expires_at__gt=now)


def _select_of_open_accounts() -> "models.QuerySet[Token]":
    return Token.objects.filter(user__is_active=True, user__deleted_at=None)


_token_of_digest = PreparedQuery(
    lambda digest: (
        _select_of_open_accounts().filter(digest=digest).select_related("user").only(*_READ)
    ),
    str,
)


def _erase(user_id: int, _now: dt.datetime) -> None:
    Token.objects.filter(user=user_id).delete()
    KeptAnswer.objects.filter(user=user_id).delete()


PART = AccountPart(erase=_erase)
"""Listed in `settings.ACCOUNT_PARTS`."""
