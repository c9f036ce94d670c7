"""Judging a case: taking it, deciding it, and applying the decision to the person."""

import datetime as dt
from typing import Final

from django_tasks import task

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.games.people.actions import finish_departure, leave_all_games
from diplomaccloud.games.seats.actions import CONDUCT, MESSAGE, expel_player, reinstate_player
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.models import REMOVED, Tenure
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.press.actions.reports.assignment import assign_case
from diplomaccloud.press.actions.reports.audit import clean_reason, write_audit
from diplomaccloud.press.actions.reports.locks import (
    is_held,
    is_masters_case,
    lock_case_for,
    require_taken,
)
from diplomaccloud.press.actions.reports.notification import announce_decision
from diplomaccloud.press.actions.versions import raise_versions
from diplomaccloud.press.errors import CaseTaken
from diplomaccloud.press.judges import is_about, list_outcomes
from diplomaccloud.press.models import AuditEntry, Case, Decision, PressLimit
from diplomaccloud.press.models.reports import Outcome, Stage
from diplomaccloud.shared.site_clock import site_clock

LIMIT_DAYS: Final = (1, 3, 7, 14, 30)
"""The numbers of days for which press can be limited."""


@atomic_with_retries
def take_case(*, user_id: int, key: str, now: dt.datetime) -> None:
    """Take a case, so that nobody else can judge it for a while; raise `CaseTaken`."""
    case = lock_case_for(user_id, key, now)
    if case.taken_by_id == user_id:
        return
    if is_held(case, now):
        raise CaseTaken("Someone else has just taken this case.")
    case.taken_by_id, case.taken_at = user_id, now
    case.save(update_fields=["taken_by", "taken_at"])
    write_audit(AuditEntry.Act.TAKEN, by=user_id, now=now, case=case)


@atomic_with_retries
def return_case(*, user_id: int, key: str, now: dt.datetime) -> None:
    """Return a case that the person took, so that someone else judges it."""
    case = lock_case_for(user_id, key, now)
    require_taken(case, user_id)
    case.assigned_to = case.taken_by = case.taken_at = None
    case.save(update_fields=["assigned_to", "taken_by", "taken_at"])
    write_audit(AuditEntry.Act.RETURNED, by=user_id, now=now, case=case)
    assign_case(case, now)


def decide_case(
    *,
    user_id: int,
    key: str,
    outcome: str,
    reason: str,
    days: int = 0,
    owner: str,
    now: dt.datetime,
) -> None:
    """Decide a case that the person has taken, with a reason for the person concerned.

    `days` is how long press is limited. `owner` identifies the request, in case a removal makes a
    phase of the game due. Raises `NoSuchCase`, `CaseTaken` or `Refused`.
    """
    banned, due = _decide(
        user_id=user_id, key=key, outcome=outcome, reason=reason, days=days, now=now
    )
    if banned is not None:
        leave_all_games(user_id=banned, removed=True, now=now)
    _return_seats(key, now)
    if due is not None:
        advance(game_id=due, owner=owner, now=lambda: now)


@atomic_with_retries
def _decide(
    *, user_id: int, key: str, outcome: str, reason: str, days: int, now: dt.datetime
) -> tuple[int | None, int | None]:
    """Return the banned person, if any, and the game whose phase has become due, if any.

    The person leaves games after this transaction, which locks only one game.
    """
    case = lock_case_for(user_id, key, now)
    require_taken(case, user_id)
    by_master = is_masters_case(case, user_id)
    first = case.decisions.filter(on_appeal=False).first()
    if outcome not in list_outcomes(case, by_master=by_master, first=first):
        raise Refused("Choose a decision.")
    text = clean_reason(reason, "Give a reason. The person concerned sees it.")
    if outcome == Outcome.LIMITED and days not in LIMIT_DAYS:
        raise Refused("Choose how long press is limited.")
    until = now + dt.timedelta(days=days) if outcome == Outcome.LIMITED else None
    if until and first is not None and first.until is not None:
        until = min(until, first.until)
    returned = None
    if first is not None and outcome != first.outcome == Outcome.REMOVED and case.game is not None:
        returned = reinstate_player(
            slug=case.game.slug, user_id=case.accused.pk, since=first.at, now=now
        )
    decision = Decision.objects.create(
        case=case,
        on_appeal=first is not None,
        by_id=user_id,
        by_master=by_master,
        outcome=outcome,
        reason=text,
        until=until,
        seat_returned=returned,
        at=now,
    )
    case.stage = Stage.DECIDED if first is None else Stage.FINAL
    case.open, case.taken_by, case.taken_at = None, None, None
    case.save(update_fields=["stage", "open", "taken_by", "taken_at"])
    write_audit(
        AuditEntry.Act.DECIDED, by=user_id, now=now, case=case, detail=Outcome(outcome).label
    )
    announce_decision(decision, now)
    if first is not None:
        _lift(first, decision, now)
    return _apply(decision, first, now)


