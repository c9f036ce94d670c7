"""Cases, decisions and the audit, in words."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.safestring import SafeString

from diplomaccloud.accounts.relationships import Declared
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.press.moderation.read import (
    AuditFacts,
    CaseFacts,
    CaseLine,
    Copy,
    DecisionFacts,
    OwnText,
    Queue,
    ReportFacts,
    TextCaseFacts,
    TextLine,
    TextQueue,
)
from diplomaccloud.press.moderation.wording import TextKind, TextStage
from diplomaccloud.press.table.addresses import Kind
from diplomaccloud.press.table.read import AuthorKind
from diplomaccloud.press.table.wording import describe_time, render_text, title_phase
from diplomaccloud.schedule.descriptions import join_words

_NO_CODES: Final[frozenset[str]] = frozenset()
_KINDS: Final = {
    Kind.SEATS: "a private conversation",
    Kind.PUBLIC: "the public conversation",
    Kind.GRAY: "the gray messages",
    Kind.MASTER: "the conversation with the game master",
    Kind.NOTES: "notes",
    Kind.PREGAME: "the table before the start",
    Kind.PERSONAL: "personal messages",
}
_STAGES: Final = {
    "open": "Report",
    "appealed": "Appeal",
    "decided": "Decided",
    "final": "Decided on appeal",
}
_TAKEN: Final = {"": "", "you": "Yours to judge", "other": "Taken by someone else"}
OUTCOMES: Final = {
    "none": "No action",
    "warning": "Warning",
    "limited": "Press limited",
    "removed": "Removed from the game",
    "banned": "Banned from the site",
}
"""The possible decisions."""


EFFECTS: Final = {
    "none": "Nothing happens. The person concerned is not notified.",
    "warning": "The person concerned sees your reason.",
    "limited": "For the time below, the author can only write notes and messages to game masters.",
    "removed": "The author loses the seat. The log says that a message was reported, but not "
    "which one.",
    "banned": "The person leaves all games and can only appeal, export data or delete the account.",
}
_PLAYER_REMOVED: Final = "The player loses the seat. The log says that it was after a report."
_UPHELD: Final = {"none": "The first decision is overturned."}
_SEATS: Final[dict[bool | None, str]] = {
    True: "The seat was still vacant, so the player got it back.",
    False: "The player did not get the seat back, because it was no longer vacant.",
}
_ACTS: Final = {
    "appointed": "appointed a moderator",
    "dismissed": "dismissed a moderator",
    "taken": "took a case",
    "returned": "returned a case",
    "decided": "decided a case",
    "inspected": "saw more than the evidence",
    "blanked": "blanked a message",
    "hidden": "hid a text",
    "kept": "kept a text that was reported",
    "restored": "restored a text",
    "frozen": "stopped a game",
    "unfrozen": "let a game continue",
    "paused": "paused the games of a person for an emergency",
    "unpaused": "ended the pauses of a person’s games",
}


@dataclass(frozen=True, slots=True)
class CopyView:
    """A message as evidence."""

    author: str
    at: dt.datetime
    phase: str
    subject: str
    body: SafeString
    reported: bool
    attached: str
    attached_text: SafeString


@dataclass(frozen=True, slots=True)
class CaseLineView:
    """A case in a list."""

    url: str
    title: str
    badge: str
    facts: str
    taken: str
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class QueueView:
    """The lists of cases."""

    waiting: tuple[CaseLineView, ...]
    decided: tuple[CaseLineView, ...]
    is_moderator: bool


@dataclass(frozen=True, slots=True)
class ReportView:
    """One report of a case."""

    grounds: str
    note: str
    seen: str
    members: str
    copies: tuple[CopyView, ...]
    digest: str
    is_intact: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """An outcome that can be chosen; `effect` says what it does."""

    value: str
    label: str
    effect: str


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A decision, for the person it concerns or a person who judges the case."""

    outcome: str
    heading: str
    reason: SafeString
    until: dt.datetime | None
    at: dt.datetime
    body: SafeString
    sent: str
    about: str
    appeal: SafeString
    appeal_url: str
    seat: str = ""


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case with everything that the person who judges it may see and do."""

    line: CaseLineView
    url: str
    place: str
    slug: str
    game_url: str
    reports: tuple[ReportView, ...]
    decisions: tuple[DecisionView, ...]
    appeal: SafeString
    choices: tuple[Choice, ...]
    may_take: bool
    is_taken: bool
    may_inspect: bool
    is_about_player: bool
    earlier: str
    by_master: bool
    declared: tuple[tuple[str, Declared], ...]


@dataclass(frozen=True, slots=True)
class AuditView:
    """A line of the audit."""

    at: dt.datetime
    text: str
    detail: str
    case_url: str


def present_copies(copies: Iterable[Copy]) -> tuple[CopyView, ...]:
    """Return messages as evidence."""
    return tuple(
        CopyView(
            author=_describe_author(copy),
            at=copy.at,
            phase=title_phase(copy.phase),
            subject=copy.subject,
            body=render_text(copy.body, _NO_CODES),
            reported=copy.reported,
            attached=copy.attached,
            attached_text=render_text(copy.attached_text, _NO_CODES),
        )
        for copy in copies
    )


def present_queue(queue: Queue) -> QueueView:
    """Return the list of cases."""
    return QueueView(
        tuple(map(_present_line, queue.waiting)),
        tuple(map(_present_line, queue.decided)),
        queue.is_moderator,
    )


def present_case(case: CaseFacts) -> CaseView:
    """Return one case."""
    line = case.line
    return CaseView(
        line=_present_line(line),
        url=reverse("press:case", args=[line.key]),
        place=_describe_place(line),
        slug=case.slug,
        game_url=reverse("games:detail", args=[case.slug]) if case.slug else "",
        reports=tuple(map(_present_report, case.reports)),
        decisions=tuple(map(present_decision, case.decisions)),
        appeal=render_text(case.appeal, _NO_CODES),
        choices=tuple(
            Choice(
                outcome.value,
                OUTCOMES[outcome],
                _describe_effect(case, outcome),
            )
            for outcome in case.outcomes
        ),
        may_take=case.may_take,
        is_taken=bool(case.outcomes),
        may_inspect=case.may_inspect,
        is_about_player=line.kind is None,
        earlier=join_words([f"{count} × {OUTCOMES[word].lower()}" for word, count in case.earlier]),
        by_master=case.by_master,
        declared=case.declared,
    )


def _describe_effect(case: CaseFacts, outcome: str) -> str:
    if case.appeal and outcome in _UPHELD:
        return _UPHELD[outcome]
    if case.line.kind is None and outcome == "removed":
        return _PLAYER_REMOVED
    return EFFECTS[outcome]


def present_decision(facts: DecisionFacts) -> DecisionView:
    """Return a decision."""
    judge = Label.MASTER if facts.by_master else Label.MODERATOR
    heading = f"{OUTCOMES[facts.outcome]}, decided by {judge}"
    if facts.on_appeal:
        lifted = facts.outcome == "none"
        heading = (
            "Overturned on appeal" if lifted else f"On appeal: {OUTCOMES[facts.outcome].lower()}"
        )
    place = f"in {facts.world}" if facts.world else "to another person"
    phase = title_phase(facts.phase)
    when = describe_time(facts.sent_at) if facts.sent_at else ""
    return DecisionView(
        outcome=facts.outcome.value,
        heading=heading,
        reason=render_text(facts.reason, _NO_CODES),
        until=facts.until,
        at=facts.at,
        body=render_text(facts.body, _NO_CODES),
        sent=f"Your message {place}, {', '.join(part for part in (phase, when) if part)}",
        about=f"As the player of {facts.country} {place}" if facts.country else "",
        appeal=render_text(facts.appeal, _NO_CODES),
        appeal_url=reverse("press:appeal", args=[facts.key]) if facts.may_appeal else "",
        seat=_SEATS.get(facts.seat_returned, ""),
    )


def present_audit(lines: Iterable[AuditFacts]) -> tuple[AuditView, ...]:
    """Return the lines of the audit."""
    return tuple(
        AuditView(
            at=line.at,
            text=_describe_act(line),
            detail=line.detail,
            case_url=reverse("press:case", args=[line.case]) if line.case else "",
        )
        for line in lines
    )


def _describe_act(line: AuditFacts) -> str:
    actor = line.by or Label.COMMAND_LINE
    person = f": {line.person}" if line.person else ""
    return f"{actor} {_ACTS[line.act]}{person}"


def _present_line(line: CaseLine) -> CaseLineView:
    title = join_words([word.label for word in line.grounds]) or "Report"
    reports = f"{line.reports} reports" if line.reports > 1 else "1 report"
    return CaseLineView(
        url=reverse("press:case", args=[line.key]),
        title=title,
        badge=_STAGES[line.stage],
        facts=f"{_describe_place(line)} · {reports}",
        taken=_TAKEN[line.taken],
        at=line.opened_at,
    )


def _describe_place(line: CaseLine) -> str:
    if line.kind is None:
        return f"{line.world}, the player of {line.country}"
    kind = _KINDS[line.kind]
    return f"{line.world}, {kind}" if line.world else kind.capitalize()


def _present_report(report: ReportFacts) -> ReportView:
    return ReportView(
        grounds=report.grounds.label,
        note=report.note,
        seen=_describe_seen(report),
        members=join_words(list(report.members)),
        copies=present_copies(report.copies),
        digest=report.digest,
        is_intact=report.is_intact,
    )


def _describe_seen(report: ReportFacts) -> str:
    """Return when a player was reported and, if it was public, who it was; blank for a message."""
    if report.phase is None:
        return ""
    when = title_phase(report.phase)
    if not report.name:
        return f"Reported in {when}. The game hides who plays."
    return f"Reported in {when}. The player was {report.name}."


def _describe_author(copy: Copy) -> str:
    match copy.author:
        case AuthorKind.UNSIGNED:
            return Label.UNSIGNED
        case AuthorKind.MASTER:
            return Label.MASTER.heading
        case AuthorKind.PERSON:
            return copy.name
    return f"{copy.country} ({copy.name})" if copy.name else copy.country


# Cases about names and statuses, in words.


_BADGES: Final = {"open": "Report", "kept": "Kept", "hidden": "Hidden", "restored": "Restored"}
_EFFECTS: Final = {
    TextKind.NAME: "Everyone sees Player and a number instead. The player can choose another name.",
    TextKind.STATUS: "Nobody sees it anymore. The player can write another one.",
    TextKind.MAP: "Everyone sees Map and the first digits of its hash instead.",
}
_HEADINGS: Final = {
    (TextKind.NAME, TextStage.HIDDEN): "A moderator hid your screen name",
    (TextKind.STATUS, TextStage.HIDDEN): "A moderator hid your status",
    (TextKind.MAP, TextStage.HIDDEN): "A moderator hid the name of your map",
    (TextKind.NAME, TextStage.RESTORED): "A moderator restored your screen name",
    (TextKind.STATUS, TextStage.RESTORED): "A moderator restored your status",
    (TextKind.MAP, TextStage.RESTORED): "A moderator restored the name of your map",
}
TITLES: Final = {
    TextKind.NAME: "Report a screen name",
    TextKind.STATUS: "Report a status",
    TextKind.MAP: "Report a map name",
}
"""The headings of the forms."""


@dataclass(frozen=True, slots=True)
class TextLineView:
    """A case in a list, with the same fields as other cases."""

    url: str
    title: str
    badge: str
    facts: str
    at: dt.datetime
    taken: str = ""


@dataclass(frozen=True, slots=True)
class TextQueueView:
    """The lists of cases."""

    waiting: tuple[TextLineView, ...]
    hidden: tuple[TextLineView, ...]


@dataclass(frozen=True, slots=True)
class TextChoice:
    """A moderator's choice and its effect."""

    value: str
    label: str
    effect: str


