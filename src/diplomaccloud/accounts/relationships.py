"""Relationships that two people have declared, so that nobody takes them for one person.

One person declares, and the other confirms or refuses. Nobody learns of a refusal: the declaration
seems to wait, and a repeated one stays refused. Either person can end a relationship. Confirmed
ones that have ended stay as history for moderators until one of the accounts is deleted.
"""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from diplomaccloud.accounts.models import Relationship, User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.schedule.timer import Refused, WrongMoment

MAX_DECLARED: Final = 20
"""How many open declarations a person can have, and how many the person can make in a day."""
MAX_LISTED: Final = 100
"""How many open relationships are listed, newest first."""
KINDS: Final = tuple((kind.value, kind.label) for kind in Relationship.Kind)
"""The kinds of relationships, as values and labels."""
_DAY: Final = dt.timedelta(days=1)
_MAX_NAME: Final = 40


class NoSuchRelationship(Refused):
    """A relationship that is not the person's, or has ended."""

    status = 404


@dataclass(frozen=True, slots=True)
class OwnRelationship:
    """An open relationship of a person; `is_own` is whether the person declared it."""

    key: int
    name: str
    kind: str
    is_own: bool
    declared_at: dt.datetime
    confirmed_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Declared:
    """A confirmed relationship of two people, for moderators; `until` is when it ended."""

    kind: str
    since: dt.datetime
    until: dt.datetime | None


@transaction.atomic
def declare_relationship(*, user_id: int, name: str, kind: str, now: dt.datetime) -> bool:
    """Declare a relationship with the person called `name`; return whether it is confirmed at once.

    It is if the other person has declared the same. Another declaration of that person that waits
    is replaced. Raises `Refused` for a guest, an unknown name or kind, the person's own name, a
    relationship that is declared already, and too many declarations.
    """
    if kind not in Relationship.Kind.values:
        raise Refused("Choose how you know each other.")
    partner = _find_person(name, user_id)
    # Always in one order, so that two declarations never cross.
    locked = User.objects.select_for_update().filter(pk__in=(user_id, partner.pk)).order_by("pk")
    people = {row.pk: row for row in locked}
    if people[user_id].guest:
        raise Refused("Sign up to declare a relationship.")
    if people[partner.pk].deleted_at is not None:
        raise Refused(_describe_unknown(name))
    declarations = Relationship.objects.filter(person=user_id, other=partner)
    theirs = Relationship.objects.filter(person=partner, other=user_id)
    if declarations.filter(ended_at=None).exists() or _select_confirmed(theirs).exists():
        raise WrongMoment(
            f"You have already declared a relationship with {partner.screen_name}. "
            "End it before you declare another."
        )
    counted = Q(ended_at=None) | Q(declared_at__gt=now - _DAY)
    if Relationship.objects.filter(counted, person=user_id).count() >= MAX_DECLARED:
        raise WrongMoment(
            f"You can have {MAX_DECLARED} open declarations, and make {MAX_DECLARED} in a day."
        )
    waiting = theirs.filter(confirmed_at=None)
    if waiting.filter(ended_at=None, kind=kind).update(confirmed_at=now, refused_at=None):
        return True
    waiting.delete()
    # A refused declaration stays refused, so that nobody is asked again and again.
    again = declarations.filter(confirmed_at=None)
    if not again.update(kind=kind, declared_at=now, ended_at=None):
        Relationship.objects.create(person_id=user_id, other=partner, kind=kind, declared_at=now)
    return False


@transaction.atomic
def confirm_relationship(*, user_id: int, key: int, now: dt.datetime) -> None:
    """Confirm what another person declared; raise `NoSuchRelationship` if it does not wait."""
    _lock_waiting(user_id, key)
    Relationship.objects.filter(pk=key).update(confirmed_at=now)


@transaction.atomic
def refuse_relationship(*, user_id: int, key: int, now: dt.datetime) -> None:
    """Refuse what another person declared; raise `NoSuchRelationship` if it does not wait."""
    _lock_waiting(user_id, key)
    Relationship.objects.filter(pk=key).update(refused_at=now)


@transaction.atomic
def end_relationship(*, user_id: int, key: int, now: dt.datetime) -> None:
    """End a confirmed relationship, or withdraw a declaration of the person.

    Raises `NoSuchRelationship` if it is neither.
    """
    mine = Q(person=user_id) | Q(other=user_id, confirmed_at__isnull=False)
    row = Relationship.objects.select_for_update().filter(mine, pk=key, ended_at=None).first()
    if row is None:
        raise NoSuchRelationship(_GONE)
    if row.confirmed_at is None and row.refused_at is None:
        row.delete()
    else:
        row.ended_at = now
        row.save(update_fields=["ended_at"])


