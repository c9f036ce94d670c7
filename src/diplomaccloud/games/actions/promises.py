"""What the bots of a game have promised, from apps that `settings.BOT_PROMISES` names.

A bot writes its orders as the phase opens and again before they are locked, since it may have
promised something in between.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import cast

import structlog
from django.conf import settings
from django.db import Error
from django.utils.module_loading import import_string

from diplomaccloud.deals import Promises
from diplomaccloud.judge.board import Power

PromiseFunction = Callable[[int], Mapping[Power, Promises]]
"""Returns what binds the bots of a game in the phase with this key, by their powers.

All powers whose orders may have been changed by a promise are in it, also if that binds no longer.
"""

_log = structlog.get_logger(__name__)


def read_promises(phase_id: int) -> dict[Power, Promises]:
    """Return what binds the bots in a phase; an app that fails must not stop the game."""
    promises: dict[Power, Promises] = {}
    for function in _load_functions():
        try:
            promises |= function(phase_id)
        except Error:
            raise
        except Exception:
            _log.exception("promises not read", phase=phase_id)
    return promises


@cache
def _load_functions() -> tuple[PromiseFunction, ...]:
    return tuple(cast("PromiseFunction", import_string(path)) for path in settings.BOT_PROMISES)
