"""The operations: each reads a request, calls an action or a viewpoint, and answers."""

from diplomaccloud.api.calls import (
    archive,
    conference_maps,
    events,
    judging,
    lobby,
    master,
    people,
    playing,
    press,
    reading,
    seats,
)
from diplomaccloud.api.operations import router

__all__ = [
    "archive",
    "conference_maps",
    "events",
    "judging",
    "lobby",
    "master",
    "people",
    "playing",
    "press",
    "reading",
    "router",
    "seats",
]
