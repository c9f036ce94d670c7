"""The sentences about following people and games."""

from typing import Final

GUEST: Final = "Sign up to follow people and games."
NOBODY: Final = "There is no player with this screen name."
NOT_YOURSELF: Final = "You cannot follow yourself."
REFUSES: Final = "{name} does not accept followers."
TOO_MANY: Final = "You can follow at most {most} people and {most} games. Unfollow one first."
GAME_OVER: Final = "This game is over, so there is nothing to follow."
ALREADY_TOLD: Final = "You take part in this game, so you get its notices anyway."
FOLLOWS_PERSON: Final = (
    "You follow {name}. You will get a notice when {name} starts or finishes a public game."
)
FOLLOWS_GAME: Final = "You follow this game. You will get a notice after each turn."
NO_LONGER: Final = "You no longer follow {name}."
FOLLOWERS_ALLOWED: Final = "Other players can follow you."
FOLLOWERS_REFUSED: Final = "Nobody can follow you, and your former followers get no notices."
