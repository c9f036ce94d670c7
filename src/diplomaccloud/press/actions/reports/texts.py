"""Reporting a name or a status, and hiding or restoring it."""

import datetime as dt
from typing import Final

from django.db import IntegrityError, transaction

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.renaming import hide_name, restore_name
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.maps.library import hide_map_name, set_map_name
from diplomaccloud.press.actions.events import record_press_event
from diplomaccloud.press.actions.reports.assignment import assign_text_case
from diplomaccloud.press.actions.reports.audit import clean_reason, write_audit
from diplomaccloud.press.actions.reports.grounds import clean_grounds, require_report_left
from diplomaccloud.press.actions.reports.notification import OWN_PAGE
from diplomaccloud.press.errors import AlreadyReported, CaseTaken, NoSuchCase
from diplomaccloud.press.event_kinds import PressEventKind
from diplomaccloud.press.models import AuditEntry, TextCase, TextReport
from diplomaccloud.press.models.texts import TextKind, TextStage
from diplomaccloud.press.texts import find_text, has_reported, select_text_cases

_ACTS: Final = {
    TextStage.HIDDEN: AuditEntry.Act.HIDDEN,
    TextStage.KEPT: AuditEntry.Act.KEPT,
    TextStage.RESTORED: AuditEntry.Act.RESTORED,
}


@atomic_with_retries
def report_text(
    *, user_id: int, kind: str, of: str, grounds: str, note: str = "", now: dt.datetime
) -> None:
    """Report the screen name or status of the player `of`, or the name of the map with hash `of`.

    Raises `NoSuchCase` if there is no such text, `AlreadyReported`, `TooManyMessages` or `Refused`.
    """
    found = find_text(kind, of)
    if found.person_id == user_id:
        raise Refused("You cannot report yourself.")
    text = clean_grounds(grounds, note)
    if has_reported(user_id, kind, found):
        raise AlreadyReported
    require_report_left(user_id, now)
    # The lock keeps the case open for this report.
    case, is_new = TextCase.objects.select_for_update().get_or_create(
        person_id=found.person_id,
        kind=kind,
        text=found.text,
        open=True,
        defaults={"chart_id": found.chart_id, "opened_at": now},
    )
    try:
        with transaction.atomic():
            TextReport.objects.create(
                reporter_id=user_id, case=case, grounds=grounds, note=text, at=now
            )
    except IntegrityError as error:
        # Another request of the same person came first.
        raise AlreadyReported from error
    if is_new:
        assign_text_case(case, now)


@atomic_with_retries
def judge_text(*, user_id: int, key: str, stage: str, reason: str, now: dt.datetime) -> None:
    """Hide, keep or restore the text of a case, with a reason.

    Raises `NoSuchCase` unless the case is assigned to the person, `CaseTaken` if the
    case is already decided, or `Refused` if the text has changed since.
    """
    case = TextCase.objects.select_for_update().filter(key=key).first()
    judge = User.objects.get(pk=user_id)
    if case is None or not select_text_cases(judge, now).filter(pk=case.pk).exists():
        raise NoSuchCase
    if stage not in _ACTS:
        raise Refused("Choose what to do.")
    wanted = TextStage(stage)
    before = TextStage.HIDDEN if wanted is TextStage.RESTORED else TextStage.OPEN
    if case.stage != before:
        raise CaseTaken("This case has already been decided.")
    why = clean_reason(reason, "Give a reason.")
    if wanted is TextStage.HIDDEN:
        _hide(case)
    elif wanted is TextStage.RESTORED:
        _restore(case)
    case.stage, case.open, case.reason = wanted, None, why
    case.judged_by, case.judged_at = judge, now
    case.save(update_fields=["stage", "open", "reason", "judged_by", "judged_at"])
    write_audit(_ACTS[wanted], by=user_id, now=now, person=case.person_id, detail=why)
    _announce_decision(case, now)


def _hide(case: TextCase) -> None:
    hidden = True
    match case.kind:
        case TextKind.NAME:
            hidden = hide_name(case.person_id, case.text)
        case TextKind.STATUS:
            people = User.objects.filter(pk=case.person_id, status=case.text)
            hidden = bool(people.update(status=""))
        case _ if case.chart is not None:
            hide_map_name(case.chart.content_hash)
    if not hidden:
        raise Refused("The text has changed since it was reported. There is nothing to hide.")


def _restore(case: TextCase) -> None:
    restored = True
    match case.kind:
        case TextKind.NAME:
            restored = restore_name(case.person_id, case.text)
        case TextKind.STATUS:
            blank = User.objects.filter(pk=case.person_id, status="", deleted_at=None)
            restored = bool(blank.update(status=case.text))
        case _ if case.chart is not None:
            set_map_name(case.chart.content_hash, case.text)
    if not restored:
        raise Refused("The player has since chosen another text. There is nothing to restore.")


def _announce_decision(case: TextCase, now: dt.datetime) -> None:
    if case.stage != TextStage.RESTORED:
        record_press_event(
            PressEventKind.REPORT_DECIDED,
            key=f"decided text {case.key}",
            user_ids=set(case.reports.values_list("reporter", flat=True)),
            now=now,
            path=OWN_PAGE,
        )
    if case.stage != TextStage.KEPT:
        record_press_event(
            PressEventKind.JUDGED,
            key=f"judged text {case.key} {case.stage}",
            user_ids={case.person_id},
            now=now,
            path=OWN_PAGE,
            data={"decision": f"{case.kind} {case.stage}"},
        )