def list_relationships(
    user_id: int, *, ignored: Collection[int] = ()
) -> tuple[OwnRelationship, ...]:
    """Return a person's open relationships, newest first.

    Declarations of the `ignored` people that wait are left out, and so are those that the person
    has refused.
    """
    shown = Q(other=user_id, refused_at=None)
    shown &= Q(confirmed_at__isnull=False) | ~Q(person__in=ignored)
    rows = Relationship.objects.filter(Q(person=user_id) | shown, ended_at=None)
    return tuple(
        OwnRelationship(
            key=row.pk,
            name=(row.other if row.person_id == user_id else row.person).screen_name,
            kind=Relationship.Kind(row.kind).label,
            is_own=row.person_id == user_id,
            declared_at=row.declared_at,
            confirmed_at=row.confirmed_at,
        )
        for row in rows.select_related("person", "other").order_by("-declared_at", "-pk")[
            :MAX_LISTED
        ]
    )


def find_related(people: Collection[int]) -> tuple[tuple[int, int, str], ...]:
    """Return the keys of each two of the people with a confirmed relationship, and its kind.

    This is one query, or none for fewer than two people.
    """
    if len(people) < 2:
        return ()
    rows = _select_confirmed(Relationship.objects.filter(person__in=people, other__in=people))
    return tuple(rows.order_by("pk").values_list("person", "other", "kind"))


def count_unrelated(people: Collection[int], *, since: dt.datetime) -> int:
    """Return how many there are of the people, if all who are related count as one.

    A relationship counts if it was confirmed and has not ended before `since`. People who are
    related to the same person count as one, too.
    """
    if len(people) < 2:
        return len(people)
    rows = Relationship.objects.filter(person__in=people, other__in=people)
    lasting = Q(ended_at=None) | Q(ended_at__gte=since)
    groups = {person: {person} for person in people}
    for one, two in rows.filter(lasting, confirmed_at__isnull=False).values_list("person", "other"):
        merged = groups[one] | groups[two]
        groups.update(dict.fromkeys(merged, merged))
    return len({id(group) for group in groups.values()})


def find_declared(person: int, others: Collection[int]) -> Mapping[int, Declared]:
    """Return the newest confirmed relationship with each of the others, also if it has ended."""
    pair = Q(person=person, other__in=others) | Q(person__in=others, other=person)
    rows = Relationship.objects.filter(pair, confirmed_at__isnull=False)
    newest: dict[int, Declared] = {}
    for row in rows.order_by("-confirmed_at", "-pk")[:MAX_LISTED]:
        other_id = row.other_id if row.person_id == person else row.person_id
        if row.confirmed_at is not None:
            kind = Relationship.Kind(row.kind).label
            newest.setdefault(other_id, Declared(kind, row.confirmed_at, row.ended_at))
    return newest


def describe_relationships(user_id: int) -> list[dict[str, object]]:
    """Return a person's relationships for the download of the person's data.

    The other person's refusals are left out.
    """
    rows = Relationship.objects.filter(Q(person=user_id) | Q(other=user_id))
    return [
        {
            "with": (row.other if row.person_id == user_id else row.person).screen_name,
            "kind": row.kind,
            "declared_by_you": row.person_id == user_id,
            "declared": row.declared_at.isoformat(),
            "confirmed": _format(row.confirmed_at),
            "refused_by_you": _format(row.refused_at) if row.other_id == user_id else None,
            "ended": _format(row.ended_at),
        }
        for row in rows.select_related("person", "other").order_by("pk")
    ]


_GONE: Final = "This declaration has been withdrawn or answered."


def _select_confirmed(rows: QuerySet[Relationship]) -> QuerySet[Relationship]:
    return rows.filter(confirmed_at__isnull=False, ended_at=None)


def _find_person(name: str, user_id: int) -> User:
    folded = make_key(name.strip())
    people = User.objects.filter(is_active=True, guest__in=[False], folded_name=folded)
    person = people.first() if folded else None
    if person is None:
        raise Refused(_describe_unknown(name))
    if person.pk == user_id:
        raise Refused("Enter the screen name of another person, not your own.")
    return person


def _describe_unknown(name: str) -> str:
    shown = name.strip()[:_MAX_NAME]
    return f"There is no player called {shown}." if shown else "Enter a screen name."


def _lock_waiting(user_id: int, key: int) -> None:
    rows = Relationship.objects.select_for_update().filter(pk=key, other=user_id)
    if rows.filter(confirmed_at=None, refused_at=None, ended_at=None).first() is None:
        raise NoSuchRelationship(_GONE)


def _format(at: dt.datetime | None) -> str | None:
    return at.isoformat() if at else None
