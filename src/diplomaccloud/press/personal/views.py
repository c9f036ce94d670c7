"""Personal messages, the message settings, and declared relationships."""

from dataclasses import replace

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.relationships import (
    KINDS,
    confirm_relationship,
    declare_relationship,
    end_relationship,
    list_relationships,
    refuse_relationship,
)
from diplomaccloud.accounts.screen_names import MAX_NAME, isolate
from diplomaccloud.games.table.errors import NoSuchPlayer
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.actions import block_person, mute_conversation, mute_seat
from diplomaccloud.press.conversations.forms import read_number
from diplomaccloud.press.conversations.page import Draft, PressView
from diplomaccloud.press.conversations.views import (
    RefusedJson,
    done,
    is_part,
    keep_key,
    keep_text,
    mark_seen,
)
from diplomaccloud.press.page.forms import read_message
from diplomaccloud.press.personal import actions
from diplomaccloud.press.personal import read as personal
from diplomaccloud.press.personal.page import present_choices, present_personal
from diplomaccloud.press.personal.read import list_blocked, read_mutes
from diplomaccloud.press.table.addresses import parse_address
from diplomaccloud.press.table.errors import KeyReused, NoSuchConversation
from diplomaccloud.press.table.read import ConversationFacts
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page, see_other, wants_json


@never_cache
@login_required
@require_safe
def show_personal(request: HttpRequest, name: str) -> HttpResponse:
    """Show the conversation with a person. A full page marks its messages as read."""
    after, before = read_number(request.GET, "after"), read_number(request.GET, "before")
    facts = personal.read_personal(
        viewer_of(request.user), name, now=timezone.now(), after=after, before=before
    )
    view = _present(
        request, facts, part=after is not None or before is not None, past=before is not None
    )
    response = _show(request, view)
    mark_seen(request, view, to=facts.summary.person)
    return response


@never_cache
@keep_text
@require_POST
def send(request: HttpRequest, name: str) -> HttpResponse:
    """Send a message to the person."""
    sent = read_message(request)
    try:
        number = actions.send_personal(
            user_id=require_user_id(request),
            to=name,
            subject=sent.subject,
            body=sent.body,
            key=sent.key,
            now=timezone.now(),
        )
    except (NoSuchConversation, NoSuchPlayer):
        raise
    except Refused as error:
        if wants_json(request):
            is_used = isinstance(error, KeyReused)
            return RefusedJson(str(error), status=error.status, is_used=is_used)
        draft = replace(sent, key=keep_key(request, error), error=str(error))
        facts = personal.read_personal(viewer_of(request.user), name, now=timezone.now())
        view = _present(request, facts, draft=draft)
        return _show(request, view, status=error.status, refused=str(error))
    url = reverse("press:personal", args=[name])
    if wants_json(request):
        return JsonResponse({"sent": [{"url": url, "number": number}], "note": ""})
    return see_other(f"{url}#latest")


@never_cache
@require_POST
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Block or unblock the person's messages."""
    block_person(
        user_id=require_user_id(request),
        name=name,
        blocked=request.POST.get("blocked") == "1",
        now=timezone.now(),
    )
    return done(request, reverse("press:personal", args=[name]))


def _present(
    request: HttpRequest,
    facts: ConversationFacts,
    *,
    draft: Draft | None = None,
    part: bool = False,
    past: bool = False,
) -> PressView:
    is_blocked = personal.is_blocked(viewer_of(request.user), facts.summary.person)
    return present_personal(facts, draft=draft, part=part, past=past, blocked=is_blocked)


def _show(
    request: HttpRequest, press: PressView, *, status: int = 200, refused: str = ""
) -> HttpResponse:
    is_short = is_part(request) and status == 200
    template = "press/page/partial.html" if is_short else "press/personal/personal.html"
    return render_page(request, template, {"press": press}, status=status, refused=refused)


# The message settings: who may write to a person, and what is muted or blocked.


