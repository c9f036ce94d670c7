"""A person's reports, the decisions about the person, and what can be reported."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from diplomaccloud.accounts.models import User, name_of
from diplomaccloud.accounts.screen_names import Label, make_key
from diplomaccloud.games.table.errors import GameCanceled, NoSuchGame, WrongMoment
from diplomaccloud.games.table.models import Seat, Status, Tenure
from diplomaccloud.games.visibility.read import Viewer, find_game, is_canceled
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.moderation.judges import AFTER, AROUND, Evidence
from diplomaccloud.press.moderation.models import Decision, Report, TextReport
from diplomaccloud.press.moderation.read import (
    MAX_TEXTS,
    DecisionFacts,
    OwnText,
    name_country,
    present_decision,
    read_own_texts,
)
from diplomaccloud.press.moderation.wording import Outcome, Stage, TextKind, TextStage
from diplomaccloud.press.personal.read import read_personal
from diplomaccloud.press.table.addresses import Address, AddressKind, key_of_people
from diplomaccloud.press.table.errors import NoSuchCase, NoSuchConversation
from diplomaccloud.press.table.models import Conversation, Membership, PressLimit
from diplomaccloud.press.table.periods import Ranges, find_own_row, find_ranges
from diplomaccloud.press.table.read import MessageFacts, describe_attachments
from diplomaccloud.press.table.state import find_past_seat, find_target
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report by the viewer, who can only see whether it is decided.

    `text` is the kind of text reported, None for a message or the player of `country`.
    """

    world: str
    body: str
    at: dt.datetime
    is_decided: bool
    text: TextKind | None = None
    country: str = ""


@dataclass(frozen=True, slots=True)
class OwnReports:
    """The viewer's reports and decisions, newest first; `limits` has worlds and ends of limits.

    A limit on all press has a blank world. `texts` has the viewer's texts that moderators hid or
    restored.
    """

    decisions: tuple[DecisionFacts, ...]
    reports: tuple[OwnReport, ...]
    limits: tuple[tuple[str, dt.datetime], ...]
    texts: tuple[OwnText, ...] = ()


def read_own_reports(viewer: Viewer, *, now: dt.datetime) -> OwnReports:
    """Return the decisions about the viewer and their messages, and the viewer's own reports."""
    if viewer.user_id is None:
        raise NoSuchCase
    related = _reports.read(viewer.user_id)
    # One query for both would read all decisions of the site.
    rows = [*_decisions.read(viewer.user_id), *_decisions_about_player.read(viewer.user_id)]
    decisions = sorted(rows, key=lambda row: (row.at, row.pk), reverse=True)[:MAX_TEXTS]
    limits = [row for row in _limits.read(viewer.user_id) if row.until > now]
    sent = [*map(_present_report, related), *map(_present_text, _texts.read(viewer.user_id))]
    sent.sort(key=lambda row: row.at, reverse=True)
    return OwnReports(
        tuple(present_decision(row, for_accused=True) for row in decisions),
        tuple(sent[:MAX_TEXTS]),
        tuple((row.game.world if row.game else "", row.until) for row in limits),
        read_own_texts(viewer.user_id),
    )


def read_own_decisions(viewer: Viewer) -> tuple[DecisionFacts, ...]:
    """Return all decisions about the viewer and their messages, oldest first."""
    person = viewer.user_id or 0
    rows = [*_select_decisions(person), *_select_decisions(person, as_player=True)]
    ordered = sorted(rows, key=lambda row: row.pk)
    return tuple(present_decision(row, for_accused=True) for row in ordered)


def read_own_decision(viewer: Viewer, key: str) -> DecisionFacts:
    """Return the first decision about the viewer in a case; raise `NoSuchCase`."""
    for as_player in (False, True):
        rows = _select_decisions(viewer.user_id or 0, as_player=as_player)
        if decision := rows.filter(case__key=key, on_appeal=False).first():
            return present_decision(decision, for_accused=True)
    raise NoSuchCase


def _select_decisions(user_id: int, *, as_player: bool = False) -> QuerySet[Decision]:
    """Return the decisions that the person concerned sees: all except "no action".

    They are about the person's messages or, with `as_player`, about the person.
    """
    mine = Q(case__person=user_id) if as_player else Q(case__message__send__author=user_id)
    rows = Decision.objects.filter(mine).exclude(Q(outcome=Outcome.NONE) & Q(on_appeal=False))
    return rows.select_related("case__game", "case__seat", "case__message__phase", "appeal")


_decisions = PreparedQuery(
    lambda person: _select_decisions(person).order_by("-at", "-pk")[:MAX_TEXTS], int
)
_decisions_about_player = PreparedQuery(
    lambda person: _select_decisions(person, as_player=True).order_by("-at", "-pk")[:MAX_TEXTS], int
)
_reports = PreparedQuery(
    lambda person: (
        Report.objects.filter(reporter=person)
        .select_related("case__game", "case__seat", "message")
        .order_by("-at", "-pk")[:MAX_TEXTS]
    ),
    int,
)
_texts = PreparedQuery(
    lambda person: (
        TextReport.objects.filter(reporter=person)
        .select_related("case")
        .order_by("-at", "-pk")[:MAX_TEXTS]
    ),
    int,
)
# A person has few of them, whether they are over or not.
_limits = PreparedQuery(
    lambda person: PressLimit.objects.filter(user=person).select_related("game").order_by("until"),
    int,
)


def _present_report(report: Report) -> OwnReport:
    case = report.case
    return OwnReport(
        world=case.game.world if case.game else "",
        body=report.message.body if report.message else "",
        at=report.at,
        is_decided=case.stage != Stage.OPEN,
        country=name_country(case),
    )


