"""Error messages of sign-up and log-in, and the limits on wrong passwords.

Wrong passwords count for a name at an address. A limit for a name would let a stranger lock anybody
out, and a limit for an address alone would let one guess from many. An attempt is counted before
the password is checked, and uncounted if it was right, so that simultaneous guesses cannot exceed a
limit. Names that nobody has are counted and answered alike.
"""

from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.internal import ratelimit
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from diplomaccloud.accounts.deletion import is_retired
from diplomaccloud.accounts.known_browsers import find_known, record_login_mark, remember_browser
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import (
    check_name,
    clean_screen_name,
    is_reserved,
    make_key,
    make_skeleton,
)
from diplomaccloud.accounts.sessions import is_kept, keep_session
from diplomaccloud.shared.addresses import find_sender

MESSAGE_ID: Final = "diplomaccloud.message_id"
"""The key under which the request that a mail is rendered for holds the mail's Message-ID."""
_WEAK = {
    "password_too_short": "Use at least 8 characters.",
    "password_too_common": "This password is too common. Choose another one.",
    "password_entirely_numeric": "A password of digits only is easy to guess. Add some letters.",
    "password_too_similar": "This password is too similar to the screen name. Choose another one.",
}


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    """The library's adapter with the messages of this site, where users log in by screen name."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_taken": "This screen name is taken.",
        "username_blank": "Use at least one letter or digit in a screen name.",
        "username_reserved": "This screen name is reserved. Choose another one.",
        "username_alike": "This screen name looks like one that is taken. Choose another one.",
        "username_password_mismatch": "The screen name or the password is wrong.",
        "too_many_login_attempts": "Too many wrong passwords. Wait a few minutes, then try again.",
        "rate_limited": "Too many attempts. Wait a few minutes, then try again.",
    }

    def new_user(self, request: HttpRequest) -> User:
        """Return the row of the guest who signs up, so that the games stay, or a new row."""
        user = getattr(request, "guest", None)
        if not isinstance(user, User):
            user = User()
        user.guest, user.visited_at = False, None
        # People are listed with their first log-in at once: its time is no secret.
        user.date_joined = user.last_login = user.login_before = timezone.now()
        return user

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that a request counts for in all limits, as in the web server."""
        return find_sender(
            request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", "")
        )

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the screen name; raise `ValidationError` if it is taken or misleading."""
        name = clean_screen_name(username)
        check_name(name)
        skeleton = make_skeleton(name)
        if not skeleton:
            raise self.validation_error("username_blank")
        if is_reserved(name):
            raise self.validation_error("username_reserved")
        if not shallow and User.objects.filter(folded_name=make_key(name)).exists():
            raise self.validation_error("username_taken")
        if not shallow and User.objects.filter(name_skeleton=skeleton).exists():
            raise self.validation_error("username_alike")
        if not shallow and is_retired(name):
            raise self.validation_error("username_taken")
        return name

    def clean_password(self, password: str, user: AbstractBaseUser | None = None) -> str:
        """Return the password; raise `ValidationError` with the first reason if it is weak."""
        try:
            return str(super().clean_password(password, user))
        except ValidationError as error:
            first = error.error_list[0]
            code = str(first.code)
            raise ValidationError(_WEAK.get(code, first.messages[0]), code=code) from error

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password, until it turns out to be right.

        Raises `ValidationError` at a limit: one for the name and the address together, and a looser
        one for the address alone. So strangers elsewhere cannot lock anyone out, and strangers at
        the same address can lock out only browsers that are new to the account. A known browser has
        its own limit.
        """
        browser = find_known(request, str(credentials.get("username", "")))
        if browser is not None:
            self._login_failed_rl_usage = _count(request, "login_failed_known", key=browser)
            if not self._login_failed_rl_usage:
                raise self.validation_error("too_many_login_attempts")
            return
        if not _count(request, "login_attempt"):
            raise self.validation_error("rate_limited")
        super().pre_authenticate(request, **credentials)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key under which wrong passwords are counted.

        Another host name of the site or another spelling of the name does not start a new count.
        """
        name = str(credentials.get("username", ""))
        return f"{make_skeleton(name) or name} {ratelimit.get_ip(request)}"

    def login(self, request: HttpRequest, user: User) -> None:
        """Log the person in, for as long as was chosen here or before a code was requested."""
        kept = "remember" in request.POST or is_kept(request)
        super().login(request, user)
        keep_session(request, kept=kept)

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:
        """Return the response to a log-in, which makes the browser known."""
        response: HttpResponse = super().post_login(request, user, **options)
        browser = remember_browser(request, response, user)
        address = self.get_client_ip(request)
        record_login_mark(user, browser=browser, address=address, now=timezone.now())
        return response

    def render_mail(self, *args: object, **options: object) -> EmailMessage:
        """Return the library's mail with the Message-ID that was chosen for it."""
        mail: EmailMessage = super().render_mail(*args, **options)
        if message_id := context.request.META.get(MESSAGE_ID):
            mail.extra_headers["Message-ID"] = message_id
        return mail

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: object, signup: bool
    ) -> None:
        """Send nothing: an address only receives password resets, so it needs no confirmation."""


def _count(request: HttpRequest, action: str, *, key: str | None = None) -> Any:
    """Return the counted usage, which can be rolled back; None at a limit in the settings."""
    return ratelimit.consume(request, app="allauth.account", action=action, key=key)
