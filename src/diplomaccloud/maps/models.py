"""Models: stored charts, their certificates, shipped and saved maps, and previews of new ones."""

from typing import TYPE_CHECKING, NoReturn

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


class ImmutableError(RuntimeError):
    """An attempt to change or delete a permanent row."""


class Immutable(models.Model):
    """A row that is written once and never changes."""

    class Meta:
        abstract = True

    def save(self, *_args: object, **_kwargs: object) -> None:
        """Insert the row; an update raises `ImmutableError`."""
        if not self._state.adding:
            raise ImmutableError(f"{self} cannot be changed")
        super().save(force_insert=True)

    def delete(self, *_args: object, **_kwargs: object) -> NoReturn:
        """Raise `ImmutableError`: other rows refer to this one permanently."""
        raise ImmutableError(f"{self} cannot be deleted")


class StoredChart(Immutable):
    """A map, identified by the hash of its content; never changed.

    `text` is the canonical JSON that is hashed. The other fields repeat facts from it, so that
    lists need not read it. Only `name` can differ, while moderators hide the name. The gallery
    shows a map unless it was stored only for a game; such a map is deleted some time after it was
    last stored if there is no game.
    """

    content_hash = models.CharField(
        max_length=64, unique=True, validators=[RegexValidator(r"\A[0-9a-f]{64}\Z")]
    )
    name = models.CharField(max_length=60)
    players = models.PositiveSmallIntegerField()
    provinces = models.PositiveSmallIntegerField()
    centers = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=100, blank=True)
    maker = models.CharField(max_length=60)
    text = models.TextField()
    created_at = models.DateTimeField()
    listed = models.BooleanField(default=True, db_default=True)

    class Meta:
        ordering = ("-created_at", "-pk")

    def __str__(self) -> str:
        return f"{self.name} ({self.content_hash[:8]})"


class Certificate(Immutable):
    """The measured fairness of a map, with one bot and one version of the judge and the bot.

    `spread` repeats the value in `numbers` (see `certification`) that lists are sorted by.
    """

    chart = models.ForeignKey(StoredChart, on_delete=models.PROTECT, related_name="certificates")
    bot = models.CharField(max_length=20)
    games = models.PositiveIntegerField()
    engine = models.CharField(max_length=20)
    spread = models.FloatField()
    numbers = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("chart", "bot", "engine"), name="certificate_once"),
            models.CheckConstraint(
                condition=models.Q(games__gt=0, spread__gte=0), name="certificate_numbers"
            ),
        )

    def __str__(self) -> str:
        return f"certificate {self.pk} of map {self.chart_id}"


class ShippedChart(Immutable):
    """The fact that a shipped map was once stored on this site.

    It names the map by its hash. The row stays if a host deletes the map, so that the map is not
    stored again.
    """

    content_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"shipped map {self.content_hash[:8]}"


class SavedMap(Immutable):
    """A person saved a map to the gallery."""

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    chart = models.ForeignKey(StoredChart, on_delete=models.PROTECT, related_name="saves")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (models.UniqueConstraint(fields=("user", "chart"), name="saved_map_once"),)

    def __str__(self) -> str:
        return f"map {self.chart_id} saved by {self.user_id}"


class MapPreview(models.Model):
    """A new map that nobody has saved yet; deleted after a while.

    `key` is a hash of the request for the map, and `content` is the compressed text of its chart.
    `owner` identifies the person, or a hash of a visitor's address, to keep anyone from filling the
    table.
    """

    key = models.CharField(max_length=64, unique=True)
    owner = models.CharField(max_length=60)
    content = models.BinaryField()
    made_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = (models.Index(fields=("owner", "made_at"), name="preview_owner"),)

    def __str__(self) -> str:
        return f"preview {self.key[:8]}"
