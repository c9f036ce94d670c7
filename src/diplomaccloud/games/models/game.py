"""Games, the seats at their boards, and who sat on them when."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from diplomaccloud.maps.models import StoredChart

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


class Status(models.TextChoices):
    """The life of a game."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"


class Game(models.Model):
    """One game on one map.

    `rules` is the rule set as codec JSON, `options` everything else that was agreed, as
    `games.options.options` writes it. `seed` is the source of every random choice of the game: the
    draw of countries, the coin, the bots; it is told when the game is over. `master` is the
    person who is game master, NULL where the software is. `line` counts the roll-backs.
    `ending` is JSON with the winners' powers and a reason. A game whose processing raised is
    put aside: `alarm` says why.
    """

    slug = models.CharField(max_length=16, unique=True)
    world = models.CharField(max_length=40)
    chart = models.ForeignKey(StoredChart, on_delete=models.PROTECT)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.FORMING)
    rules = models.JSONField()
    options = models.JSONField()
    private = models.BooleanField(default=False)
    code = models.CharField(max_length=16)
    seed = models.CharField(max_length=64)
    creator: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    master: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    line = models.PositiveIntegerField(default=0)
    ending = models.JSONField(null=True)
    alarm = models.TextField(blank=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status"),
            models.CheckConstraint(
                condition=Q(status=Status.FORMING, started_at__isnull=True)
                | ~Q(status=Status.FORMING) & Q(started_at__isnull=False),
                name="game_started",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.FINISHED, finished_at__isnull=False, ending__isnull=False)
                | ~Q(status=Status.FINISHED) & Q(finished_at__isnull=True),
                name="game_finished",
            ),
        )
        indexes = (models.Index(fields=("status", "private"), name="game_lists"),)

    def __str__(self) -> str:
        return f"{self.world} ({self.slug})"


class Seat(models.Model):
    """A place at the board: a person, a bot or nobody, and from the draw on a power.

    `power` is NULL while the game forms; where a player plays several powers it is the first
    of them, and the game's setup names the others. `country` and `colors`, `#rrggbb` by power,
    are what its player chose, blank and left out for what is printed. A seat whose person left or
    was removed is vacant since `vacated_at` until somebody takes it.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    power = models.CharField(max_length=40, null=True)  # noqa: DJ001 - NULLs are never equal
    user: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="seats"
    )
    bot = models.CharField(max_length=20, blank=True)
    country = models.CharField(max_length=30, blank=True)
    colors: "models.JSONField[dict[str, str], dict[str, str]]" = models.JSONField(default=dict)
    vacated_at = models.DateTimeField(null=True)

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

    def __str__(self) -> str:
        return f"{self.power or 'seat'} of {self.game_id}"


class Tenure(models.Model):
    """That a person or a bot held a seat for some time; `until_at` is NULL for the holder.

    Holders before the present one are kept, so that orders and missed turns stay with whoever
    gave or missed them. `left` says how it ended: resigned, surrendered, abandoned, removed.
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
    """That the creator of a game invited a person, who may join without the code."""

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
