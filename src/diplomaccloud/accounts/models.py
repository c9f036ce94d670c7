"""People."""

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
