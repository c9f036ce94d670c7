"""Cases for the people who judge them: the queue, one case, and looks beyond the evidence."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.relationships import Declared, find_declared
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.evidence import MAX_INSPECTED, digest_evidence
from diplomaccloud.press.judges import TAKEN_FOR, is_about, is_judge, list_outcomes, select_cases
from diplomaccloud.press.models import Case, Decision, Inspection, Message, Report
from diplomaccloud.press.models.reports import (
    MESSAGE_GROUNDS,
    PLAYER_GROUNDS,
    Grounds,
    Outcome,
    Stage,
)
from diplomaccloud.press.viewpoint.attachments import read_attachments
from diplomaccloud.press.viewpoint.facts import AuthorKind, describe_attachments
from diplomaccloud.press.viewpoint.reports.own import DecisionFacts, name_country, present_decision

MAX_LISTED: Final = 50
"""How many cases a list shows: the oldest waiting ones and the newest decided ones."""


GROUNDS: Final = tuple((word.value, word.label) for word in MESSAGE_GROUNDS)
"""The grounds for a report of a message, name or status, as values and labels."""
GROUNDS_OF_PLAYERS: Final = tuple((word.value, word.label) for word in PLAYER_GROUNDS)
"""The grounds for a report of a player."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A message in the evidence; `name` is blank if it was hidden from the reporter."""

    reported: bool
    at: dt.datetime
    phase: JudgePhase | None
    author: AuthorKind
    country: str
    name: str
    subject: str
    body: str
    attached: str = ""
    attached_text: str = ""


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case in the queue; `taken` is blank, `you` or `other`. `world` is blank outside games.

    `kind` is None for a case about the player of `country`.
    """

    key: str
    stage: Stage
    kind: Kind | None
    world: str
    country: str
    grounds: tuple[Grounds, ...]
    reports: int
    opened_at: dt.datetime
    taken: str
    for_master: bool


@dataclass(frozen=True, slots=True)
class Queue:
    """The waiting cases, oldest first, and those that the viewer decided, newest first."""

    waiting: tuple[CaseLine, ...]
    decided: tuple[CaseLine, ...]
    is_moderator: bool


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """A report without its author; `is_intact` says whether the evidence matches its digest.

    `phase` is that in which a player was reported, and `name` the player's, unless it was hidden.
    """

    grounds: Grounds
    note: str
    phase: JudgePhase | None
    name: str
    members: tuple[str, ...]
    copies: tuple[Copy, ...]
    digest: str
    is_intact: bool


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """One case, as the person who judges it sees it.

    `outcomes` has the possible decisions and is empty before the viewer takes the case. `earlier`
    counts decisions about the same person, if the evidence names the person; then a moderator also
    sees the countries of people with whom that person has declared a relationship.
    """

    line: CaseLine
    slug: str
    reports: tuple[ReportFacts, ...]
    decisions: tuple[DecisionFacts, ...]
    appeal: str
    outcomes: tuple[Outcome, ...]
    by_master: bool
    may_take: bool
    may_inspect: bool
    earlier: tuple[tuple[Outcome, int], ...]
    inspected: tuple[str, ...]
    declared: tuple[tuple[str, Declared], ...]


def read_queue(viewer: Viewer, *, now: dt.datetime) -> Queue:
    """Return the viewer's cases; raise `NoSuchCase` for a person who is not a judge."""
    user = _find_judge(viewer)
    cases = select_cases(user, now).select_related("message__conversation", "game", "seat")
    waiting = cases.filter(stage__in=(Stage.OPEN, Stage.APPEALED)).order_by("opened_at", "pk")
    decided = cases.filter(stage__in=(Stage.DECIDED, Stage.FINAL)).order_by("-opened_at", "-pk")
    rows = [*waiting[:MAX_LISTED], *decided[:MAX_LISTED]]
    grounds: dict[int, list[str]] = {}
    for key, word in Report.objects.filter(case__in=[row.pk for row in rows]).values_list(
        "case", "grounds"
    ):
        grounds.setdefault(key, []).append(word)
    lines = {row.pk: _line(row, grounds.get(row.pk, []), user, now) for row in rows}
    is_waiting = (Stage.OPEN, Stage.APPEALED)
    return Queue(
        tuple(lines[row.pk] for row in rows if row.stage in is_waiting),
        tuple(lines[row.pk] for row in rows if row.stage not in is_waiting),
        user.moderator or user.is_superuser,
    )


