"""Heartbeats of the workers, and when the site was last looked after."""

from django.db import models


class Heartbeat(models.Model):
    """The time of a worker's last round; deleted a day after the worker was last seen."""

    owner = models.CharField(max_length=40, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.owner


class Upkeep(models.Model):
    """When an administrator last did something that must be done again and again."""

    class Kind(models.TextChoices):
        """What was done."""

        BACKUP = "backup"
        TRIAL = "trial"
        """A backup was restored into a database of its own, and its games were as recorded."""

    kind = models.CharField(max_length=20, choices=Kind, unique=True)
    done_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.kind
