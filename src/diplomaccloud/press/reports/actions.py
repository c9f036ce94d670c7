"""Reporting a message, a player, a name or a status, and appealing a decision."""

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Final

from django.db import IntegrityError, transaction

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.renaming import hide_name, restore_name
from diplomaccloud.games.seats.actions import require_seat_of_power
from diplomaccloud.games.table.errors import Refused, WrongMoment
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.visibility.read import person_name
from diplomaccloud.maps.library import hide_map_name, set_map_name
from diplomaccloud.press.conversations.actions import find_own
from diplomaccloud.press.moderation import judges
from diplomaccloud.press.moderation.actions import (
    OWN_PAGE,
    assign_case,
    assign_text_case,
    clean_reason,
    lock_case,
    write_audit,
)
from diplomaccloud.press.moderation.models import (
    Appeal,
    AuditEntry,
    Case,
    Report,
    TextCase,
    TextReport,
)
from diplomaccloud.press.moderation.wording import (
    MESSAGE_GROUNDS,
    PLAYER_GROUNDS,
    Grounds,
    Outcome,
    Stage,
    TextKind,
    TextStage,
)
from diplomaccloud.press.table.actions import require_no_guest, require_visible
from diplomaccloud.press.table.addresses import Address
from diplomaccloud.press.table.errors import (
    AlreadyReported,
    CaseTaken,
    NoSuchCase,
    NoSuchConversation,
    TooManyMessages,
)
from diplomaccloud.press.table.events import PressEventKind, record_press_event
from diplomaccloud.press.table.models import Message
from diplomaccloud.press.table.state import load_table

MAX_A_DAY: Final = 20
_DAY: Final = dt.timedelta(days=1)


def clean_grounds(grounds: str, note: str, possible: Collection[Grounds] = MESSAGE_GROUNDS) -> str:
    """Return the cleaned note of a report; raise `Refused` if something is missing."""
    if grounds not in possible:
        raise Refused("Choose what is wrong.")
    text = clean_reason(note, "") if note.strip() else ""
    if grounds == Grounds.OTHER and not text:
        raise Refused("Describe the problem in a few words.")
    return text


def require_report_left(user_id: int, now: dt.datetime) -> None:
    """Raise `TooManyMessages` if the person has reached the daily limit of reports."""
    recent = [
        model.objects.filter(reporter=user_id, at__gt=now - _DAY).count()
        for model in (Report, TextReport)
    ]
    if sum(recent) >= MAX_A_DAY:
        raise TooManyMessages(f"You can send {MAX_A_DAY} reports a day. Try again tomorrow.")


# Reporting a message or a player, and appealing a decision about one.


@atomic_with_retries
def report_message(
    *,
    user_id: int,
    slug: str = "",
    to: Address | str,
    evidence: judges.Evidence,
    grounds: str,
    note: str = "",
    now: dt.datetime,
) -> None:
    """Report someone else's message, with the messages around it as evidence.

    `to` is an address in the game `slug` or, without a slug, the screen name of a person. Raises
    `NoSuchConversation`, `AlreadyReported`, `TooManyMessages` or `Refused`.
    """
    membership, ranges = find_own(user_id, slug, to)
    number = evidence.number
    stored = ranges.stored(number) if 1 <= number <= ranges.count else 0
    rows = Message.objects.filter(conversation=membership.conversation, number=stored)
    message = rows.select_related("send").first()
    if message is None or not _is_copied(message, evidence.content):
        raise NoSuchConversation
    if message.send.author_id == user_id:
        raise Refused("You wrote this message yourself.")
    if message.send.author_id is None:
        raise Refused("A bot wrote this message.")
    text = clean_grounds(grounds, note)
    if Report.objects.filter(reporter=user_id, message=message).exists():
        raise AlreadyReported
    require_report_left(user_id, now)
    # The lock keeps the case open for this report.
    case = Case.objects.select_for_update().filter(message=message, open=True).first()
    is_new = case is None
    if case is None:
        game_id = membership.conversation.game_id
        case = Case.objects.create(message=message, game_id=game_id, opened_at=now)
    Report.objects.create(
        reporter_id=user_id,
        message=message,
        case=case,
        grounds=grounds,
        note=text,
        evidence=dict(evidence.content),
        digest=judges.digest_evidence(evidence.content),
        at=now,
    )
    if is_new:
        assign_case(case, now)


