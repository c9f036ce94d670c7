"""Votes on questions, and draw votes written with the orders."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from diplomaccloud.games.table.views import (
    game_login_required,
    keep_late_input,
    process_if_due,
    read_game,
    redirect_with_message,
    show_page,
)
from diplomaccloud.games.votes import actions
from diplomaccloud.games.votes.forms import AnswerForm, DrawVoteForm, OpenVoteForm
from diplomaccloud.games.votes.wording import Terms

_CONFIRMATIONS = {
    "draw": "You are voting for a draw.",
    "surrender": "You surrender when orders close. Until then, you can change your vote.",
    "": "You are voting for neither a draw nor surrender.",
}


@game_login_required
@require_POST
@keep_late_input
def draw_vote(request: HttpRequest, slug: str) -> HttpResponse:
    """Write DRAW or SURRENDER with the orders; a surrender asks for confirmation first."""
    form = DrawVoteForm.read(request)
    vote = "" if form.cleaned_data["vote"] == "none" else form.cleaned_data["vote"]
    if vote == "surrender" and not form.cleaned_data["sure"]:
        reader, context = read_game(request, slug), {"sequence": form.sequence}
        return show_page(request, reader, "games/votes/surrender.html", context, with_board=True)
    actions.vote_with_orders(**form.action(request, slug), vote=vote)
    return redirect_with_message(request, slug, _CONFIRMATIONS[vote])


@game_login_required
@require_POST
@keep_late_input
def open_vote(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a vote on a question."""
    form = OpenVoteForm.read(request)
    terms = Terms(form.cleaned_data["power"], form.cleaned_data["length"])
    vote = actions.open_vote(
        **form.action(request, slug), question=form.cleaned_data["question"], terms=terms
    )
    pending = "The vote is open, and you have voted yes."
    return redirect_with_message(request, slug, _describe_result(vote.outcome, pending))


@game_login_required
@require_POST
@keep_late_input
def answer(request: HttpRequest, slug: str) -> HttpResponse:
    """Vote yes or no in an open vote, or withdraw a vote that the player opened."""
    form = AnswerForm.read(request)
    action, vote_id = form.action(request, slug), form.cleaned_data["vote_id"]
    if form.cleaned_data["answer"] == "withdraw":
        actions.withdraw_vote(**action, vote_id=vote_id)
        return redirect_with_message(request, slug, "Vote withdrawn.")
    yes = form.cleaned_data["answer"] == "yes"
    vote = actions.cast_ballot(**action, vote_id=vote_id, yes=yes)
    if vote.outcome == "carried":
        # The phase may be due now.
        process_if_due(vote.game_id)
    pending = "Your vote is counted."
    return redirect_with_message(request, slug, _describe_result(vote.outcome, pending))


def _describe_result(outcome: str, pending: str) -> str:
    """Return the message for a voter; it starts with `pending` while the vote is undecided."""
    match outcome:
        case "carried":
            return "The vote passed."
        case "failed":
            return "The vote failed."
        case "impossible":
            return "The vote passed, but this is no longer possible. The log says why."
        case _:
            return f"{pending} The others see how many voted, not who."
