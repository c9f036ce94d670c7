"""The addresses that a host sends to friends, and the QR code in the terminal."""

import fcntl
import io
import os
import re
import socket
import struct
import sys
import termios
from ipaddress import ip_address

import pytest
import segno

from diplomaccloud.project import invitation
from diplomaccloud.project.invitation import (
    build_url,
    draw_code,
    find_name,
    is_own,
    list_addresses,
    list_ways,
    write_code,
    write_ways,
)

URL = "http://192.168.1.5:8000/"


def hold_addresses(monkeypatch, *texts, name=""):
    monkeypatch.setattr(invitation, "list_addresses", lambda: [ip_address(text) for text in texts])
    monkeypatch.setattr(invitation, "find_name", lambda: name)


def test_the_addresses_of_this_machine_are_its_own_and_reachable():
    addresses = list_addresses()
    assert all(is_own(str(address)) for address in addresses)
    assert not any(address.is_loopback or address.is_link_local for address in addresses)
    assert [address.version for address in addresses] == sorted(a.version for a in addresses)


def test_the_list_of_interfaces_has_what_routes_use():
    routes = list(invitation._ask_routes())
    assert set(routes) <= set(invitation._ask_interfaces())


def test_only_addresses_on_which_the_server_listens_are_listed(monkeypatch):
    hold_addresses(monkeypatch, "192.168.1.5", "fd00::2", name="den.local")
    assert [way.url for way in list_ways("0.0.0.0", 8000)] == [URL, "http://den.local:8000/"]  # noqa: S104
    assert [way.url for way in list_ways("::", 80)] == [
        "http://192.168.1.5/",
        "http://den.local/",
        "http://[fd00::2]/",
    ]


def test_each_address_says_whom_it_reaches(monkeypatch):
    hold_addresses(monkeypatch, "8.8.8.8", "100.64.0.9", name="den")
    assert [way.reach for way in list_ways("0.0.0.0", 8000)] == [  # noqa: S104
        "everyone",
        "people in the same network, if its router knows the name",
        "people in the same network",
    ]


@pytest.mark.parametrize(
    ("host", "avahi", "name"),
    [
        ("Den", True, "den.local"),
        ("den.example.org", False, "den.example.org"),
        ("den", False, "den"),
        ("localhost", True, ""),
        ("localhost.localdomain", False, ""),
    ],
)
def test_the_name_ends_in_local_where_something_answers_to_it(
    monkeypatch, tmp_path, host, avahi, name
):
    monkeypatch.setattr(socket, "gethostname", lambda: host)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(invitation, "_AVAHI", tmp_path if avahi else tmp_path / "none")
    assert find_name() == name


def test_a_machine_without_a_network_says_so(monkeypatch):
    hold_addresses(monkeypatch, name="den")
    out = io.StringIO()
    write_ways(list_ways("::", 8000), 8000, out)
    assert "only you can open the site" in out.getvalue()


def test_the_standard_port_is_left_out():
    assert build_url("https", "games.example.org", 443) == "https://games.example.org/"
    assert build_url("https", "fd00::2", 8443) == "https://[fd00::2]:8443/"


def read_modules(lines):
    """Return the rows of modules that half blocks show, as a scanner sees them."""
    halves = {shown: pair for pair, shown in invitation._HALVES.items()}
    pairs = [[halves[character] for character in line] for line in lines]
    return [[pair[half] for pair in line] for line in pairs for half in (0, 1)]


@pytest.mark.parametrize("url", [URL, "https://a-long-name.games.example.org/"])
def test_the_code_has_each_module_and_the_quiet_zone(url):
    modules = read_modules(draw_code(url))
    code = [list(row) for row in segno.make_qr(url).matrix_iter(border=4)]
    assert modules[: len(code)] == code
    assert not any(map(any, modules[len(code) :]))


def show(columns, term="xterm"):
    """Return what a terminal of this width gets."""
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 50, columns, 0, 0))
    with os.fdopen(its, "w", encoding="utf-8") as out:
        write_code(URL, out)
        out.write("end")
        out.flush()
        shown = b""
        while not shown.endswith(b"end"):
            shown += os.read(ours, 100_000)
    os.close(ours)
    return shown.removesuffix(b"end").decode()


def test_a_terminal_shows_the_code_in_colors_of_its_own(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    lines = re.findall(r"    \x1b\[38;5;16;48;5;231m([ ▀▄█]+)\x1b\[0m\r\n", show(80))
    assert lines == draw_code(URL)
    assert URL in show(80)
    assert show(len(lines[0])) == ""
    monkeypatch.setenv("TERM", "dumb")
    assert show(80) == ""


def test_a_file_gets_no_code(tmp_path):
    with (tmp_path / "out").open("w+") as out:
        write_code(URL, out)
    assert (tmp_path / "out").read_text() == ""
