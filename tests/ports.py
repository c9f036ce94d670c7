"""Ports for servers under test."""

import os
import socket


def free_port(first: int = 0) -> int:
    """Return a port, from `first` on, at which nothing listens.

    It is not one that the system assigns by itself, mostly 32768 and up: another process
    that connects to somewhere might get it before the server is there.
    """
    first = first or 20_000 + os.getpid() * 16 % 10_000
    for port in range(first, 32_768):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError(f"every port from {first} on is taken")
