"""Ports for servers under test."""

from tests.redis_server import servers

hold_port = servers.hold_port
