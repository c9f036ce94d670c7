"""The operations: each reads a request, calls an action or a viewpoint, and builds the response."""

from diplomaccloud.api.calls import (
    archive,
    conference_maps,
    events,
    gallery,
    history,
    judging,
    lobby,
    master,
    notices,
    people,
    players,
    playing,
    press,
    reading,
    rooms,
    seats,
    webhooks,
)
from diplomaccloud.api.operations import router

__all__ = [
    "archive",
    "conference_maps",
    "events",
    "gallery",
    "history",
    "judging",
    "lobby",
    "master",
    "notices",
    "people",
    "players",
    "playing",
    "press",
    "reading",
    "rooms",
    "router",
    "seats",
    "webhooks",
]
