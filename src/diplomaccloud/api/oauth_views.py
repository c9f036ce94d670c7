"""OAuth 2 for apps: consent, devices and tokens, by the provider of `allauth`.

Its views check and answer requests. Before them, these pages refuse what it would let pass:
redirect addresses that only resemble a registered one, challenges other than S256, and guests.
The provider takes 10 MB of memory, so `project.urls` loads this module when a program first asks.
"""

import json
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from allauth.idp.oidc import views as provider
from allauth.idp.oidc.internal.oauthlib import device_codes
from allauth.idp.oidc.models import Client
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from diplomaccloud.accounts.models import User
from diplomaccloud.api import limits, oauth
from diplomaccloud.api.problems import Problem, answer_problem
from diplomaccloud.api.tokens import SCOPE_WORDS, Scope
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.shared.responses import see_other

_GUEST: Final = "Sign up first. Guests cannot let apps act for them."
_BANNED: Final = "Your account is banned from this site, so apps cannot act for it."
_NO_APP: Final = "This site has no app with this ID. Its owner may have deleted it."
_BAD_REDIRECT: Final = (
    "The app asked to send you back to an address that it has not registered: {address}"
)
_NO_CHALLENGE: Final = "Send code_challenge, and S256 as code_challenge_method."
_BAD_FORM: Final = "This form is incomplete. Go back to the app and try again."
_TOO_LATE: Final = "This code has expired, or has been used. Get a new one from your device."
_RESOURCE: Final = "Tokens are for the whole API of this site. Leave resource out."
_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "access_denied": "The person did not allow it.",
    "authorization_pending": "The person has not decided yet.",
    "invalid_client": "There is no app with this client_id.",
    "invalid_grant": "The code, refresh_token, redirect_uri or code_verifier is wrong, or expired.",
    "invalid_request": "A field is missing, or is there twice.",
    "invalid_scope": "The scope has a word that the app may not use, or the person did not grant.",
    "slow_down": "Wait for the interval before you ask again.",
    "unsupported_grant_type": "The grant_type is missing or unknown.",
}
_ORIGINS: Final[Mapping[str, str]] = {
    Client.GrantType.AUTHORIZATION_CODE.value: "code",
    Client.GrantType.DEVICE_CODE.value: "device_code",
}
"""The field with the code that a grant type exchanges."""


class _Consent(provider.AuthorizationView):  # type: ignore[misc]
    """Asks a person whether an app may act for them."""

    template_name = "api/consent.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer; the form may lead to the app's address, which the usual policy forbids."""
        if fault := _find_person_fault(request):
            return _refuse(request, fault, status=403)
        if request.method == "POST" and request.GET:
            # The provider would read the query as well as the form.
            return _refuse(request, _BAD_FORM)
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        if answer.status_code == 200 and not isinstance(answer, TemplateResponse):
            answer.status_code = 400  # the provider's page about an error
        redirect = getattr(self, "_redirect", "")
        if redirect and answer.status_code == 200:
            vars(answer)["form_target"] = _find_target(redirect)
        return answer

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the question, or refuse a request of the app that is wrong."""
        asked = request.GET
        app = oauth.find_app(asked.get("client_id", ""))
        if app is None:
            return _refuse(request, _NO_APP)
        self._redirect = redirect = asked.get("redirect_uri", "")
        if not oauth.is_redirect(app, redirect):
            return _refuse(request, _BAD_REDIRECT.format(address=redirect[: oauth.MAX_REDIRECT]))
        if fault := _find_request_fault(asked):
            return self._send_back(*fault)
        if asked.get("prompt"):
            # A person always decides: nothing is granted silently.
            query = request.GET.copy()
            del query["prompt"]
            return see_other(f"{request.path}?{query.urlencode()}")
        answer: HttpResponse = super().get(request, *args, **kwargs)
        return answer

    def _send_back(self, error: str, why: str) -> HttpResponse:
        """Return the answer that leads to the app with an error."""
        fields = {"error": error, "error_description": why}
        if state := self.request.GET.get("state"):
            fields["state"] = state
        address = self._redirect + ("&" if urlsplit(self._redirect).query else "?")
        return HttpResponse(status=302, headers={"Location": address + urlencode(fields)})

    def form_valid(self, form: Any) -> HttpResponse:
        """Return the answer that leads to the app with a code."""
        if oauth.find_app(self._request_info["client_id"]) is None:
            return _refuse(self.request, _NO_APP)
        answer: HttpResponse = super().form_valid(form)
        for code in parse_qs(urlsplit(answer.headers.get("Location", "")).query).get("code", ()):
            oauth.note_consent(code, require_user_id(self.request))
        return answer

    def get_context_data(self, **facts: Any) -> dict[str, Any]:
        """Return what the page shows."""
        context: dict[str, Any] = super().get_context_data(**facts)
        parts = urlsplit(self._request_info["redirect_uri"])
        self._redirect = self._request_info["redirect_uri"]
        place = parts.hostname if parts.scheme == "https" else ""
        is_here = parts.scheme == "http"
        return {
            **context,
            "owner": oauth.name_owner(context["client"]),
            "place": place,
            "is_here": is_here,
            "scheme": parts.scheme,
        }


_consent = _Consent.as_view()


def _find_request_fault(asked: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the error of a request for consent, and a sentence about it."""
    unknown = [word for word in asked.get("scope", "").split() if word not in list(Scope)]
    if unknown:
        return "invalid_scope", f"There is no scope {unknown[0][:40]}."
    if "resource" in asked:
        return "invalid_target", _RESOURCE
    if asked.get("code_challenge_method") != "S256" or not asked.get("code_challenge"):
        return "invalid_request", _NO_CHALLENGE
    return None


