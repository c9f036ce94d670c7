"""The operations: each reads a request, calls an action or a viewpoint, and answers."""

from diplomaccloud.api.calls import lobby, master, playing, press, reading, seats
from diplomaccloud.api.operations import router

__all__ = ["lobby", "master", "playing", "press", "reading", "router", "seats"]
