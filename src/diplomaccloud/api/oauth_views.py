"""OAuth 2 for apps: consent, devices, tokens and metadata, by the provider of `allauth`.

Its views check and answer requests. Before them, these pages refuse what it would let pass:
redirect addresses that only resemble a registered one, challenges other than S256, and guests.
"""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from allauth.account.adapter import get_adapter
from allauth.idp.oidc import views as provider
from allauth.idp.oidc.internal.oauthlib import device_codes
from allauth.idp.oidc.models import Client
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import include, path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.sessions import USE_STEP
from diplomaccloud.api import limits, oauth
from diplomaccloud.api.problems import Problem, answer_problem
from diplomaccloud.api.tokens import MAX_NAME, SCOPE_WORDS, Scope
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.shared.responses import see_other

_GUEST: Final = "Sign up first. Guests cannot let apps act for them."
_BANNED: Final = "Your account is banned from this site, so apps cannot act for it."
_NO_APP: Final = "This site has no app with this ID. Its owner may have deleted it."
_BAD_REDIRECT: Final = "The app sent you with an address that it has not registered: {address}"
_NO_CHALLENGE: Final = "Send code_challenge, and S256 as code_challenge_method."
_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "invalid_client": "There is no app with this client_id.",
    "invalid_grant": "The code, refresh_token, redirect_uri or code_verifier is wrong, or expired.",
    "invalid_scope": "The scope has a word that the app may not use, or the person did not grant.",
}


class AppForm(forms.Form):
    """The name of an app and its redirect addresses, one a line."""

    name = forms.CharField(
        label="Name",
        max_length=MAX_NAME,
        help_text="People read it when they decide whether to let the app act for them.",
    )
    redirects = forms.CharField(
        label="Redirect addresses",
        required=False,
        max_length=oauth.MAX_REDIRECTS * (oauth.MAX_REDIRECT + 2),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="Where the app gets its code, one a line: https://app.example/done, "
        "com.example.app:/done, or http://127.0.0.1/done, which is good for any port. "
        "Leave blank for an app on devices without a browser.",
    )

    def list_redirects(self) -> list[str]:
        """Return the addresses."""
        return str(self.cleaned_data["redirects"]).split()


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_apps(request: HttpRequest) -> HttpResponse:
    """List the apps that act for a person, and their own apps; register one."""
    user_id, is_sent, now = require_user_id(request), request.method == "POST", timezone.now()
    form = AppForm(request.POST if is_sent else None)
    if is_sent and form.is_valid():
        try:
            oauth.register_app(
                user_id=user_id,
                name=form.cleaned_data["name"],
                redirects=form.list_redirects(),
                now=now,
            )
        except Refused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "App registered.")
            return see_other(reverse("api:apps"))
    context = {
        "form": form,
        "connected": oauth.list_connected(user_id, now),
        "apps": oauth.list_apps(user_id),
        "most": oauth.MAX_APPS,
        "hour_ago": now - USE_STEP,
    }
    return render(request, "api/apps.html", context, status=422 if is_sent else 200)


@never_cache
@login_required
@require_POST
def delete_app(request: HttpRequest, key: str) -> HttpResponse:
    """Delete an app of the person."""
    if oauth.delete_app(user_id=require_user_id(request), key=key):
        messages.success(request, "App deleted. It can no longer act for anyone.")
    return see_other(reverse("api:apps"))


@never_cache
@login_required
@require_POST
def revoke_grant(request: HttpRequest, key: int) -> HttpResponse:
    """End what an app may do for the person."""
    if oauth.revoke_grant(user_id=require_user_id(request), key=key):
        messages.success(request, "Access revoked. The app can no longer act for you.")
    return see_other(reverse("api:apps"))