def _needs_password(request: HttpRequest) -> bool:
    """Return whether to ask for the password: unless the person has just logged in with it."""
    if not isinstance(request.user, User) or _find_person_fault(request):
        return False
    records = get_authentication_records(request, request.user)
    age = time.time() - float(records[-1]["at"]) if records else float("inf")
    return age > float(app_settings.REAUTHENTICATION_TIMEOUT)


@never_cache
# Before the page and not after it: the page that asks for a password cannot lead to the app.
@reauthentication_required(
    enabled=lambda request: request.method == "GET" and _needs_password(request)
)  # type: ignore[untyped-decorator]
def ask_consent(request: HttpRequest) -> HttpResponse:
    """Ask whether an app may act for the person, and lead back to the app."""
    answer: HttpResponse = _consent(request)
    return answer


def _find_target(address: str) -> str:
    """Return the part of an address with which a content policy allows it."""
    parts = urlsplit(address)
    # A policy cannot name an IPv6 address.
    is_named = parts.scheme == "https" or parts.hostname == "127.0.0.1"
    return f"{parts.scheme}://{parts.netloc}" if is_named else f"{parts.scheme}:"


class _Device(provider.DeviceAuthorizationView):  # type: ignore[misc]
    """Asks for the code that a device shows, and whether its app may act for the person."""

    def _dispatch_authorization(
        self, request: HttpRequest, user_code: str, device_code: str, client: Client
    ) -> HttpResponse:
        if oauth.find_app(client.pk) is None:
            return _refuse(request, _NO_APP)
        kept = cache.get(device_codes.cache_device_code_key(device_code)) or {}
        words = kept.get("scope") or client.get_default_scopes()
        context = {
            "client": client,
            "user_code": user_code,
            "owner": oauth.name_owner(client),
            "scopes": [SCOPE_WORDS[word] for word in Scope if word in words],
        }
        if request.method == "POST":
            confirm = request.POST.get("action") == "confirm"
            oauth.note_consent(device_code, require_user_id(request))
            decide = device_codes.confirm_or_deny_device_code
            if not decide(request.user, device_code, confirm=confirm):
                return _refuse(request, _TOO_LATE)
            context["done"] = "allowed" if confirm else "denied"
        return render(request, "api/device.html", context)


_device = _Device.as_view()


@never_cache
@login_required
@reauthentication_required(
    enabled=lambda request: request.method == "POST" and _needs_password(request)
)  # type: ignore[untyped-decorator]
def ask_for_device(request: HttpRequest) -> HttpResponse:
    """Ask whether the app on a device may act for the person."""
    # The library's own view is open to forms of other sites; this function is not.
    if fault := _find_person_fault(request):
        return _refuse(request, fault, status=403)
    answer: HttpResponse = _device(request)
    return answer


def _find_person_fault(request: HttpRequest) -> str:
    """Return why nobody can act for the person; blank if an app can, or if nobody is logged in."""
    user = request.user
    if not isinstance(user, User):
        return ""
    return _BANNED if user.banned_at is not None else _GUEST if user.guest else ""


