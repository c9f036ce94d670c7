"""Cases, the audit, signals and stopped games, for the people who judge."""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Prefetch, Q, QuerySet, prefetch_related_objects

from diplomaccloud.accounts.known_browsers import SharedMarks, compare_marks
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.relationships import Declared, find_declared
from diplomaccloud.games.statistics.read import tally_phases
from diplomaccloud.games.table.models import FROZEN, Game, Seat, Tenure
from diplomaccloud.games.visibility.read import Viewer, is_masked
from diplomaccloud.judge.phases import Phase
from diplomaccloud.press.conversations.read import read_attachments
from diplomaccloud.press.moderation import judges
from diplomaccloud.press.moderation.models import (
    AuditEntry,
    Case,
    Decision,
    Inspection,
    Report,
    TextCase,
    TextReport,
)
from diplomaccloud.press.moderation.wording import (
    WAITING,
    Grounds,
    Outcome,
    Stage,
    TextKind,
    TextStage,
)
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.errors import NoSuchCase
from diplomaccloud.press.table.models import Message
from diplomaccloud.press.table.read import AuthorKind, describe_attachments
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class DecisionFacts:
    """A decision without the name of the judge; `body` is the viewer's message.

    `country` is the viewer's seat in a case about the viewer's play, else blank. `appeal` is the
    text of the viewer's appeal, and `may_appeal` says whether one is possible. If an appeal
    overturned a removal, `seat_returned` says whether the seat was still vacant.
    """

    key: str
    world: str
    outcome: Outcome
    reason: str
    until: dt.datetime | None
    at: dt.datetime
    on_appeal: bool
    by_master: bool
    country: str
    subject: str
    body: str
    sent_at: dt.datetime | None
    phase: Phase | None
    appeal: str
    may_appeal: bool
    seat_returned: bool | None


def present_decision(decision: Decision, *, for_accused: bool = False) -> DecisionFacts:
    """Return a decision as its judges may see it or, with `for_accused`, as the accused may."""
    case = decision.case
    message, appeal = case.message if for_accused else None, getattr(decision, "appeal", None)
    return DecisionFacts(
        key=case.key,
        world=case.game.world if case.game else "",
        outcome=Outcome(decision.outcome),
        reason=decision.reason,
        until=decision.until,
        at=decision.at,
        on_appeal=decision.on_appeal,
        by_master=decision.by_master,
        country=name_country(case),
        subject=message.subject if message else "",
        body=message.body if message else "",
        sent_at=message.at if message else None,
        phase=message.phase.judge_phase if message and message.phase else None,
        appeal=appeal.text if appeal else "",
        seat_returned=decision.seat_returned,
        may_appeal=for_accused and case.stage == Stage.DECIDED and not decision.on_appeal,
    )


def name_country(case: Case) -> str:
    """Return the country of the player whom the case is about; blank if about a message."""
    if case.seat is None or case.game is None:
        return ""
    case.seat.game = case.game
    return case.seat.country_name


