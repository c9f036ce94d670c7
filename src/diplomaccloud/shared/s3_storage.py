"""A file store with an S3 interface, which many services offer. Imported only if configured."""

from typing import Any, Final

from botocore.config import Config
from storages.backends.s3 import S3Storage as LibraryStorage

_LIMITS: Final = Config(
    connect_timeout=2, read_timeout=5, retries={"max_attempts": 2}, signature_version="s3v4"
)
"""Short timeouts, so that a store that does not answer delays a page for seconds, not minutes."""
_MAX_IN_MEMORY: Final = 2 * 1024 * 1024
"""In bytes; a larger file is read through a temporary file."""


class S3Storage(LibraryStorage):  # type: ignore[misc]
    """The library's store with private files and short timeouts."""

    def __init__(self, **options: Any) -> None:
        fixed = {
            "file_overwrite": True,
            "default_acl": None,
            "querystring_auth": True,
            "max_memory_size": _MAX_IN_MEMORY,
        }
        super().__init__(**fixed, client_config=_LIMITS, **options)
