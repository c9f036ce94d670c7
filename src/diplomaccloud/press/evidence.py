"""Evidence of a report: a message and those around it as the reporter read them, with a digest."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

AROUND: Final = 10
"""How many messages a report copies besides the reported one."""
AFTER: Final = 5
"""How many of them come after it, where there are enough before and after it."""
MAX_INSPECTED: Final = 200
"""How many messages a look at a conversation shows: the newest."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a report copies; `content` is JSON and `number` that of the message for its reporter."""

    number: int
    content: Mapping[str, object]


def digest_evidence(content: Mapping[str, object]) -> str:
    """Return the SHA-256 of the evidence in canonical JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
