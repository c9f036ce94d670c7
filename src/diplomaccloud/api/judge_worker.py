"""The public judge, in a separate process with limited time and memory.

A request that needs more than `MAX_CPU` seconds of CPU time kills the process. The limit counts CPU
time, not wall time, so requests don't fail just because the machine is busy.

Run as a program, this module is that process. Each input line is a request in the judge's protocol.
Each answer line starts with the CPU time in milliseconds and a status: `judged`, `error` if the
request is invalid, `hungry` if it needs too much memory, or `failed`.
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
"""The CPU time for one request, in seconds."""
MAX_SECONDS: Final = 20.0
"""How long a request may take in wall time, in seconds."""
_MAX_MEMORY: Final = 1 << 30
"""The memory limit in bytes. Cached boards are small."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of the judge as JSON, and the CPU time it took in milliseconds."""

    milliseconds: int
    valid: bool
    text: str


class JudgeHungry(RuntimeError):
    """The request needs too much memory."""


class JudgeFailed(RuntimeError):
    """The judge failed because of a bug, which is in the log."""


JUDGE: Final = LineWorker("diplomaccloud.api.judge_worker", MAX_SECONDS)
"""The judge worker of this process."""


def ask_judge(request: object) -> Answered:
    """Return the judge's answer.

    Raises `JudgeHungry`, `JudgeFailed`, and the exceptions of `LineWorker.ask`.
    """
    spent, kind, text = JUDGE.ask(json.dumps(request)).split(" ", 2)
    if kind == "hungry":
        raise JudgeHungry
    if kind == "failed":
        raise JudgeFailed
    return Answered(int(spent), kind == "judged", text)


def serve() -> None:
    """Answer requests from standard input, one at a time, until the input ends."""
    from diplomaccloud.atlas.board_loader import BoardLoader  # noqa: PLC0415
    from diplomaccloud.judge.protocol import answer  # noqa: PLC0415

    os.nice(5)  # pages come first
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
        except Exception:  # the next request must still be answered
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
