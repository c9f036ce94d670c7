"""How often something public has happened in a game, for pages that update themselves.

All rows for live streams have the same shape, so a single query reads them for all streams.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, OuterRef, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase

PULSE: Final = "pulse"
OWN: Final = "own"
LiveRow = tuple[str, str, str, int, int, int]
"""The kind of row, a text, a status, and three numbers; `""` and 0 stand for missing values."""


@dataclass(frozen=True, slots=True)
class LiveNews:
    """What live streams send: pulses by game key, and numbers by person and game.

    `texts` holds the texts of all other rows.
    """

    pulses: Mapping[int, dict[str, object]]
    own_numbers: Mapping[tuple[int, int], int]
    texts: frozenset[str]


def version_of(game_id: int) -> int:
    """Return how many public events the game has had."""
    return Game.objects.values_list("version", flat=True).get(pk=game_id)


def find_version(slug: str) -> int:
    """Return how many public events a game has had; raise `NoSuchGame`."""
    version = Game.objects.filter(slug=slug).values_list("version", flat=True).first()
    if version is None:
        raise NoSuchGame
    return version


def select_live(
    rows: QuerySet[Any],
    word: str,
    *numbers: str | Combinable,
    text: str = "",
    status: str = "",
) -> QuerySet[Any, LiveRow]:
    """Return rows in the shape of `LiveRow`; each argument names a column or is an expression."""
    texts = [F(name) if name else Value("") for name in (text, status)]
    counts = [F(number) if isinstance(number, str) else number for number in numbers]
    missing = [Value(0)] * (3 - len(counts))
    return rows.order_by().values_list(Value(word), *texts, *counts, *missing)


def select_pulses(games: Collection[int]) -> QuerySet[Any, LiveRow]:
    """Return the version, phase number and status of each game, for live streams.

    `games` are keys, because a query finds a thousand keys faster than a thousand addresses.

    A version counts the public events. It is not a key, since gaps between keys would show how
    often others save their orders.
    """
    newest = Phase.objects.filter(game=OuterRef("pk"), superseded_at=None).order_by("-sequence")
    phase = Coalesce(Subquery(newest.values("sequence")[:1]), 0)
    rows = Game.objects.filter(pk__in=games)
    return select_live(rows, PULSE, "version", phase, "pk", status="status")


def select_own(
    rows: QuerySet[Any], *, user: str, game: str | Combinable, number: str | Combinable
) -> QuerySet[Any, LiveRow]:
    """Return rows with people's own numbers; each argument names a column or is an expression.

    A blank `user` stands for everyone who may see the game.
    """
    return select_live(rows, OWN, user or Value(0), game, number)


def read_live(parts: Sequence[QuerySet[Any, LiveRow]]) -> LiveNews:
    """Read all these rows in one query."""
    pulses: dict[int, dict[str, object]] = {}
    own_numbers: Counter[tuple[int, int]] = Counter()
    texts = set()
    rows = parts[0].union(*parts[1:], all=True) if parts else ()
    for word, text, status, first, second, third in rows:
        if word == PULSE:
            pulses[third] = {"version": first, "phase": second, "status": status}
        elif word == OWN:
            own_numbers[first, second] += third
        else:
            texts.add(text)
    return LiveNews(pulses, own_numbers, frozenset(texts))
