"""What people may do with the gallery: make maps now and then, and keep some of them."""

import datetime as dt
from dataclasses import replace

from django.core.cache import cache
from django.db import IntegrityError, transaction

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.maps.library import store
from diplomaccloud.maps.models import KeptMap, StoredChart

MOST_KEPT = 50
"""So many maps one person may put into the gallery."""

MAKING = (30, 600)
"""So many new maps one person may have made in so many seconds."""

AT_ONE_ADDRESS = 4
"""So many times as many may be made for all the people at one address."""

VISITORS = (10, 200)
"""So many may be made in that time for visitors at one address, and for all visitors together."""


class TooManyError(ValueError):
    """A limit that a person has reached; the message is for that person."""


def keep(chart: Chart, name: str, *, user_id: int, now: dt.datetime) -> str:
    """Return the hash under which `chart` is now in the gallery, its world called `name`.

    Raises `TooManyError` if the person keeps as many as one may. A map kept already is no error.
    """
    named = replace(chart, world=name)
    with transaction.atomic():
        # Two requests of one person queue here, so that none slips past the limit.
        User.objects.select_for_update().get(pk=user_id)
        if KeptMap.objects.filter(user_id=user_id).count() >= MOST_KEPT:
            raise TooManyError(f"You keep {MOST_KEPT} maps, which is as many as one may.")
        key = store(named, now=now)
        _note(key, user_id, now)
    return key


def _note(key: str, user_id: int, now: dt.datetime) -> None:
    chart = StoredChart.objects.only("pk").get(content_hash=key)
    try:
        with transaction.atomic():
            KeptMap.objects.create(user_id=user_id, chart=chart, created_at=now)
    except IntegrityError:
        return


def count_making(*, person: int | None, address: str) -> None:
    """Note that a map is made for a person, or for a visitor if `None`, at an address.

    Raises `TooManyError` if one of those counted has had as many as one may for now. Counts
    live in Django's cache, which by default is one for each process.
    """
    most, seconds = MAKING
    if person is None:
        counted = {f"visitor {address}": VISITORS[0], "visitors": VISITORS[1]}
    else:
        counted = {f"person {person}": most, f"address {address}": AT_ONE_ADDRESS * most}
    for who, limit in counted.items():
        if _count(f"maps made for {who}".replace(" ", "-"), seconds) > limit:
            raise TooManyError(
                f"More than {limit} maps in {seconds // 60} minutes are too many. Have a pause"
                f"{', or log in' if person is None else ''}."
            )


def _count(key: str, seconds: int) -> int:
    cache.add(key, 0, seconds)
    try:
        return int(cache.incr(key))
    except ValueError:  # it ran out just now
        return 1
