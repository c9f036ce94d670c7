"""The audit for moderators, without lines about cases that the viewer could not judge."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Seat, Tenure
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.judges import find_involved, shares_game
from diplomaccloud.press.models import AuditEntry

MAX_LISTED: Final = 100
"""How many lines a page shows."""

_PERSONAL_ACTS: Final = (
    *(AuditEntry.Act.HIDDEN, AuditEntry.Act.KEPT, AuditEntry.Act.RESTORED),
    *(AuditEntry.Act.PAUSED, AuditEntry.Act.UNPAUSED),
)
"""Acts that are hidden from the person concerned and from that person's rivals, even moderators."""


@dataclass(frozen=True, slots=True)
class AuditFacts:
    """A line of the audit; `by` is blank for the command line, `case` for other lines."""

    at: dt.datetime
    by: str
    act: str
    case: str
    person: str
    detail: str


def read_audit(viewer: Viewer, *, before: dt.datetime | None = None) -> tuple[AuditFacts, ...]:
    """Return the newest lines, or those before a time; raise `NoSuchCase` unless a moderator.

    Administrators can read it, too. Pages are divided by time, because row keys would reveal how
    many lines are left out.
    """
    user = User.objects.filter(pk=viewer.user_id or 0, is_active=True).first()
    if user is None or not (user.moderator or user.is_superuser):
        raise NoSuchCase
    involved = Q(case__isnull=False) & find_involved(user, "case__")
    own = Q(act__in=_PERSONAL_ACTS) & (Q(person=user) | shares_game(user, "person"))
    played = Tenure.objects.filter(seat__game=OuterRef("game"), user=user)
    seated = Seat.objects.filter(game=OuterRef("game"), user=user)
    # An assignment is no act, and one that ends would tell of a new involvement.
    rows = AuditEntry.objects.exclude(act=AuditEntry.Act.ASSIGNED).exclude(involved).exclude(own)
    rows = rows.exclude(Exists(played)).exclude(Exists(seated))
    rows = rows.exclude(game__isnull=False, game__master=user)
    if before is not None:
        rows = rows.filter(at__lt=before)
    related = rows.select_related("by", "person", "case").order_by("-pk")[:MAX_LISTED]
    return tuple(
        AuditFacts(
            row.at,
            row.by.screen_name if row.by else "",
            row.act,
            row.case.key if row.case else "",
            row.person.screen_name if row.person else "",
            row.detail,
        )
        for row in related
    )


def list_moderators() -> tuple[str, ...]:
    """Return the screen names of the moderators, sorted."""
    people = User.objects.filter(moderator=True, is_active=True).order_by("folded_name")
    return tuple(person.screen_name for person in people)
