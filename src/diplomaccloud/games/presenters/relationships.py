"""Declared relationships between people in a game, in words."""

from typing import Final

from diplomaccloud.accounts.labels import Label
from diplomaccloud.accounts.models import Relationship
from diplomaccloud.games.viewpoint.relationships import Related, Relationships
from diplomaccloud.schedule.descriptions import join_words

_SENTENCES: Final = {
    Relationship.Kind.HOUSEHOLD: "{people} are family or share a household, as both have declared.",
    Relationship.Kind.NETWORK: "{people} share a network, such as at a school or in an office, as "
    "both have declared.",
    Relationship.Kind.FRIENDS: "{people} are friends who talk outside the site, as both have "
    "declared.",
}
_UNNAMED: Final = "At least two players of this game have declared that they know each other."


def describe_relationships(facts: Relationships) -> tuple[str, ...]:
    """Return a sentence for each relationship, or one without names if the names are hidden."""
    return (_UNNAMED,) if facts.unnamed else tuple(map(_describe, facts.named))


def _describe(pair: Related) -> str:
    # The viewer, whose name is blank, comes first.
    people = [name or Label.YOU.heading for name in sorted(pair.names)]
    return _SENTENCES[Relationship.Kind(pair.kind)].format(people=join_words(people))
