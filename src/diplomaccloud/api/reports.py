"""Reports, decisions about them, and appeals."""

import datetime as dt
from collections.abc import Iterable
from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from pydantic import BeforeValidator, Field

from diplomaccloud.api.addresses import GameId
from diplomaccloud.api.answers import ApiAnswer, Given
from diplomaccloud.api.auth import PRESS, bearer_of, caller_of
from diplomaccloud.api.operations import Area, act_on, find_arrival
from diplomaccloud.press.moderation.wording import (
    MESSAGE_GROUNDS,
    PLAYER_GROUNDS,
    Grounds,
    TextStage,
)
from diplomaccloud.press.reports.actions import appeal_decision, report_player, report_text
from diplomaccloud.press.reports.read import read_own_reports


class GroundsState(ApiAnswer):
    """Possible grounds for a report: the value to send, and its meaning."""

    value: str
    label: str


class OwnReportState(ApiAnswer):
    """One of your reports. It shows only whether the report has been decided.

    `country` is set for a report of a player, with a blank `body`.
    """

    world: str
    country: str
    body: str
    at: dt.datetime
    decided: bool = Field(validation_alias="is_decided")


class DecisionState(ApiAnswer):
    """A decision about one of your messages or, with a `country`, about you as its player.

    If an appeal overturned a removal, `seat_returned` says whether you got the seat back.
    """

    key: str
    world: str
    outcome: str
    reason: str
    until: dt.datetime | None
    at: dt.datetime
    on_appeal: bool
    by_master: bool
    country: str
    subject: str
    body: str
    appeal: str
    may_appeal: bool
    seat_returned: bool | None


class LimitState(ApiAnswer):
    """How long your press is limited, in one game or, if `world` is blank, everywhere."""

    world: str
    until: dt.datetime


class HiddenTextState(ApiAnswer):
    """Your screen name, status or map name that a moderator hid or restored, and the reason."""

    kind: str
    text: str
    hidden: Annotated[bool, BeforeValidator(TextStage.HIDDEN.__eq__)] = Field(
        validation_alias="stage"
    )
    reason: str
    at: dt.datetime


class OwnReportsState(ApiAnswer):
    """Your reports, decisions about your messages and texts, and possible grounds for reports."""

    grounds: list[GroundsState]
    player_grounds: list[GroundsState]
    reports: list[OwnReportState]
    decisions: list[DecisionState]
    limits: list[LimitState]
    texts: list[HiddenTextState]


class ReportGiven(Given):
    """A report of the screen name or status of the player `of`, or of the name of a map."""

    kind: Literal["name", "status", "map"]
    of: Annotated[str, Field(min_length=1, max_length=64)]
    grounds: Annotated[str, Field(max_length=20)]
    note: Annotated[str, Field(max_length=2_000)] = ""


class PlayerReportGiven(Given):
    """A report of the player of a country, whose `grounds` are one of `player_grounds`."""

    power: Annotated[str, Field(min_length=1, max_length=40)]
    grounds: Annotated[str, Field(max_length=20)]
    note: Annotated[str, Field(max_length=2_000)] = ""


class AppealGiven(Given):
    """The reason why a decision about you or your message should be changed."""

    text: Annotated[str, Field(min_length=1, max_length=2_000)]


def _show_reports(request: HttpRequest, now: dt.datetime) -> object:
    facts = read_own_reports(caller_of(request).viewer, now=now)
    return {
        "grounds": _describe_grounds(MESSAGE_GROUNDS),
        "player_grounds": _describe_grounds(PLAYER_GROUNDS),
        "reports": facts.reports,
        "decisions": facts.decisions,
        "limits": [LimitState(world=world, until=until) for world, until in facts.limits],
        "texts": facts.texts,
    }


def _describe_grounds(grounds: Iterable[Grounds]) -> list[GroundsState]:
    return [GroundsState(value=word.value, label=word.label) for word in grounds]


CaseKey = Annotated[str, Field(pattern="^[-a-zA-Z0-9_]{1,40}$")]
area = Area("people", PRESS)


@area.reads("/me/reports", OwnReportsState)
def list_reports(request: HttpRequest) -> object:
    """List your reports, decisions about you, and the possible grounds for a report."""
    return _show_reports(request, timezone.now())


@area.writes("POST /me/reports", OwnReportsState)
def report_name(request: HttpRequest, given: ReportGiven) -> object:
    """Report a screen name, a status or the name of a map to the moderators."""
    now = find_arrival(request)
    report_text(
        user_id=bearer_of(request).user_id,
        kind=given.kind,
        of=given.of,
        grounds=given.grounds,
        note=given.note,
        now=now,
    )
    return _show_reports(request, now)


@area.writes("POST /games/{game}/reports", OwnReportsState)
def report_country(request: HttpRequest, game: GameId, given: PlayerReportGiven) -> object:
    """Report the player of a country to the people who judge reports, who do not name you.

    In an anonymous game, you don't learn who the player is. You can have one open report for each
    country.
    """
    now = find_arrival(request)
    report_player(
        **act_on(request, game), power=given.power, grounds=given.grounds, note=given.note, now=now
    )
    return _show_reports(request, now)


@area.writes("POST /me/reports/{key}/appeal", OwnReportsState)
def appeal(request: HttpRequest, key: CaseKey, given: AppealGiven) -> object:
    """Appeal a decision about you or your message to another moderator. You can appeal once."""
    now = find_arrival(request)
    appeal_decision(user_id=bearer_of(request).user_id, key=key, text=given.text, now=now)
    return _show_reports(request, now)
