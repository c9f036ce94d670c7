"""Limits on how many maps people may make and save."""

import datetime as dt
from dataclasses import replace

from django.db import IntegrityError, transaction

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.maps.library import store_chart
from diplomaccloud.maps.models import SavedMap, StoredChart
from diplomaccloud.shared.database_cache import count

MAX_SAVED_MAPS = 50
"""How many maps one person may save to the gallery."""

PERIOD = 600
"""The period for counting new maps, in seconds."""

MAX_NEW_MAPS = 30
"""How many new maps one person may make in a period."""

ADDRESS_FACTOR = 4
"""The factor for the limit shared by all people at one IP address."""

MAX_VISITOR_MAPS = 10
"""How many new maps visitors at one IP address may make in a period."""

MAX_ALL_VISITORS_MAPS = 200
"""How many new maps all visitors together may make in a period."""


class QuotaError(ValueError):
    """A person has reached a limit; the message is for that person."""


def save_map(chart: Chart, name: str, *, user_id: int, now: dt.datetime) -> str:
    """Save `chart` to the gallery as the map `name` and return its hash.

    Raises `QuotaError` if the person has saved too many maps. Saving a map twice is allowed.
    """
    named = replace(chart, world=name)
    with transaction.atomic():
        # Locking the person keeps concurrent requests from exceeding the limit.
        User.objects.select_for_update().get(pk=user_id)
        if SavedMap.objects.filter(user_id=user_id).count() >= MAX_SAVED_MAPS:
            raise QuotaError(f"You have reached the limit of {MAX_SAVED_MAPS} saved maps.")
        key = store_chart(named, now=now)
        _store_save(key, user_id, now)
    return key


def _store_save(key: str, user_id: int, now: dt.datetime) -> None:
    chart = StoredChart.objects.only("pk").get(content_hash=key)
    try:
        with transaction.atomic():
            SavedMap.objects.create(user_id=user_id, chart=chart, created_at=now)
    except IntegrityError:
        return


def count_new_map(*, user_id: int | None, address: str) -> None:
    """Count a new map for a person, or for a visitor if `user_id` is `None`, and an IP address.

    Raises `QuotaError` if a limit is reached.
    """
    if user_id is None:
        limits = {f"visitor {address}": MAX_VISITOR_MAPS, "visitors": MAX_ALL_VISITORS_MAPS}
        advice = "Try again later, or log in."
    else:
        limits = {
            f"person {user_id}": MAX_NEW_MAPS,
            f"address {address}": ADDRESS_FACTOR * MAX_NEW_MAPS,
        }
        advice = "Try again later."
    for name, limit in limits.items():
        if count(f"maps made for {name}".replace(" ", "-"), PERIOD) > limit:
            minutes = PERIOD // 60
            raise QuotaError(f"Limit reached: {limit} maps per {minutes} minutes. {advice}")
