"""People, the exports of their data, and the mail to be sent to them."""

import datetime as dt
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac

from diplomaccloud.accounts.screen_names import (
    MAX_NAME,
    NAME_HELP,
    KeyField,
    Label,
    SkeletonField,
    WordField,
    check_name,
    list_search_words,
)

MAX_STATUS_LENGTH = 140
"""In characters."""
MAX_SALT = 12
MAX_MARK = 32
MAX_DEVICE = 60
"""In characters."""
MAX_COLOR_SCHEME = 5
GUEST_NAME = Label.GUEST.value
"""The screen name of every guest; no one can sign up with it."""
DELETED_NAME = Label.DELETED.value
"""The screen name of people whose account is deleted; no one can sign up with it."""
DELETED_PREFIX = "deleted "
"""The start of the stored names of deleted accounts; no one can sign up with such a name."""


def name_of(username: str) -> str:
    """Return the screen name of a person with this stored name, who is not a guest."""
    return DELETED_NAME if username.startswith(DELETED_PREFIX) else username


class SecondField(models.DateTimeField[dt.datetime, dt.datetime]):
    """A time in whole seconds. A migration sees a plain column."""

    def deconstruct(self) -> Any:
        """Return what a migration needs to create the column."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> dt.datetime:
        """Return the time to store."""
        value: dt.datetime = super().pre_save(model_instance, add).replace(microsecond=0)
        setattr(model_instance, self.attname, value)
        return value


class User(AbstractUser):
    """A person, known to others only by the screen name (`username`).

    A bot holds a seat in a game but is never a user. Names that differ only in letter case or in
    accents count as the same: `folded_name`, the key of the name, is unique. New names must not
    look like another: `name_skeleton` is unique, too. Searches read `NameWord` rows. `status` is
    one line that everyone can read.

    `color_scheme` is `auto`, `light` or `dark`, and blank for a person who has not chosen: see
    `pages.color_scheme`.

    A `guest` plays against bots without having signed up: see `guests`. `visited_at` is roughly
    when the guest last requested a page, NULL for everyone else.

    A `moderator` judges reports. A person who was banned at `banned_at` can only read the decision,
    appeal, download the data or delete the account: see `guests`. An account that was deleted at
    `deleted_at` has no name, and nobody can log in to it again: see `deletion`.

    A person whose name a moderator hides gets a neutral one: `hidden_name` is the previous one in
    lowercase, which still logs the person in. It is NULL for everyone else: see `renaming`.

    `login_before` is the last log-in before the day of `last_login`, which everyone may know of
    until that day is over: see `people`.

    All sessions end when the password or `session_salt` changes: see `sessions`.
    """

    username = models.CharField(
        "screen name",
        max_length=MAX_NAME,
        unique=True,
        validators=[check_name],
        help_text=NAME_HELP,
        error_messages={"unique": "This screen name is taken."},
    )
    folded_name = KeyField()
    name_skeleton = SkeletonField()
    hidden_name = models.CharField(  # noqa: DJ001 - unique, and NULL for nearly everyone
        max_length=MAX_NAME, null=True, unique=True, editable=False
    )
    # The default is in the database too: a server of the previous release may still add users.
    status = models.CharField(max_length=MAX_STATUS_LENGTH, blank=True, default="", db_default="")
    color_scheme = models.CharField(
        max_length=MAX_COLOR_SCHEME, blank=True, default="", db_default="", editable=False
    )
    guest = models.BooleanField(default=False, db_default=False)
    visited_at = models.DateTimeField(null=True)
    date_joined = SecondField("date joined", default=timezone.now)
    login_before = models.DateTimeField(null=True)
    moderator = models.BooleanField(default=False, db_default=False)
    banned_at = models.DateTimeField(null=True)
    deleted_at = models.DateTimeField(null=True)
    session_salt = models.CharField(max_length=MAX_SALT, blank=True, default="", db_default="")

    class Meta(AbstractUser.Meta):
        """Lists of people are sorted by name, sign-up or last login, and leave out guests."""

        indexes = (
            models.Index(fields=("last_login",), name="user_last_login"),
            models.Index(fields=("guest", "folded_name"), name="user_names"),
            models.Index(fields=("guest", "last_login"), name="user_logins"),
            models.Index(fields=("guest", "date_joined", "folded_name"), name="user_joined"),
            models.Index(fields=("guest", "visited_at"), name="user_guests"),
        )

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    def save(self, *args: Any, **options: Any) -> None:
        """Save the row, and the words by which a search finds the name."""
        super().save(*args, **options)
        fields = options.get("update_fields")
        if fields is None or "username" in fields:
            save_words(self)

    def _get_session_auth_hash(self, secret: object = None) -> str:
        """Return the hash that sessions hold; without a salt, the one of older releases."""
        value: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        if not self.session_salt:
            return value
        return salted_hmac(self.session_salt, value, algorithm="sha256").hexdigest()

    @property
    def screen_name(self) -> str:
        """The name others see."""
        if self.deleted_at is not None:
            return DELETED_NAME
        return GUEST_NAME if self.guest else self.username

    def get_full_name(self) -> str:
        """Return the screen name: no other name is stored."""
        return self.screen_name

    get_short_name = get_full_name


class NameWord(models.Model):
    """The key of a person's name from one of its words on, by which a search finds it."""

    user = models.ForeignKey(User, models.CASCADE, related_name="words", db_index=False)
    word = WordField(max_length=MAX_NAME)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "word"), name="word_once"),)
        indexes = (models.Index(fields=("word", "user"), name="word_of_name"),)

    def __str__(self) -> str:
        return self.word


