"""The seats of a game, their tenures, and invitations to take a seat."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import OuterRef, Q, Subquery

from diplomaccloud.games.models.game import Game
from diplomaccloud.schedule.descriptions import join_words

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

RESIGNED, REMOVED, ABANDONED = "resigned", "removed", "abandoned"
"""How a player can lose or leave a seat before the game is over."""


class Seat(models.Model):
    """A place in a game, held by a person or a bot, or vacant; countries are assigned at the start.

    `power` and `number` are NULL before the start. Seats are numbered from 1, and the record of the
    game uses these numbers. If a player has several powers, `power` is the first, and the game's
    setup names the others. `country` and `colors` (`#rrggbb` by power) are the player's choices; if
    blank or missing, those of the map are used. A seat whose player resigned or was removed has
    been vacant since `vacated_at`. `finished_at` is copied from the game, so that a person's games
    can be listed without reading all of them. `ready_at` is when the player was marked as ready to
    start.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    power = models.CharField(max_length=40, null=True)  # noqa: DJ001 - NULLs are never equal
    number = models.PositiveSmallIntegerField(null=True)
    user: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="seats"
    )
    bot = models.CharField(max_length=20, blank=True)
    country = models.CharField(max_length=30, blank=True)
    colors: "models.JSONField[dict[str, str], dict[str, str]]" = models.JSONField(default=dict)
    vacated_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("game", "power"), name="seat_power"),
            models.UniqueConstraint(fields=("game", "user"), name="seat_user"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="", vacated_at__isnull=True)
                | Q(user__isnull=True, vacated_at__isnull=True) & ~Q(bot="")
                | Q(user__isnull=True, bot="", vacated_at__isnull=False),
                name="seat_holder",
            ),
        )
        indexes = (
            models.Index(fields=("user", "finished_at", "id"), name="seat_games"),
            models.Index(fields=("finished_at", "vacated_at"), name="seat_vacant"),
        )

    def __str__(self) -> str:
        return f"{self.power or 'seat'} of {self.game_id}"

    @property
    def country_name(self) -> str:
        """The name of the seat's country: its player's choice, or the printed name on the map."""
        if self.country:
            return self.country
        info = self.game.board.power_info
        powers = self.game.played_with.get(self.power, ())
        return join_words([info[power].name for power in powers])


class Tenure(models.Model):
    """The time during which a person or a bot held a seat; `until_at` is NULL until they leave.

    Rows of earlier holders are kept, so orders and missed turns stay with the player who gave
    or missed them. `left` says how the tenure ended: resigned, surrendered, abandoned, removed.
    """

    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="tenures")
    user: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="tenures"
    )
    bot = models.CharField(max_length=20, blank=True)
    since_at = models.DateTimeField()
    until_at = models.DateTimeField(null=True)
    left = models.CharField(max_length=12, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="") | Q(user__isnull=True) & ~Q(bot=""),
                name="tenure_person_or_bot",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id or self.bot} on seat {self.seat_id}"


class Invitation(models.Model):
    """An invitation by the creator of a game; the invited person may join without the code."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="invitations")
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="invitations"
    )
    invited_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user"), name="invitation_user"),)

    def __str__(self) -> str:
        return f"{self.user_id} to {self.game_id}"


def holder_since(seat: str) -> Subquery:
    """Return an expression for when the holder of the seat at the path `seat` got it."""
    tenures = Tenure.objects.filter(seat=OuterRef(seat), until_at=None)
    return Subquery(tenures.order_by("-pk").values("since_at")[:1])


def must_ask_players(game: Game, user_id: int) -> bool:
    """Return whether a game master must ask the other players.

    That is the case for a person who plays or has ever played in the game, even on a branch that
    was left behind, as long as another person holds a seat in it.
    """
    if not game.seats.exclude(user=None).exclude(user=user_id).exists():
        return False
    played = Tenure.objects.filter(seat__game=game, user=user_id).exists()
    return played or game.seats.filter(user=user_id).exists()
