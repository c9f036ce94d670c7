"""Banned people can read why, appeal, download their data and delete their account.

Public pages stay open to them, as to any visitor.
"""

from typing import Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

from diplomaccloud.accounts.models import User

BANNED: Final = "Your account is banned from this site. Your Reports page says why."
_OPEN: Final = frozenset(
    {
        *("press:reports", "press:appeal", "press:export", "press:leaving"),
        *("account_logout", "account_login", "account_delete", "account_export"),
        *("account_export_file", "account_sessions", "account_reauthenticate"),
        *("mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
    }
)
"""What a banned person can still do."""


class BannedLimits(MiddlewareMixin):
    """Refuses the site's forms and private pages to banned people."""

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: object
    ) -> None:
        """Raise `PermissionDenied` if a banned person may not do this."""
        match = request.resolver_match
        if match is None or match.view_name in _OPEN:
            return
        is_read = request.method in ("GET", "HEAD", "OPTIONS")
        if is_read and match.app_name not in ("press", "notices"):
            return
        if isinstance(request.user, User) and request.user.banned_at is not None:
            raise PermissionDenied(BANNED)