@atomic_with_retries
def report_player(
    *, user_id: int, slug: str, power: str, grounds: str, note: str = "", now: dt.datetime
) -> None:
    """Report the player of the seat whose first power is `power`, or its last player.

    Raises `NoSuchGame`, `NotYourSeat` for a guest, `WrongMoment` before the start,
    `AlreadyReported` while the person's report of this seat is open, `TooManyMessages` or
    `Refused`.
    """
    game = lock_game(slug)
    table = load_table(game, user_id)
    require_visible(table)
    require_no_guest(user_id)
    phase = game.newest_phase()
    if phase is None:
        raise WrongMoment("This game has not started yet.")
    seat = require_seat_of_power(game, power)
    holder = judges.find_last_player(seat)
    if holder is None:
        raise Refused("No person has played this country.")
    if holder.pk == user_id:
        raise Refused("You cannot report yourself.")
    text = clean_grounds(grounds, note, PLAYER_GROUNDS)
    known = Report.objects.filter(case__seat=seat, case__person=holder, case__open=True)
    if known.filter(reporter=user_id).exists():
        raise AlreadyReported
    require_report_left(user_id, now)
    # The lock of the game keeps the case open for this report.
    case, is_new = Case.objects.get_or_create(
        seat=seat, person=holder, open=True, defaults={"game": game, "opened_at": now}
    )
    content: dict[str, object] = {
        "game": slug,
        "power": seat.power,
        "country": seat.country_name,
        "name": person_name(game, holder),
        "phase": phase.name,
        "branch": game.branch,
    }
    Report.objects.create(
        reporter_id=user_id,
        case=case,
        grounds=grounds,
        note=text,
        evidence=content,
        digest=judges.digest_evidence(content),
        at=now,
    )
    if is_new:
        assign_case(case, now)


def _is_copied(message: Message, content: Mapping[str, object]) -> bool:
    """Return whether the evidence includes the message itself."""
    listed = content.get("messages")
    copies = listed if isinstance(listed, list) else []
    return any(
        copy["reported"] and copy["body"] == message.body and copy["at"] == message.at.isoformat()
        for copy in copies
    )


@atomic_with_retries
def appeal_decision(*, user_id: int, key: str, text: str, now: dt.datetime) -> None:
    """Appeal a decision about the person or their message to another moderator, once.

    Raises `NoSuchCase`, `CaseTaken` if there was an appeal before, or `Refused`.
    """
    case = lock_case(key)
    first = case.decisions.filter(on_appeal=False).exclude(outcome=Outcome.NONE).first()
    if first is None or case.accused.pk != user_id:
        raise NoSuchCase
    reason = clean_reason(text, "Explain why the decision should change.")
    if case.stage != Stage.DECIDED:
        raise CaseTaken("You have already appealed. Each decision can be appealed once.")
    Appeal.objects.create(decision=first, text=reason, at=now)
    case.stage, case.taken_by, case.taken_at = Stage.APPEALED, None, None
    case.assigned_to = None
    case.save(update_fields=["stage", "assigned_to", "taken_by", "taken_at"])
    assign_case(case, now)


# Reporting a name or a status, and hiding or restoring it.


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
    reported = judges.find_text(kind, of)
    if reported.person_id == user_id:
        raise Refused("You cannot report yourself.")
    text = clean_grounds(grounds, note)
    if judges.has_reported(user_id, kind, reported):
        raise AlreadyReported
    require_report_left(user_id, now)
    # The lock keeps the case open for this report.
    case, is_new = TextCase.objects.select_for_update().get_or_create(
        person_id=reported.person_id,
        kind=kind,
        text=reported.text,
        open=True,
        defaults={"chart_id": reported.chart_id, "opened_at": now},
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
    if case is None or not judges.select_text_cases(judge, now).filter(pk=case.pk).exists():
        raise NoSuchCase
    if stage not in _ACTS:
        raise Refused("Choose what to do.")
    wanted = TextStage(stage)
    before = TextStage.HIDDEN if wanted is TextStage.RESTORED else TextStage.OPEN
    if case.stage != before:
        raise CaseTaken("This case has already been decided.")
    why = clean_reason(reason, "Give a reason.")
    if wanted is TextStage.HIDDEN and not _change_text(case, hides=True):
        raise Refused("The text has changed since it was reported. There is nothing to hide.")
    if wanted is TextStage.RESTORED and not _change_text(case, hides=False):
        raise Refused("The player has since chosen another text. There is nothing to restore.")
    case.stage, case.open, case.reason = wanted, None, why
    case.judged_by, case.judged_at = judge, now
    case.save(update_fields=["stage", "open", "reason", "judged_by", "judged_at"])
    write_audit(_ACTS[wanted], by=user_id, now=now, person=case.person_id, detail=why)
    _announce_decision(case, now)


def _change_text(case: TextCase, *, hides: bool) -> bool:
    """Hide or restore the text; return whether it was still as reported, or as it was hidden."""
    if case.chart is not None:
        if hides:
            hide_map_name(case.chart.content_hash)
        else:
            set_map_name(case.chart.content_hash, case.text)
        return True
    if case.kind == TextKind.NAME:
        return (hide_name if hides else restore_name)(case.person_id, case.text)
    if case.kind != TextKind.STATUS:
        return True
    people = User.objects.filter(pk=case.person_id)
    if hides:
        return bool(people.filter(status=case.text).update(status=""))
    return bool(people.filter(status="", deleted_at=None).update(status=case.text))


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