MAX_CASES: Final = 50
"""How many cases a list shows: the oldest waiting ones and the newest decided ones."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A message in the evidence; `name` is blank if it was hidden from the reporter."""

    reported: bool
    at: dt.datetime
    phase: Phase | None
    author: AuthorKind
    country: str
    name: str
    subject: str
    body: str
    attached: str
    attached_text: str


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case in the queue; `taken` is blank, `you` or `other`. `world` is blank outside games.

    `kind` is None for a case about the player of `country`.
    """

    key: str
    stage: Stage
    kind: AddressKind | None
    world: str
    country: str
    grounds: tuple[Grounds, ...]
    reports: int
    opened_at: dt.datetime
    taken: str


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """A report without its author; `is_intact` says whether the evidence matches its digest.

    `phase` is that in which a player was reported, and `name` the player's, unless it was hidden.
    """

    grounds: Grounds
    note: str
    phase: Phase | None
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
    may_take: bool
    may_inspect: bool
    earlier: tuple[tuple[Outcome, int], ...]
    declared: tuple[tuple[str, Declared], ...]


def read_queue(viewer: Viewer, *, now: dt.datetime) -> tuple[list[CaseLine], list[CaseLine]]:
    """Return the waiting cases, oldest first, and those that the viewer decided, newest first.

    Raises `NoSuchCase` for a person who is not a judge.
    """
    user = _find_judge(viewer)
    cases = judges.select_cases(user, now).select_related("message__conversation", "game", "seat")
    done = cases.filter(stage__in=(Stage.DECIDED, Stage.FINAL)).order_by("-opened_at", "-pk")
    waiting = list(cases.filter(stage__in=WAITING).order_by("opened_at", "pk")[:MAX_CASES])
    decided = list(done[:MAX_CASES])
    # Without the evidence, which is long.
    grounds = Prefetch("reports", Report.objects.only("case", "grounds"))
    prefetch_related_objects([*waiting, *decided], grounds)
    return [_line(row, user, now) for row in waiting], [_line(row, user, now) for row in decided]


def read_case(viewer: Viewer, key: str, *, now: dt.datetime) -> CaseFacts:
    """Return a case with its evidence; raise `NoSuchCase` if the viewer does not judge it."""
    user = _find_judge(viewer)
    case = _find_case(user, key, now)
    prefetch_related_objects([case], Prefetch("reports", Report.objects.order_by("pk")))
    reports = case.reports.all()
    decisions = list(case.decisions.select_related("appeal").order_by("on_appeal"))
    first = decisions[0] if decisions else None
    waits = case.stage in WAITING
    by_master = judges.is_masters_case(case, user.pk)
    is_taken = waits and case.taken_by_id == user.pk
    line = _line(case, user, now)
    return CaseFacts(
        line=line,
        slug=case.game.slug if case.game else "",
        reports=tuple(map(_present_report, reports)),
        decisions=tuple(map(present_decision, decisions)),
        appeal=first.appeal.text if first and hasattr(first, "appeal") else "",
        outcomes=judges.list_outcomes(case, by_master=by_master, first=first) if is_taken else (),
        may_take=waits and line.taken == "",
        may_inspect=is_taken and not by_master,
        earlier=_count_earlier(case) if user.moderator or user.is_superuser else (),
        declared=_list_declared(case) if is_taken and not by_master else (),
    )


def read_inspected(viewer: Viewer, key: str, *, at: dt.datetime) -> tuple[Copy, ...]:
    """Return the newest messages of the conversation, for the look recorded at `at`."""
    case = _find_inspected(viewer, key, Inspection.What.CONVERSATION, at)
    if case.message is None:
        raise NoSuchCase
    conversation = case.message.conversation
    rows = Message.objects.filter(conversation=conversation)
    return copy_newest(rows, conversation.kind, case.game, reported=case.message_id)


def read_unmasked(viewer: Viewer, key: str, *, at: dt.datetime) -> str:
    """Return the screen name of the author or player, for the look recorded at `at`."""
    return _find_inspected(viewer, key, Inspection.What.NAME, at).accused.screen_name


def _find_judge(viewer: Viewer) -> User:
    user = User.objects.filter(pk=viewer.user_id or 0, is_active=True).first()
    if user is None or user.guest or not judges.is_judge(user):
        raise NoSuchCase
    return user


def _find_case(user: User, key: str, now: dt.datetime) -> Case:
    cases = judges.select_cases(user, now).filter(key=key)
    related = cases.select_related(
        "message__conversation", "message__send__author", "game", "seat", "person"
    )
    case = related.first()
    if case is None:
        raise NoSuchCase
    return case


def _find_inspected(viewer: Viewer, key: str, what: str, at: dt.datetime) -> Case:
    """Return the case of the look recorded at `at`; raise `NoSuchCase` if there was none."""
    user = _find_judge(viewer)
    case = _find_case(user, key, at)
    if not case.inspections.filter(by=user, what=what, at=at).exists():
        raise NoSuchCase
    return case


def _line(case: Case, user: User, now: dt.datetime) -> CaseLine:
    grounds = [row.grounds for row in case.reports.all()]
    others = "other" if judges.is_held(case, now) else ""
    return CaseLine(
        key=case.key,
        stage=Stage(case.stage),
        kind=AddressKind(case.message.conversation.kind) if case.message else None,
        world=case.game.world if case.game else "",
        country=name_country(case),
        grounds=tuple(word for word in Grounds if word in grounds),
        reports=len(grounds),
        opened_at=case.opened_at,
        taken="you" if case.taken_by_id == user.pk else others,
    )


def _present_report(report: Report) -> ReportFacts:
    content = report.evidence
    members = content.get("members")
    return ReportFacts(
        grounds=Grounds(report.grounds),
        note=report.note,
        phase=Phase.parse(str(content["phase"])) if "phase" in content else None,
        name=str(content.get("name", "")),
        members=tuple(map(str, members)) if isinstance(members, list) else (),
        copies=read_copies(content),
        digest=report.digest,
        is_intact=judges.digest_evidence(content) == report.digest,
    )


def read_copies(content: Mapping[str, object]) -> tuple[Copy, ...]:
    """Return the messages of evidence."""
    copies = content.get("messages")
    return tuple(
        Copy(
            reported=bool(copy["reported"]),
            at=dt.datetime.fromisoformat(copy["at"]),
            phase=Phase.parse(copy["phase"]) if copy["phase"] else None,
            author=AuthorKind(copy["author"]),
            country=copy["country"],
            name=copy["name"],
            subject=copy["subject"],
            body=copy["body"],
            attached=copy["attached"],
            # Evidence from earlier releases lacks it.
            attached_text=copy.get("attached_text", ""),
        )
        for copy in (copies if isinstance(copies, list) else ())
    )


def copy_newest(
    messages: QuerySet[Message], kind: str, game: Game | None, *, reported: int | None = None
) -> tuple[Copy, ...]:
    """Return the newest messages of a conversation with the names that everyone in it sees.

    `kind` is that of the conversation, and `reported` is the primary key of the reported message.
    """
    related = messages.select_related("author", "seat", "phase").order_by("-number")
    newest = list(related[: judges.MAX_INSPECTED])
    carried, map_hash = read_attachments(newest, None), game.chart.content_hash if game else ""
    hides_names = game is not None and is_masked(game)
    by_person = kind in (AddressKind.PREGAME, AddressKind.PERSONAL)
    copies = []
    for row in reversed(newest):
        author, name, country = AuthorKind.UNSIGNED, "", ""
        if row.seat is not None and game is not None:
            row.seat.game = game
            country = row.seat.country_name
        if row.author is not None:
            signed = AuthorKind.PERSON if by_person else AuthorKind.MASTER
            author = AuthorKind.SEAT if row.seat is not None else signed
            is_named = not hides_names and author is not AuthorKind.MASTER
            name = row.author.screen_name if is_named else ""
        copies.append(
            Copy(
                reported=row.pk == reported,
                at=row.at,
                phase=row.phase.judge_phase if row.phase else None,
                author=author,
                country=country,
                name=name,
                subject=row.subject,
                body=row.body,
                attached=row.attached,
                attached_text=describe_attachments(carried.get(row.pk, ()), map_hash),
            )
        )
    return tuple(copies)


def _count_earlier(case: Case) -> tuple[tuple[Outcome, int], ...]:
    """Return the number of other decisions about the same person, if the evidence names the person.

    Otherwise, the numbers could reveal who wrote an unsigned message or plays in an anonymous game.
    """
    if not _names_accused(case):
        return ()
    rows = Decision.objects.filter(judges.is_about(case.accused.pk))
    rows = rows.exclude(case=case).exclude(outcome=Outcome.NONE, on_appeal=False)
    newest = dict(rows.order_by("on_appeal").values_list("case", "outcome"))
    counted = Counter(newest.values())
    return tuple((word, counted[word]) for word in Outcome if counted[word])


def _names_accused(case: Case) -> bool:
    """Return whether all evidence names the accused person."""
    evidence = [row.evidence for row in case.reports.all()]
    if case.message is None:
        return all(content.get("name") for content in evidence)
    copies = [copy for content in evidence for copy in read_copies(content)]
    return all(copy.name for copy in copies if copy.reported)


def _list_declared(case: Case) -> tuple[tuple[str, Declared], ...]:
    """Return the relationships of the accused with others in the game, by country.

    In an anonymous game only the signals show them, since a look at those stays in the audit.
    """
    if case.game is None or not _names_accused(case):
        return ()
    seats = {seat.user_id: seat for seat in case.game.seat_list if seat.user_id}
    declared = find_declared(case.accused.pk, seats)
    return tuple(
        (seat.country_name, declared[key]) for key, seat in seats.items() if key in declared
    )


# Cases about names and statuses, for moderators and for the people concerned.


MAX_TEXTS: Final = 50
"""How many rows a list shows."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A case in a list, with the number of reports for each of the grounds."""

    key: str
    kind: TextKind
    stage: TextStage
    text: str
    grounds: tuple[Grounds, ...]
    reports: int
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class TextCaseFacts:
    """One case; `current` is what everyone sees now, and `notes` come from the reports."""

    line: TextLine
    person: str
    current: str
    content_hash: str
    notes: tuple[tuple[Grounds, str], ...]
    reason: str


