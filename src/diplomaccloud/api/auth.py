"""The caller: the bearer of a token, or a visitor where pages are open to visitors, too.

The number of calls in a minute is limited for each token and IP address. The counts are in Redis if
the site has it. Otherwise each process counts on its own: writing counts to the database would cost
more than most calls, and every process adds capacity anyway.
"""

import time
from dataclasses import dataclass
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from diplomaccloud.api.bodies import load_body
from diplomaccloud.api.problems import Problem
from diplomaccloud.api.tokens import Bearer, Scope, find_bearer
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.shared.database_cache import this_minute

TOKEN_CALLS: Final = 600
"""Calls per minute with one token."""
ADDRESS_CALLS: Final = 1200
"""Calls per minute from one IP address, with any tokens."""
VISITOR_CALLS: Final = 120
"""Calls per minute from one IP address without a token."""
WRONG_TOKENS: Final = 30
"""Calls per minute from one IP address with tokens that do not work."""
JUDGE_MILLISECONDS: Final = 10_000
"""The CPU time per minute for one caller's judge requests, in milliseconds."""
_SECONDS: Final = 60
_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="diplomaccloud"'}


class Counters:
    """Counts of the current minute."""

    def add(self, key: str, limit: int) -> None:
        """Count a call; raise `Problem` if there are more than `limit` this minute."""
        if self.spend(key, 1) > limit:
            raise _refuse(f"You can send at most {limit} requests a minute.")

    def require_budget(self, key: str, limit: int) -> None:
        """Raise `Problem` if the budget of `limit` is used up for this minute."""
        if self.spend(key, 0) >= limit:
            raise _refuse("Your requests have used up their CPU time for this minute.")

    def spend(self, key: str, amount: int) -> int:
        """Add `amount` and return the total for this minute; always 0 without limits."""
        return this_minute.count(f"api:{key}", amount) if settings.API_LIMITS else 0


def _refuse(why: str) -> Problem:
    now = time.time()
    wait = int((now // _SECONDS + 1) * _SECONDS - now) + 1
    return Problem(
        429, "too-many", f"{why} Try again in {wait} seconds.", headers={"Retry-After": str(wait)}
    )


counters = Counters()
"""The counters of this site."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of an operation; `bearer` is None for a visitor."""

    bearer: Bearer | None

    @property
    def viewer(self) -> Viewer:
        """The caller as a viewer of games."""
        return Viewer(self.bearer.user_id if self.bearer else None)

    @property
    def reads_press(self) -> bool:
        """Whether the caller may read conversations."""
        return self.bearer is not None and Scope.PRESS in self.bearer.scopes


class NeedsScope(HttpBearer):
    """Admits tokens with a `scope`, and `visitors` if they may do the same on pages."""

    def __init__(self, scope: Scope, *, visitors: bool = False) -> None:
        super().__init__()
        self.scope, self.visitors = scope, visitors

    def __call__(self, request: HttpRequest) -> Caller:
        """Return the caller; raise `Problem` if access is denied."""
        address = get_adapter().get_client_ip(request)
        header = request.headers.get("Authorization")
        if header is None:
            counters.add(f"visitor {address}", VISITOR_CALLS)
            if not self.visitors:
                raise Problem(
                    401, "no-token", "Send `Authorization: Bearer dc_…`.", headers=_CHALLENGE
                )
            load_body(request)
            return Caller(None)
        counters.add(f"address {address}", ADDRESS_CALLS)
        kind, _, text = header.partition(" ")
        bearer = find_bearer(text.strip(), timezone.now()) if kind.lower() == "bearer" else None
        if bearer is None:
            counters.add(f"wrong {address}", WRONG_TOKENS)
            detail = "The token is unknown, expired or revoked, or its seat has another player."
            raise Problem(401, "bad-token", detail, headers=_CHALLENGE)
        counters.add(f"token {bearer.token_id}", TOKEN_CALLS)
        self._require_right(request, bearer)
        load_body(request)
        return Caller(bearer)

    def authenticate(self, request: HttpRequest, token: str) -> None:
        """Do nothing; `__call__` does all the work."""

    def _require_right(self, request: HttpRequest, bearer: Bearer) -> None:
        if bearer.banned:
            raise Problem(403, "banned", "Your account is banned from this site.")
        require_scope(bearer, self.scope)
        match = request.resolver_match
        slug = match.kwargs.get("game") if match else None
        # Outside games, a token for a seat may read its own identity and public data.
        is_harmless = slug is None and self.scope is Scope.READ
        if bearer.seat is not None and slug != bearer.seat.slug and not is_harmless:
            raise Problem(403, "other-seat", f"This token is for the game {bearer.seat.slug}.")


def require_scope(bearer: Bearer, scope: Scope) -> None:
    """Raise `Problem` unless the token has the scope."""
    if scope not in bearer.scopes:
        detail = f"This needs a token with the scope `{scope.value}`."
        raise Problem(403, "scope", detail, more={"scope": scope.value})


READ: Final = NeedsScope(Scope.READ)
OPEN: Final = NeedsScope(Scope.READ, visitors=True)
"""The guard of operations that visitors may call, too."""
PLAY: Final = NeedsScope(Scope.PLAY)
CREATE: Final = NeedsScope(Scope.CREATE)
PRESS: Final = NeedsScope(Scope.PRESS)
MASTER: Final = NeedsScope(Scope.GM)


def caller_of(request: HttpRequest) -> Caller:
    """Return the caller that the operation's guard found."""
    caller = request.auth  # type: ignore[attr-defined]
    assert isinstance(caller, Caller)  # noqa: S101
    return caller


def bearer_of(request: HttpRequest) -> Bearer:
    """Return the bearer of the token. Only for operations that visitors cannot call."""
    bearer = caller_of(request).bearer
    assert bearer is not None  # noqa: S101
    return bearer
