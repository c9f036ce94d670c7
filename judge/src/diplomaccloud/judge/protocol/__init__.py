"""The judge for any program: JSON values in, JSON values out. See `docs/protocol.md`.

`answer` answers one request, `serve_lines` answers a stream of lines, and `replay` adjudicates
the record of a whole game again.
"""

from diplomaccloud.judge.protocol.answers import answer
from diplomaccloud.judge.protocol.record import Played as PlayedPhase
from diplomaccloud.judge.protocol.record import Written, dump_record
from diplomaccloud.judge.protocol.replay import Difference, RecordError, Replayed, replay
from diplomaccloud.judge.protocol.request import Boards, only_standard
from diplomaccloud.judge.protocol.stream import read_record, serve_lines

__all__ = [
    "Boards",
    "Difference",
    "PlayedPhase",
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
