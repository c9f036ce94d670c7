"""The links to unsubscribe from one or more kinds of e-mail notices without logging in."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.core import signing

from diplomaccloud.accounts.models import User
from diplomaccloud.notices.kinds import Group, Kind, is_offered

_SALT: Final = "notices.unsubscribe"


@dataclass(frozen=True, slots=True)
class Subscription:
    """The kinds of notices that a person gets by e-mail."""

    user: int
    kinds: tuple[Kind, ...]


def make_token(user: int, kinds: Iterable[Kind]) -> str:
    """Return the secret part of the unsubscribe address for these kinds. It never expires."""
    return signing.dumps([user, [kind.value for kind in kinds]], salt=_SALT)


def read_token(token: str) -> Subscription | None:
    """Return the subscription for a token; None if the site did not create it."""
    try:
        user, names = signing.loads(token, salt=_SALT)
        kinds = tuple(Kind(name) for name in names if is_offered(name, Group.EMAIL))
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return Subscription(user, kinds) if User.objects.filter(pk=user).exists() else None