def read_case(viewer: Viewer, key: str, *, now: dt.datetime) -> CaseFacts:
    """Return a case with its evidence; raise `NoSuchCase` if the viewer does not judge it."""
    user = _find_judge(viewer)
    case = _find_case(user, key, now)
    reports = list(case.reports.order_by("pk"))
    decisions = list(case.decisions.select_related("appeal").order_by("on_appeal"))
    first = decisions[0] if decisions else None
    waits = case.stage in (Stage.OPEN, Stage.APPEALED)
    by_master = _judges_as_master(case, user)
    is_taken = waits and case.taken_by_id == user.pk
    line = _line(case, [row.grounds for row in reports], user, now)
    inspections = case.inspections.order_by("pk")
    return CaseFacts(
        line=line,
        slug=case.game.slug if case.game else "",
        reports=tuple(map(_present_report, reports)),
        decisions=tuple(present_decision(row) for row in decisions),
        appeal=first.appeal.text if first and hasattr(first, "appeal") else "",
        outcomes=list_outcomes(case, by_master=by_master, first=first) if is_taken else (),
        by_master=by_master,
        may_take=waits and line.taken == "",
        may_inspect=is_taken and not by_master,
        earlier=_count_earlier(case, reports) if user.moderator or user.is_superuser else (),
        inspected=tuple(row.what for row in inspections),
        declared=_list_declared(case, reports) if is_taken and not by_master else (),
    )


def read_inspected(viewer: Viewer, key: str, *, at: dt.datetime) -> tuple[Copy, ...]:
    """Return the newest messages of the conversation, for the look recorded at `at`.

    The names are those that everyone in the conversation sees.
    """
    case = find_inspected(viewer, key, Inspection.What.CONVERSATION, at)
    if case.message is None:
        raise NoSuchCase
    rows = Message.objects.filter(conversation=case.message.conversation)
    related = rows.select_related("author", "seat", "phase").order_by("-number")
    newest = list(related[:MAX_INSPECTED])
    carried = read_attachments(newest, None)
    map_hash = case.game.chart.content_hash if case.game else ""
    is_masked = bool(case.game and case.game.options.anonymous and not case.game.finished_at)
    kind = Kind(case.message.conversation.kind)
    return tuple(
        replace(
            copy_row(row, kind, is_masked=is_masked),
            reported=row.pk == case.message_id,
            attached_text=describe_attachments(carried.get(row.pk, ()), map_hash),
        )
        for row in reversed(newest)
    )


def read_unmasked(viewer: Viewer, key: str, *, at: dt.datetime) -> str:
    """Return the screen name of the author or player, for the look recorded at `at`."""
    case = find_inspected(viewer, key, Inspection.What.NAME, at)
    return case.accused.screen_name


def _find_judge(viewer: Viewer) -> User:
    user = User.objects.filter(pk=viewer.user_id or 0, is_active=True).first()
    if user is None or user.guest or not is_judge(user):
        raise NoSuchCase
    return user


def _find_case(user: User, key: str, now: dt.datetime) -> Case:
    cases = select_cases(user, now).filter(key=key)
    related = cases.select_related(
        "message__conversation", "message__send__author", "game", "seat", "person"
    )
    case = related.first()
    if case is None:
        raise NoSuchCase
    return case


def find_inspected(viewer: Viewer, key: str, what: str, at: dt.datetime) -> Case:
    """Return the case of the look recorded at `at`; raise `NoSuchCase` if there was none."""
    user = _find_judge(viewer)
    case = _find_case(user, key, at)
    if not case.inspections.filter(by=user, what=what, at=at).exists():
        raise NoSuchCase
    return case


def _judges_as_master(case: Case, user: User) -> bool:
    return case.stage == Stage.OPEN and case.game is not None and case.game.master_id == user.pk


