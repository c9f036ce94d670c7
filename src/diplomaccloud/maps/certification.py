"""Certificates: the measured fairness of a map from 200 games, stored forever."""

import datetime as dt
from collections.abc import Mapping
from contextlib import suppress

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery

from diplomaccloud.bots.standings import PowerRecord, SelfPlay
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.version import __version__
from diplomaccloud.maps.fairness import BOT, measure_fairness
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.models import Certificate, StoredChart

_FORM = 3
"""The version of the stored JSON."""


class NotMeasurableError(ValueError):
    """Games on this map do not start as on its board, so self-play cannot rate it."""


def certify_map(key: str, *, now: dt.datetime) -> None:
    """Measure the map stored under the hash `key` and store the result.

    Raises `NotMeasurableError` for a map with fewer players than powers.
    """
    chart = find_chart(key)
    players = StoredChart.objects.values_list("players", flat=True).get(content_hash=key)
    if players != len(chart.board.powers):
        raise NotMeasurableError(f"{players} players for {len(chart.board.powers)} powers")
    store_certificate(key, measure_fairness(chart), now=now)


def store_certificate(key: str, result: SelfPlay, *, now: dt.datetime) -> None:
    """Store `result` as the certificate of a stored map, unless it already has one."""
    chart = StoredChart.objects.only("pk").get(content_hash=key)
    # Another process may have measured the same map, with the same result.
    with suppress(IntegrityError), transaction.atomic():
        Certificate.objects.create(
            chart=chart,
            bot=BOT,
            games=result.games,
            engine=__version__,
            spread=round(result.spread, 4),
            numbers=_to_json(result),
            created_at=now,
        )


def find_certificate(key: str) -> SelfPlay | None:
    """Return the result in a map's newest certificate; `None` if it has none."""
    row = Certificate.objects.filter(chart__content_hash=key).first()
    return None if row is None else _from_json(row.games, row.numbers)


def list_uncertified_maps() -> tuple[str, ...]:
    """Return the hashes of the stored maps without a certificate, oldest first."""
    rows = StoredChart.objects.filter(certificates=None).order_by("created_at", "pk")
    return tuple(rows.values_list("content_hash", flat=True))


def newest_spread() -> Subquery:
    """Return a subquery for the spread in a chart's newest certificate; NULL without one."""
    newest = Certificate.objects.filter(chart=OuterRef("pk")).order_by("-created_at", "-pk")
    return Subquery(newest.values("spread")[:1])


def _to_json(result: SelfPlay) -> dict[str, object]:
    return {
        "form": _FORM,
        "limit": result.limit,
        "years": round(result.years, 2),
        "spread": round(result.spread, 4),
        "error": round(result.error, 4),
        "chance": None if result.chance is None else round(result.chance, 4),
        # A list, because PostgreSQL does not preserve the order of an object's members.
        "powers": [
            [each.power, *(round(rate, 4) for rate in (each.share, each.solos, each.eliminated))]
            for each in result.powers
        ],
    }


def _from_json(games: int, numbers: Mapping[str, object]) -> SelfPlay:
    match numbers:
        case {
            "form": 1 | 2 | 3,  # 1: an object of powers; 3 adds the spread by chance
            "limit": int(limit),
            "years": float() | int() as years,
            "spread": float() | int() as spread,
            "error": float() | int() as error,
            "powers": dict() | list() as powers,
        }:
            rows = (
                powers if isinstance(powers, list) else [[name, *powers[name]] for name in powers]
            )
            records = tuple(PowerRecord(Power(name), *rates) for name, *rates in rows)
            stored_chance = numbers.get("chance")
            chance = stored_chance if isinstance(stored_chance, float) else None
            return SelfPlay(games, limit, years, records, spread, error, chance)
        case _:
            raise ValueError(f"unknown form of certificate: {str(numbers)[:60]}")
