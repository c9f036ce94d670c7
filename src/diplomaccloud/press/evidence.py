"""Evidence of a report: the messages as the reporter sees them, with a digest."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

AROUND: Final = 10
"""How many messages a report copies in addition to the reported one."""
AFTER: Final = 5
"""How many of them come after it, if there are enough on both sides."""
MAX_INSPECTED: Final = 200
"""How many of the newest messages a look at a conversation shows."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The copies for a report: JSON `content`, and the message `number` as the reporter sees it."""

    number: int
    content: Mapping[str, object]


def digest_evidence(content: Mapping[str, object]) -> str:
    """Return the SHA-256 of the evidence in canonical JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