def _line(case: Case, grounds: Sequence[str], user: User, now: dt.datetime) -> CaseLine:
    held = case.taken_at is not None and case.taken_at > now - TAKEN_FOR
    taken = "you" if case.taken_by_id == user.pk else "other" if held else ""
    counted = Counter(grounds)
    return CaseLine(
        key=case.key,
        stage=Stage(case.stage),
        kind=Kind(case.message.conversation.kind) if case.message else None,
        world=case.game.world if case.game else "",
        country=name_country(case),
        grounds=tuple(word for word in Grounds if counted[word]),
        reports=len(grounds),
        opened_at=case.opened_at,
        taken=taken,
        for_master=_judges_as_master(case, user),
    )


def _present_report(report: Report) -> ReportFacts:
    content = report.evidence
    members = content.get("members")
    return ReportFacts(
        grounds=Grounds(report.grounds),
        note=report.note,
        phase=JudgePhase.parse(str(content["phase"])) if "phase" in content else None,
        name=str(content.get("name", "")),
        members=tuple(map(str, members)) if isinstance(members, list) else (),
        copies=read_copies(content),
        digest=report.digest,
        is_intact=digest_evidence(content) == report.digest,
    )


def read_copies(content: Mapping[str, object]) -> tuple[Copy, ...]:
    """Return the messages of evidence."""
    copies = content.get("messages")
    return tuple(map(_read_copy, copies)) if isinstance(copies, list) else ()


def _read_copy(copy: Mapping[str, str]) -> Copy:
    return Copy(
        reported=bool(copy["reported"]),
        at=dt.datetime.fromisoformat(copy["at"]),
        phase=JudgePhase.parse(copy["phase"]) if copy["phase"] else None,
        author=AuthorKind(copy["author"]),
        country=copy["country"],
        name=copy["name"],
        subject=copy["subject"],
        body=copy["body"],
        attached=copy["attached"],
        # Evidence from earlier releases lacks it.
        attached_text=copy.get("attached_text", ""),
    )


def copy_row(row: Message, kind: Kind, *, is_masked: bool) -> Copy:
    """Return a message as a person who looks at its conversation sees it."""
    if row.author is None:
        author = AuthorKind.UNSIGNED
    elif row.seat is not None:
        author = AuthorKind.SEAT
    elif kind in (Kind.PREGAME, Kind.PERSONAL):
        author = AuthorKind.PERSON
    else:
        author = AuthorKind.MASTER
    is_named = row.author is not None and not is_masked and author is not AuthorKind.MASTER
    return Copy(
        reported=False,
        at=row.at,
        phase=row.phase.judge_phase if row.phase else None,
        author=author,
        country=row.seat.country_name if row.seat else "",
        name=row.author.screen_name if is_named and row.author else "",
        subject=row.subject,
        body=row.body,
        attached=row.attached,
    )


def _count_earlier(case: Case, reports: Sequence[Report]) -> tuple[tuple[Outcome, int], ...]:
    """Return the number of other decisions about the same person, if the evidence names the person.

    Otherwise, the numbers could reveal who wrote an unsigned message or plays in an anonymous game.
    """
    if not _names_accused(case, reports):
        return ()
    rows = Decision.objects.filter(is_about(case.accused.pk))
    rows = rows.exclude(case=case).exclude(outcome=Outcome.NONE, on_appeal=False)
    newest = {row.case_id: row.outcome for row in rows.order_by("on_appeal")}
    counted = Counter(newest.values())
    return tuple((word, counted[word]) for word in Outcome if counted[word])


def _names_accused(case: Case, reports: Sequence[Report]) -> bool:
    """Return whether all evidence names the accused person."""
    if case.message is None:
        return all(row.evidence.get("name") for row in reports)
    copies = [copy for row in reports for copy in read_copies(row.evidence) if copy.reported]
    return all(copy.name for copy in copies)


def _list_declared(case: Case, reports: Sequence[Report]) -> tuple[tuple[str, Declared], ...]:
    """Return the relationships of the accused with others in the game, by country.

    In an anonymous game only the signals show them, since a look at those stays in the audit.
    """
    if case.game is None or not _names_accused(case, reports):
        return ()
    seats = {seat.user_id: seat for seat in case.game.seat_list if seat.user_id}
    found = find_declared(case.accused.pk, seats)
    return tuple((seat.country_name, found[key]) for key, seat in seats.items() if key in found)
