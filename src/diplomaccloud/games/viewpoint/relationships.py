"""Declared relationships between people in a game, for those who wait or might join.

In an anonymous game nobody is named, and nothing is said after the start: a sentence that changed
when a seat changes hands would tell who plays in that seat. Before the start there are no
countries, so it tells at most that two of those who wait know each other. Watchers who are not
logged in learn nothing.
"""

from dataclasses import dataclass

from diplomaccloud.accounts.relationships import find_related
from diplomaccloud.games.models import Status
from diplomaccloud.games.viewpoint.rows import GameRows


@dataclass(frozen=True, slots=True)
class Related:
    """Two people with a confirmed relationship, by name; the viewer's name is blank."""

    names: tuple[str, str]
    kind: str


@dataclass(frozen=True, slots=True)
class Relationships:
    """The relationships in a game; only whether there is one if they are `unnamed`."""

    named: tuple[Related, ...] = ()
    unnamed: bool = False


def read_relationships(rows: GameRows) -> Relationships:
    """Return the relationships among the people in the game, in at most one query.

    In a game that is not anonymous, these include the viewer, who may not have joined yet.
    """
    viewer = rows.viewer.user_id
    if viewer is None or (rows.masked and rows.game.status != Status.FORMING):
        return Relationships()
    names = {seat.user.pk: seat.user.screen_name for seat in rows.seats if seat.user}
    if rows.masked:
        return Relationships(unnamed=bool(find_related(names)))
    names[viewer] = ""
    found = find_related(names)
    pairs = (Related((names[one], names[other]), kind) for one, other, kind in found)
    return Relationships(tuple(sorted(pairs, key=lambda pair: sorted(pair.names))))
