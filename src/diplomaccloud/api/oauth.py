"""Apps that act for people with OAuth 2: registering them, their grants, and families of tokens.

The provider is `allauth.idp.oidc`. It checks requests and makes tokens; the rows here are what it
lacks. A grant is a person's consent, and the family of tokens that came of it. If a refresh token
is used twice, one of the users has stolen it, so the family ends. Apps have no secret: they prove
with a verifier (PKCE, S256) that the code was meant for them.
"""

import datetime as dt
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Client
from allauth.idp.oidc.models import Token as ProviderToken
from django.core.cache import cache
from django.db import transaction
from django.db.models import Count

from diplomaccloud.accounts.deletion import AccountPart
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.sessions import Grant
from diplomaccloud.api.models import AppGrant, AppToken
from diplomaccloud.api.tokens import MAX_NAME, SCOPE_WORDS, Scope, hash_token
from diplomaccloud.games.table.errors import Refused, WrongMoment

MAX_APPS: Final = 10
"""The maximum number of apps per person."""
MAX_REDIRECTS: Final = 10
MAX_REDIRECT: Final = 300
GRANT_TYPES: Final = (
    Client.GrantType.AUTHORIZATION_CODE,
    Client.GrantType.DEVICE_CODE,
    Client.GrantType.REFRESH_TOKEN,
)
MAX_FAMILIES: Final = 10
"""How often one app can be connected to a person, such as on several devices; the oldest ends."""
_CODE_LIFE: Final = dt.timedelta(hours=1)
"""Longer than codes are good for."""
_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]+)?")
_LOOPBACK: Final = re.compile(r"(127\.0\.0\.1|\[::1\])(:[0-9]+)?")
_CUSTOM_SCHEME: Final = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
_VISIBLE: Final = re.compile(r"[!-~]+")


class Provider(DefaultOIDCAdapter):  # type: ignore[misc]
    """The provider's adapter, with the words for scopes."""

    scope_display = {**SCOPE_WORDS}


@dataclass(frozen=True, slots=True)
class App:
    """An app that a person has registered; `people` is how many people use it."""

    key: str
    name: str
    redirects: Sequence[str]
    created_at: dt.datetime
    people: int


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """An app that may act for a person."""

    key: int
    name: str
    owner: str
    scopes: Sequence[str]
    created_at: dt.datetime
    used_at: dt.datetime | None


def register_app(*, user_id: int, name: str, redirects: Collection[str], now: dt.datetime) -> str:
    """Return the ID of a new app of a person.

    Raises `Refused` for a guest, a blank name, or an address that is no redirect address, and
    `WrongMoment` if the person has too many apps. An app for devices needs no address.
    """
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME:
        raise Refused(f"Give the app a name of up to {MAX_NAME} characters.")
    if len(redirects) > MAX_REDIRECTS:
        raise Refused(f"An app can have {MAX_REDIRECTS} redirect addresses.")
    for address in redirects:
        if fault := find_redirect_fault(address):
            raise Refused(fault)
    with transaction.atomic():
        # This lock keeps two simultaneous requests from exceeding the limit.
        user = User.objects.select_for_update().get(pk=user_id)
        if user.banned_at is not None:
            raise Refused("Your account is banned from this site.")
        if user.guest:
            raise Refused("Sign up first. Guests cannot have apps.")
        if Client.objects.filter(owner=user).count() >= MAX_APPS:
            raise WrongMoment(f"You have {MAX_APPS} apps. Delete one first.")
        app = Client(name=name, owner=user, type=Client.Type.PUBLIC, secret="", created_at=now)
        app.set_scopes([scope.value for scope in Scope])
        app.set_default_scopes([Scope.READ.value])
        app.set_grant_types([kind.value for kind in GRANT_TYPES])
        app.set_redirect_uris(list(dict.fromkeys(redirects)))
        app.save()
    return str(app.pk)


