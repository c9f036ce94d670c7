"""Checks of the optional services of a large site: a broker, a cache and a file store."""

import secrets
from collections.abc import Iterator
from typing import Final

from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from diplomaccloud.project import environment
from diplomaccloud.project.doctor.findings import Finding, attention, good, wrong

_SECONDS: Final = 5
_SLOW_QUEUES: Final = {"bots", "maps"}


def check_services() -> Iterator[Finding]:
    """Check the services that the settings name."""
    for part, setting, check in (
        ("broker", "BROKER_URL", _ask_broker),
        ("cache", "CACHE_URL", _ask_cache),
        ("storage", "STORAGE_URL", _ask_storage),
    ):
        if not environment.read_text(setting):
            yield good(part, "Not set; the database and the data directory are used instead.")
            continue
        try:
            check()
        except Exception as error:  # each library has its own errors
            # The error's text may contain the address with its password.
            yield wrong(
                part,
                f"It does not work: {type(error).__name__}.",
                f"Start it, and compare DIPLOMACCLOUD_{setting} with its settings.",
            )
        else:
            yield good(part, "It answers.")
            if part == "broker":
                yield from _check_queues()


def _ask_broker() -> None:
    import redis  # noqa: PLC0415 an extra

    redis.Redis.from_url(
        environment.read_text("BROKER_URL"),
        socket_timeout=_SECONDS,
        socket_connect_timeout=_SECONDS,
    ).ping()


def _check_queues() -> Iterator[Finding]:
    """Check that some Celery worker for deadlines has no slow queues that could delay them."""
    busy = {name: queues for name, queues in _list_queues().items() if "clock" in queues}
    if busy and all(queues & _SLOW_QUEUES for queues in busy.values()):
        yield attention(
            "queues",
            "Bots or maps can delay deadlines, because every clock worker also serves them.",
            "Start one with `-Q clock`.",
        )


def _list_queues() -> dict[str, set[str]]:
    """Return the queues of each Celery worker that answers."""
    from diplomaccloud.worker.celery_app import app  # noqa: PLC0415 an extra

    found = app.control.inspect(timeout=_SECONDS / 5).active_queues() or {}
    return {name: {queue["name"] for queue in queues} for name, queues in found.items()}


def _ask_cache() -> None:
    word = secrets.token_hex(8)
    cache.set("doctor", word, 60)
    if cache.get("doctor") != word:
        raise OSError("the cache does not keep values")


def _ask_storage() -> None:
    word = secrets.token_hex(8).encode()
    name = default_storage.save(f"doctor-{word.decode()}", ContentFile(word))
    try:
        with default_storage.open(name) as file:
            if file.read() != word:
                raise OSError("a stored file differs")
    finally:
        default_storage.delete(name)
