"""Playing besides orders: drafts, conditional orders, draw votes, and questions to all players."""

import datetime as dt
from typing import Annotated

from django.http import HttpRequest
from ninja import Query
from pydantic import Field

from diplomaccloud.api.auth import PLAY, caller_of
from diplomaccloud.api.calls.acting import act_in
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.seats import describe_own_seat, describe_saved, require_own_seat
from diplomaccloud.api.operations import FAULTS, router
from diplomaccloud.api.repeats import Effect, write_once
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas import (
    AnswerGiven,
    ConditionalOrdersGiven,
    DraftGiven,
    DrawVoteGiven,
    OwnSeat,
    QuestionGiven,
    SavedOrders,
)
from diplomaccloud.games import actions
from diplomaccloud.games.viewpoint import GameReader

DraftName = Annotated[str, Field(min_length=1, max_length=60)]
Sequence = Annotated[int, Query(ge=1, le=999_999)]
VoteKey = Annotated[int, Field(ge=1, le=10**15)]


@router.put(
    "/games/{game}/seat/drafts/{name}",
    auth=PLAY,
    operation_id="saveDraft",
    tags=["seat"],
    response={200: SavedOrders, **FAULTS},
)
@write_once
def save_draft(request: HttpRequest, game: GameId, name: DraftName, given: DraftGiven) -> Effect:
    """Save orders in the draft of that name, made if there is none; `live` makes it count."""
    action, name = act_in(request, game, given.phase), " ".join(name.split())
    drafts = require_own_seat(GameReader(game, caller_of(request).viewer)).drafts
    if all(draft.name != name for draft in drafts):
        actions.new_draft(**action, name=name, copy=False)
    if given.live:
        actions.make_live(**action, name=name)
    saved = actions.save_orders(
        **action, choices=given.orders, sheet="", draft=name, version=given.version
    )
    return Effect(reply(describe_saved(saved, given.phase)))


@router.delete(
    "/games/{game}/seat/drafts/{name}",
    auth=PLAY,
    operation_id="deleteDraft",
    tags=["seat"],
    response={200: OwnSeat, **FAULTS},
)
@write_once
def delete_draft(request: HttpRequest, game: GameId, name: DraftName, phase: Sequence) -> Effect:
    """Delete a draft that is not the live one."""
    actions.drop_draft(**act_in(request, game, phase), name=name)
    return _show_seat(request, game)


@router.put(
    "/games/{game}/seat/conditional-orders",
    auth=PLAY,
    operation_id="saveConditionalOrders",
    tags=["seat"],
    response={200: OwnSeat, **FAULTS},
)
@write_once
def save_conditional_orders(
    request: HttpRequest, game: GameId, given: ConditionalOrdersGiven
) -> Effect:
    """Save conditional orders for retreats and builds, all or none; a blank text deletes them."""
    action = act_in(request, game, given.phase)
    actions.save_conditional_orders(**action, text=given.text, version=given.version)
    return _show_seat(request, game)


@router.put(
    "/games/{game}/seat/draw-vote",
    auth=PLAY,
    operation_id="setDrawVote",
    tags=["seat"],
    response={200: OwnSeat, **FAULTS},
)
@write_once
def set_draw_vote(request: HttpRequest, game: GameId, given: DrawVoteGiven) -> Effect:
    """Write DRAW or SURRENDER with your orders, or neither; counted when the phase is resolved."""
    vote = "" if given.vote == "none" else given.vote
    actions.vote_with_orders(**act_in(request, game, given.phase), vote=vote)
    return _show_seat(request, game)


@router.post(
    "/games/{game}/seat/votes",
    auth=PLAY,
    operation_id="openVote",
    tags=["seat"],
    response={200: OwnSeat, **FAULTS},
)
@write_once
def open_vote(request: HttpRequest, game: GameId, given: QuestionGiven) -> Effect:
    """Put a question to all players; you have voted yes."""
    length = None if given.seconds is None else dt.timedelta(seconds=given.seconds)
    vote = actions.open_vote(
        **act_in(request, game, given.phase),
        question=actions.Question(given.question),
        terms=actions.Terms(given.power, length),
    )
    return _show_seat(request, game, vote.game_id if vote.outcome == "carried" else None)


@router.post(
    "/games/{game}/seat/votes/{vote}",
    auth=PLAY,
    operation_id="answerVote",
    tags=["seat"],
    response={200: OwnSeat, **FAULTS},
)
@write_once
def answer_vote(request: HttpRequest, game: GameId, vote: VoteKey, given: AnswerGiven) -> Effect:
    """Vote yes or no, in place of an earlier answer, or withdraw a question of your own."""
    action = act_in(request, game, given.phase)
    if given.answer == "withdraw":
        actions.withdraw_vote(**action, vote_id=vote)
        return _show_seat(request, game)
    row = actions.cast_ballot(**action, vote_id=vote, yes=given.answer == "yes")
    return _show_seat(request, game, row.game_id if row.outcome == "carried" else None)


def _show_seat(request: HttpRequest, game: str, due_game_id: int | None = None) -> Effect:
    """Return the seat as it is now."""
    reader = require_own_seat(GameReader(game, caller_of(request).viewer))
    return Effect(reply(describe_own_seat(reader)), due_game_id)
