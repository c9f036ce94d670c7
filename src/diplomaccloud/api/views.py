"""The developer pages: API tokens, apps, and every call with a form to try it."""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.sessions import USE_STEP
from diplomaccloud.api import oauth, tokens
from diplomaccloud.api.service import service
from diplomaccloud.api.tokens import LIVES, MAX_NAME, SCOPE_WORDS, Scope
from diplomaccloud.games.lobby.read import ListQuery, Status, list_games
from diplomaccloud.games.table.errors import NoSuchGame, Refused
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.shared.responses import see_other


@require_safe
def show_calls(request: HttpRequest) -> HttpResponse:
    """List every call of the API, with a form to try it."""
    return render(request, "api/calls.html", {"groups": describe_calls()})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=lambda request: request.method == "POST")  # type: ignore[untyped-decorator]
def show_tokens(request: HttpRequest) -> HttpResponse:
    """List tokens, and create one, which is shown only once, in the answer to the form.

    A person who has not entered the password recently is asked for it before that.
    """
    user_id, is_sent = require_user_id(request), request.method == "POST"
    form = TokenForm(request.POST if is_sent else None, _list_seats(user_id))
    made = _make(form, user_id) if is_sent else ""
    if made:
        form = TokenForm(None, _list_seats(user_id))
    now = timezone.now()
    context = {
        "form": form,
        "made": made,
        "tokens": [
            {
                "row": row,
                "world": world,
                "scopes": list(map(SCOPE_WORDS.get, row.scopes.split())),
            }
            for row, world in tokens.list_tokens(user_id, now)
        ],
        "most": tokens.MAX_TOKENS,
        "hour_ago": now - USE_STEP,
    }
    return render(request, "api/tokens.html", context, status=422 if is_sent and not made else 200)


@never_cache
@login_required
@require_POST
def revoke(request: HttpRequest, key: int) -> HttpResponse:
    """Revoke a token."""
    if tokens.revoke_token(user_id=require_user_id(request), key=key):
        messages.success(request, "Token revoked. Programs can no longer use it.")
    return see_other(reverse("api:tokens"))


_USUAL_LIFE: Final = 90


class TokenForm(forms.Form):
    """The name of a token, its scopes, its seat, and how long it lasts."""

    name = forms.CharField(
        label="Name",
        max_length=MAX_NAME,
        help_text="The purpose of the token, for example “my bot”. Only you see it.",
    )
    scopes = forms.TypedMultipleChoiceField(
        label="Good for",
        choices=[(str(scope), words) for scope, words in SCOPE_WORDS.items()],
        coerce=Scope,
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what the token can do."},
    )
    seat = forms.ChoiceField(
        label="Games",
        required=False,
        help_text="A token for one game stops working as soon as you leave your seat there.",
    )
    days = forms.TypedChoiceField(
        label="Works for",
        choices=[(str(days), f"{days} days") for days in LIVES],
        coerce=lambda text: dt.timedelta(days=int(text)),
        initial=str(_USUAL_LIFE),
    )

    def __init__(self, data: object, seats: list[tuple[str, str]]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [("", "All your games"), *seats]


def _make(form: TokenForm, user_id: int) -> str:
    """Return the new token, or a blank string and the reason in the form if it is refused."""
    if not form.is_valid():
        return ""
    given = form.cleaned_data
    try:
        return tokens.make_token(
            user_id=user_id,
            name=given["name"],
            scopes=given["scopes"],
            life=given["days"],
            slug=given["seat"],
            now=timezone.now(),
        )
    except (Refused, NoSuchGame) as error:
        form.add_error(None, str(error))
        return ""


def _list_seats(user_id: int) -> list[tuple[str, str]]:
    """Return the games the person is playing in, for the form."""
    games = list_games(Viewer(user_id), ListQuery(statuses=(), vacant=False)).yours
    return [
        (game.slug, f"Only {game.your_country} in {game.world}")
        for game in games
        if game.yours and game.status == Status.RUNNING
    ]


_AUTOMATIC = ("Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID")
"""Headers that the page sends automatically, or not at all."""


@cache
def describe_calls() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return all calls by tag, in the order the API declares them.

    The `body` of a call is an example to start from, or blank if it takes none; `short` is the path
    without the common prefix, and `fields` are parameters as in OpenAPI.
    """
    schema, groups = service.get_openapi_schema(), dict[str, list[dict[str, Any]]]()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            call = _describe(path, method, operation, schema["components"]["schemas"])
            groups.setdefault(operation["tags"][0], []).append(call)
    return groups


def _describe(
    path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> dict[str, Any]:
    about = str(operation.get("description", operation["summary"])).replace("`", "")
    first, _, rest = about.partition("\n")
    body = ""
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        members = _resolve(schema, schemas).get("properties", {})
        # All members if none is required.
        names = _resolve(schema, schemas).get("required") or list(members)
        example = {name: _choose_value(members[name], schemas) for name in names}
        body = json.dumps(example, indent=2, ensure_ascii=False)
    fields = [field for field in operation.get("parameters", ()) if field["name"] not in _AUTOMATIC]
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "short": path.removeprefix("/api/v1"),
        "summary": first,
        "about": rest.strip(),
        "fields": fields,
        "body": body,
    }


def _resolve(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    return schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _choose_value(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> object:
    schema = _resolve(schema, schemas)
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _choose_value(schema["anyOf"][0], schemas)
    kinds: dict[str, object] = {"integer": schema.get("minimum", 0), "boolean": True, "array": []}
    return kinds.get(schema.get("type", ""), {} if schema.get("type") == "object" else "")


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


@require_safe
def describe_server(request: HttpRequest) -> HttpResponse:
    """Return the metadata with which apps find the addresses here (RFC 8414)."""
    site = request.build_absolute_uri("/").rstrip("/")

    def find(name: str) -> str:
        return site + reverse(f"idp:oidc:{name}")

    return JsonResponse(
        {
            "issuer": site,
            "authorization_endpoint": find("authorization"),
            "token_endpoint": find("token"),
            "revocation_endpoint": find("revoke"),
            "device_authorization_endpoint": find("device_code"),
            "scopes_supported": [scope.value for scope in Scope],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": [kind.value for kind in oauth.GRANT_TYPES],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "service_documentation": site + reverse("guide", args=["http-api"]),
        },
    )
