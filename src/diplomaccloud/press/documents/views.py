"""Documents: the page for writing one, its card, and signing and changing it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.games.page.page import present_frame
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.press.conversations.actions import Mode, send_message
from diplomaccloud.press.conversations.forms import join_subject
from diplomaccloud.press.conversations.page import COMPOSE, Desk, make_key
from diplomaccloud.press.conversations.views import (
    done,
    find_attachment,
    find_closed,
    keep_key,
    keep_text,
    read_desk,
    send_card,
)
from diplomaccloud.press.documents.actions import DocumentAttachment, change_document, sign_document
from diplomaccloud.press.documents.page import present_document
from diplomaccloud.press.documents.read import DocumentFacts
from diplomaccloud.press.table.addresses import Address, parse_address
from diplomaccloud.press.table.errors import NoSuchDocument
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page, see_other, wants_json


@never_cache
@keep_text
@require_http_methods(["GET", "HEAD", "POST"])
def write(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Show the form for a document to one conversation, and send it."""
    desk, address = read_desk(request, slug), parse_address(members)
    closed = find_closed(desk, address, is_sent=request.method == "POST")
    if request.method != "POST" or request.POST.get("do") == COMPOSE:
        return _show(request, desk, address, closed=closed)
    try:
        sent = send_message(
            slug=slug,
            user_id=require_user_id(request),
            to=address,
            mode=Mode.TOGETHER,
            body=request.POST.get("body", ""),
            key=request.POST.get("key", ""),
            now=timezone.now(),
            attachment=DocumentAttachment(text=request.POST.get("text", "")),
        )
    except Refused as error:
        return _show(request, desk, address, closed=closed, error=error)
    (copy,) = sent.messages
    return see_other(f"{desk.url('conversation', str(copy.address))}#m{copy.number}")


@never_cache
@keep_text
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, slug: str, members: str, number: int) -> HttpResponse:
    """Change a document that nobody has signed, as its author."""
    desk, address = read_desk(request, slug), parse_address(members)
    facts = _find_facts(desk, address, number)
    if request.method != "POST":
        if not facts.may_change:
            raise NoSuchDocument
        return _show(request, desk, address, text=facts.text, number=number)
    try:
        change_document(
            slug=slug,
            user_id=require_user_id(request),
            to=address,
            number=number,
            text=request.POST.get("text", ""),
            now=timezone.now(),
        )
    except NoSuchDocument:
        raise
    except Refused as error:
        return _show(request, desk, address, error=error, number=number)
    messages.success(request, "The document was changed.")
    return see_other(f"{desk.url('conversation', members)}#m{number}")


@never_cache
@require_POST
def sign(request: HttpRequest, slug: str, members: str, number: int) -> HttpResponse:
    """Sign a document with the text shown in the form."""
    sign_document(
        slug=slug,
        user_id=require_user_id(request),
        to=parse_address(members),
        number=number,
        digest=request.POST.get("digest", ""),
        now=timezone.now(),
    )
    if not wants_json(request):
        messages.success(request, "You signed the document.")
    url = reverse("press:conversation", args=[slug, members])
    return done(request, f"{url}#m{number}")


@never_cache
@require_safe
def show_card(request: HttpRequest, slug: str, members: str, number: int) -> HttpResponse:
    """Send the card of a document to a script, and everyone else to its message."""
    desk, address = read_desk(request, slug), parse_address(members)
    facts = _find_facts(desk, address, number)
    url = reverse("press:conversation", args=[slug, members])
    return send_card(request, url, number, present_document(facts, f"{url}{number}/"))


def _find_facts(desk: Desk, address: Address, number: int) -> DocumentFacts:
    facts = find_attachment(desk, address, number, DocumentFacts)
    if facts is None:
        raise NoSuchDocument
    return facts


def _show(
    request: HttpRequest,
    desk: Desk,
    address: Address,
    *,
    text: str = "",
    closed: str = "",
    error: Refused | None = None,
    number: int | None = None,
) -> HttpResponse:
    """Return the form for a new document, or for the one in message `number`."""
    refused = str(error or "")
    context = {
        "view": present_frame(desk.reader),
        "title": desk.names.title(address),
        "to": desk.names.speak(address),
        "back_url": desk.url("conversation", str(address)),
        "carry_url": desk.url("carry", str(address)),
        "text": request.POST.get("text", text),
        "body": join_subject(request.POST),
        "key": keep_key(request, error) or make_key(),
        "closed": closed,
        "error": refused,
        "number": number,
    }
    status = error.status if error else 200
    return render_page(
        request, "press/documents/document.html", context, status=status, refused=refused
    )
