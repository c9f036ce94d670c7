"""Cases, decisions and the audit, in words."""

from collections.abc import Iterable
from typing import Final

from django.urls import reverse

from diplomaccloud.accounts.screen_names import Label, isolate
from diplomaccloud.press.moderation.read import (
    AuditFacts,
    CaseFacts,
    CaseLine,
    Copy,
    DecisionFacts,
    ReportFacts,
    TextCaseFacts,
    TextLine,
)
from diplomaccloud.press.moderation.wording import TextKind, TextStage
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.read import AuthorKind
from diplomaccloud.press.table.wording import describe_time, render_text, title_phase
from diplomaccloud.schedule.descriptions import join_words

Context = dict[str, object]
"""What a template shows."""
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
_EFFECTS: Final = {
    "none": "Nothing happens. The person concerned is not notified.",
    "warning": "The person concerned sees your reason.",
    "limited": "For the time below, the author can only write notes and messages to game masters.",
    "removed": "The author loses the seat. The log says that a message was reported, but not "
    "which one.",
    "banned": "The person leaves all games and can only appeal, export data or delete the account.",
}
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
    "annulled": "annulled a game",
    "rerated": "let an annulled game count again",
}


def present_copies(copies: Iterable[Copy]) -> list[Context]:
    """Return messages as evidence."""
    return [
        {
            "copy": copy,
            "author": _describe_author(copy),
            "phase": title_phase(copy.phase),
            "body": render_text(copy.body),
            "attached_text": render_text(copy.attached_text),
        }
        for copy in copies
    ]


def _describe_author(copy: Copy) -> str:
    match copy.author:
        case AuthorKind.UNSIGNED:
            return Label.UNSIGNED
        case AuthorKind.MASTER:
            return Label.MASTER.heading
        case AuthorKind.PERSON:
            return copy.name
    return f"{copy.country} ({copy.name})" if copy.name else copy.country


def present_line(line: CaseLine) -> Context:
    """Return a case about a message or a player for a list."""
    return {
        "url": reverse("press:case", args=[line.key]),
        "title": join_words([word.label for word in line.grounds]) or "Report",
        "badge": _STAGES[line.stage],
        "facts": f"{_describe_place(line)} · {_count_reports(line.reports)}",
        "taken": _TAKEN[line.taken],
        "at": line.opened_at,
    }


def _count_reports(number: int) -> str:
    return f"{number} reports" if number > 1 else "1 report"


def _describe_place(line: CaseLine) -> str:
    if line.kind is None:
        return f"{line.world}, the player of {line.country}"
    kind = _KINDS[line.kind]
    return f"{line.world}, {kind}" if line.world else kind.capitalize()


def present_case(case: CaseFacts) -> Context:
    """Return one case, with the decisions that the person who judges it can choose."""
    return {
        "case": case,
        "line": present_line(case.line),
        "place": _describe_place(case.line),
        "reports": list(map(_present_report, case.reports)),
        "decisions": list(map(present_decision, case.decisions)),
        "appeal": render_text(case.appeal),
        "choices": [
            (outcome.value, outcome.label, _describe_effect(case, outcome))
            for outcome in case.outcomes
        ],
        "is_about_player": case.line.kind is None,
        "earlier": join_words([f"{count} × {word.label.lower()}" for word, count in case.earlier]),
    }


def _describe_effect(case: CaseFacts, outcome: str) -> str:
    if case.appeal and outcome == "none":
        return "The first decision is overturned."
    if case.line.kind is None and outcome == "removed":
        return "The player loses the seat. The log says that it was after a report."
    return _EFFECTS[outcome]


def _present_report(report: ReportFacts) -> Context:
    """Return one report; `seen` says when a player was reported and, if it was public, who."""
    seen = ""
    if report.phase is not None:
        player = f"The player was {report.name}." if report.name else "The game hides who plays."
        seen = f"Reported in {title_phase(report.phase)}. {player}"
    return {
        "report": report,
        "seen": seen,
        "members": join_words(list(report.members)),
        "copies": present_copies(report.copies),
    }


def present_decision(facts: DecisionFacts) -> Context:
    """Return a decision, for the person it concerns or a person who judges the case."""
    judge = Label.MASTER if facts.by_master else Label.MODERATOR
    heading = f"{facts.outcome.label}, decided by {judge}"
    if facts.on_appeal:
        lifted = facts.outcome == "none"
        heading = "Overturned on appeal" if lifted else f"On appeal: {facts.outcome.label.lower()}"
    place = f"in {facts.world}" if facts.world else "to another person"
    phase = title_phase(facts.phase)
    when = describe_time(facts.sent_at) if facts.sent_at else ""
    return {
        "decision": facts,
        "heading": heading,
        "reason": render_text(facts.reason),
        "body": render_text(facts.body),
        "sent": f"Your message {place}, {', '.join(filter(None, (phase, when)))}",
        "about": f"As the player of {facts.country} {place}" if facts.country else "",
        "appeal": render_text(facts.appeal),
        "seat": _SEATS.get(facts.seat_returned, ""),
    }


def describe_act(line: AuditFacts) -> str:
    """Return a line of the audit without its detail."""
    person = f": {isolate(line.person)}" if line.person else ""
    return f"{isolate(line.by) or Label.COMMAND_LINE} {_ACTS[line.act]}{person}"


# Cases about names and statuses, in words.


_BADGES: Final = {"open": "Report", "kept": "Kept", "hidden": "Hidden", "restored": "Restored"}
_TEXT_EFFECTS: Final = {
    TextKind.NAME: "Everyone sees Player and a number instead. The player can choose another name.",
    TextKind.STATUS: "Nobody sees it anymore. The player can write another one.",
    TextKind.MAP: "Everyone sees Map and the first digits of its hash instead.",
}
HEADINGS: Final = {
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


def present_text_line(line: TextLine) -> Context:
    """Return a case about a text for a list."""
    grounds = join_words([word.label for word in line.grounds]) or "Report"
    return {
        "url": reverse("press:text-case", args=[line.key]),
        "title": line.text or "Deleted",
        "badge": _BADGES[line.stage],
        "facts": f"{line.kind.label.capitalize()} · {grounds} · {_count_reports(line.reports)}",
        "at": line.at,
    }


def present_text_case(facts: TextCaseFacts) -> Context:
    """Return a case with the possible decisions.

    `current` is blank while everyone still sees the reported text.
    """
    line, is_map = facts.line, facts.line.kind is TextKind.MAP
    choices: list[tuple[str, str, str]] = []
    if line.stage is TextStage.OPEN:
        kept = "Nothing happens. The player is not notified."
        choices = [("kept", "Keep it", kept), ("hidden", "Hide it", _TEXT_EFFECTS[line.kind])]
    elif line.stage is TextStage.HIDDEN and line.text:
        back = "Everyone sees it again, unless the player has chosen another."
        choices = [("restored", "Restore it", back)]
    where, of = ("maps:detail", facts.content_hash) if is_map else ("person", facts.person)
    return {
        "case": facts,
        "line": present_text_line(line),
        "owner_url": reverse(where, args=[of]),
        "owner": "Open the map" if is_map else f"Open the page of {facts.person}",
        "current": "" if facts.current == line.text else facts.current or "nothing",
        "choices": choices,
    }