@dataclass(frozen=True, slots=True)
class TextCaseView:
    """A case; `current` is blank while everyone still sees the reported text."""

    line: TextLineView
    kind: str
    text: str
    owner_url: str
    owner: str
    current: str
    notes: tuple[tuple[str, str], ...]
    reason: str
    choices: tuple[TextChoice, ...]


@dataclass(frozen=True, slots=True)
class OwnTextView:
    """A moderator's decision about a text of the viewer."""

    heading: str
    text: str
    reason: str
    next_step: str
    at: dt.datetime


def present_text_queue(queue: TextQueue) -> TextQueueView:
    """Return the lists of cases."""
    return TextQueueView(tuple(map(_present, queue.waiting)), tuple(map(_present, queue.hidden)))


def present_text_case(facts: TextCaseFacts) -> TextCaseView:
    """Return a case with the possible decisions."""
    line, is_map = facts.line, facts.line.kind is TextKind.MAP
    map_url = reverse("maps:detail", args=[facts.content_hash]) if is_map else ""
    choices: tuple[TextChoice, ...] = ()
    if line.stage is TextStage.OPEN:
        choices = (
            TextChoice("kept", "Keep it", "Nothing happens. The player is not notified."),
            TextChoice("hidden", "Hide it", _EFFECTS[line.kind]),
        )
    elif line.stage is TextStage.HIDDEN and line.text:
        back = "Everyone sees it again, unless the player has chosen another."
        choices = (TextChoice("restored", "Restore it", back),)
    return TextCaseView(
        line=_present(line),
        kind=line.kind.label.capitalize(),
        text=line.text,
        owner_url=map_url or reverse("person", args=[facts.person]),
        owner="Open the map" if is_map else f"Open the page of {facts.person}",
        current="" if facts.current == line.text else facts.current or "nothing",
        notes=tuple((word.label, note) for word, note in facts.notes),
        reason=facts.reason,
        choices=choices,
    )


def present_own_text(row: OwnText, *, may_rename: bool) -> OwnTextView:
    """Return a moderator's decision; `may_rename` if the viewer's name is currently hidden."""
    next_step = ""
    if row.kind is TextKind.NAME and row.stage is TextStage.HIDDEN and may_rename:
        next_step = reverse("account_name")
    return OwnTextView(
        heading=_HEADINGS[row.kind, row.stage],
        text=row.text,
        reason=row.reason,
        next_step=next_step,
        at=row.at,
    )


def _present(line: TextLine) -> TextLineView:
    grounds = join_words([word.label for word in line.grounds]) or "Report"
    reports = f"{line.reports} reports" if line.reports > 1 else "1 report"
    return TextLineView(
        url=reverse("press:text-case", args=[line.key]),
        title=line.text or "Deleted",
        badge=_BADGES[line.stage],
        facts=f"{line.kind.label.capitalize()} · {grounds} · {reports}",
        at=line.at,
    )