@dataclass(frozen=True, slots=True)
class OwnText:
    """A text of the viewer that a moderator hid or restored, with the reason."""

    kind: TextKind
    stage: TextStage
    text: str
    reason: str
    at: dt.datetime


def read_text_queue(viewer: Viewer, *, now: dt.datetime) -> tuple[list[TextLine], list[TextLine]]:
    """Return the waiting cases, oldest first, and the newest ones with hidden texts.

    Both are empty for everyone but moderators and administrators.
    """
    cases = _select_text_cases(viewer, now)
    waiting = cases.filter(stage=TextStage.OPEN).order_by("opened_at", "pk")
    hidden = cases.filter(stage=TextStage.HIDDEN).exclude(text="").order_by("-opened_at", "-pk")
    return _list_lines(waiting), _list_lines(hidden)


def read_text_case(viewer: Viewer, key: str, *, now: dt.datetime) -> TextCaseFacts:
    """Return a case; raise `NoSuchCase` if the viewer does not judge it."""
    cases = _select_text_cases(viewer, now).filter(key=key).select_related("person", "chart")
    reports = Prefetch("reports", TextReport.objects.order_by("pk"))
    case = cases.prefetch_related(reports).first()
    if case is None:
        raise NoSuchCase
    return TextCaseFacts(
        line=_present_text_line(case),
        person=case.person.screen_name,
        current=judges.read_current_text(case),
        content_hash=case.chart.content_hash if case.chart else "",
        notes=tuple((Grounds(row.grounds), row.note) for row in case.reports.all()),
        reason=case.reason,
    )


