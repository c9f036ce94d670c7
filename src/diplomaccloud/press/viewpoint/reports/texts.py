"""Cases about names and statuses, for moderators and for the people concerned."""

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from diplomaccloud.accounts.models import User
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.models import TextCase, TextReport
from diplomaccloud.press.models.reports import Grounds
from diplomaccloud.press.models.texts import TextKind, TextStage
from diplomaccloud.press.texts import (
    FoundText,
    find_text,
    has_reported,
    read_current_text,
    select_text_cases,
)
from diplomaccloud.shared.prepared_queries import PreparedQuery

MAX_LISTED: Final = 50
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
class TextQueue:
    """The waiting cases, oldest first, and the newest ones with hidden texts."""

    waiting: tuple[TextLine, ...]
    hidden: tuple[TextLine, ...]


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


def read_text_queue(viewer: Viewer, *, now: dt.datetime) -> TextQueue:
    """Return the cases of a moderator or administrator; empty for everyone else."""
    user = User.objects.filter(pk=viewer.user_id or 0).first()
    cases = select_text_cases(user, now) if user is not None else TextCase.objects.none()
    waiting = cases.filter(stage=TextStage.OPEN).order_by("opened_at", "pk")
    hidden = cases.filter(stage=TextStage.HIDDEN).exclude(text="").order_by("-opened_at", "-pk")
    return TextQueue(_list(waiting), _list(hidden))


def read_text_case(viewer: Viewer, key: str, *, now: dt.datetime) -> TextCaseFacts:
    """Return a case; raise `NoSuchCase` if the viewer does not judge it."""
    user = User.objects.filter(pk=viewer.user_id or 0).first()
    cases = select_text_cases(user, now) if user is not None else TextCase.objects.none()
    case = cases.filter(key=key).select_related("person", "chart").first()
    if case is None:
        raise NoSuchCase
    reports = list(case.reports.order_by("pk"))
    return TextCaseFacts(
        line=_line(case, [row.grounds for row in reports]),
        person=case.person.screen_name,
        current=read_current_text(case),
        content_hash=case.chart.content_hash if case.chart else "",
        notes=tuple((Grounds(row.grounds), row.note) for row in reports),
        reason=case.reason,
    )


def read_reportable(viewer: Viewer, kind: str, of: str) -> FoundText:
    """Return a text that the viewer can report; raise `NoSuchCase`."""
    found = find_text(kind, of)
    if viewer.user_id is None or found.person_id == viewer.user_id:
        raise NoSuchCase
    return found


def is_text_reported(viewer: Viewer, kind: str, found: FoundText) -> bool:
    """Return whether the viewer has reported the text, and it has not been hidden since."""
    return viewer.user_id is not None and has_reported(viewer.user_id, kind, found)


def read_own_texts(user_id: int) -> tuple[OwnText, ...]:
    """Return the moderators' decisions about the person's texts, newest first."""
    return tuple(
        OwnText(TextKind(row.kind), TextStage(row.stage), row.text, row.reason, row.judged_at)
        for row in _own_texts.read(user_id)
        if row.judged_at is not None
    )


def read_own_text_reports(user_id: int) -> tuple[tuple[TextKind, str, dt.datetime, bool], ...]:
    """Return kind, text and time of the person's reports, newest first, and if they are decided."""
    return tuple(
        (TextKind(row.case.kind), row.case.text, row.at, row.case.stage != TextStage.OPEN)
        for row in _own_text_reports.read(user_id)
    )


_own_texts = PreparedQuery(
    lambda person: TextCase.objects.filter(
        person=person, stage__in=(TextStage.HIDDEN, TextStage.RESTORED)
    ).order_by("-judged_at", "-pk")[:MAX_LISTED],
    int,
)
_own_text_reports = PreparedQuery(
    lambda person: (
        TextReport.objects.filter(reporter=person)
        .select_related("case")
        .order_by("-at", "-pk")[:MAX_LISTED]
    ),
    int,
)


def _list(cases: QuerySet[TextCase]) -> tuple[TextLine, ...]:
    rows = list(cases[:MAX_LISTED])
    grounds: dict[int, list[str]] = {}
    reports = TextReport.objects.filter(case__in=[row.pk for row in rows])
    for key, word in reports.values_list("case", "grounds"):
        grounds.setdefault(key, []).append(word)
    return tuple(_line(row, grounds.get(row.pk, [])) for row in rows)


def _line(case: TextCase, grounds: list[str]) -> TextLine:
    counted = Counter(grounds)
    return TextLine(
        key=case.key,
        kind=TextKind(case.kind),
        stage=TextStage(case.stage),
        text=case.text,
        grounds=tuple(word for word in Grounds if counted[word]),
        reports=len(grounds),
        at=case.opened_at,
    )
