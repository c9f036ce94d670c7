"""The judge for any program: JSON values in, JSON values out. See `docs/protocol.md`.

`answer` answers one request, `serve_lines` answers a stream of lines, and `replay` adjudicates
the record of a whole game again.
"""

from diplomaccloud.judge.protocol.answers import answer, read_record, serve_lines
from diplomaccloud.judge.protocol.records import (
    Difference,
    RecordError,
    Replayed,
    Written,
    dump_record,
    replay,
)
from diplomaccloud.judge.protocol.requests import Boards, only_standard

__all__ = [
    "Boards",
    "Difference",
    "RecordError",
    "Replayed",
    "Written",
    "answer",
    "dump_record",
    "only_standard",
    "read_record",
    "replay",
    "serve_lines",
]
