"""Certificates: the measurements of stored maps, kept forever, and how they are made.

A map is first measured with the quickest bot alone, which takes seconds. The rest of the games are
played in short slices, whenever there is nothing more urgent to do; they are kept in a file of the
data directory, so nothing is lost when the process ends.
"""

import datetime as dt
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Value, When

from diplomaccloud.bots.pinned import PINNED_BOTS
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.version import __version__
from diplomaccloud.maps.fairness import Verdict, compare
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.measurement import (
    STRONGEST,
    GamesFile,
    Measurement,
    Series,
    choose_seed,
    list_batches,
    load_scale,
    measurement_from_json,
    measurement_to_json,
    plan_measurement,
    play_batch,
    summarize,
)
from diplomaccloud.maps.models import Certificate, StoredChart

SLICE_SECONDS: Final = 15.0
"""After this time, a measurement gives way to more urgent work."""

_INCOMPLETE: Final = 100.0
"""Added to the spread in games of quick bots alone, to sort such maps after all others."""


class NotMeasurableError(ValueError):
    """Games on this map do not start as on its board, so its powers cannot be compared."""


def require_measurable(key: str) -> None:
    """Raise `NotMeasurableError` if a stored map has fewer players than powers."""
    players = StoredChart.objects.values_list("players", flat=True).get(content_hash=key)
    powers = len(find_chart(key).board.powers)
    if players != powers:
        raise NotMeasurableError(
            f"the map {key[:8]} has {players} players for {powers} powers, so it is not measured"
        )


def find_games_file(key: str) -> Path:
    """Return where the finished games of a stored map are kept until it has its certificate."""
    directory = Path(settings.DATA_DIR) / "maps" / "certificates"
    directory.mkdir(parents=True, exist_ok=True)
    return directory / f"{key}.games"


def certify_map(
    key: str, *, quickly: bool, now: dt.datetime, seconds: float = SLICE_SECONDS
) -> bool:
    """Measure a stored map for a while; return whether its certificate is now stored.

    `quickly` means only with the quickest bot. Raises `NotMeasurableError`, or `ValueError` if
    another process is measuring the map.
    """
    require_measurable(key)
    board = find_chart(key).board
    if board == standard_chart().board:
        store_measurement(replace(load_scale(), map=key), now=now)
        return True
    plan = plan_measurement(len(board.powers))[: 1 if quickly else None]
    path = find_games_file(key)
    seed, powers = choose_seed(key), tuple(board.power_info)
    end = time.monotonic() + seconds
    with GamesFile(path, key, seed, len(powers)) as file:
        for batch in list_batches(board, plan, file.games, seed=seed):
            for counts in play_batch(batch):
                file.add(batch.bot, counts)
            if time.monotonic() > end:
                break
        if any(True for _ in list_batches(board, plan, file.games, seed=seed)):
            return False
        games = _choose_games(plan, file)
    found = summarize(key, powers, games, seed=seed, engine=__version__, date=now.date())
    store_measurement(found, now=now)
    if not quickly:
        path.unlink(missing_ok=True)
    return True


def _choose_games(plan: Iterable[Series], file: GamesFile) -> dict[str, list[tuple[int, ...]]]:
    return {bot: file.games[bot][:wanted] for bot, wanted in plan}


def store_measurement(found: Measurement, *, now: dt.datetime) -> None:
    """Store a certificate of a stored map, unless this version has already stored the same."""
    chart = StoredChart.objects.only("pk").get(content_hash=found.map)
    # Another process may have measured the same map, with the same result.
    with suppress(IntegrityError), transaction.atomic():
        Certificate.objects.create(
            chart=chart,
            bot=found.strongest.bot,
            games=sum(len(row.games) for row in found.rows),
            engine=__version__,
            spread=round(found.strongest.spread.value, 4),
            numbers=measurement_to_json(found),
            created_at=now,
        )


def find_measurement(key: str) -> Measurement | None:
    """Return what a map's newest certificate says; `None` if it has none of the present form."""
    row = _select_present().filter(chart__content_hash=key).first()
    return None if row is None else measurement_from_json(row.numbers)


def count_earlier_games(key: str) -> int:
    """Return in how many games an earlier version measured a map, with the greedy bot only."""
    rows = Certificate.objects.exclude(bot__in=PINNED_BOTS).filter(chart__content_hash=key)
    return rows.values_list("games", flat=True).first() or 0


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """What lists show of a certificate: the strongest bot, its spread, and the verdict.

    `word` is the bot's name within a sentence.
    """

    bot: str
    word: str
    spread: float
    verdict: Verdict | None


@lru_cache(maxsize=1024)
def read_facts(pk: int) -> CertificateFacts:
    """Return the facts of the certificate in this row, which never changes."""
    found = measurement_from_json(Certificate.objects.values_list("numbers", flat=True).get(pk=pk))
    row = found.strongest
    is_europe = found.seed == load_scale().seed
    verdict = None if is_europe else compare(found, load_scale())
    return CertificateFacts(row.bot, row.word, round(row.spread.value, 4), verdict)


def list_unmeasured_maps() -> tuple[str, ...]:
    """Return the hashes of the maps in the gallery without any certificate, oldest first."""
    rows = StoredChart.objects.filter(listed=True, certificates=None).order_by("created_at", "pk")
    return tuple(rows.values_list("content_hash", flat=True))


def list_partly_measured_maps(*, earlier: bool) -> tuple[str, ...]:
    """Return the hashes of the maps that bots that look ahead have not played on, newest first.

    `earlier` chooses those that only an earlier version has measured; else they are left out.
    """
    done = Certificate.objects.filter(bot__in=STRONGEST).values("chart")
    quick = _select_present().values("chart")
    measured = StoredChart.objects.exclude(certificates=None).exclude(pk__in=done)
    rows = measured.exclude(pk__in=quick) if earlier else measured.filter(pk__in=quick)
    return tuple(rows.order_by("-created_at", "-pk").values_list("content_hash", flat=True))


def newest_certificate() -> Subquery:
    """Return a subquery for the row of a chart's newest certificate; NULL without one."""
    return Subquery(_select_newest().values("pk")[:1])


def newest_unevenness() -> Subquery:
    """Return a subquery for the number by which maps are sorted: 1 is as uneven as Europe.

    It is the spread among the strongest bots, divided by Europe's, and more than all those for maps
    on which only quick bots have played; NULL without a certificate.
    """
    scale = {row.bot: row.spread.value for row in load_scale().rows}
    cases = [When(bot=bot, then=F("spread") / Value(scale[bot])) for bot in STRONGEST]
    unevenness = Case(*cases, default=F("spread") + Value(_INCOMPLETE))
    return Subquery(_select_newest().annotate(unevenness=unevenness).values("unevenness")[:1])


def _select_present() -> "QuerySet[Certificate]":
    """Return the certificates of the present form, newest first; earlier ones have other bots."""
    return Certificate.objects.filter(bot__in=PINNED_BOTS).order_by("-created_at", "-pk")


def _select_newest() -> "QuerySet[Certificate]":
    return _select_present().filter(chart=OuterRef("pk"))