def find_redirect_fault(address: str) -> str:
    """Return why an address cannot be a redirect address; blank if it can."""
    parts = _split(address)
    if parts is None or not parts.scheme or "#" in address or "*" in address:
        return f"“{address}” is not an address. Send one without spaces and without “#” or “*”."
    if parts.username is not None:
        return f"“{address}” has a user name. Leave it out."
    fault = ""
    if parts.scheme == "https":
        fault = "" if _HOST.fullmatch(parts.netloc) else f"“{address}” has no host, or a wrong one."
    elif parts.scheme == "http":
        if not _LOOPBACK.fullmatch(parts.netloc):
            fault = f"Start “{address}” with https://, or http://127.0.0.1/ for one's own machine."
    elif not _CUSTOM_SCHEME.fullmatch(parts.scheme):
        fault = f"The scheme of “{address}” must have a dot, as in com.example.app:/done"
    return fault


def is_redirect(app: Client, address: str) -> bool:
    """Return whether an address is one of the app's: exactly, or on any port of this machine."""
    known = app.get_redirect_uris()
    if address in known:
        return True
    own = _drop_port(address)
    return own is not None and own in map(_drop_port, known)


def _drop_port(address: str) -> SplitResult | None:
    """Return an address of this machine without its port; None for other addresses."""
    parts = _split(address)
    if parts is None or parts.scheme != "http" or not _LOOPBACK.fullmatch(parts.netloc):
        return None
    return parts._replace(netloc=parts.hostname or "")


def _split(address: str) -> SplitResult | None:
    if len(address) > MAX_REDIRECT or not _VISIBLE.fullmatch(address):
        return None
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts


def find_app(key: str) -> Client | None:
    """Return an app; None if it is unknown, or if its owner is banned or gone."""
    apps = Client.objects.filter(owner__banned_at=None, owner__is_active=True)
    found: Client | None = apps.filter(pk=key).first()
    return found


def note_consent(code: str, user_id: int) -> None:
    """Remember the password that a person has when an app gets this code."""
    user = User.objects.get(pk=user_id)
    known = f"{user.pk} {user.get_session_auth_hash()}"
    cache.set(_name_consent(code), known, _CODE_LIFE.total_seconds())


def is_withdrawn(code: str) -> bool:
    """Return whether the person who gave this code to an app has changed the password since."""
    key, _, known = (cache.get(_name_consent(code)) or "").partition(" ")
    user = User.objects.filter(pk=key).first() if key else None
    return user is not None and user.get_session_auth_hash() != known


def _name_consent(code: str) -> str:
    return f"oauth consent {hash_token(code)}"


def delete_app(*, user_id: int, key: str) -> bool:
    """Delete an app of a person with all its tokens; return whether there was one."""
    return bool(Client.objects.filter(owner=user_id, pk=key).delete()[0])


def list_apps(user_id: int) -> list[App]:
    """Return the apps that a person has registered, oldest first."""
    apps = list(Client.objects.filter(owner=user_id).order_by("created_at", "pk"))
    counts = AppGrant.objects.filter(client__in=apps).values_list("client")
    people = dict(counts.annotate(people=Count("user", distinct=True)))
    return [
        App(app.pk, app.name, app.get_redirect_uris(), app.created_at, people.get(app.pk, 0))
        for app in apps
    ]


def list_connected(user_id: int, now: dt.datetime) -> list[ConnectedApp]:
    """Return the apps that may act for a person, newest first."""
    living = AppToken.objects.filter(spent_at=None, expires_at__gt=now).values("grant")
    rows = AppGrant.objects.filter(user=user_id, pk__in=living).select_related("client__owner")
    return [
        ConnectedApp(
            row.pk,
            row.client.name,
            name_owner(row.client),
            [SCOPE_WORDS[word] for word in row.scopes.split()],
            row.created_at,
            row.used_at,
        )
        for row in rows.order_by("-pk")
    ]


def name_owner(app: Client) -> str:
    """Return the screen name of the person who registered an app."""
    return app.owner.screen_name if app.owner else ""


def revoke_grant(*, user_id: int, key: int) -> bool:
    """End what an app may do for a person; return whether it could do anything."""
    return _end(AppGrant.objects.filter(user=user_id, pk=key)) > 0


