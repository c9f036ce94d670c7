"""The rows of the cache, for a site without Redis."""

from django.db import models


class CacheEntry(models.Model):
    """A cached value and when it expires."""

    key = models.CharField(max_length=64, primary_key=True)
    """A digest of the key, which may contain the address of a visitor."""
    value = models.TextField()
    """JSON."""
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key
