"""The transaction of an action, which is retried after a conflict.

Locks taken in a fixed order (see `lock`) cannot deadlock, but a database may still abort a
transaction: because of gap locks in an index, because of a serialization failure, or on SQLite
because another process has locked the file.
"""

import functools
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, ParamSpec, TypeVar

import structlog
from django.db import DatabaseError, OperationalError, transaction

from diplomaccloud.games.table.log import written_together

MAX_ATTEMPTS: Final = 6
MAX_RETRY_SECONDS: Final = 10.0
"""An action that has taken longer is not retried: the person has waited long enough."""
_FIRST_PAUSE_SECONDS: Final = 0.01
_MYSQL_CODES: Final = frozenset({1020, 1205, 1213})
"""The row has changed since it was read, a lock timed out, or there was a deadlock."""
_POSTGRESQL_STATES: Final = frozenset({"40001", "40P01"})
"""A serialization failure or a deadlock."""
_SQLITE_NAMES: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")
_P = ParamSpec("_P")
_R = TypeVar("_R")
_log = structlog.get_logger(__name__)


def atomic_with_retries(action: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return the action wrapped in a transaction that is retried if the database aborts it.

    Record lines are written at its end, followed by events and statistics. An attempt to order
    counts as presence even if the action is refused.

    Inside another transaction the action runs only once, since only the outer transaction can be
    retried. The arguments are the same each time, so an order keeps the time at which it was sent.
    """

    @functools.wraps(action)
    @attempts_kept()
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if transaction.get_connection().in_atomic_block:
            with transaction.atomic(), written_together():
                return action(*args, **kwargs)
        started, attempt = time.monotonic(), 1
        while True:
            try:
                with transaction.atomic(), written_together():
                    return action(*args, **kwargs)
            except OperationalError as error:
                waited = time.monotonic() - started
                if not is_conflict(error) or attempt >= MAX_ATTEMPTS or waited > MAX_RETRY_SECONDS:
                    raise
                _log.warning("transaction repeated", action=action.__name__, attempt=attempt)
            # Wait for a random time, so that two conflicting actions don't collide again.
            time.sleep(random.uniform(0, _FIRST_PAUSE_SECONDS * 2**attempt))
            attempt += 1

    return run


@dataclass(slots=True)
class _Attempts:
    """How to save the attempts to order in a transaction, and whether any was rolled back."""

    noted: list[Callable[[], None]] = field(default_factory=list)
    refused: bool = False


_attempts: ContextVar[_Attempts | None] = ContextVar("_attempts", default=None)


@contextmanager
def attempts_kept() -> Iterator[None]:
    """Save attempts to order that an error within the block has rolled back, as presence.

    The outermost block saves them, after its transaction.
    """
    outer = _attempts.get()
    attempts = outer or _Attempts()
    token = _attempts.set(attempts)
    try:
        yield
    except DatabaseError:
        raise
    except Exception:
        attempts.refused = True
        raise
    finally:
        _attempts.reset(token)
        if outer is None and attempts.refused:
            for save in attempts.noted:
                # The person must hear why nothing was saved, even if the database is busy.
                with suppress(DatabaseError), transaction.atomic():
                    save()


def note_attempt(save: Callable[[], None]) -> None:
    """Call `save` in a transaction of its own if the current one is rolled back by a refusal."""
    if attempts := _attempts.get():
        attempts.noted.append(save)


def is_conflict(error: BaseException) -> bool:
    """Return whether the database aborted a transaction that may succeed if it is retried."""
    cause = error.__cause__
    if cause is None:
        return False
    if getattr(cause, "sqlstate", None) in _POSTGRESQL_STATES:
        return True
    if getattr(cause, "sqlite_errorname", "").startswith(_SQLITE_NAMES):
        return True
    return bool(cause.args) and cause.args[0] in _MYSQL_CODES
