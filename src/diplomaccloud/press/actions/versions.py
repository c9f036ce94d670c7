"""Incrementing people's press versions in the transaction that changes what they see."""

from collections.abc import Collection
from functools import reduce
from operator import or_

from django.db.models import F, Q

from diplomaccloud.press.models import PressVersion
from diplomaccloud.press.models.people import EVERYWHERE
from diplomaccloud.shared.news import tell_change


def raise_versions(user_ids: Collection[int], game_id: int | None) -> None:
    """Increment the versions of these people, in the game and everywhere.

    All rows change in one statement, in index order, so that two transactions rarely block each
    other.
    """
    people = sorted(set(user_ids))
    if not people:
        return
    places = [EVERYWHERE] if game_id is None else [EVERYWHERE, game_id]
    for place in places:
        tell_change(place)
    rows = PressVersion.objects.filter(user__in=people, place__in=places)
    changed = rows.update(number=F("number") + 1)
    if changed == len(people) * len(places):
        return
    known = set(rows.values_list("place", "user_id"))
    missing = [
        PressVersion(user_id=user, place=place, game_id=place or None, number=0)
        for place in places
        for user in people
        if (place, user) not in known
    ]
    # Another transaction may insert the same rows first, so they are raised only afterwards.
    PressVersion.objects.bulk_create(missing, ignore_conflicts=True)
    if len(known) == changed:
        behind = (Q(place=row.place, user=row.user_id) for row in missing)
        rows = PressVersion.objects.filter(reduce(or_, behind))
    # Otherwise rows appeared after the first update: a version may grow by two, but not by nothing.
    rows.update(number=F("number") + 1)
