"""Drafts, conditional orders, draw votes, and questions to all players."""

import datetime as dt
from typing import Annotated, Final

from django.http import HttpRequest, HttpResponse
from ninja import Query
from pydantic import Field

from diplomaccloud.api.auth import PLAY, READ
from diplomaccloud.api.calls.acting import (
    act_in,
    is_still_ready,
    read_seat,
    require_an_order,
    show_seat,
)
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.seats import describe_saved
from diplomaccloud.api.ids import IdOf, PublicId, read_id
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import naming
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.history import HintState
from diplomaccloud.api.schemas.seats import (
    AnswerGiven,
    ConditionalOrdersGiven,
    DraftGiven,
    DrawVoteGiven,
    HintGiven,
    OwnSeat,
    QuestionGiven,
    RenameGiven,
    SavedOrders,
    TalkGiven,
)
from diplomaccloud.games.bots import actions as bots_actions
from diplomaccloud.games.bots.page import present_hint
from diplomaccloud.games.conditional_orders import actions as conditional_orders_actions
from diplomaccloud.games.deadlines.actions import finish_talking, resume_talking
from diplomaccloud.games.drafts import actions as drafts_actions
from diplomaccloud.games.drafts.actions import drop_draft, make_live, new_draft
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.errors import InputOutdated
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.votes import actions as votes_actions
from diplomaccloud.games.votes.actions import cast_ballot, vote_with_orders, withdraw_vote
from diplomaccloud.games.votes.wording import Question, Terms

DraftName = Annotated[str, Field(min_length=1, max_length=60)]
Sequence = Annotated[int, Query(ge=1, le=999_999)]
_DETAILS: Final = {"concede": "power", "extend": "seconds", "pause": "seconds"}
"""The field with the details of a question."""
hints_area = Area("seat", PLAY)
votes_area = Area("seat", PLAY)
drafts_area = Area("seat", PLAY)


@drafts_area.writes("PUT /games/{game}/seat/drafts/{name}", SavedOrders)
def save_draft(request: HttpRequest, game: GameId, name: DraftName, given: DraftGiven) -> Effect:
    """Save orders in the draft with this name, creating it if needed; `live` makes it count."""
    action, name = act_in(request, game, given.phase), " ".join(name.split())
    reader = read_seat(request, game)
    lock_game(game)
    draft = next((draft for draft in reader.drafts if draft.name == name), None)
    if draft is None:
        with naming("name"):
            new_draft(**action, name=name, copy=given.copied)
    elif given.live and not draft.live and given.version not in ("", draft.version):
        # Saving checks only what it replaces, but all orders of a live draft are submitted.
        raise InputOutdated(
            f"The orders in “{name}” have changed since you read them. Nothing was saved."
        )
    if given.live:
        make_live(**action, name=name)
    saved = save_orders(
        **action,
        choices=given.orders or (),
        sheet="",
        draft=name,
        version=given.version,
        keep=True,
    )
    answer = describe_saved(saved, given.phase, ready=is_still_ready(request, game, given.phase))
    require_an_order(answer)
    return Effect(reply(answer))


@drafts_area.writes("POST /games/{game}/seat/drafts/{name}/rename", OwnSeat)
def rename_draft(request: HttpRequest, game: GameId, name: DraftName, given: RenameGiven) -> Effect:
    """Rename a draft."""
    action, name = act_in(request, game, given.phase), " ".join(name.split())
    with naming("new_name"):
        drafts_actions.rename_draft(**action, name=name, new_name=given.new_name)
    return show_seat(request, game)


@drafts_area.writes("DELETE /games/{game}/seat/drafts/{name}", OwnSeat)
def delete_draft(request: HttpRequest, game: GameId, name: DraftName, phase: Sequence) -> Effect:
    """Delete a draft. The live draft cannot be deleted."""
    drop_draft(**act_in(request, game, phase), name=name)
    return show_seat(request, game)


@drafts_area.writes("PUT /games/{game}/seat/conditional-orders", OwnSeat)
def save_conditional_orders(
    request: HttpRequest, game: GameId, given: ConditionalOrdersGiven
) -> Effect:
    """Save conditional orders for retreats and builds, all or none. Blank text deletes them."""
    action = act_in(request, game, given.phase)
    with naming("text"):
        conditional_orders_actions.save_conditional_orders(
            **action, text=given.text, version=given.version
        )
    return show_seat(request, game)


@votes_area.writes("PUT /games/{game}/seat/draw-vote", OwnSeat)
def set_draw_vote(request: HttpRequest, game: GameId, given: DrawVoteGiven) -> Effect:
    """Set your draw vote: DRAW, SURRENDER or neither. It counts when the phase is processed."""
    vote = "" if given.vote == "none" else given.vote
    vote_with_orders(**act_in(request, game, given.phase), vote=vote)
    return show_seat(request, game)


@votes_area.writes("POST /games/{game}/seat/votes", OwnSeat)
def open_vote(request: HttpRequest, game: GameId, given: QuestionGiven) -> Effect:
    """Put a question to all players. Your own vote is yes."""
    length = None if given.seconds is None else dt.timedelta(seconds=given.seconds)
    with naming(_DETAILS.get(given.question, "question")):
        vote = votes_actions.open_vote(
            **act_in(request, game, given.phase),
            question=Question(given.question),
            terms=Terms(given.power, length),
        )
    return show_seat(request, game, vote.game_id if vote.outcome == "carried" else None)


@votes_area.writes("POST /games/{game}/seat/votes/{vote}", OwnSeat)
def answer_vote(request: HttpRequest, game: GameId, vote: PublicId, given: AnswerGiven) -> Effect:
    """Vote yes or no, replacing your earlier answer, or withdraw your own question."""
    action, vote_id = act_in(request, game, given.phase), read_id(IdOf.VOTE, vote)
    if given.answer == "withdraw":
        withdraw_vote(**action, vote_id=vote_id)
        return show_seat(request, game)
    row = cast_ballot(**action, vote_id=vote_id, yes=given.answer == "yes")
    return show_seat(request, game, row.game_id if row.outcome == "carried" else None)


@votes_area.writes("PUT /games/{game}/seat/talk", OwnSeat)
def set_talk(request: HttpRequest, game: GameId, given: TalkGiven) -> Effect:
    """Mark that you have finished talking, or clear the mark. Talk ends early once all have."""
    action = act_in(request, game, given.phase)
    (finish_talking if given.done else resume_talking)(**action)
    return show_seat(request, game)


@hints_area.reads("/games/{game}/seat/hint", HintState, guard=READ)
def get_hint(request: HttpRequest, game: GameId) -> HttpResponse:
    """Return the orders a General suggests, in a game of one person against bots."""
    return reply(_read_hint(request, game))


@hints_area.writes("POST /games/{game}/seat/hint", HintState)
def ask_hint(request: HttpRequest, game: GameId, given: HintGiven) -> Effect:
    """Ask a General for orders. It thinks for several seconds; then read the hint with GET."""
    bots_actions.ask_hint(**act_in(request, game, given.phase))
    return Effect(reply(_read_hint(request, game)))


def _read_hint(request: HttpRequest, game: str) -> HintState:
    hint = present_hint(read_seat(request, game))
    if hint is None:
        return HintState(available=False, asked=False, orders=[], warnings=[])
    return HintState(
        available=True,
        asked=hint.asked,
        orders=list(hint.orders),
        warnings=list(hint.warnings),
    )