def _select_text_cases(viewer: Viewer, now: dt.datetime) -> QuerySet[TextCase]:
    user = User.objects.filter(pk=viewer.user_id or 0).first()
    return judges.select_text_cases(user, now) if user is not None else TextCase.objects.none()


def _list_lines(cases: QuerySet[TextCase]) -> list[TextLine]:
    return [_present_text_line(row) for row in cases.prefetch_related("reports")[:MAX_TEXTS]]


def _present_text_line(case: TextCase) -> TextLine:
    grounds = [row.grounds for row in case.reports.all()]
    return TextLine(
        key=case.key,
        kind=TextKind(case.kind),
        stage=TextStage(case.stage),
        text=case.text,
        grounds=tuple(word for word in Grounds if word in grounds),
        reports=len(grounds),
        at=case.opened_at,
    )


def read_reportable(viewer: Viewer, kind: str, of: str) -> tuple[judges.FoundText, bool]:
    """Return a text that the viewer can report, and whether the viewer has reported it.

    A report counts until the text is hidden. Raises `NoSuchCase`.
    """
    text = judges.find_text(kind, of)
    if viewer.user_id is None or text.person_id == viewer.user_id:
        raise NoSuchCase
    return text, judges.has_reported(viewer.user_id, kind, text)


def read_own_texts(user_id: int) -> tuple[OwnText, ...]:
    """Return the moderators' decisions about the person's texts, newest first."""
    return tuple(
        OwnText(TextKind(row.kind), TextStage(row.stage), row.text, row.reason, row.judged_at)
        for row in _own_texts.read(user_id)
        if row.judged_at is not None
    )


_own_texts = PreparedQuery(
    lambda person: TextCase.objects.filter(
        person=person, stage__in=(TextStage.HIDDEN, TextStage.RESTORED)
    ).order_by("-judged_at", "-pk")[:MAX_TEXTS],
    int,
)
# The audit for moderators, without lines about cases that the viewer could not judge.


MAX_ACTS: Final = 100
"""How many lines a page shows."""

_PERSONAL_ACTS: Final = (
    *(AuditEntry.Act.HIDDEN, AuditEntry.Act.KEPT, AuditEntry.Act.RESTORED),
    *(AuditEntry.Act.PAUSED, AuditEntry.Act.UNPAUSED),
)
"""Acts that are hidden from the person concerned and from that person's rivals, even moderators."""


@dataclass(frozen=True, slots=True)
class AuditFacts:
    """A line of the audit; `by` is blank for the command line, `case` for other lines."""

    at: dt.datetime
    by: str
    act: str
    case: str
    person: str
    detail: str


def read_audit(viewer: Viewer, *, before: dt.datetime | None = None) -> tuple[AuditFacts, ...]:
    """Return the newest lines, or those before a time; raise `NoSuchCase` unless a moderator.

    Administrators can read it, too. Pages are divided by time, because row keys would reveal how
    many lines are left out.
    """
    user = User.objects.filter(pk=viewer.user_id or 0, is_active=True).first()
    if user is None or not (user.moderator or user.is_superuser):
        raise NoSuchCase
    involved = Q(case__isnull=False) & judges.find_involved(user, "case__")
    acts = Q(act__in=_PERSONAL_ACTS) & (Q(person=user) | judges.shares_game(user, "person"))
    # An assignment is no act, and one that ends would tell of a new involvement.
    rows = AuditEntry.objects.exclude(act=AuditEntry.Act.ASSIGNED).exclude(involved).exclude(acts)
    rows = rows.exclude(judges.has_played(user, "game"))
    rows = rows.exclude(game__isnull=False, game__master=user)
    if before is not None:
        rows = rows.filter(at__lt=before)
    related = rows.select_related("by", "person", "case").order_by("-pk")[:MAX_ACTS]
    return tuple(
        AuditFacts(
            row.at,
            row.by.screen_name if row.by else "",
            row.act,
            row.case.key if row.case else "",
            row.person.screen_name if row.person else "",
            row.detail,
        )
        for row in related
    )


