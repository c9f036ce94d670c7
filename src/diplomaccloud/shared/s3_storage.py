"""A store of files with Amazon's interface S3, which many services have. Imported only with one."""

from typing import Any, Final

from botocore.config import Config
from storages.backends.s3 import S3Storage as LibraryStorage

_LIMITS: Final = Config(
    connect_timeout=2, read_timeout=5, retries={"max_attempts": 2}, signature_version="s3v4"
)
"""A store that does not answer delays a page for seconds, not minutes."""


class S3Storage(LibraryStorage):  # type: ignore[misc]
    """The library's store, private, and with short times to wait."""

    def __init__(self, **options: Any) -> None:
        fixed = {"file_overwrite": True, "default_acl": None, "querystring_auth": True}
        super().__init__(**fixed, client_config=_LIMITS, **options)
