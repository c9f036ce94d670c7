"""Ratings of people and powers, the games that changed them, and who is not shown.

Only `actions` writes these rows, and all but `RatingRequest`, `Annulment` and `HiddenRating` can be
made from the finished games alone: see `manage ratings`.
"""

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import models

from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.table.models import Game
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.ratings import Rating

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

_Powers = dict[str, list[Any] | None]
_MAX_DIGITS: Final = 25
_KIND: Final[dict[str, Any]] = {"max_length": max(map(len, Kind))}


class ExactFloatField(models.CharField[float, float]):
    """A float as the shortest text that stands for it, so that all databases return every bit."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": _MAX_DIGITS, **options})

    def deconstruct(self) -> Any:
        """Return what a migration needs to create the column."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def from_db_value(self, value: str, *_: object) -> float:
        """Return the number that the text stands for."""
        return float(value)

    def get_prep_value(self, value: float) -> str:
        """Return the text to store."""
        return repr(float(value))


class RatingKind(models.Model):
    """A kind of ratings. A change of ratings of a kind locks its row first."""

    kind = models.CharField(primary_key=True, **_KIND)

    def __str__(self) -> str:
        return self.kind


class RatingRequest(models.Model):
    """A game whose ratings must be computed, since it has ended, continued or been annulled.

    The row is written in the transaction that changed the game, and deleted with the next ratings.
    """

    kind = models.CharField(**_KIND)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")

    class Meta:
        indexes = (models.Index(fields=("kind", "id"), name="rating_requests"),)

    def __str__(self) -> str:
        return f"request for {self.game_id}"


class RatedGame(models.Model):
    """A finished game that was marked as rated; `unrated` says why it changes no rating.

    `people` is how many people played in it when it ended. It is counted once, because later nobody
    can know who was related. `named_at` is since when the names of its people are public; the games
    that count are rated in the order of this time and their keys. It is NULL for others. `powers`
    has the ratings of its powers before the game, None for those without one.
    """

    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, primary_key=True, related_name="rated_game"
    )
    kind = models.CharField(**_KIND)
    people = models.PositiveSmallIntegerField()
    unrated = models.CharField(max_length=12, blank=True)
    named_at = models.DateTimeField(null=True)
    powers: "models.JSONField[_Powers, _Powers]" = models.JSONField(default=dict)

    class Meta:
        indexes = (models.Index(fields=("kind", "named_at", "game"), name="rated_order"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.game_id}"


class RatingChange(models.Model):
    """The change of a person's rating by a game, with the values before and after it.

    `rated_before` is when the names of the person's previous rated game became public. `games`,
    `solos` and `draws` count up to this game.
    """

    kind = models.CharField(**_KIND)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+", db_index=False)
    person: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    named_at = models.DateTimeField()
    place = models.PositiveSmallIntegerField()
    mu_before = ExactFloatField()
    sigma_before = ExactFloatField()
    rated_before = models.DateTimeField(null=True)
    mu = ExactFloatField()
    sigma = ExactFloatField()
    points = models.IntegerField()
    games = models.PositiveIntegerField()
    solos = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    solo = models.BooleanField()
    draw = models.BooleanField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "person"), name="rating_once"),)
        indexes = (
            models.Index(fields=("person", "kind", "named_at", "game"), name="rating_curve"),
            models.Index(fields=("kind", "named_at", "game"), name="rating_order"),
        )

    def __str__(self) -> str:
        return f"{self.kind} rating of {self.person_id} after {self.game_id}"


class PersonRating(models.Model):
    """A person's rating of a kind; `rated_at` is the time of the last rated game.

    `points` is the rating as people read it. `listed` is false for people who don't want to be
    shown and for deleted accounts.
    """

    kind = models.CharField(**_KIND)
    person: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    mu = ExactFloatField()
    sigma = ExactFloatField()
    points = models.IntegerField()
    games = models.PositiveIntegerField()
    solos = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    rated_at = models.DateTimeField()
    listed = models.BooleanField(default=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "kind"), name="person_rating"),)
        indexes = (
            models.Index(
                fields=("kind", "listed", "-points", "person", "rated_at"), name="rating_list"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} rating of {self.person_id}"

    @property
    def rating(self) -> Rating:
        """The rating as a value."""
        return Rating(self.mu, self.sigma, self.games)


class PowerRating(models.Model):
    """How much stronger or weaker a power makes its player, on a map with a setup."""

    kind = models.CharField(**_KIND)
    chart = models.ForeignKey(StoredChart, on_delete=models.PROTECT, related_name="+")
    setup = models.CharField(max_length=40, blank=True)
    power = models.CharField(max_length=40)
    mu = ExactFloatField()
    sigma = ExactFloatField()
    games = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "chart", "setup", "power"), name="power_rating"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} rating of {self.power}"


class Annulment(models.Model):
    """A game that a moderator has annulled: it changes no rating. The audit has the reason."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"annulment of {self.game_id}"


class HiddenRating(models.Model):
    """A person whose ratings nobody else sees, as that person wants it."""

    person: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"hidden ratings of {self.person_id}"