@task()
def finish_return(key: str) -> None:
    """Return the seats that `decide_case` did not reach because its process died."""
    _return_seats(key, site_clock.now())


def _return_seats(key: str, now: dt.datetime) -> None:
    """Give the person whose ban was overturned the seats back that are still vacant.

    Each game has its own transaction. Doing it again changes nothing.
    """
    overturned = Decision.objects.filter(case__key=key, on_appeal=True)
    overturned = overturned.exclude(outcome=Outcome.BANNED)
    bans = Decision.objects.filter(case__key=key, on_appeal=False, outcome=Outcome.BANNED)
    case = Case.objects.filter(key=key, decisions__in=overturned).first()
    ban = bans.first()
    if case is None or ban is None:
        return
    author_id = case.accused.pk
    if User.objects.filter(pk=author_id, banned_at=None).exists():
        left = Tenure.objects.filter(user=author_id, left=REMOVED, until_at__gte=ban.at)
        for slug in list(left.order_by("pk").values_list("seat__game__slug", flat=True)):
            reinstate_player(slug=slug, user_id=author_id, since=ban.at, now=now)


def _apply(
    decision: Decision, first: Decision | None, now: dt.datetime
) -> tuple[int | None, int | None]:
    """Apply the decision unless `first` already did; return what must follow later."""
    case = decision.case
    author_id, banned, due = case.accused.pk, None, None
    match decision.outcome:
        case Outcome.LIMITED:
            PressLimit.objects.create(
                decision=decision,
                user_id=author_id,
                game_id=case.game_id if (first or decision).by_master else None,
                until=decision.until or now,
            )
        case Outcome.REMOVED if first is None and case.game is not None:
            judge = Label.MASTER if decision.by_master else Label.MODERATOR
            due = expel_player(
                slug=case.game.slug,
                user_id=author_id,
                decided_by=judge,
                reason=CONDUCT if case.message is None else MESSAGE,
                now=now,
            )
        case Outcome.BANNED if first is None:
            User.objects.filter(pk=author_id, banned_at=None).update(banned_at=now)
            # A worker reads this if this process dies before the person has left all games.
            finish_departure.enqueue(author_id, removed=True)
            banned = author_id
    raise_versions([author_id], case.game_id)
    return banned, due


def _lift(first: Decision, decision: Decision, now: dt.datetime) -> None:
    """Undo the effects of the first decision that the decision on appeal does not uphold."""
    PressLimit.objects.filter(decision=first, until__gt=now).update(until=now)
    if first.outcome == Outcome.BANNED and decision.outcome != Outcome.BANNED:
        author_id = first.case.accused.pk
        if not _is_banned_otherwise(author_id, first.case):
            User.objects.filter(pk=author_id).update(banned_at=None)
            # A worker reads this if this process dies before the person is back.
            finish_return.enqueue(first.case.key)


def _is_banned_otherwise(user_id: int, case: Case) -> bool:
    """Return whether a decision in another case that was not overturned bans the person."""
    rows = Decision.objects.filter(is_about(user_id)).exclude(case=case)
    newest = {row.case_id: row.outcome for row in rows.order_by("on_appeal")}
    return Outcome.BANNED in newest.values()
