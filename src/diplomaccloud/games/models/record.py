"""The public record of a game as a chain of lines, and the site's signing keys and receipts."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.models.game import Game
from diplomaccloud.games.models.phase import Phase
from diplomaccloud.games.models.seats import Seat
from diplomaccloud.record import signatures
from diplomaccloud.shared.prepared_queries import PreparedQuery

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


class RecordLine(models.Model):
    """One line of a game's record, the same for everyone who may see the game.

    `text` is canonical JSON without a line ending, and `hash` is the hash that the next line
    contains. A line names no people, and everything in it was public when it was written. The
    game's row has the number and the hash of the last line.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="record_lines")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    text = models.TextField()
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ("game", "number")
        constraints = (models.UniqueConstraint(fields=("game", "number"), name="record_number"),)

    def __str__(self) -> str:
        return f"line {self.number} of {self.game_id}"


class SigningKeyManager(models.Manager["SigningKey"]):
    """Finds the site's signing key."""

    def current(self) -> "SigningKey | None":
        """Return the key that the site signs with, or None if it has never signed anything."""
        return _current_key.find()


class SigningKey(models.Model):
    """An Ed25519 key of the site, in hexadecimal. A retired key still verifies signatures."""

    key_id = models.CharField(max_length=16, unique=True)
    public = models.CharField(max_length=64)
    private = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)
    objects = SigningKeyManager()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.key_id

    @property
    def key(self) -> signatures.SigningKey:
        """The key, ready to sign."""
        return signatures.SigningKey(self.private)


_current_key = PreparedQuery(lambda: SigningKey.objects.filter(retired_at=None).order_by("pk")[:1])


class SaveReceipt(models.Model):
    """The site's signed statement that a player saved these orders at this time.

    Only the person who saved them can see it. `digest` is the digest of the salt and the text, and
    the signature covers the game, phase, seat, time and digest.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="save_receipts")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="save_receipts")
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField()
    text = models.TextField()
    salt = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)
    key = models.ForeignKey(SigningKey, on_delete=models.PROTECT, related_name="+")
    signature = models.CharField(max_length=128)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("phase", "seat"), name="save_receipt_seat"),)

    def __str__(self) -> str:
        return f"save of seat {self.seat_id} in {self.phase_id}"
