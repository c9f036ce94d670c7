"""The settings of the file store, read from one URL such as `s3://bucket/folder`.

Without a URL, each machine keeps the files it has created in its own data directory.
"""

import importlib.util
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_OPTIONS: Final = ("endpoint", "region")


def parse_storage_url(url: str) -> dict[str, Any] | None:
    """Return Django's settings for the file store, or None if the URL is blank.

    The URL is the absolute path of a folder that all machines have mounted, or
    `s3://NAME:SECRET@BUCKET/FOLDER?endpoint=https://…&region=…`; without a name, the library looks
    for credentials in the same places as Amazon's tools. Raises `ImproperlyConfigured` with a
    message that names the part at fault, never the secret.
    """
    if not url:
        return None
    if url.startswith("/"):
        return _build_folder(Path(url))
    scheme, separator, _ = url.partition("://")
    if not separator or scheme.lower() not in ("file", "s3"):
        # Without :// this may be the whole URL, including the secret.
        start = f"it begins with {scheme[:12]!r}, not" if separator else "it does not begin"
        raise _url_error(f"{start} with s3:// or a slash")
    parts = _split(url)
    if scheme.lower() == "s3":
        return _build_s3(parts)
    if parts.netloc or not parts.path.strip("/"):
        raise _url_error("write a folder as file:///absolute/path")
    return _build_folder(Path(unquote(parts.path)))


def _build_folder(folder: Path) -> dict[str, Any]:
    return {
        "BACKEND": "diplomaccloud.shared.folder_storage.FolderStorage",
        "OPTIONS": {"location": str(folder)},
    }


def _build_s3(parts: SplitResult) -> dict[str, Any]:
    bucket = parts.netloc.rpartition("@")[2]
    if not bucket or ":" in bucket:
        raise _url_error("what follows s3:// (or the @) is not the name of a bucket")
    if bool(parts.username) != bool(parts.password):
        raise _url_error("it has a name without a secret, or a secret without a name")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in options:
        if name not in _OPTIONS:
            raise _url_error(f"there is no option {name!r} (there are: {', '.join(_OPTIONS)})")
    endpoint = options.get("endpoint")
    if endpoint is not None and not endpoint.startswith(("https://", "http://")):
        raise _url_error("its option endpoint does not begin with https:// or http://")
    if importlib.util.find_spec("storages") is None or importlib.util.find_spec("boto3") is None:
        raise _url_error("the library is missing: install the extra `scale`")
    chosen = {
        "bucket_name": bucket,
        "location": unquote(parts.path).strip("/"),
        "access_key": unquote(parts.username or "") or None,
        "secret_key": unquote(parts.password or "") or None,
        "endpoint_url": endpoint,
        "region_name": options.get("region"),
    }
    return {
        "BACKEND": "diplomaccloud.shared.s3_storage.S3Storage",
        "OPTIONS": {name: value for name, value in chosen.items() if value is not None},
    }


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        # The standard library's message may contain the text it could not parse: the secret.
        raise _url_error("a / ? # [ in the secret is not written as %2F %3F %23 %5B") from None


def _url_error(reason: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"DIPLOMACCLOUD_STORAGE_URL cannot be used: {reason}.")
