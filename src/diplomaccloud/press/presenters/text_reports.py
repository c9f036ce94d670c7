"""Cases about names and statuses, in words."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from diplomaccloud.press.presenters.names import describe_time
from diplomaccloud.press.viewpoint.reports import (
    OwnText,
    TextCaseFacts,
    TextKind,
    TextLine,
    TextQueue,
    TextStage,
)
from diplomaccloud.schedule.descriptions import join_words

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
    when: str
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
    when: str


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
        when=describe_time(row.at),
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
        when=describe_time(line.at),
    )
