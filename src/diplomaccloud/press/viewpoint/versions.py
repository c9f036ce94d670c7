"""Counts of changes in people's press, for streams that keep pages up to date."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from diplomaccloud.games.page.read import LiveRow, select_own
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.models import Conversation, PressVersion

EVERYONE = 0


def select_changes(pairs: Collection[tuple[int, int]]) -> Iterator[QuerySet[Any, LiveRow]]:
    """Yield rows that count the changes in people's press in games, by their keys.

    Game key 0 stands for all games and personal messages. Person key 0 stands for everyone who may
    see the game, and counts messages to all. There may be extra rows for other pairs of the same
    people and games.
    """
    # Not filtered by pairs: with many pairs, the expression would be too deep for SQLite.
    people = {user_id for user_id, _ in pairs if user_id != EVERYONE}
    places = {place for user_id, place in pairs if user_id != EVERYONE}
    games = {place for user_id, place in pairs if user_id == EVERYONE}
    if people:
        rows = PressVersion.objects.filter(user__in=people, place__in=places)
        yield select_own(rows, user="user_id", game="place", number="number")
    if games:
        kinds = [kind.value for kind in Kind if kind.is_for_all]
        public = Conversation.objects.filter(game__in=games, kind__in=kinds)
        yield select_own(public, user="", game="game_id", number="last")


def read_versions(user_ids: Collection[int], game_id: int) -> Mapping[int, int]:
    """Return the change counts of people's press in a game, by person key."""
    rows = PressVersion.objects.filter(user__in=user_ids, place=game_id)
    return dict.fromkeys(user_ids, 0) | dict(rows.values_list("user", "number"))
