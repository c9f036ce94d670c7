"""Heartbeats of the workers."""

from django.db import models


class Heartbeat(models.Model):
    """The time of a worker's last round; deleted a day after the worker was last seen."""

    owner = models.CharField(max_length=40, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.owner
