"""Every way to start a game: after two phases, the game's record replays.

A call that starts a game and has no entry in `CALLS` fails a test.
"""

import ast
import io
import re
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from tests.api.calls import Program, token_of
from tests.maps.new_worlds import draw_new_world

from diplomaccloud import games
from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.creation import actions as quick_game
from diplomaccloud.games.creation.presets import GAME_PRESETS
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.maps.library import standard_hash, store_setup_maps
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.record.verification import verify_record

SOURCE = Path(games.__file__).parents[1]
STARTERS = {"start_game", "start_if_full", "play_solo", "play_as_guest"}
CALLS = {
    ("api/lobby.py", "start_game"): ("api", "fewer players", "preset daily"),
    ("api/lobby.py", "create_solo_game"): ("solo games of the API",),
    ("games/guests/actions.py", "play_as_guest"): ("guest", "guest on a new world"),
    ("games/lobby/actions.py", "join_game"): ("invitation", "last seat by API"),
    ("games/creation/actions.py", "_give_powers"): ("bots with powers",),
    ("games/creation/actions.py", "play_solo"): ("quick game", "quick game on a new world"),
    ("games/lobby/actions.py", "add_bot"): ("last bot",),
    ("games/creation/views.py", "_create_game"): ("form for one", "form for one on a new world"),
    ("games/guests/views.py", "_save_first_orders"): ("guest", "guest on a new world"),
    ("games/creation/views.py", "quick"): ("quick game", "quick game on a new world"),
    ("games/lobby/views.py", "start"): ("form", "form on a new world"),
    ("project/demo.py", "make_demo"): ("demo",),
}
"""The calls that start games, by file and function, and the ways below that come through them.

`diplomaccloud daide --game` has no call of its own: it serves a game that has been started.
"""


@pytest.fixture
def alice(people, standard):
    client = Client()
    client.force_login(User.objects.get(pk=people["alice"]))
    return client


def fill_form(client, preset="", world="standard", **changes):
    form = client.get("/games/new/", {"map": world, "preset": preset}).context["form"]
    values = {name: form[name].value() for name in form.fields} | changes
    sent = {name: value for name, value in values.items() if value not in (None, False)}
    return client.post("/games/new/", sent).url


def start_by_form(alice, people, world="standard"):
    url = fill_form(alice, "daily", world)
    alice.post(f"{url}start/", {"bot": "hold"})


def start_as_guest(alice, people):
    guest = Client()
    send_first_orders(guest, guest.get("/games/play/", {"map": "standard"}).url)


def start_as_guest_on_new_world(alice, people):
    guest = Client()
    board = guest.post("/games/quick/", {"map": draw_new_world()}).url
    send_first_orders(guest, guest.get(board).url)


def send_first_orders(guest, url):
    selects = re.findall(
        r'<select[^>]*name="order".*?</select>', guest.get(url).content.decode(), re.S
    )
    orders = [re.findall(r'<option value="([^"]+)"', select)[1] for select in selects]
    assert guest.post(url, {"phase": 1, "order": orders, "ready": "1"}).status_code == 303


def start_by_api(alice, people, preset="daily", world="standard"):
    program = Program(token_of(people["alice"]))
    wanted = {"world": "Trial", "preset": preset, "map": world}
    game = program.post("/games", wanted).json()["id"]
    program.post(f"/games/{game}/start", {"bot": "greedy"})


def start_demo(alice, people):
    plan = quick_game.plan_solo(standard_hash(), "hold")
    with transaction.atomic():  # as for the demo, which also makes a map
        quick_game.play_solo(user_id=people["alice"], plan=plan, now=timezone.now(), seed="demo")


def start_with_fewer_players(alice, people):
    store_setup_maps(now=timezone.now())
    start_by_api(
        alice, people, world=StoredChart.objects.get(name="Europe for five (1801)").content_hash
    )


def add_bots(program, count):
    wanted = {"world": "Full", "preset": "live", "private": True}
    game = program.post("/games", wanted).json()["id"]
    for _ in range(count):
        program.post(f"/games/{game}/bots", {"bot": "hold"})
    return game


def start_by_last_bot(alice, people):
    add_bots(Program(token_of(people["alice"])), 6)


def start_with_powers_of_bots(alice, people):
    powers = ("ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    wanted = {"world": "Full", "preset": "live", "private": True}
    holders = {power: {"kind": "bot", "name": "hold"} for power in powers}
    Program(token_of(people["alice"])).post("/games", {**wanted, "holders": holders})


def start_by_invitation(alice, people):
    program = Program(token_of(people["alice"]))
    slug = add_bots(program, 5)
    alice.post(f"/games/{slug}/invite/", {"name": "Bob"})
    bob = Client()
    bob.force_login(User.objects.get(pk=people["bob"]))
    bob.post(f"/games/{slug}/join/")


def start_by_last_seat(alice, people):
    program = Program(token_of(people["alice"]))
    slug = add_bots(program, 5)
    code = Game.objects.get(slug=slug).code
    Program(token_of(people["bob"])).post(f"/games/{slug}/seats", {"code": code})


WAYS = {
    "form": start_by_form,
    "form for one": lambda alice, people: fill_form(alice, "solo", who="solo"),
    "quick game": lambda alice, people: alice.post(
        "/games/quick/", {"map": "standard", "bot": "hold"}
    ),
    "guest": start_as_guest,
    "form on a new world": lambda alice, people: start_by_form(alice, people, draw_new_world()),
    "form for one on a new world": lambda alice, people: fill_form(
        alice, "solo", draw_new_world(), who="solo"
    ),
    "quick game on a new world": lambda alice, people: alice.post(
        "/games/quick/", {"map": draw_new_world(), "bot": "hold"}
    ),
    "guest on a new world": start_as_guest_on_new_world,
    "api": start_by_api,
    "solo games of the API": lambda alice, people: Program(token_of(people["alice"])).post(
        "/solo-games", {"bot": "level:1,hold"}
    ),
    "fewer players": start_with_fewer_players,
    "demo": start_demo,
    "last bot": start_by_last_bot,
    "bots with powers": start_with_powers_of_bots,
    "invitation": start_by_invitation,
    "last seat by API": start_by_last_seat,
    **{
        f"preset {key}": lambda alice, people, key=key: start_by_api(alice, people, key)
        for key in GAME_PRESETS
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_the_record_replays(alice, people, way):
    WAYS[way](alice, people)
    game = Game.objects.get()
    while game.newest_phase().sequence <= 2:  # an absent player delays the first phase
        advance(game_id=game.pk, owner="t", now=game.newest_phase().adjudicate_at)
    reader = Client()
    reader.force_login(game.creator)
    record = b"".join(reader.get(f"/games/{game.slug}/record.jsonl").streaming_content)
    report = verify_record(
        io.BytesIO(record), BoardLoader(), heads=[Game.objects.get().record_head]
    )
    assert [str(fault) for fault in report.faults] == []
    assert (report.checked["draws"], report.phases >= 2) == (1, True)


def find_calls():
    """Return the file and the function around each call of a starter in the site."""
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        if place.parts[0] in ("client", "learn"):  # a program's calls, and the coach
            continue
        text = path.read_text("utf-8")
        if not any(f"{name}(" in text for name in STARTERS):
            continue
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(node, ast.Call)
                and getattr(node.func, "attr", getattr(node.func, "id", "")) in STARTERS
                for node in ast.walk(function)
            ):
                yield str(place), function.name


def test_every_call_that_starts_a_game_has_a_way():
    assert set(find_calls()) == set(CALLS)
    assert {way for ways in CALLS.values() for way in ways} <= set(WAYS)
