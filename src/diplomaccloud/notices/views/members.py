"""Access to the notice pages, for people with an account."""

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from diplomaccloud.accounts.models import User

MemberView = Callable[..., HttpResponse]


def member_required(view: MemberView) -> MemberView:
    """Wrap a view to redirect visitors to the log-in page and guests to the sign-up page.

    The address of a form would be a dead end after that, so both return to the settings.
    """

    @wraps(view)
    def check_member(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if isinstance(request.user, User) and not request.user.guest:
            return view(request, *args, **kwargs)
        is_read = request.method in ("GET", "HEAD")
        page = request.path if is_read else reverse("notices:settings")
        if isinstance(request.user, User):
            signup = reverse("account_signup")
            return HttpResponseRedirect(f"{signup}?{urlencode({'next': page})}")
        return redirect_to_login(page)

    return check_member


def member_id(request: HttpRequest) -> int:
    """Return the key of the person; only for views behind `member_required`."""
    if not isinstance(request.user, User):
        raise TypeError("the view is not behind member_required")
    return request.user.pk
