"""Appointing and dismissing moderators."""

import datetime as dt

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NoSuchPlayer, Refused
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.actions.reports.assignment import assign_waiting_cases
from diplomaccloud.press.actions.reports.audit import write_audit
from diplomaccloud.press.actions.reports.locks import release_cases
from diplomaccloud.press.models import AuditEntry


def appoint_moderator(*, name: str, appointed: bool, by: int | None, now: dt.datetime) -> bool:
    """Appoint or dismiss a moderator; return whether that changed anything.

    `by` is an administrator, None for the command line. Afterward, waiting cases are assigned, each
    under its own lock, because a case must be locked before people. Raises `NoSuchPlayer`.
    """
    person = _change(name=name, appointed=appointed, by=by, now=now)
    if person is not None:
        if not appointed:
            release_cases(person)
        assign_waiting_cases(now=now)
    return person is not None


@atomic_with_retries
def _change(*, name: str, appointed: bool, by: int | None, now: dt.datetime) -> int | None:
    """Return the person who was appointed or dismissed; None if nothing changed."""
    people = User.objects.filter(is_active=True, guest__in=[False], folded_name=name.lower()[:40])
    person = people.select_for_update().first()
    if person is None:
        raise NoSuchPlayer("There is no player with this screen name.")
    if appointed and person.banned_at is not None:
        raise Refused("This person is banned from the site.")
    if person.moderator == appointed:
        return None
    person.moderator = appointed
    person.save(update_fields=["moderator"])
    act = AuditEntry.Act.APPOINTED if appointed else AuditEntry.Act.DISMISSED
    write_audit(act, by=by, now=now, person=person.pk)
    return person.pk