def end_family(text: str, client_id: str) -> None:
    """End the family of a token of an app."""
    _end(AppGrant.objects.filter(client=client_id, tokens__digest=hash_token(text)))


def end_grants(user_id: int) -> None:
    """End what all apps may do for a person."""
    _end(AppGrant.objects.filter(user=user_id))


def end_after_password(*, user: User, **_facts: object) -> None:
    """End what all apps may do for a person whose password changed."""
    end_grants(user.pk)


def list_grants(user_id: int, *, now: dt.datetime) -> list[Grant]:
    """Return the apps that may act for a person, for the list of sessions."""
    return [Grant(app.name, app.created_at, app.used_at) for app in list_connected(user_id, now)]


def _erase(user_id: int, _now: dt.datetime) -> None:
    end_grants(user_id)
    Client.objects.filter(owner=user_id).delete()


PART: Final = AccountPart(erase=_erase)
"""Listed in `settings.ACCOUNT_PARTS`."""


def _end(grants: Any) -> int:
    """Delete grants with all their tokens, also the provider's; return how many there were."""
    keys = list(grants.values_list("pk", flat=True))
    with transaction.atomic():
        # A refresh token that is being exchanged holds its grant, so its new tokens are seen here.
        ended = AppGrant.objects.filter(pk__in=keys)
        list(ended.order_by("pk").select_for_update().values_list("pk"))
        tokens = AppToken.objects.filter(grant__in=keys)
        ProviderToken.objects.filter(hash__in=tokens.values("digest")).delete()
        ended.delete()
    return len(keys)


def find_refresh_token(text: str, client_id: str) -> AppToken | None:
    """Return a refresh token of an app, locked; None if it is unknown or revoked.

    Of two requests with the same token, the second waits, and finds it spent.
    """
    rows = AppToken.objects.filter(grant__client=client_id, digest=hash_token(text))
    return rows.select_for_update().filter(is_refresh=True).first()


def is_exchanged(origin: str, client_id: str) -> bool:
    """Return whether the app has exchanged this code before; if so, end the family."""
    return _end(AppGrant.objects.filter(client=client_id, origin_digest=hash_token(origin))) > 0


def keep_tokens(
    made: Mapping[str, str], *, origin: str, spent: AppToken | None, now: dt.datetime
) -> None:
    """Store the hashes of new tokens in the family of the refresh token that was spent for them.

    Without one, they begin a family, whose `origin` is the code that was exchanged.
    """
    digests = {hash_token(made[name]) for name in ("access_token", "refresh_token") if name in made}
    rows = list(ProviderToken.objects.filter(hash__in=digests))
    scopes = " ".join(scope.value for scope in Scope if scope in made["scope"].split())
    if spent is None:
        grant = AppGrant.objects.create(
            user_id=rows[0].user_id,
            client_id=rows[0].client_id,
            origin_digest=hash_token(origin),
            scopes=scopes,
            created_at=now,
        )
        own = AppGrant.objects.filter(user=grant.user_id, client=grant.client_id)
        newest = own.order_by("-pk").values_list("pk", flat=True)[:MAX_FAMILIES]
        _end(own.exclude(pk__in=list(newest)))
    else:
        grant = spent.grant
        AppToken.objects.filter(pk=spent.pk).update(spent_at=now)
    AppToken.objects.bulk_create(
        AppToken(
            grant=grant,
            digest=row.hash,
            is_refresh=row.type == ProviderToken.Type.REFRESH_TOKEN,
            scopes=scopes,
            expires_at=row.expires_at or now,
        )
        for row in rows
    )


def prune_apps(*, now: dt.datetime) -> None:
    """Delete expired tokens, and grants of which none is left."""
    ProviderToken.objects.filter(expires_at__lte=now).delete()
    AppToken.objects.filter(expires_at__lte=now).delete()
    AppGrant.objects.filter(tokens=None, created_at__lt=now - _CODE_LIFE).delete()