def _present_text(report: TextReport) -> OwnReport:
    case = report.case
    is_decided = case.stage != TextStage.OPEN
    return OwnReport("", case.text, report.at, is_decided, TextKind(case.kind))


# The players of a game whom a person can report, by their countries.


def read_player_choices(slug: str, viewer: Viewer) -> tuple[str, list[tuple[str, str, bool]]]:
    """Return the world and the seats whose players the viewer can report.

    These are all seats that a person holds or held, except the viewer's own. A seat has its first
    power, its country, and whether the viewer's report of it is open. Raises `NoSuchGame`,
    or `WrongMoment` before the start.
    """
    game = find_game(slug, viewer)
    if game is None:
        raise GameCanceled if is_canceled(slug) else NoSuchGame
    if game.status == Status.FORMING:
        raise WrongMoment("This game has not started yet.")
    tenures = Tenure.objects.filter(seat__game=game).exclude(user=None).order_by("pk")
    last = dict(tenures.values_list("seat", "user"))
    open_reports = Report.objects.filter(
        reporter=viewer.user_id or 0, case__game=game, case__open=True
    )
    reported = set(open_reports.values_list("case__seat", flat=True))
    seats: list[Seat] = game.seat_list
    return game.world, [
        (seat.power or "", seat.country_name, seat.pk in reported)
        for seat in seats
        if seat.pk in last and last[seat.pk] != viewer.user_id
    ]


# Copying messages as one person sees them, for the evidence of a report.


def copy_evidence(press: PressReader, address: Address, number: int) -> Evidence:
    """Return the evidence for a report of a message; raise `NoSuchConversation`."""
    if press.user_id is None or not press.may_write:
        raise NoSuchConversation
    facts = press.conversation(address, before=number + AFTER + 1, limit=AROUND + 1)
    target, game = find_target(press.table, address), press.table.game
    seats = {seat.pk: seat for seat in target.seats}
    if target.kind is AddressKind.SEATS and (own_seat := find_past_seat(press.table)) is not None:
        seats[own_seat.pk] = own_seat
    members = [seat.country_name for seat in seats.values()]
    if target.kind is AddressKind.MASTER:
        members.append(Label.MASTER)
    return copy_messages(
        facts.messages,
        number,
        kind=target.kind,
        members=members,
        slug=game.slug,
        world=game.world,
        map_hash=game.chart.content_hash,
    )


def is_message_reported(press: PressReader, address: Address, number: int) -> bool:
    """Return whether the viewer has reported a message of a game."""
    conversation, _, ranges = press.rows.find(find_target(press.table, address))
    if press.user_id is None or conversation is None:
        return False
    return is_reported(press.user_id, conversation, ranges, number)


def is_reported(user_id: int, conversation: Conversation, ranges: Ranges, number: int) -> bool:
    """Return whether the person has reported message `number` of those in `ranges`."""
    stored = ranges.stored(number) if 1 <= number <= ranges.count else 0
    rows = Report.objects.filter(reporter=user_id, message__conversation=conversation)
    return rows.filter(message__number=stored).exists()


def copy_messages(
    messages: Sequence[MessageFacts],
    number: int,
    *,
    kind: AddressKind,
    members: Sequence[str],
    slug: str = "",
    world: str = "",
    map_hash: str = "",
) -> Evidence:
    """Return the messages as evidence; raise `NoSuchConversation` if the viewer wrote `number`.

    The copies don't reveal the reporter, neither through "you" nor through the order of members.
    """
    reported = next((row for row in messages if row.number == number), None)
    if reported is None or reported.author.is_you:
        raise NoSuchConversation
    copies = [
        {
            "reported": row.number == number,
            "at": row.at.isoformat(),
            "phase": str(row.phase) if row.phase else "",
            "author": str(row.author.kind),
            "country": row.author.country,
            "power": row.author.power,
            "name": row.author.name,
            "subject": row.subject,
            "body": row.body,
            "attached": str(row.attached),
            "attached_text": describe_attachments(row.attachments, map_hash),
        }
        for row in messages
    ]
    content = {"game": slug, "world": world, "kind": str(kind), "members": sorted(members)}
    return Evidence(number, {**content, "messages": copies})


def copy_personal_evidence(viewer: Viewer, name: str, number: int, *, now: dt.datetime) -> Evidence:
    """Return the evidence for a report of a personal message; raise `NoSuchConversation`."""
    facts = read_personal(viewer, name, now=now, before=number + AFTER + 1, limit=AROUND + 1)
    people = User.objects.filter(pk=viewer.user_id or 0).first()
    own_name = people.screen_name if people else ""
    members = [own_name, name_of(facts.summary.person)]
    return copy_messages(facts.messages, number, kind=AddressKind.PERSONAL, members=members)


def is_personal_reported(viewer: Viewer, name: str, number: int) -> bool:
    """Return whether the viewer has reported a message of the conversation with this person."""
    person = User.objects.filter(folded_name=make_key(name)).first()
    if viewer.user_id is None or person is None:
        return False
    key = key_of_people([viewer.user_id, person.pk])
    rows = Membership.objects.filter(conversation__key=key).select_related("conversation")
    viewer_row = find_own_row(list(rows), viewer.user_id)
    if viewer_row is None:
        return False
    ranges = find_ranges(viewer_row.conversation, [viewer_row], viewer.user_id)
    return is_reported(viewer.user_id, viewer_row.conversation, ranges, number)
