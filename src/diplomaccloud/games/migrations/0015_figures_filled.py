"""Count the figures of people and the versions of games, and mark open phases."""

from collections import Counter, defaultdict
from itertools import chain
from typing import Any

from django.db import migrations
from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.judge.standard.setups import setups

_BATCH = 2_000
_LEFT = ("resigned", "removed", "abandoned")
_KNOWN_TURNS = Q(phase__game__status="finished") | Q(phase__game__options__anonymous=False)
_KNOWN_SEATS = Q(seat__game__status="finished") | Q(seat__game__options__anonymous=False)


def fill(apps: Any, _editor: Any) -> None:
    """Fill the columns of the migration before."""
    models = {
        name: apps.get_model("games", name)
        for name in ("Attendance", "Event", "Game", "Phase", "PlayerFigures", "Seat", "Tenure")
    }
    _fill_columns(**models)
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    _count_turns(models["Attendance"], counts)
    _count_games(models["Tenure"], counts)
    _count_seats(models["Seat"], counts)
    rows = (
        models["PlayerFigures"](user_id=user, **count) for user, count in sorted(counts.items())
    )
    models["PlayerFigures"].objects.bulk_create(rows, batch_size=_BATCH)


def _fill_columns(Event: Any, Game: Any, Phase: Any, Seat: Any, **_: Any) -> None:  # noqa: N803
    public = Event.objects.filter(game=OuterRef("pk"), seat=None).order_by().values("game")
    number = Subquery(public.annotate(number=Count("pk")).values("number"))
    Game.objects.update(version=Coalesce(number, 0))
    Game.objects.exclude(options__watch="anyone").update(watchable=False)
    running = Phase.objects.filter(processed_at=None, superseded_at=None, game__status="running")
    keys = list(running.values_list("pk", flat=True))
    for start in range(0, len(keys), _BATCH):
        Phase.objects.filter(pk__in=keys[start : start + _BATCH]).update(open=True)
    ended = Game.objects.filter(pk=OuterRef("game")).values("finished_at")
    Seat.objects.update(finished_at=Subquery(ended))


def _count_turns(attendances: Any, counts: defaultdict[int, Counter[str]]) -> None:
    turns = attendances.objects.filter(_KNOWN_TURNS, phase__superseded_at=None, excused=False)
    missed = Count("pk", filter=Q(ordered=False))
    for user, turn_count, missed_count in (
        turns.order_by().values_list("user").annotate(n=Count("pk"), absent=missed)
    ):
        counts[user].update(turns=turn_count, missed=missed_count)


def _count_games(tenures: Any, counts: defaultdict[int, Counter[str]]) -> None:
    held = tenures.objects.filter(_KNOWN_SEATS).exclude(user=None).order_by()
    games = Count("seat__game", distinct=True)
    left = Count("seat__game", distinct=True, filter=Q(left__in=_LEFT))
    for user, game_count, left_count in held.values_list("user").annotate(n=games, gone=left):
        counts[user].update(games=game_count, left=left_count)


def _count_seats(seats: Any, counts: defaultdict[int, Counter[str]]) -> None:
    taken = seats.objects.exclude(user=None).order_by()
    watched = taken.filter(
        game__status="running",
        game__private=False,
        game__options__anonymous=False,
        game__options__watch="anyone",
    )
    for user, running in watched.values_list("user").annotate(n=Count("pk")):
        counts[user]["running"] = running
    finished = taken.filter(game__status="finished")
    for user, power, ending, setup in finished.values_list(
        "user", "power", "game__ending", "game__options__setup"
    ).iterator(_BATCH):
        result = _find_result(ending["winners"], power, setup)
        counts[user].update(finished=1, won=result == "won", shared=result == "shared")


def _find_result(winners: list[str], power: str, setup: str) -> str:
    players = setups()[setup].players if setup else ()
    won = set(winners).intersection(chain(*players)) if players else set(winners)
    played = next((set(powers) for powers in players if power in powers), {power})
    if not won & played:
        return ""
    return "won" if won <= played else "shared"


class Migration(migrations.Migration):
    """Fill the columns of the migration before."""

    dependencies = [("games", "0014_figures")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