@never_cache
@login_required
@require_safe
def show_settings(request: HttpRequest) -> HttpResponse:
    """Show the settings."""
    facts = read_mutes(viewer_of(request.user))
    context = {"accepts_personal": facts.accepts_personal, **present_choices(facts)}
    return render(request, "press/personal/settings.html", context)


@never_cache
@require_POST
def accept_personal(request: HttpRequest) -> HttpResponse:
    """Save whether others may write personal messages."""
    accepted = request.POST.get("personal") == "1"
    actions.accept_personal(user_id=require_user_id(request), accepted=accepted)
    said = "Others can write to you." if accepted else "Nobody can write personal messages to you."
    messages.success(request, said)
    return see_other(reverse("press:choices"))


@never_cache
@require_POST
def end_setting(request: HttpRequest) -> HttpResponse:
    """End a listed mute or block."""
    user_id, now = require_user_id(request), timezone.now()
    what, game, to = (request.POST.get(name, "") for name in ("what", "game", "to"))
    match what:
        case "block":
            block_person(user_id=user_id, name=to, blocked=False, now=now)
        case "seat":
            mute_seat(slug=game, user_id=user_id, power=to, muted=False, now=now)
        case "conversation":
            place = parse_address(to) if game else to
            mute_conversation(user_id=user_id, slug=game, to=place, muted=False, now=now)
        case _:
            raise NoSuchConversation
    messages.success(request, "Done.")
    return see_other(reverse("press:choices"))


# The page on which people declare that they know each other, and confirm what others declare.


_CHANGES = {
    "confirm": (confirm_relationship, "Confirmed. Players of your games can now see it."),
    "refuse": (refuse_relationship, "Refused. The other person does not learn of it."),
    "end": (end_relationship, "The declaration has ended."),
}


class RelationshipForm(forms.Form):
    """The other person's name, and how the two know each other."""

    name = forms.CharField(
        label="Screen name of the other person",
        max_length=MAX_NAME,
        error_messages={"required": "Enter a screen name."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    kind = forms.ChoiceField(
        label="How you know each other",
        choices=KINDS,
        error_messages={
            "required": "Choose how you know each other.",
            "invalid_choice": "Choose how you know each other.",
        },
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_relationships(request: HttpRequest) -> HttpResponse:
    """List a person's declared relationships; declare, confirm, refuse or end one."""
    user_id, form, status = require_user_id(request), RelationshipForm(), 200
    if request.method == "POST":
        try:
            if "act" in request.POST:
                messages.success(request, _change(request, user_id))
                return see_other(reverse("press:relationships"))
            form = RelationshipForm(request.POST)
            if form.is_valid():
                messages.success(request, _declare(user_id, form))
                return see_other(reverse("press:relationships"))
            status = 422
        except Refused as error:
            status = error.status
            if form.is_bound:
                form.add_error("name", str(error))
            else:
                messages.error(request, str(error))
    listed = list_relationships(user_id, ignored=list_blocked(viewer_of(request.user)))
    context = {
        "form": form,
        "asked": [row for row in listed if not row.confirmed_at and not row.is_own],
        "confirmed": [row for row in listed if row.confirmed_at],
        "waiting": [row for row in listed if not row.confirmed_at and row.is_own],
    }
    return render(request, "press/personal/relationships.html", context, status=status)


def _declare(user_id: int, form: RelationshipForm) -> str:
    name, kind = form.cleaned_data["name"], form.cleaned_data["kind"]
    shown = isolate(name)
    if declare_relationship(user_id=user_id, name=name, kind=kind, now=timezone.now()):
        return f"You and {shown} have declared the same, so it is confirmed."
    return f"Declared. It counts once {shown} confirms it on this page. The site notifies nobody."


def _change(request: HttpRequest, user_id: int) -> str:
    change = _CHANGES.get(request.POST["act"])
    if change is None:
        raise Refused("Choose Confirm, Refuse or End.")
    act, said = change
    act(user_id=user_id, key=read_number(request.POST, "key") or 0, now=timezone.now())
    return said
