"""Pictures of positions for cards: requested when a position changes, and drawn by workers.

The row that is marked as not drawn is the only queue. It is marked in the transaction that changes
the position, so no crash loses a picture, and nothing is drawn that was rolled back.
"""

import datetime as dt
import secrets
from collections import Counter
from contextlib import suppress
from typing import Final

import structlog
from django.db import Error
from django.db.models import F, Q

from diplomaccloud.games.hall.models import Standing
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.maps.card_pictures import (
    card_version,
    delete_card_pictures,
    draw_card_pictures,
    hash_position,
    list_card_pictures,
    name_picture,
)
from diplomaccloud.maps.pictures import THEMES
from diplomaccloud.shared.outages import Away

_CANDIDATES: Final = 64
"""Among how many games a worker chooses, so that two workers rarely draw the same."""
KEEP_FOR: Final = dt.timedelta(days=1)
"""How long an outdated picture is kept: pages that were open before may still show it."""
_log = structlog.get_logger(__name__)


def request_picture(game: Game) -> None:
    """Mark the position of a game as new, in the caller's transaction."""
    row = Standing.objects.filter(game=game.pk)
    if not row.update(drawn="", changes=F("changes") + 1):
        Standing.objects.create(game=game)


def draw_next_picture() -> int:
    """Draw the pictures of one game, if any are missing or outdated; return how many games.

    New positions come first. While the file store is down, they wait. Raises `OSError` if a picture
    cannot be written.
    """
    version, rows = card_version(), Standing.objects.select_related("game__chart")
    rows = rows.defer("game__chart__text").order_by()
    # Three ranges of one index, which are empty if nothing is to be done.
    for undrawn in (Q(drawn=""), Q(drawn__gt=version), Q(drawn__lt=version)):
        if found := list(rows.filter(undrawn)[:_CANDIDATES]):
            with suppress(Away):
                _draw(secrets.choice(found))
                return 1
            return 0
    return 0


def _draw(row: Standing) -> None:
    """Draw a position and fill in its row, unless it has changed in the meantime."""
    game, version = row.game, card_version()
    values: dict[str, object] = {"position_hash": "", "drawn": version}
    try:
        phase = game.newest_phase()
        position = _find_position(game, phase)
        colors = {power: color for seat in game.seat_list for power, color in seat.colors.items()}
        digest = hash_position(game.chart.content_hash, position, colors)
        values["phase"] = phase.name if phase else ""
        values |= {"strengths": _measure(position), "gained": _compare(game, position)}
        draw_card_pictures(digest, game.map, position, colors)
        values["position_hash"] = digest
    except (Error, OSError, Away):
        raise
    except Exception:
        # A damaged game or map gets no picture, and must not keep the others from theirs.
        _log.exception("card not drawn", game=game.pk)
    # The row was read before the position. So if that has changed since, the row has, too.
    Standing.objects.filter(pk=row.pk, changes=row.changes).update(**values)


def _find_position(game: Game, phase: Phase | None) -> Position:
    if phase is None:
        return game.starting_position
    return phase.position if phase.processed_at is None else phase.resolution.next


def _measure(position: Position) -> dict[str, list[int]]:
    """Return the numbers of centers and units of each power that has any."""
    centers = Counter(position.centers.values())
    units = Counter(unit.power for unit in position.units)
    units.update(entry.unit.power for entry in position.dislodged)
    return {power: [centers[power], units[power]] for power in centers | units}


def _compare(game: Game, position: Position) -> dict[str, int]:
    """Return by how many centers the last Fall changed each power, without those it did not."""
    when = position.phase
    year = when.year if when.stage is Stage.ADJUSTMENTS else when.year - 1
    fall = JudgePhase.parse(f"F{year}M")
    before = game.phases.filter(superseded_at=None, name=str(fall)).first()
    if before is None:
        return {}
    now, then = Counter(position.centers.values()), Counter(before.position.centers.values())
    return {power: now[power] - then[power] for power in now | then if now[power] != then[power]}


def prune_pictures(now: dt.datetime) -> tuple[int, int]:
    """Delete old pictures, except the last of each game; return how many, and how many are missing.

    The missing ones are drawn again. Raises the errors of `delete_card_pictures`.
    """
    kept, missing, stored = set(), 0, list_card_pictures()
    rows = Standing.objects.exclude(position_hash="").order_by("pk")
    for pk, digest, version in rows.values_list("pk", "position_hash", "drawn").iterator():
        # While a new position waits for its picture, there is no other to show.
        names = {name_picture(digest, version, theme) for theme in THEMES} if version else set()
        kept |= names
        if not names <= stored:
            missing += Standing.objects.filter(pk=pk, drawn=version).update(drawn="")
    return delete_card_pictures(kept, before=now - KEEP_FOR), missing
