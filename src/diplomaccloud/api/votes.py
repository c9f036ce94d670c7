"""Votes: draw votes, questions to all players, and ending the talk early."""

import datetime as dt
from typing import Annotated, Final, Literal

from django.http import HttpRequest
from pydantic import Field, StrictBool, StrictInt

from diplomaccloud.api.addresses import GameId, IdOf, PublicId, read_id
from diplomaccloud.api.answers import Given, PhaseNumber
from diplomaccloud.api.auth import PLAY
from diplomaccloud.api.operations import Area, act_in
from diplomaccloud.api.problems import naming
from diplomaccloud.api.seats import OwnSeat, show_seat
from diplomaccloud.games.deadlines.actions import finish_talking, resume_talking
from diplomaccloud.games.votes import actions as votes_actions
from diplomaccloud.games.votes.wording import Question, Terms


class DrawVoteGiven(Given):
    """A draw vote, written with the orders."""

    phase: PhaseNumber
    vote: Literal["draw", "surrender", "none"]


class QuestionGiven(Given):
    """A question to all players; `power` wins by a concession, and `seconds` is a duration."""

    phase: PhaseNumber
    question: Literal["draw", "concede", "cancel", "extend", "pause", "resume"]
    power: Annotated[str, Field(max_length=40)] = ""
    seconds: Annotated[StrictInt, Field(ge=0, le=10**7)] | None = None


class AnswerGiven(Given):
    """An answer to a question."""

    phase: PhaseNumber
    answer: Literal["yes", "no", "withdraw"]


class TalkGiven(Given):
    """Whether you have finished talking in the phase."""

    phase: PhaseNumber
    done: StrictBool


_DETAILS: Final = {"concede": "power", "extend": "seconds", "pause": "seconds"}
"""The field with the details of a question."""
area = Area("seat", PLAY)


@area.writes("PUT /games/{game}/seat/draw-vote", OwnSeat)
def set_draw_vote(request: HttpRequest, game: GameId, given: DrawVoteGiven) -> object:
    """Set your draw vote: DRAW, SURRENDER or neither. It counts when the phase is processed."""
    vote = "" if given.vote == "none" else given.vote
    votes_actions.vote_with_orders(**act_in(request, game, given.phase), vote=vote)
    return show_seat(request, game)


@area.writes("POST /games/{game}/seat/votes", OwnSeat)
def open_vote(request: HttpRequest, game: GameId, given: QuestionGiven) -> object:
    """Put a question to all players. Your own vote is yes."""
    length = None if given.seconds is None else dt.timedelta(seconds=given.seconds)
    with naming(_DETAILS.get(given.question, "question")):
        vote = votes_actions.open_vote(
            **act_in(request, game, given.phase),
            question=Question(given.question),
            terms=Terms(given.power, length),
        )
    return show_seat(request, game, vote.game_id if vote.outcome == "carried" else None)


@area.writes("POST /games/{game}/seat/votes/{vote}", OwnSeat)
def answer_vote(request: HttpRequest, game: GameId, vote: PublicId, given: AnswerGiven) -> object:
    """Vote yes or no, replacing your earlier answer, or withdraw your own question."""
    action, vote_id = act_in(request, game, given.phase), read_id(IdOf.VOTE, vote)
    if given.answer == "withdraw":
        votes_actions.withdraw_vote(**action, vote_id=vote_id)
        return show_seat(request, game)
    row = votes_actions.cast_ballot(**action, vote_id=vote_id, yes=given.answer == "yes")
    return show_seat(request, game, row.game_id if row.outcome == "carried" else None)


@area.writes("PUT /games/{game}/seat/talk", OwnSeat)
def set_talk(request: HttpRequest, game: GameId, given: TalkGiven) -> object:
    """Mark that you have finished talking, or clear the mark. Talk ends early once all have."""
    (finish_talking if given.done else resume_talking)(**act_in(request, game, given.phase))
    return show_seat(request, game)
