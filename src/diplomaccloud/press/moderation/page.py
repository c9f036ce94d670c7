"""Cases, decisions and the audit, in words."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.safestring import SafeString

from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.press.moderation.read import (
    AuditFacts,
    CaseFacts,
    CaseLine,
    Copy,
    DecisionFacts,
    OwnText,
    ReportFacts,
    TextCaseFacts,
    TextLine,
)
from diplomaccloud.press.moderation.wording import TextKind, TextStage
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.read import AuthorKind
from diplomaccloud.press.table.wording import describe_time, render_text, title_phase
from diplomaccloud.schedule.descriptions import join_words

_KINDS: Final = {
    AddressKind.SEATS: "a private conversation",
    AddressKind.PUBLIC: "the public conversation",
    AddressKind.GRAY: "the gray messages",
    AddressKind.MASTER: "the conversation with the game master",
    AddressKind.NOTES: "notes",
    AddressKind.PREGAME: "the table before the start",
    AddressKind.PERSONAL: "personal messages",
}
_STAGES: Final = {
    "open": "Report",
    "appealed": "Appeal",
    "decided": "Decided",
    "final": "Decided on appeal",
}
_TAKEN: Final = {"": "", "you": "Yours to judge", "other": "Taken by someone else"}
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

    copy: Copy
    author: str
    phase: str
    body: SafeString
    attached_text: SafeString


@dataclass(frozen=True, slots=True)
class CaseLineView:
    """A case in a list: about a message, a player or a text."""

    url: str
    title: str
    badge: str
    facts: str
    at: dt.datetime
    taken: str = ""


@dataclass(frozen=True, slots=True)
class ReportView:
    """One report of a case; `seen` says when a player was reported."""

    report: ReportFacts
    seen: str
    members: str
    copies: tuple[CopyView, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that can be chosen; `effect` says what it does."""

    value: str
    label: str
    effect: str


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A decision, for the person it concerns or a person who judges the case."""

    decision: DecisionFacts
    heading: str
    reason: SafeString
    body: SafeString
    sent: str
    about: str
    appeal: SafeString
    seat: str


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case with everything that the person who judges it may see and do."""

    case: CaseFacts
    line: CaseLineView
    place: str
    reports: tuple[ReportView, ...]
    decisions: tuple[DecisionView, ...]
    appeal: SafeString
    choices: tuple[Choice, ...]
    is_about_player: bool
    earlier: str


@dataclass(frozen=True, slots=True)
class AuditView:
    """A line of the audit."""

    line: AuditFacts
    text: str


def present_copies(copies: Iterable[Copy]) -> tuple[CopyView, ...]:
    """Return messages as evidence."""
    return tuple(
        CopyView(
            copy=copy,
            author=_describe_author(copy),
            phase=title_phase(copy.phase),
            body=render_text(copy.body),
            attached_text=render_text(copy.attached_text),
        )
        for copy in copies
    )


def present_lines(lines: Iterable[CaseLine]) -> tuple[CaseLineView, ...]:
    """Return cases about messages and players for a list."""
    return tuple(map(_present_line, lines))


def present_case(case: CaseFacts) -> CaseView:
    """Return one case."""
    return CaseView(
        case=case,
        line=_present_line(case.line),
        place=_describe_place(case.line),
        reports=tuple(map(_present_report, case.reports)),
        decisions=tuple(map(present_decision, case.decisions)),
        appeal=render_text(case.appeal),
        choices=tuple(
            Choice(outcome.value, outcome.label, _describe_effect(case, outcome))
            for outcome in case.outcomes
        ),
        is_about_player=case.line.kind is None,
        earlier=join_words([f"{count} × {word.label.lower()}" for word, count in case.earlier]),
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
    heading = f"{facts.outcome.label}, decided by {judge}"
    if facts.on_appeal:
        lifted = facts.outcome == "none"
        heading = "Overturned on appeal" if lifted else f"On appeal: {facts.outcome.label.lower()}"
    place = f"in {facts.world}" if facts.world else "to another person"
    phase = title_phase(facts.phase)
    when = describe_time(facts.sent_at) if facts.sent_at else ""
    return DecisionView(
        decision=facts,
        heading=heading,
        reason=render_text(facts.reason),
        body=render_text(facts.body),
        sent=f"Your message {place}, {', '.join(part for part in (phase, when) if part)}",
        about=f"As the player of {facts.country} {place}" if facts.country else "",
        appeal=render_text(facts.appeal),
        seat=_SEATS.get(facts.seat_returned, ""),
    )


def present_audit(lines: Iterable[AuditFacts]) -> tuple[AuditView, ...]:
    """Return the lines of the audit."""
    return tuple(AuditView(line, _describe_act(line)) for line in lines)


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
        report=report,
        seen=_describe_seen(report),
        members=join_words(list(report.members)),
        copies=present_copies(report.copies),
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
class TextCaseView:
    """A case; `current` is blank while everyone still sees the reported text."""

    case: TextCaseFacts
    line: CaseLineView
    owner_url: str
    owner: str
    current: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class OwnTextView:
    """A moderator's decision about a text of the viewer, who may choose another name at a URL."""

    text: OwnText
    heading: str
    rename_url: str


def present_text_lines(lines: Iterable[TextLine]) -> tuple[CaseLineView, ...]:
    """Return cases about texts for a list."""
    return tuple(map(_present_text_line, lines))


def present_text_case(facts: TextCaseFacts) -> TextCaseView:
    """Return a case with the possible decisions."""
    line, is_map = facts.line, facts.line.kind is TextKind.MAP
    map_url = reverse("maps:detail", args=[facts.content_hash]) if is_map else ""
    choices: tuple[Choice, ...] = ()
    if line.stage is TextStage.OPEN:
        choices = (
            Choice("kept", "Keep it", "Nothing happens. The player is not notified."),
            Choice("hidden", "Hide it", _EFFECTS[line.kind]),
        )
    elif line.stage is TextStage.HIDDEN and line.text:
        back = "Everyone sees it again, unless the player has chosen another."
        choices = (Choice("restored", "Restore it", back),)
    return TextCaseView(
        case=facts,
        line=_present_text_line(line),
        owner_url=map_url or reverse("person", args=[facts.person]),
        owner="Open the map" if is_map else f"Open the page of {facts.person}",
        current="" if facts.current == line.text else facts.current or "nothing",
        choices=choices,
    )


def present_own_text(row: OwnText, *, may_rename: bool) -> OwnTextView:
    """Return a moderator's decision; `may_rename` if the viewer's name is currently hidden."""
    is_hidden = row.kind is TextKind.NAME and row.stage is TextStage.HIDDEN
    rename_url = reverse("account_name") if is_hidden and may_rename else ""
    return OwnTextView(row, _HEADINGS[row.kind, row.stage], rename_url)


def _present_text_line(line: TextLine) -> CaseLineView:
    grounds = join_words([word.label for word in line.grounds]) or "Report"
    reports = f"{line.reports} reports" if line.reports > 1 else "1 report"
    return CaseLineView(
        url=reverse("press:text-case", args=[line.key]),
        title=line.text or "Deleted",
        badge=_BADGES[line.stage],
        facts=f"{line.kind.label.capitalize()} · {grounds} · {reports}",
        at=line.at,
    )
