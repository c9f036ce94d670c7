"""The addresses of a site on this machine that its host can send, whom they reach, and a QR code.

The addresses come from the C library's `getifaddrs`, which Linux and macOS have, so that neither a
program nor a package is needed.
"""

import ctypes
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final, TextIO

import segno

ANY_ADDRESS: Final = ("0.0.0.0", "::")  # noqa: S104 compared, never listened on here
"""What a server listens on to be reached at each address of the machine; the first is IPv4 only."""
_UP, _LOOPBACK = 0x1, 0x8
"""Flags of an interface, the same on Linux and macOS."""
_PLACES: Final = {socket.AF_INET: (4, 4), socket.AF_INET6: (8, 16)}
"""Where an address is in its structure, and its length, in bytes."""
_INNER: Final = ("br-", "cni", "docker", "lxc", "lxd", "podman", "vbox", "veth", "virbr", "vmnet")
"""Beginnings of the names of interfaces that lead only to containers and virtual machines."""
_AVAHI: Final = Path("/run/avahi-daemon/socket")
_QUIET_ZONE: Final = 4
"""The empty modules around a QR code (ISO/IEC 18004, 6.3.8)."""
_INDENT: Final = "    "
# Black on white by their numbers, whatever the colors of the terminal's theme are.
_INK, _PLAIN = "\x1b[38;5;16;48;5;231m", "\x1b[0m"
_HALVES: Final = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}

Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Way:
    """An address of the site, and whom it reaches."""

    url: str
    reach: str


def list_ways(host: str, port: int) -> list[Way]:
    """Return the ways to a site that listens on `host`, one of `ANY_ADDRESS`; the best is first."""
    versions = (4,) if host == ANY_ADDRESS[0] else (4, 6)
    addresses = [address for address in list_addresses() if address.version in versions]
    ways = [
        Way(build_url("http", str(address), port), _tell_reach(address)) for address in addresses
    ]
    if ways and (name := find_name()):
        reach = "people in the same network"
        some = "except with some Android phones" if "." in name else "if its router knows the name"
        ways.insert(1, Way(build_url("http", name, port), f"{reach}, {some}"))
    return ways


def build_url(scheme: str, host: str, port: int) -> str:
    """Return the address of the home page."""
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}{'' if port == {'http': 80, 'https': 443}[scheme] else f':{port}'}/"


def list_addresses() -> list[Address]:
    """Return the addresses at which other machines may reach this one; the best is first.

    It is the one that the machine uses itself, IPv4 before IPv6. Link-local addresses are left out,
    since browsers cannot open them.
    """
    found = dict.fromkeys([*_ask_routes(), *_ask_interfaces()])
    usable = [a for a in found if not (a.is_loopback or a.is_link_local or a.is_unspecified)]
    return sorted(usable, key=lambda address: address.version)


def find_name() -> str:
    """Return the name of the machine in its network, blank if it has none."""
    name = socket.gethostname().rstrip(".").lower()
    plain = name.partition(".")[0]
    if plain in {"", "localhost"}:
        return ""
    if sys.platform == "darwin" or _AVAHI.exists():
        return f"{plain}.local"
    return name


def is_own(address: str) -> bool:
    """Return whether the address belongs to this machine, in any network."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((address, 0))
        return True
    return False


def write_ways(ways: Sequence[Way], port: int, out: TextIO) -> None:
    """Write the addresses to send, with a QR code of the first if the terminal can show it."""
    if not ways:
        out.write("  This machine is in no network, so only you can open the site.\n\n")
        return
    width = max(len(way.url) for way in ways)
    out.write("  Send your friends one of these addresses:\n\n")
    out.writelines(f"{_INDENT}{way.url:<{width}}  {way.reach}\n" for way in ways)
    out.write(f"\n  If none works for them, a firewall blocks port {port}.\n\n")
    write_code(ways[0].url, out)


def write_code(url: str, out: TextIO) -> None:
    """Write a QR code, unless `out` is no terminal, is too narrow or knows no colors."""
    lines = draw_code(url)
    width = len(lines[0]) + len(_INDENT)
    with suppress(OSError, ValueError, UnicodeError):
        "▀▄█".encode(out.encoding or "ascii")
        room = os.get_terminal_size(out.fileno()).columns or 80
        if out.isatty() and os.environ.get("TERM") != "dumb" and room > width:
            out.writelines(f"{_INDENT}{_INK}{line}{_PLAIN}\n" for line in lines)
            out.write(f"\n{_INDENT}A phone that scans this code opens {url}\n\n")


def draw_code(url: str) -> list[str]:
    """Return the lines of a QR code for dark ink on light ground, two rows of modules in each."""
    rows = [list(row) for row in segno.make_qr(url).matrix_iter(border=_QUIET_ZONE)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[pair] for pair in zip(*two, strict=True)) for two in pairs]


def _tell_reach(address: Address) -> str:
    return "everyone" if address.is_global else "people in the same network"


def _ask_routes() -> Iterator[Address]:
    """Yield the addresses with which this machine would reach the internet; nothing is sent."""
    for family, far in ((socket.AF_INET, "192.88.99.1"), (socket.AF_INET6, "2001:4860:4860::8888")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            yield ip_address(probe.getsockname()[0])


class _Interface(ctypes.Structure):
    """The beginning of `struct ifaddrs` (getifaddrs(3)), which is the same on Linux and macOS."""


_Interface._fields_ = [
    ("next", ctypes.POINTER(_Interface)),
    ("name", ctypes.c_char_p),
    ("flags", ctypes.c_uint),
    ("address", ctypes.c_void_p),
]


def _ask_interfaces() -> Iterator[Address]:
    """Yield the addresses of interfaces that are up; none where the C library cannot list them."""
    library = ctypes.CDLL(None)
    first = ctypes.POINTER(_Interface)()
    if not hasattr(library, "getifaddrs") or library.getifaddrs(ctypes.byref(first)):
        return
    try:
        place = first
        while place:
            interface = place.contents
            is_used = interface.flags & _UP and not interface.flags & _LOOPBACK
            if is_used and interface.address and not interface.name.decode().startswith(_INNER):
                yield from _read_address(interface.address)
            place = interface.next
    finally:
        library.freeifaddrs(first)


def _read_address(place: int) -> Iterator[Address]:
    """Yield the address of a `struct sockaddr`, nothing for families other than the internet's."""
    # BSD and macOS store the length of the structure in a byte before the family.
    start = ctypes.string_at(place, 2)
    family = start[1] if sys.platform == "darwin" else int.from_bytes(start, sys.byteorder)
    if family in _PLACES:
        offset, length = _PLACES[socket.AddressFamily(family)]
        yield ip_address(ctypes.string_at(place + offset, length))
