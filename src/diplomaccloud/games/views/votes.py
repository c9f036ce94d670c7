"""Votes: those written with the orders, and motions."""

import datetime as dt

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.actions import Question, Terms
from diplomaccloud.games.errors import Refused
from diplomaccloud.games.views.decorators import person_required
from diplomaccloud.games.views.late import in_time
from diplomaccloud.games.views.responses import act_of, done, key_in, sequence_of, whole_number

_LONGEST = 10**7
_WRITTEN = {
    "draw": "DRAW is written with your orders.",
    "surrender": "SURRENDER is written with your orders. You can take it back until they close.",
    "": "You vote for neither a draw nor surrender.",
}


@person_required
@require_POST
@in_time
def ballot(request: HttpRequest, slug: str) -> HttpResponse:
    """Write DRAW or SURRENDER with the orders; who surrenders is asked again first."""
    sequence, vote = sequence_of(request), request.POST.get("vote", "")
    vote = "" if vote == "none" else vote
    if vote == "surrender" and request.POST.get("sure") != "1":
        view = viewpoint.game_view(slug, viewpoint.viewer_of(request.user))
        context = {"view": view, "sequence": sequence}
        return render(request, "games/surrender.html", context)
    actions.vote_with_orders(**act_of(request, slug), vote=vote)
    return done(request, slug, _WRITTEN[vote])


@person_required
@require_POST
@in_time
def move(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a question to the vote."""
    question = question_in(request)
    terms = Terms(request.POST.get("power", ""), length_in(request))
    motion = actions.open_motion(**act_of(request, slug), question=question, terms=terms)
    return done(request, slug, _told(motion.outcome, "The vote is open. You have voted yes."))


@person_required
@require_POST
@in_time
def answer(request: HttpRequest, slug: str) -> HttpResponse:
    """Vote yes or no on a motion, or take one's own back."""
    motion_id, said = key_in(request, "motion", "which vote it is for"), request.POST.get("answer")
    act = act_of(request, slug)
    if said == "withdraw":
        actions.withdraw_motion(**act, motion_id=motion_id)
        return done(request, slug, "The vote is taken back.")
    if said not in ("yes", "no"):
        raise Refused("Yes or no?")
    motion = actions.cast_ballot(**act, motion_id=motion_id, yes=said == "yes")
    return done(request, slug, _told(motion.outcome, "Your vote is counted."))


def question_in(request: HttpRequest) -> Question:
    """Return the question that the form names; raise `Refused`."""
    try:
        return Question(request.POST.get("question", ""))
    except ValueError:
        raise Refused("There is no such vote.") from None


def length_in(request: HttpRequest) -> dt.timedelta | None:
    """Return the length of time that the form gives in seconds, None without; raise `Refused`."""
    text = request.POST.get("length", "")
    if not text:
        return None
    seconds = whole_number(text, digits=8)
    if seconds is None or seconds > _LONGEST:
        raise Refused("By how long?")
    return dt.timedelta(seconds=seconds)


def _told(outcome: str, pending: str) -> str:
    """Return what to tell a voter: `pending` if the vote is not decided yet."""
    match outcome:
        case "carried":
            return "The vote was carried."
        case "failed":
            return "The vote failed."
        case _:
            return f"{pending} The others see how many voted, not who."
