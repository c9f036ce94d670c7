"""Certificates: what two hundred games showed of a map's fairness, kept for ever."""

import datetime as dt
from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery

from diplomaccloud import __version__
from diplomaccloud.bots.selfplay import PowerRecord, SelfPlay
from diplomaccloud.judge.board import Power
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.measuring import BOT, measure
from diplomaccloud.maps.models import Certificate, StoredChart

_FORM = 3


class NotMeasurableError(ValueError):
    """A map whose games begin otherwise than its board says, so that self-play shows nothing."""


def certify(key: str, *, now: dt.datetime) -> None:
    """Measure the map stored under the hash `key` and store what was found.

    Raises `NotMeasurableError` for a map on which fewer people play than there are powers.
    """
    chart = find_chart(key)
    players = StoredChart.objects.values_list("players", flat=True).get(content_hash=key)
    if players != len(chart.board.powers):
        raise NotMeasurableError(f"{players} people play {len(chart.board.powers)} powers")
    record(key, measure(chart), now=now)


def record(key: str, found: SelfPlay, *, now: dt.datetime) -> None:
    """Store `found` as the certificate of a stored map, unless there is one already."""
    chart = StoredChart.objects.only("pk").get(content_hash=key)
    try:
        with transaction.atomic():
            Certificate.objects.create(
                chart=chart,
                bot=BOT,
                games=found.games,
                engine=__version__,
                spread=round(found.spread, 4),
                numbers=_to_json(found),
                created_at=now,
            )
    except IntegrityError:
        # Another process has measured the same map, with the same result.
        return


def certificate_of(key: str) -> SelfPlay | None:
    """Return what the newest certificate of a map says, `None` if it has none."""
    row = Certificate.objects.filter(chart__content_hash=key).first()
    return None if row is None else _from_json(row.games, row.numbers)


def uncertified() -> tuple[str, ...]:
    """Return the hashes of the stored maps without a certificate, oldest first."""
    rows = StoredChart.objects.filter(certificates=None).order_by("created_at", "pk")
    return tuple(rows.values_list("content_hash", flat=True))


def newest_spread() -> Subquery:
    """Return the spread of a chart's newest certificate, NULL without one, for its own query."""
    newest = Certificate.objects.filter(chart=OuterRef("pk")).order_by("-created_at", "-pk")
    return Subquery(newest.values("spread")[:1])


def _to_json(found: SelfPlay) -> dict[str, object]:
    return {
        "form": _FORM,
        "limit": found.limit,
        "years": round(found.years, 2),
        "spread": round(found.spread, 4),
        "error": round(found.error, 4),
        "chance": None if found.chance is None else round(found.chance, 4),
        # A list: PostgreSQL does not keep the members of an object in their order.
        "powers": [
            [one.power, round(one.share, 4), round(one.solos, 4), round(one.eliminated, 4)]
            for one in found.powers
        ],
    }


def _from_json(games: int, numbers: Mapping[str, object]) -> SelfPlay:
    match numbers:
        case {
            "form": 1 | 2 | 3,  # 1: an object of powers; 3 adds what chance shows
            "limit": int(limit),
            "years": float() | int() as years,
            "spread": float() | int() as spread,
            "error": float() | int() as error,
            "powers": dict() | list() as powers,
        }:
            rows = powers if isinstance(powers, list) else [[one, *powers[one]] for one in powers]
            records = tuple(PowerRecord(Power(name), *three) for name, *three in rows)
            by_chance = numbers.get("chance")
            chance = by_chance if isinstance(by_chance, float) else None
            return SelfPlay(games, limit, years, records, spread, error, chance)
        case _:
            raise ValueError(f"a certificate of an unknown form: {str(numbers)[:60]}")