def save_words(user: User) -> None:
    """Save the words of the person's name; guests and deleted accounts have none."""
    is_found = not user.guest and user.deleted_at is None
    words = set(list_search_words(user.username)) if is_found else set()
    rows = NameWord.objects.filter(user=user)
    old = set(rows.values_list("word", flat=True))
    if old - words:
        rows.filter(word__in=old - words).delete()
    new = [NameWord(user=user, word=word) for word in sorted(words - old)]
    NameWord.objects.bulk_create(new, ignore_conflicts=True)


class LoginSession(models.Model):
    """A session of a person: where it started and, within an hour, when it was last used.

    See `sessions`. A session of an older release has no row until it is used.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    session_key = models.CharField(max_length=40, unique=True)
    device = models.CharField(max_length=MAX_DEVICE)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = (models.Index(fields=("user", "seen_at"), name="session_list"),)

    def __str__(self) -> str:
        return f"session {self.pk}"


class LoginMark(models.Model):
    """Keyed hashes of where a person logged in: the browser, the network, the pattern of the mail.

    They say only whether two people share one, and are deleted after some weeks: see
    `known_browsers`. A hash is blank if there is nothing to hash.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    browser = models.CharField(max_length=MAX_MARK, blank=True)
    network = models.CharField(max_length=MAX_MARK, blank=True)
    mail = models.CharField(max_length=MAX_MARK, blank=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = (models.Index(fields=("user", "at"), name="mark_of_person"),)

    def __str__(self) -> str:
        return f"mark {self.pk}"


class Relationship(models.Model):
    """What `person` has declared about knowing `other`; it counts while it is confirmed.

    Confirmed rows stay after they have ended, as history: see `relationships`.
    """

    class Kind(models.TextChoices):
        """How two people know each other."""

        HOUSEHOLD = "household", "family or household"
        NETWORK = "network", "same network, such as a school or an office"
        FRIENDS = "friends", "friends who talk outside the site"

    person = models.ForeignKey(User, models.PROTECT, related_name="+")
    other = models.ForeignKey(User, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    declared_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    refused_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"relationship {self.pk}"


class RetiredName(models.Model):
    """A screen name that nobody can take: its account was deleted, or a moderator hides it.

    Only the hash of its skeleton is stored, and nothing that leads to the account: see `deletion`.
    """

    digest = models.CharField(max_length=64, primary_key=True)

    def __str__(self) -> str:
        return self.digest


class DataExport(models.Model):
    """A ZIP file with everything that a person can read, or a request for one: see `data_exports`.

    `user` is NULL once a newer export replaces this one, or the account is deleted: the file is
    then removed, and the row after it.
    """

    class State(models.TextChoices):
        """How far a worker is."""

        WAITING = "waiting"
        READY = "ready"
        FAILED = "failed"
        LOST = "lost"
        """It was ready, but the file is missing, for example after a restore from a backup."""

    user = models.OneToOneField(User, models.PROTECT, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    file_name = models.CharField(max_length=100)
    """The file's path below the folder of kept files: see `shared.files`. It cannot be guessed."""
    size = models.PositiveBigIntegerField(default=0)
    """In bytes; 0 until the file is ready."""
    requested_at = models.DateTimeField()
    ready_at = models.DateTimeField(null=True)
    failure = models.CharField(max_length=100, blank=True, default="")
    """The kind of the last error, never its text: a store may repeat its address in it."""
    keep_until = models.DateTimeField(db_index=True)
    """When a request that still waits counts as failed, or the file is removed."""

    def __str__(self) -> str:
        return f"export {self.pk}"


class OutgoingMail(models.Model):
    """A mail to send, or a request that is expanded into mails.

    The row says what is still to be sent; a background task only carries its id. It contains
    neither the text nor a link: the link to a new password is created when the mail is sent.
    """

    class Kind(models.TextChoices):
        """What is sent; each kind has a handler: see `mail_queue`."""

        RESET_REQUEST = "reset request"
        """Someone requested a new password for `recipient`, which may not belong to any account."""
        RESET_LINK = "reset link"
        """The link for the account of `user`."""
        NOTICES = "notices"
        """Notices of what happened in games, for `user`: see the app `notices`."""
        CONFIRMATION = "confirmation"
        """Asks whether notices for `user` may be sent to the address."""
        ADDRESS_CONFIRMATION = "address confirmation"
        """Asks whether the account of `user` may use the address: see `addresses`."""
        ADDRESS_CHANGED = "address changed"
        """Says that the account of `user` no longer has the address."""

    kind = models.CharField(max_length=20, choices=Kind.choices)
    recipient = models.EmailField(max_length=320)
    user = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    origin = models.CharField(max_length=300)
    """The scheme and host with which the person reached the site: `https://games.example`."""
    created_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, db_index=True)
    """When to try next; NULL once the mail is sent or abandoned."""
    sent_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=100, blank=True, default="")
    """The kind of the last error, never its text: a mail server may repeat an address in it."""

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
