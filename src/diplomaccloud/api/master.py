"""Game master actions."""

import datetime as dt
import secrets
from typing import Annotated, Final, Literal

from django.http import HttpRequest
from django.utils import timezone
from pydantic import Field, StrictInt

from diplomaccloud.api.addresses import GameId
from diplomaccloud.api.answers import ApiAnswer, Given, PhaseNumber, Text
from diplomaccloud.api.auth import MASTER, caller_of
from diplomaccloud.api.games import ResultState
from diplomaccloud.api.operations import Area, Effect, act_in, act_on
from diplomaccloud.api.problems import naming
from diplomaccloud.games.deadlines.actions import try_again
from diplomaccloud.games.master import actions as master_actions
from diplomaccloud.games.master import rollback
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.table.errors import PlayersDecide
from diplomaccloud.games.table.forms import PhaseAction
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.press.inspection import actions as inspection_actions
from diplomaccloud.press.inspection.read import read_look
from diplomaccloud.press.table.addresses import seats_address


class MasterGiven(Given):
    """A game master action; some need `power`, `bot`, `seconds` or the phase `to` return to.

    If the players vote on a removal, its `cause` is `missed turns`, `abuse` or `own wish`.
    """

    phase: PhaseNumber
    reason: Annotated[str, Field(max_length=1_000)]
    power: Annotated[str, Field(max_length=40)] = ""
    cause: Annotated[str, Field(max_length=20)] = ""
    bot: Annotated[str, Field(max_length=20)] = ""
    seconds: Annotated[StrictInt, Field(ge=0, le=10**7)] | None = None
    to: Annotated[StrictInt, Field(ge=0, le=999_999)] = 0


class MasterDone(ApiAnswer):
    """Whether the action was done, or put to the players as a vote."""

    done: bool
    asked: bool


class PreviewGiven(Given):
    """The phase whose results to preview, and the reason."""

    phase: PhaseNumber
    reason: Annotated[str, Field(max_length=1_000)]


class PreviewState(ApiAnswer):
    """The results of the current orders."""

    results: list[ResultState]


class LookGiven(Given):
    """The powers in a private conversation, and the reason for reading it."""

    powers: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=40)]], Field(min_length=2, max_length=40)
    ]
    reason: Annotated[str, Field(max_length=1_000)]


class CopyState(ApiAnswer):
    """A message in the conversation; `name` is blank if it is hidden."""

    at: dt.datetime
    phase: Text | None
    country: str
    name: str
    subject: str
    body: str
    attached: str = Field(validation_alias="attached_text")


class LookState(ApiAnswer):
    """The latest messages in the conversation, oldest first."""

    messages: list[CopyState]


Act = Literal[
    "extend",
    "pause",
    "resume",
    "end-phase",
    "try-again",
    "roll-back",
    "roll-forward",
    "remove",
    "reprimand",
    "seat-bot",
]
_QUESTIONS: Final = {"seat-bot": Question.SEAT_BOT, "roll-forward": Question.ROLL_FORWARD}
"""The question put to the players if they decide, for acts with another name than it."""
_DETAILS: Final = {
    "extend": "seconds",
    "pause": "seconds",
    "roll-back": "to",
    "remove": "power",
    "reprimand": "power",
    "seat-bot": "power",
}
"""The field with the details of an act, besides its reason."""
area = Area("master", MASTER)


@area.writes("POST /games/{game}/master/{act}", MasterDone)
def act_as_master(request: HttpRequest, game: GameId, act: Act, given: MasterGiven) -> object:
    """Act as the game master. If you play in the game, the other players vote instead.

    A vote on `remove` needs a `cause`: `missed turns`, `abuse` or `own wish`.
    """
    action = act_in(request, game, given.phase)
    length = None if given.seconds is None else dt.timedelta(seconds=given.seconds)
    with naming(_DETAILS.get(act, "reason")):
        try:
            due_game_id = _act(act, action, given, length)
        except PlayersDecide:
            # Reprimands are never put to a vote.
            terms = _read_terms(act, given, length)
            master_actions.ask_players(**action, question=_find_question(act), terms=terms)
            return MasterDone(done=False, asked=True)
    return Effect(MasterDone(done=True, asked=False), due_game_id)


@area.writes("POST /games/{game}/previews", PreviewState)
def preview_results(request: HttpRequest, game: GameId, given: PreviewGiven) -> object:
    """Preview the results of the current orders. The log records that you looked."""
    action = act_in(request, game, given.phase)
    with naming("reason"):
        return master_actions.preview_results(**action, reason=given.reason)


@area.writes("POST /games/{game}/looks", LookState)
def look_at_conversation(request: HttpRequest, game: GameId, given: LookGiven) -> object:
    """Read a private conversation if the game's rules allow it. This is logged and announced."""
    to, now, action = seats_address(given.powers), timezone.now(), act_on(request, game)
    with naming("reason"):
        inspection_actions.look_at_conversation(**action, to=to, reason=given.reason, now=now)
    return {"messages": read_look(caller_of(request).viewer, game, to, at=now)}


def _act(
    act: Act, action: PhaseAction, given: MasterGiven, length: dt.timedelta | None
) -> int | None:
    """Do what the game master wants; return the key of a game that may be due."""
    reason, power, key = given.reason, given.power, f"master {secrets.token_hex(16)}"
    match act:
        case "end-phase":
            return master_actions.force_phase(**action, reason=reason, key=key)
        case "try-again":
            return try_again(**action, reason=reason, key=key)
        case "remove":
            return seats_actions.remove_player(**action, power=power, reason=reason)
        case "seat-bot":
            return seats_actions.seat_bot(**action, power=power, bot=given.bot, reason=reason)
        case "roll-back":
            rollback.roll_back(**action, to=given.to, reason=reason)
        case "roll-forward":
            rollback.roll_forward(**action, reason=reason)
        case "reprimand":
            master_actions.reprimand(**action, power=power, reason=reason)
        case _:
            question = _find_question(act)
            master_actions.change_time(
                **action, question=question, length=length, reason=reason, key=key
            )
    return None


def _find_question(act: Act) -> Question:
    return _QUESTIONS.get(act) or Question(act.replace("-", " "))


def _read_terms(act: Act, given: MasterGiven, length: dt.timedelta | None) -> Terms:
    match act:
        case "extend" | "pause" | "resume":
            return Terms(length=length, reason=given.reason)
        case "roll-back":
            return Terms(to=given.to, reason=given.reason)
        case "remove":
            return Terms(given.power, cause=given.cause, reason=given.reason)
        case "seat-bot":
            return Terms(given.power, bot=given.bot, reason=given.reason)
        case _:
            return Terms(reason=given.reason)
