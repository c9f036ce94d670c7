"""Assigning cases to moderators, evenly, and never to one who is involved.

A moderator sees only assigned cases. If moderators saw all cases except those of people with whom
they share a game, a missing case would tell them who plays there.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from typing import TypeVar

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.actions.reports.audit import write_audit
from diplomaccloud.press.actions.reports.locks import WAITING, is_held, lock_case
from diplomaccloud.press.actions.reports.notification import announce_case, announce_text_case
from diplomaccloud.press.judges import (
    find_idle,
    select_assignable,
    select_for_master,
    select_moderators,
)
from diplomaccloud.press.models import AuditEntry, Case, TextCase
from diplomaccloud.press.models.texts import TextStage
from diplomaccloud.press.texts import select_assignable_texts

Row = TypeVar("Row", Case, TextCase)
# A case that went to another moderator when an anonymous game began would tell who plays in it.
_select_kept = partial(select_assignable, unseen=False)
_select_kept_texts = partial(select_assignable_texts, unseen=False)


def assign_case(case: Case, now: dt.datetime) -> bool:
    """Assign a locked case to another moderator, and return whether that changed anything.

    People who can judge it are notified: the moderator, the game master as long as the case is for
    that person, or the administrators if every moderator is involved or has returned it.
    """
    changed = False
    if not select_for_master(now).filter(pk=case.pk).exists():
        returned = AuditEntry.objects.filter(case=case, act=AuditEntry.Act.RETURNED)
        left_out = {case.assigned_to_id, *returned.values_list("by", flat=True)}
        able = _list_able(lambda user: select_assignable(user).filter(pk=case.pk), left_out)
        if able or not _stays(case, _select_kept):
            changed = case.assigned_to_id is not None or bool(able)
            case.assigned_to, case.assigned_at = (able[0] if able else None), now
            case.taken_by, case.taken_at = None, None
            case.save(update_fields=["assigned_to", "assigned_at", "taken_by", "taken_at"])
    if changed and case.assigned_to is not None:
        _record(case.assigned_to, now, case)
    announce_case(case, now)
    return changed


def assign_text_case(case: TextCase, now: dt.datetime) -> bool:
    """Assign a locked case about a text, like `assign_case`."""
    changed, left_out = False, {case.assigned_to_id}
    able = _list_able(lambda user: select_assignable_texts(user).filter(pk=case.pk), left_out)
    if able or not _stays(case, _select_kept_texts):
        changed = case.assigned_to_id is not None or bool(able)
        case.assigned_to, case.assigned_at = (able[0] if able else None), now
        case.save(update_fields=["assigned_to", "assigned_at"])
    if changed and case.assigned_to is not None:
        _record(case.assigned_to, now)
    announce_text_case(case, now)
    return changed


def assign_waiting_cases(*, now: dt.datetime) -> int:
    """Assign the waiting cases that nobody judges, and return how many were assigned.

    Those are cases without a moderator, and cases of moderators who have become involved, are no
    longer moderators, or are idle. The case of an idle moderator stays if nobody else can judge it.
    The worker calls this again and again.
    """
    moderators = list(select_moderators())
    cases = Case.objects.filter(stage__in=WAITING).exclude(pk__in=select_for_master(now))
    texts = TextCase.objects.filter(stage=TextStage.OPEN)
    loose = _find_loose(cases, moderators, _select_kept, find_idle(now))
    idle = find_idle(now, taken=False)
    loose_texts = _find_loose(texts, moderators, _select_kept_texts, idle)
    number = sum(_reassign(key=key, now=now) for key in loose)
    return number + sum(_reassign_text(key=key, now=now) for key in loose_texts)


def _find_loose(
    cases: QuerySet[Row],
    moderators: Collection[User],
    select: Callable[[User], QuerySet[Row]],
    idle: Q,
) -> list[str]:
    """Return the keys of the cases that are assigned to nobody who judges them."""
    keys = set(cases.exclude(assigned_to__in=moderators).values_list("key", flat=True))
    for user in moderators:
        own = cases.filter(assigned_to=user)
        judged = select(user).filter(pk__in=own.exclude(idle).values("pk"))
        keys |= set(own.values_list("key", flat=True)) - set(judged.values_list("key", flat=True))
    return sorted(keys)


@atomic_with_retries
def _reassign(*, key: str, now: dt.datetime) -> bool:
    case = lock_case(key)
    is_judged = is_held(case, now) and case.taken_by_id != case.assigned_to_id
    return case.stage in WAITING and not is_judged and assign_case(case, now)


@atomic_with_retries
def _reassign_text(*, key: str, now: dt.datetime) -> bool:
    case = TextCase.objects.select_for_update().get(key=key)
    return case.stage == TextStage.OPEN and assign_text_case(case, now)


def _stays(case: Row, select: Callable[[User], QuerySet[Row]]) -> bool:
    """Return whether the moderator of the case could still judge it."""
    if case.assigned_to_id is None:
        return False
    users = select_moderators().filter(pk=case.assigned_to_id)
    return any(select(user).filter(pk=case.pk).exists() for user in users)


def _list_able(
    find: Callable[[User], QuerySet[Case] | QuerySet[TextCase]], left_out: Collection[int | None]
) -> list[User]:
    """Return the moderators who can judge a case, those with the fewest waiting cases first.

    Among equals, the one comes first who was assigned a case longest ago.
    """
    waiting = (Case.objects.filter(stage__in=WAITING), TextCase.objects.filter(open=True))
    load = Counter(
        user for rows in waiting for user in rows.values_list("assigned_to", flat=True) if user
    )
    newest = AuditEntry.objects.filter(person=OuterRef("pk"), act=AuditEntry.Act.ASSIGNED)
    last = Subquery(newest.order_by("-pk").values("pk")[:1])
    users = select_moderators().annotate(newest=Coalesce(last, 0)).order_by("pk")
    ranked = sorted(users, key=lambda user: (load[user.pk], vars(user)["newest"], user.pk))
    return [user for user in ranked if user.pk not in left_out and find(user).exists()]


def _record(user: User, now: dt.datetime, case: Case | None = None) -> None:
    """Record that the person can read the case, which bars them from its game."""
    write_audit(AuditEntry.Act.ASSIGNED, by=None, now=now, case=case, person=user.pk)
