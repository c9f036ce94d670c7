"""People, and the mail that waits for them."""

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.validators import ASCIIUsernameValidator
from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models.functions import Lower

MOST_OF_A_STATUS = 140
"""Characters."""


class User(AbstractUser):
    """A person, known to others by the screen name (`username`) alone.

    Bots are seats of a game, never users. Letter case is kept but does not tell two people
    apart: `folded_name` is unique. `status` is one line that a person says to everybody.
    """

    username = models.CharField(
        "screen name",
        max_length=30,
        unique=True,
        validators=[ASCIIUsernameValidator(), MinLengthValidator(2)],
        help_text="Two to thirty letters, digits or . _ - + @",
        error_messages={"unique": "This screen name is taken."},
    )
    folded_name = models.GeneratedField(
        expression=Lower("username"),
        output_field=models.CharField(max_length=30),
        db_persist=True,
        unique=True,
    )
    # The database knows the default too: a site of the release before may still add people.
    status = models.CharField(max_length=MOST_OF_A_STATUS, blank=True, default="", db_default="")
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    @property
    def screen_name(self) -> str:
        """The name others see."""
        return self.username

    def get_full_name(self) -> str:
        """Return the screen name: no other name is kept."""
        return self.username

    def get_short_name(self) -> str:
        """Return the screen name."""
        return self.username


class OutgoingMail(models.Model):
    """One mail to send, or one request from which mails are made.

    The row is the truth: it is due until it is sent or abandoned, and a background task only
    says that there is something to do. It holds neither the text nor a link: a link to a new
    password is made when the mail is sent.
    """

    class Kind(models.TextChoices):
        """What is sent; each kind has a handler in `mail_queue`."""

        RESET_REQUEST = "reset request"
        """Somebody asks for a new password for `recipient`, which may belong to no account."""
        RESET_LINK = "reset link"
        """The link for the account of `user`."""

    kind = models.CharField(max_length=20, choices=Kind.choices)
    recipient = models.EmailField(max_length=320)
    user = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    origin = models.CharField(max_length=300)
    """Scheme and host of the site, as the person addressed it: `https://games.example`."""
    created_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, db_index=True)
    """When to try next; NULL once the mail is sent or abandoned."""
    sent_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=100, blank=True, default="")
    """The kind of the last error, never its text: a mail server may repeat an address in it."""

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
