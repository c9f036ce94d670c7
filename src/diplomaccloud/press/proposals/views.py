"""Proposals: the page for composing one, its card, and the answers to it."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.deals import clause_to_json
from diplomaccloud.games.page.page import present_frame
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.press.conversations.actions import Mode, send_message
from diplomaccloud.press.conversations.forms import read_number
from diplomaccloud.press.conversations.page import COMPOSE, Desk
from diplomaccloud.press.conversations.views import (
    done,
    find_attachment,
    find_closed,
    keep_key,
    keep_text,
    read_desk,
    send_card,
)
from diplomaccloud.press.proposals import page
from diplomaccloud.press.proposals.actions import ProposalAttachment, answer_proposal
from diplomaccloud.press.proposals.forms import read_proposal
from diplomaccloud.press.proposals.read import ProposalFacts
from diplomaccloud.press.proposals.wording import Answer, ProposalState
from diplomaccloud.press.table.addresses import Address, parse_address
from diplomaccloud.press.table.errors import NoSuchProposal
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page, see_other, wants_json

OK = 200
_DONE = {
    ProposalState.OPEN: "Your answer was saved. Others have not answered yet.",
    ProposalState.ACCEPTED: "The deal is made. The ledger will show who keeps it.",
    ProposalState.REFUSED: "You refused the proposal.",
    ProposalState.DECLINED: "You answered: none of your business.",
    ProposalState.WITHDRAWN: "You withdrew the proposal.",
}


@never_cache
@keep_text
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Compose a proposal step by step and send it."""
    desk, address = read_desk(request, slug), parse_address(members)
    closed = find_closed(desk, address, is_sent=request.method == "POST")
    if desk.reader.phase is None or not desk.reader.is_running:
        closed = "Proposals are about orders, so the game must be in progress."
    if request.method != "POST":
        return _show(request, page.Drafting(desk, address, _start(request, desk, address)), closed)
    form = read_proposal(request)
    drafting = page.Drafting(desk, address, form)
    if not desk.reader.has_seat:
        return _show(request, drafting, closed, status=409)
    if form.do == COMPOSE:
        return _show(request, drafting, closed)
    if form.do == "add":
        alternatives, error = drafting.add()
        form = replace(form, alternatives=alternatives)
        return _show(request, page.Drafting(desk, address, form), closed, error)
    if form.do.startswith("remove "):
        kept = page.remove_clause(form.alternatives, form.do.removeprefix("remove "))
        return _show(
            request, page.Drafting(desk, address, replace(form, alternatives=kept)), closed
        )
    return _send(request, slug, drafting, closed)


def _start(request: HttpRequest, desk: Desk, address: Address) -> page.ProposalDraft:
    """Return an empty form, or one with the terms of the proposal to counter."""
    number = read_number(request.GET, "counter")
    if number is None:
        return page.ProposalDraft(parties=tuple(request.GET.getlist("party")))
    facts = _find_facts(desk, address, number)
    parties = tuple(power for power in facts.parties if power != facts.own_power)
    alternatives = [tuple(map(clause_to_json, clauses)) for clauses in facts.terms.alternatives]
    return page.ProposalDraft(tuple(alternatives), parties, counters=number)


def _send(request: HttpRequest, slug: str, drafting: page.Drafting, closed: str) -> HttpResponse:
    form, address = drafting.form, drafting.address
    if not form.alternatives:
        return _show(request, drafting, closed, "Add at least one clause.", status=400)
    if fault := drafting.find_fault():
        return _show(request, drafting, closed, fault, status=400)
    try:
        sent = send_message(
            slug=slug,
            user_id=require_user_id(request),
            to=address,
            mode=Mode.TOGETHER,
            body=form.body,
            key=form.key,
            now=timezone.now(),
            attachment=ProposalAttachment(drafting.write_terms(form.alternatives), form.counters),
        )
    except Refused as error:
        form = replace(form, key=keep_key(request, error))
        drafting = page.Drafting(drafting.desk, address, form)
        return _show(request, drafting, closed, str(error), status=error.status)
    (copy,) = sent.messages
    url = reverse("press:conversation", args=[slug, str(copy.address)])
    return see_other(f"{url}#m{copy.number}")


def _show(
    request: HttpRequest, drafting: page.Drafting, closed: str, error: str = "", status: int = OK
) -> HttpResponse:
    desk = drafting.desk
    context = {
        "view": present_frame(desk.reader),
        "page": drafting.present(),
        "closed": closed,
        "error": error,
    }
    refused = "" if status == OK else error or closed
    return render_page(
        request, "press/proposals/propose.html", context, status=status, refused=refused
    )


@never_cache
@require_safe
def show_card(request: HttpRequest, slug: str, members: str, number: int) -> HttpResponse:
    """Send the card of a proposal to a script, and everyone else to its message."""
    desk, address = read_desk(request, slug), parse_address(members)
    facts = _find_facts(desk, address, number)
    url = reverse("press:conversation", args=[slug, members])
    return send_card(request, url, number, page.present_proposal(facts, f"{url}{number}/"))


@never_cache
@require_POST
def answer(request: HttpRequest, slug: str, members: str, number: int) -> HttpResponse:
    """Answer a proposal, or withdraw one."""
    word, _, alternative = request.POST.get("answer", "").partition(" ")
    if word not in set(Answer) - {Answer.COUNTER}:
        raise NoSuchProposal
    state = answer_proposal(
        slug=slug,
        user_id=require_user_id(request),
        to=parse_address(members),
        number=number,
        answer=Answer(word),
        alternative=int(alternative) if alternative in {"0", "1", "2"} else 0,
        now=timezone.now(),
    )
    if not wants_json(request):
        messages.success(request, _DONE.get(state, "Your answer was saved."))
    url = reverse("press:conversation", args=[slug, members])
    return done(request, f"{url}#m{number}")


def _find_facts(desk: Desk, address: Address, number: int) -> ProposalFacts:
    """Return the proposal of a message that the viewer can read; raise `NoSuchProposal`."""
    facts = find_attachment(desk, address, number, ProposalFacts)
    if facts is None:
        raise NoSuchProposal
    return facts
