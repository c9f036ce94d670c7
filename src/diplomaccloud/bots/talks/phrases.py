"""Short phrases that bots send with refusals and remarks; each reason has several."""

import random
from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Reason(StrEnum):
    """The reason for a refusal or a remark."""

    GRUDGE = "grudge"
    CENTER = "center"
    PROMISED = "promised"
    STRONG = "strong"
    CROWDED = "crowded"
    DRAW = "draw"
    LONG = "long"
    GAIN = "gain"
    BETRAYED = "betrayed"


PHRASES: Final[Mapping[Reason, tuple[str, ...]]] = {
    Reason.GRUDGE: (
        "You broke your word. Not yet.",
        "I remember our last deal too well.",
        "Once bitten, twice shy.",
        "Let some quiet years pass first.",
        "Your promises cost me dearly last time.",
        "Trust takes years. Ask again later.",
    ),
    Reason.CENTER: (
        "That would cost me a center.",
        "I cannot leave my own center open.",
        "My people would not forgive me for giving that up.",
        "That is mine, and it stays mine.",
        "You are asking me to leave my door open.",
        "Anything but my own centers.",
    ),
    Reason.PROMISED: (
        "I have promised something else.",
        "That conflicts with my other promises.",
        "I have already given my word.",
        "I cannot do both.",
        "Another deal stands in the way.",
        "I keep what I promised before.",
    ),
    Reason.STRONG: (
        "You are too strong already.",
        "Someone has to stop you.",
        "Peace with you would hand you the game.",
        "You do not need my help.",
        "The rest of us should worry about you.",
        "Not while you lead like this.",
    ),
    Reason.CROWDED: (
        "I have enough friends for now.",
        "I need somewhere to go.",
        "One more peace treaty would box me in.",
        "Not all of my borders can be quiet.",
        "Perhaps when another treaty ends.",
        "I cannot be at peace with everyone.",
    ),
    Reason.DRAW: (
        "I still hope for more than a draw.",
        "Too early to share the game.",
        "Let's play on.",
        "My share would be too small.",
        "Not yet. There is a game to win.",
        "Ask me again when nothing moves.",
    ),
    Reason.LONG: (
        "Not for so long. Two years, perhaps.",
        "Nobody knows what the board will look like then.",
        "Let's start with a year or two.",
        "I make no promises that far ahead.",
        "Ask for less time, then renew it.",
        "That is a long time in this game.",
    ),
    Reason.GAIN: (
        "I see nothing in it for me.",
        "Other plans look better.",
        "Make it worth my while.",
        "That helps you more than me.",
        "Not this time.",
        "My units have better things to do.",
        "I looked at it twice. No.",
    ),
    Reason.BETRAYED: (
        "You broke our deal. I will not forget it.",
        "So much for your word.",
        "I kept my promise. You did not.",
        "Our deal is over.",
        "That was a mistake, and you will see why.",
        "I trusted you.",
    ),
}


def choose_phrase(reason: Reason, rng: random.Random) -> str:
    """Return one of the phrases for a reason."""
    return rng.choice(PHRASES[reason])