def _refuse(request: HttpRequest, why: str, *, status: int = 400) -> HttpResponse:
    return render(request, "idp/oidc/error.html", {"why": why}, status=status)


@csrf_exempt
@require_POST
def give_tokens(request: HttpRequest) -> HttpResponse:
    """Exchange a code or a refresh token for tokens."""
    if refusal := _find_refusal(request):
        return refusal
    try:
        return _exchange(request)
    except IntegrityError:
        # Another request has just exchanged the same code, which the next attempt finds, or has
        # ended the family of this refresh token.
        return _exchange(request)


@atomic_with_retries
def _exchange(request: HttpRequest) -> HttpResponse:
    sent, app = request.POST, request.POST["client_id"]
    kind, spent = sent.get("grant_type", ""), None
    if kind == Client.GrantType.REFRESH_TOKEN:
        spent = oauth.find_refresh_token(sent.get("refresh_token", ""), app)
        if spent is None:
            return _refuse_tokens("invalid_grant")
        if spent.spent_at is not None:
            oauth.end_family(sent["refresh_token"], app)
            why = "This refresh_token was used before. All tokens that came of it are revoked."
            return _refuse_tokens("invalid_grant", why)
    elif kind == Client.GrantType.DEVICE_CODE and "scope" in sent:
        # The provider would take it for what the person has allowed.
        return _refuse_tokens("invalid_request", "Ask the person for the scope, and not here.")
    origin = sent.get(_ORIGINS.get(kind, ""), "")
    if origin and oauth.is_exchanged(origin, app):
        why = "This code was exchanged before. All tokens that came of it are revoked."
        return _refuse_tokens("invalid_grant", why)
    if origin and oauth.is_withdrawn(origin):
        return _refuse_tokens("invalid_grant", "The person's password has changed since.")
    answer: HttpResponse = provider.token(request)
    if answer.status_code == 200:
        made = json.loads(answer.content)
        oauth.keep_tokens(made, origin=origin, spent=spent, now=timezone.now())
    return _finish(answer)


@csrf_exempt
@require_POST
def revoke_tokens(request: HttpRequest) -> HttpResponse:
    """Revoke the family of a token; nothing happens if it is not the app's."""
    if refusal := _find_refusal(request):
        return refusal
    oauth.end_family(request.POST.get("token", ""), request.POST["client_id"])
    return HttpResponse()


@csrf_exempt
@require_POST
def give_device_code(request: HttpRequest) -> HttpResponse:
    """Return the codes with which a device waits for a person's consent."""
    return _find_refusal(request) or _finish(provider.device_code(request))


def _find_refusal(request: HttpRequest) -> HttpResponse | None:
    """Count a call of an app; return the refusal of one that is not for the provider."""
    try:
        limits.count_request(request, limits.VISITOR, get_adapter().get_client_ip(request))
    except Problem as problem:
        return answer_problem(problem)
    if request.GET:
        # The provider would take these fields, too.
        return _refuse_tokens("invalid_request", "Send all fields in the body.")
    if "resource" in request.POST:
        return _refuse_tokens("invalid_target", _RESOURCE)
    if oauth.find_app(request.POST.get("client_id", "")) is None:
        return _refuse_tokens("invalid_client", status=401)
    return None


def _refuse_tokens(error: str, why: str = "", status: int = 400) -> HttpResponse:
    document = {"error": error, "error_description": why or _DESCRIPTIONS[error]}
    return JsonResponse(document, status=status, headers={"Cache-Control": "no-store"})


def _finish(answer: HttpResponse) -> HttpResponse:
    """Return an answer of the provider, in which a refusal has a sentence."""
    if answer.status_code >= 400:
        document = json.loads(answer.content)
        error = str(document["error"])
        why = document.get("error_description") or _DESCRIPTIONS.get(error, "")
        return _refuse_tokens(error, why or "This is not possible.", answer.status_code)
    answer.headers["Cache-Control"] = "no-store"
    return answer


app_name = "idp"
_oidc = [
    path("authorize", ask_consent, name="authorization"),
    path("device", ask_for_device, name="device_authorization"),
    path("device/code", give_device_code, name="device_code"),
    path("token", give_tokens, name="token"),
    path("revoke", revoke_tokens, name="revoke"),
]
urlpatterns = [
    path("", include((_oidc, "oidc"))),
]
"""The names are those that the library looks up."""
