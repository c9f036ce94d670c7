"""Reporting a message or a player, and appealing a decision about one."""

import datetime as dt
from collections.abc import Mapping

from diplomaccloud.games.seats.actions import require_seat_of_power
from diplomaccloud.games.table.errors import Refused, WrongMoment
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.visibility.read import person_name
from diplomaccloud.press.actions.marks import find_own
from diplomaccloud.press.actions.refusals import require_no_guest, require_visible
from diplomaccloud.press.actions.reports.assignment import assign_case
from diplomaccloud.press.actions.reports.audit import clean_reason
from diplomaccloud.press.actions.reports.grounds import clean_grounds, require_report_left
from diplomaccloud.press.actions.reports.locks import lock_case
from diplomaccloud.press.addresses import Address
from diplomaccloud.press.errors import (
    AlreadyReported,
    CaseTaken,
    NoSuchCase,
    NoSuchConversation,
)
from diplomaccloud.press.evidence import Evidence, digest_evidence
from diplomaccloud.press.judges import find_last_player
from diplomaccloud.press.models import Appeal, Case, Message, Report
from diplomaccloud.press.models.reports import PLAYER_GROUNDS, Outcome, Stage
from diplomaccloud.press.table import load_table


@atomic_with_retries
def report_message(
    *,
    user_id: int,
    slug: str = "",
    to: Address | str,
    evidence: Evidence,
    grounds: str,
    note: str = "",
    now: dt.datetime,
) -> None:
    """Report someone else's message, with the messages around it as evidence.

    `to` is an address in the game `slug` or, without a slug, the screen name of a person. Raises
    `NoSuchConversation`, `AlreadyReported`, `TooManyMessages` or `Refused`.
    """
    own = find_own(user_id, slug, to)
    number = evidence.number
    stored = own.ranges.stored(number) if 1 <= number <= own.ranges.count else 0
    rows = Message.objects.filter(conversation=own.conversation, number=stored)
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
    case, is_new = _open_case(message, own.conversation.game_id, now)
    Report.objects.create(
        reporter_id=user_id,
        message=message,
        case=case,
        grounds=grounds,
        note=text,
        evidence=dict(evidence.content),
        digest=digest_evidence(evidence.content),
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
    holder = find_last_player(seat)
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
        digest=digest_evidence(content),
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


def _open_case(message: Message, game_id: int | None, now: dt.datetime) -> tuple[Case, bool]:
    """Return the open case of the message, and whether it is new.

    The case is locked, so that it stays open for this report.
    """
    case = Case.objects.select_for_update().filter(message=message, open=True).first()
    if case is not None:
        return case, False
    return Case.objects.create(message=message, game_id=game_id, opened_at=now), True


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