class _Consent(provider.AuthorizationView):  # type: ignore[misc]
    """Asks a person whether an app may act for them."""

    template_name = "api/consent.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer; the form may lead to the app's address, which the usual policy forbids."""
        if fault := _find_person_fault(request):
            return _refuse(request, fault, status=403)
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        redirect = getattr(self, "_redirect", "")
        if redirect and answer.status_code == 200:
            vars(answer)["form_target"] = _find_target(redirect)
        return answer

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the question, or refuse a request of the app that is wrong."""
        asked = request.GET
        app = Client.objects.filter(pk=asked.get("client_id", "")).first()
        if app is None:
            return _refuse(request, _NO_APP)
        self._redirect = redirect = asked.get("redirect_uri", "")
        if not oauth.is_redirect(app, redirect):
            return _refuse(request, _BAD_REDIRECT.format(address=redirect[: oauth.MAX_REDIRECT]))
        unknown = [word for word in asked.get("scope", "").split() if word not in list(Scope)]
        if unknown:
            return self._send_back("invalid_scope", f"There is no scope {unknown[0][:40]}.")
        if asked.get("code_challenge_method") != "S256" or not asked.get("code_challenge"):
            return self._send_back("invalid_request", _NO_CHALLENGE)
        if asked.get("prompt"):
            # A person always decides: nothing is granted silently.
            query = request.GET.copy()
            del query["prompt"]
            return see_other(f"{request.path}?{query.urlencode()}")
        answer: HttpResponse = super().get(request, *args, **kwargs)
        return answer

    def _send_back(self, error: str, why: str) -> HttpResponse:
        """Return the answer that leads to the app with an error."""
        fields = {"error": error, "error_description": why, "iss": _find_issuer(self.request)}
        if state := self.request.GET.get("state"):
            fields["state"] = state
        address = self._redirect + ("&" if urlsplit(self._redirect).query else "?")
        return HttpResponse(status=302, headers={"Location": address + urlencode(fields)})

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


@never_cache
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
            device_codes.confirm_or_deny_device_code(request.user, device_code, confirm=confirm)
            context["done"] = "allowed" if confirm else "denied"
        return render(request, "api/device.html", context)


_device = _Device.as_view()


@never_cache
@login_required
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
    if refusal := _count(request):
        return refusal
    try:
        return _exchange(request)
    except IntegrityError:
        # Another request has just exchanged the same code; the next attempt finds its family.
        return _exchange(request)


@atomic_with_retries
def _exchange(request: HttpRequest) -> HttpResponse:
    sent, app = request.POST, request.POST.get("client_id", "")
    spent = None
    if sent.get("grant_type") == Client.GrantType.REFRESH_TOKEN:
        spent = oauth.find_spent(sent.get("refresh_token", ""), app)
        if spent is not None and spent.spent_at is not None:
            oauth.end_family(sent["refresh_token"], app)
            why = "This refresh_token was used before. All tokens that came of it are revoked."
            return _refuse_tokens("invalid_grant", why)
    origin = sent.get("code") or sent.get("device_code") or ""
    if spent is None and origin and oauth.is_exchanged(origin, app):
        why = "This code was exchanged before. All tokens that came of it are revoked."
        return _refuse_tokens("invalid_grant", why)
    answer: HttpResponse = provider.token(request)
    made = _read(answer)
    if answer.status_code == 200:
        oauth.keep_tokens(made, origin=origin, spent=spent, now=timezone.now())
    elif not made.get("error_description") and made.get("error") in _DESCRIPTIONS:
        why = _DESCRIPTIONS[made["error"]]
        return _refuse_tokens(made["error"], why, answer.status_code)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _read(answer: HttpResponse) -> dict[str, Any]:
    value = json.loads(answer.content or b"{}")
    return value if isinstance(value, dict) else {}


def _refuse_tokens(error: str, why: str, status: int = 400) -> HttpResponse:
    document = {"error": error, "error_description": why}
    return JsonResponse(document, status=status, headers={"Cache-Control": "no-store"})


@csrf_exempt
@require_POST
def revoke_tokens(request: HttpRequest) -> HttpResponse:
    """Revoke the family of a token."""
    if refusal := _count(request):
        return refusal
    answer: HttpResponse = provider.revoke(request)
    if answer.status_code == 200:
        oauth.end_family(request.POST.get("token", ""), request.POST.get("client_id", ""))
    return answer


@csrf_exempt
@require_POST
def give_device_code(request: HttpRequest) -> HttpResponse:
    """Return the codes with which a device waits for a person's consent."""
    if refusal := _count(request):
        return refusal
    answer: HttpResponse = provider.device_code(request)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _count(request: HttpRequest) -> HttpResponse | None:
    """Count a call of an app; return the refusal if there are too many from its address."""
    try:
        limits.count_request(request, limits.VISITOR, get_adapter().get_client_ip(request))
    except Problem as problem:
        return answer_problem(problem)
    return None


@require_safe
def describe_server(request: HttpRequest) -> HttpResponse:
    """Return the metadata with which apps find the addresses here (RFC 8414)."""

    def find(name: str) -> str:
        return request.build_absolute_uri(reverse(f"idp:oidc:{name}"))

    return JsonResponse(
        {
            "issuer": _find_issuer(request),
            "authorization_endpoint": find("authorization"),
            "token_endpoint": find("token"),
            "revocation_endpoint": find("revoke"),
            "device_authorization_endpoint": find("device_code"),
            "scopes_supported": [scope.value for scope in Scope],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": [
                Client.GrantType.AUTHORIZATION_CODE.value,
                Client.GrantType.REFRESH_TOKEN.value,
                Client.GrantType.DEVICE_CODE.value,
            ],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "service_documentation": f"{_find_issuer(request)}{_find_guide()}",
        },
    )


def _find_guide() -> str:
    return reverse("guide", args=["http-api"])


def _find_issuer(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


app_name = "idp"
_oidc = [
    path("oauth/authorize", ask_consent, name="authorization"),
    path("oauth/device", ask_for_device, name="device_authorization"),
    path("oauth/device/code", give_device_code, name="device_code"),
    path("oauth/token", give_tokens, name="token"),
    path("oauth/revoke", revoke_tokens, name="revoke"),
]
urlpatterns = [
    path("", include((_oidc, "oidc"))),
    path(".well-known/oauth-authorization-server", describe_server, name="metadata"),
]
"""The names are those that the library looks up."""
