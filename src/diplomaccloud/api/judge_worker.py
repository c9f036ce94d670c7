"""The judge for everyone, in a process of its own with little time and memory.

A request that needs more than `MAX_CPU` seconds of the processor kills the process: the system
itself counts them, so that a busy machine refuses nobody.

Run as a program, this module is the process. Each line is a request of the judge's protocol; the
answer begins with the milliseconds that it took, and `judged`, `error` if the request is invalid,
`hungry` if it needs too much memory, or `failed`.
"""

import json
import os
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Final

from diplomaccloud.maps.line_worker import LineWorker

MAX_CPU: Final = 2
"""Seconds of the processor for one request."""
MAX_SECONDS: Final = 20.0
"""How long a request may wait for its answer."""
_MAX_MEMORY: Final = 1 << 30
"""In bytes; the boards that are kept are small."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of the judge as JSON, and how many milliseconds of the processor it took."""

    milliseconds: int
    valid: bool
    text: str


class JudgeHungry(RuntimeError):
    """The request needs too much memory."""


class JudgeFailed(RuntimeError):
    """The judge has failed, and its log says why: a fault of ours."""


JUDGE: Final = LineWorker("diplomaccloud.api.judge_worker", MAX_SECONDS)
"""That of this process."""


def ask_judge(request: object) -> Answered:
    """Return the judge's answer.

    Raises `JudgeHungry`, `JudgeFailed`, and what `LineWorker.ask` raises.
    """
    spent, kind, text = JUDGE.ask(json.dumps(request)).split(" ", 2)
    if kind == "hungry":
        raise JudgeHungry
    if kind == "failed":
        raise JudgeFailed
    return Answered(int(spent), kind == "judged", text)


def serve() -> None:
    """Answer requests from standard input, one at a time, until it ends."""
    from diplomaccloud.atlas.board_loader import BoardLoader  # noqa: PLC0415
    from diplomaccloud.judge.protocol import answer  # noqa: PLC0415

    os.nice(5)  # pages are more urgent
    boards = BoardLoader()
    _print("ready")
    for line in sys.stdin:
        start = time.process_time()
        _limit(int(start) + 1 + MAX_CPU)
        text = "{}"
        try:
            answered = answer(json.loads(line), boards)
            kind = "error" if "error" in answered else "judged"
            text = json.dumps(answered, separators=(",", ":"))
        except MemoryError:
            kind = "hungry"
        except Exception:  # whatever it is, the next request gets its answer
            traceback.print_exc()
            kind = "failed"
        spent = int((time.process_time() - start) * 1000)
        _print(f"{spent} {kind} {text}")


def _limit(seconds: int) -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 not everywhere

    for which, limit in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, _MAX_MEMORY)):
        resource.setrlimit(which, (limit, resource.getrlimit(which)[1]))


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    serve()
