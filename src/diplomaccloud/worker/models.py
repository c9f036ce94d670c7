"""Which workers are alive."""

from django.db import models


class Heartbeat(models.Model):
    """When a worker went its last round; the row goes a day after it was last seen."""

    owner = models.CharField(max_length=40, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.owner
