"""Game master actions."""

import datetime as dt
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Final, Literal

from django.http import HttpRequest
from django.utils import timezone
from pydantic import Field, StrictInt

from diplomaccloud.api.answers import ApiAnswer, Given, PhaseNumber, Text, reply
from diplomaccloud.api.auth import MASTER, caller_of
from diplomaccloud.api.boards import ResultState
from diplomaccloud.api.ids import GameId
from diplomaccloud.api.operations import Area, act_in, act_on
from diplomaccloud.api.problems import naming
from diplomaccloud.api.repeats import Effect
from diplomaccloud.games.deadlines.actions import try_again
from diplomaccloud.games.master import actions as master_actions
from diplomaccloud.games.master import rollback
from diplomaccloud.games.master.actions import ask_players, force_phase
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.actions import remove_player
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
_QUESTIONS: Final = {
    "extend": Question.EXTEND,
    "pause": Question.PAUSE,
    "resume": Question.RESUME,
    "end-phase": Question.END_PHASE,
    "try-again": Question.TRY_AGAIN,
    "roll-back": Question.ROLL_BACK,
    "roll-forward": Question.ROLL_FORWARD,
    "remove": Question.REMOVE,
    "seat-bot": Question.SEAT_BOT,
}
"""The question put to the players if they decide. Reprimands are never put to a vote."""
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
def act_as_master(request: HttpRequest, game: GameId, act: Act, given: MasterGiven) -> Effect:
    """Act as the game master. If you play in the game, the other players vote instead.

    A vote on `remove` needs a `cause`: `missed turns`, `abuse` or `own wish`.
    """
    action = act_in(request, game, given.phase)
    with naming(_DETAILS.get(act, "reason")):
        try:
            due_game_id = _find_work(act, action, given)()
        except PlayersDecide:
            terms = replace(_read_terms(act, given), reason=given.reason)
            ask_players(**action, question=_QUESTIONS[act], terms=terms)
            return Effect(reply(MasterDone(done=False, asked=True)))
    return Effect(reply(MasterDone(done=True, asked=False)), due_game_id)


@area.writes("POST /games/{game}/previews", PreviewState)
def preview_results(request: HttpRequest, game: GameId, given: PreviewGiven) -> Effect:
    """Preview the results of the current orders. The log records that you looked."""
    action = act_in(request, game, given.phase)
    with naming("reason"):
        resolution = master_actions.preview_results(**action, reason=given.reason)
    return Effect(reply(PreviewState.of(results=resolution.results)))


@area.writes("POST /games/{game}/looks", LookState)
def look_at_conversation(request: HttpRequest, game: GameId, given: LookGiven) -> Effect:
    """Read a private conversation if the game's rules allow it. This is logged and announced."""
    to, now, viewer = seats_address(given.powers), timezone.now(), caller_of(request).viewer
    action = act_on(request, game)
    with naming("reason"):
        inspection_actions.look_at_conversation(**action, to=to, reason=given.reason, now=now)
    copies = read_look(viewer, game, to, at=now)
    return Effect(reply(LookState.of(messages=copies)))


def _find_work(act: str, action: PhaseAction, given: MasterGiven) -> Callable[[], int | None]:
    """Return the function for the act, which returns the key of a game that may be due."""
    reason, key = given.reason, f"master {secrets.token_hex(16)}"

    def change_time() -> None:
        master_actions.change_time(
            **action, question=_QUESTIONS[act], length=_read_length(given), reason=reason, key=key
        )

    def reprimand() -> None:
        master_actions.reprimand(**action, power=given.power, reason=reason)

    def roll_back() -> None:
        rollback.roll_back(**action, to=given.to, reason=reason)

    def roll_forward() -> None:
        rollback.roll_forward(**action, reason=reason)

    def remove() -> int | None:
        return remove_player(**action, power=given.power, reason=reason)

    def seat_bot() -> int:
        return seats_actions.seat_bot(**action, power=given.power, bot=given.bot, reason=reason)

    works: dict[str, Callable[[], int | None]] = {
        "end-phase": lambda: force_phase(**action, reason=reason, key=key),
        "try-again": lambda: try_again(**action, reason=reason, key=key),
        "roll-back": roll_back,
        "roll-forward": roll_forward,
        "remove": remove,
        "reprimand": reprimand,
        "seat-bot": seat_bot,
    }
    return works.get(act, change_time)


def _read_terms(act: str, given: MasterGiven) -> Terms:
    """Return the terms of the question to the players, with the values the act needs."""
    match act:
        case "extend" | "pause" | "resume":
            return Terms(length=_read_length(given))
        case "roll-back":
            return Terms(to=given.to)
        case "remove":
            return Terms(power=given.power, cause=given.cause)
        case "seat-bot":
            return Terms(power=given.power, bot=given.bot)
        case _:
            return Terms()


def _read_length(given: MasterGiven) -> dt.timedelta | None:
    return None if given.seconds is None else dt.timedelta(seconds=given.seconds)
