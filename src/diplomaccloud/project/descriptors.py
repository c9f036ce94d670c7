"""The limit on files and connections that a process may have open."""

import resource
from contextlib import suppress
from typing import Final

MOST_DESCRIPTORS: Final = 65_536
SPARE_DESCRIPTORS: Final = 512
"""Descriptors reserved for files, databases and outgoing connections."""
MOST_CONNECTIONS: Final = 10_000


def raise_descriptor_limit() -> int:
    """Raise the limit for this process and its children, and return the new limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    with suppress(OSError, ValueError):  # macOS allows less than it reports
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def count_room(descriptors: int) -> int:
    """Return how many connections a process with this many descriptors can have."""
    return min(max(descriptors - SPARE_DESCRIPTORS, descriptors // 2), MOST_CONNECTIONS)
