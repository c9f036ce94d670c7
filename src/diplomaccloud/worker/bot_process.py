"""The process in which a worker's bots look ahead, with a limit on processor time.

A runaway search kills only this process, not the worker; the next bot starts a new one.

Run as a program, this module is the process: it prints a line when it is ready, then reads
positions as lines and answers each with the orders of a bot, or with an error.
"""

import base64
import logging
import math
import os
import pickle
import resource
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from diplomaccloud.bots.seats import ask_bot
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.maps.line_worker import LineWorker

MAX_SECONDS: Final = 10.0
"""How long a bot may take: as long as the phase waits for it."""
CPU_SECONDS: Final = 8
"""The processor time that a bot may use for one phase, many times what a Marshal needs."""
_ORDERS: Final = "orders "


class BotProcess(LineWorker):
    """A worker's handle for the process."""

    def __init__(self, seconds: float = MAX_SECONDS) -> None:
        """Prepare the process, which starts with the first bot and stays: it is small."""
        super().__init__("diplomaccloud.worker.bot_process", seconds, rest=None)

    def order(
        self,
        name: str,
        board: Board,
        position: Position,
        power: Power,
        *,
        rules: RuleSet,
        seed: str,
        varies: bool = False,
    ) -> Sequence[Order]:
        """Return the orders of a bot; raise an error if the bot fails or takes too long."""
        question = _dump_board(board), (name, position, power, rules, seed, varies)
        answer = self.ask(_write(question))
        if not answer.startswith(_ORDERS):
            raise RuntimeError(answer)
        orders: Sequence[Order] = _read(answer.removeprefix(_ORDERS))
        return orders


@lru_cache(maxsize=16)
def _dump_board(board: Board) -> bytes:
    return pickle.dumps(board)


@lru_cache(maxsize=16)
def _load_board(data: bytes) -> Board:
    """Return a board, always the same object for equal boards, so their tables are built once."""
    board: Board = pickle.loads(data)  # noqa: S301 from the process that has started this one
    return board


def _write(value: object) -> str:
    return base64.b64encode(pickle.dumps(value)).decode()


def _read(text: str) -> Any:
    return pickle.loads(base64.b64decode(text))  # noqa: S301 as above


def _answer(line: str) -> str:
    board, (name, position, power, rules, seed, varies) = _read(line)
    try:
        orders = ask_bot(
            name, _load_board(board), position, power, rules=rules, seed=seed, varies=varies
        )
    except Exception as error:
        logging.getLogger(__name__).exception("bot failed")
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    return _ORDERS + _write(tuple(orders))


def _limit_time() -> None:
    """Let the kernel kill this process with a signal if it uses too much processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime) + CPU_SECONDS
    # A service manager may have set a lower limit, which only root can raise.
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def serve() -> None:
    """Answer requests from standard input, one at a time, until it ends."""
    os.nice(5)  # deadlines are more urgent than bots
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        _limit_time()
        sys.stdout.write(_answer(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