def list_moderators() -> tuple[str, ...]:
    """Return the screen names of the moderators, sorted."""
    people = User.objects.filter(moderator=True, is_active=True).order_by("folded_name")
    return tuple(person.screen_name for person in people)


# Signals about two accounts of one person: facts for a moderator, which never decide alone.
#
# Others are named by their countries only, also in games that are not anonymous.


MAX_GAMES: Final = 200
"""How many of the newest games of the reported player are searched for the others."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the reported player has in common with the player of `country`.

    `games` counts games with both, this one included. `given` and `received` are successful
    supports and convoys for and from that country in this game; `usual` is what the reported
    player gave to the other countries on average. `declared` is a relationship that both have
    confirmed, or None.
    """

    country: str
    shared: SharedMarks
    games: int
    given: int
    received: int
    usual: float
    declared: Declared | None


def read_signals(viewer: Viewer, key: str, *, at: dt.datetime) -> tuple[Signals, ...]:
    """Return the signals for each other person in the game, for the look recorded at `at`."""
    case = _find_inspected(viewer, key, Inspection.What.SIGNALS, at)
    game, accused = case.game, case.seat
    if game is None or accused is None:
        raise NoSuchCase
    person = case.accused.pk
    seats: list[Seat] = game.seat_list
    others = [seat for seat in seats if seat.user_id and seat.user_id != person]
    people = [seat.user_id for seat in others if seat.user_id]
    marks, together = compare_marks(person, people), _count_games(person, people, accused.game_id)
    declared = find_declared(person, people)
    given, received = _count_help(game, accused, seats)
    return tuple(
        Signals(
            country=seat.country_name,
            shared=marks[seat.user_id],
            games=together.get(seat.user_id, 0),
            given=given[seat.pk],
            received=received[seat.pk],
            usual=_average([given[row.pk] for row in seats if row.pk not in (accused.pk, seat.pk)]),
            declared=declared.get(seat.user_id),
        )
        for seat in others
        if seat.user_id
    )


def _count_games(person: int, others: Collection[int], game_id: int) -> dict[int, int]:
    held = Tenure.objects.filter(user=person).order_by("-pk").values_list("seat__game", flat=True)
    # Another unfinished anonymous game would tell who plays there.
    known = Game.objects.filter(pk__in=list(held[:MAX_GAMES])).only("status", "options")
    games = {game.pk for game in known if game.pk == game_id or not is_masked(game)}
    rows = Tenure.objects.filter(user__in=others, seat__game__in=games).order_by()
    counted = rows.values("user").annotate(games=Count("seat__game", distinct=True))
    return {row["user"]: row["games"] for row in counted if row["user"] is not None}


def _count_help(
    game: Game, accused: Seat, seats: Collection[Seat]
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Return how often the seat helped each seat, and each seat helped it, by the seats' keys."""
    processed = game.phases.filter(superseded_at=None).exclude(processed_at=None)
    sequences = processed.order_by("sequence").values_list("sequence", flat=True)
    helped, powers = tally_phases(game, list(sequences)).total.helped, game.played_with
    given, received = Counter[int](), Counter[int]()
    for seat in seats:
        for one in powers.get(accused.power, ()):
            for partner in powers.get(seat.power, ()):
                given[seat.pk] += helped[one, partner]
                received[seat.pk] += helped[partner, one]
    return given, received


def _average(numbers: Collection[int]) -> float:
    return round(sum(numbers) / len(numbers), 1) if numbers else 0.0


# The games that a moderator has stopped, for moderators.


MAX_STOPPED: Final = 50
"""How many games the page lists."""


def read_stopped_games(viewer: Viewer) -> tuple[tuple[str, str], ...]:
    """Return slugs and worlds of the stopped games without a seat of the viewer, newest first.

    Raises `NoSuchCase` unless the viewer is a moderator.
    """
    user = User.objects.filter(pk=viewer.user_id or 0, moderator=True, is_active=True).first()
    if user is None:
        raise NoSuchCase
    games = judges.select_games(user).filter(suspended_reason=FROZEN).order_by("-pk")
    return tuple(games.values_list("slug", "world")[:MAX_STOPPED])
