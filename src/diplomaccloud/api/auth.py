"""The caller: the bearer of a token, or a visitor where pages are open to visitors, too."""

from dataclasses import dataclass
from typing import Final

from allauth.account.adapter import get_adapter
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from diplomaccloud.api import limits
from diplomaccloud.api.bodies import load_body
from diplomaccloud.api.problems import Problem
from diplomaccloud.api.tokens import Bearer, Scope, find_bearer
from diplomaccloud.games.visibility.read import Viewer

_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="diplomaccloud"'}


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
            limits.count_request(request, limits.VISITOR, address)
            if not self.visitors:
                raise Problem(
                    401, "no-token", "Send `Authorization: Bearer dc_…`.", headers=_CHALLENGE
                )
            load_body(request)
            return Caller(None)
        limits.count_request(request, limits.ADDRESS, address)
        kind, _, text = header.partition(" ")
        bearer = find_bearer(text.strip(), timezone.now()) if kind.lower() == "bearer" else None
        if bearer is None:
            limits.count_request(request, limits.WRONG_TOKENS, address)
            detail = "The token is unknown, expired or revoked, or its seat has another player."
            raise Problem(401, "bad-token", detail, headers=_CHALLENGE)
        limits.count_request(request, limits.TOKEN, bearer.token_id)
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


def require_no_app(request: HttpRequest) -> Bearer:
    """Return the bearer; raise `Problem` for an app, as what this sets up outlives its access."""
    bearer = bearer_of(request)
    if bearer.is_app:
        raise Problem(403, "not-yours", "Apps cannot choose where a person's notices go.")
    return bearer


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
