"""Who holds a seat and did something in a game, in words; and why a seat cannot be taken."""

from enum import StrEnum
from typing import Final

from diplomaccloud.accounts.models import Relationship
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.bots import name_bot
from diplomaccloud.games.visibility.read import Actor, Holder
from diplomaccloud.judge.phases import Phase

WAS_REMOVED: Final = "You were removed from this game."
PLAYED_ANOTHER: Final = (
    # A player who knows one country's secrets cannot play another fairly.
    "You played another country in this game, so you can only return to that one."
)
UNRELIABLE: Final = "Your reliability is lower than this game asks for."
_DEPARTURES: Final = {
    "removed": "{name}, removed in {when}",
    "abandoned": "abandoned by {name} in {when}",
}
_DEPARTURE: Final = "left by {name} in {when}"
RELATIONSHIPS: Final = {
    Relationship.Kind.HOUSEHOLD: "{people} are family or share a household, as both have declared.",
    Relationship.Kind.NETWORK: "{people} share a network, such as at a school or in an office, as "
    "both have declared.",
    Relationship.Kind.FRIENDS: "{people} are friends who talk outside the site, as both have "
    "declared.",
}
UNNAMED_RELATIONSHIP: Final = (
    "At least two players of this game have declared that they know each other."
)


class LastWish(StrEnum):
    """What the last player of a game wants on leaving: to end it, or to let bots play on."""

    END = "end"
    BOTS = "bots"


def name_holder(holder: Holder | None) -> str:
    """Return the name of a person or bot: `Alice`, `a player`, `Greedy bot` or `nobody`."""
    if holder is None:
        return ""
    if holder.hidden:
        return Label.PLAYER
    return holder.name or (name_bot(holder.bot) if holder.bot else Label.NOBODY)


def name_former_holder(holder: Holder, kind: str, phase: Phase) -> str:
    """Return who left a seat that is still vacant, how, and when: `left by Alice in Fall 1903`."""
    text = _DEPARTURES.get(kind, _DEPARTURE)
    return text.format(name=name_holder(holder), when=phase.turn_title)


def name_actor(actor: Actor | None) -> str:
    """Return the name of a person who did something; blank for the site."""
    if actor is None:
        return ""
    return actor.name or (Label.MASTER if actor.is_master else Label.PLAYER)


def name_master(master: Actor | None) -> str:
    """Return the name of the game master."""
    if master is None:
        return Label.SITE
    return master.name or Label.HIDDEN
