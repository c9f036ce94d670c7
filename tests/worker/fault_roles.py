"""More roles for `launcher.py`: workers with a wrong clock, busy sites, and racing people."""

import datetime as dt
import json
import os
import random
import signal
import threading
import time
from functools import partial
from pathlib import Path

from django.core.management import call_command
from django.db import Error, close_old_connections, connections
from django.test import Client
from django.utils import timezone
from judge.tests.effort import PATIENCE
from tests.games.all_actions import ACTIONS

from diplomaccloud.accounts.adapter import Adapter
from diplomaccloud.accounts.models import User
from diplomaccloud.bots import BOTS
from diplomaccloud.games.deadlines.actions import credit_outage, pause_for_emergency
from diplomaccloud.games.drafts.actions import drop_draft, new_draft
from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.turn import turn
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import cast_ballot
from diplomaccloud.judge.board import Power

SAVED, FAILED = 303, 503


def wrong_clock(seconds):
    """Be a worker on a machine whose clock is ahead by some seconds."""
    real_now = timezone.now
    timezone.now = lambda: real_now() + dt.timedelta(seconds=seconds)
    call_command("worker", pause=0.02, lease=0.5)


def doomed_worker(slug, step):
    """Be a worker that one game kills as its orders are locked, or as it is processed."""
    module = {"lock": turn, "process": turn}[step]
    name = {"lock": "lock_orders", "process": "adjudicate_phase"}[step]
    do_step = getattr(module, name)

    def do_step_or_die(phase, *arguments):
        if phase.game.slug == slug:
            os.kill(os.getpid(), signal.SIGKILL)
        return do_step(phase, *arguments)

    setattr(module, name, do_step_or_die)
    call_command("worker", pause=0.02, lease=0.2)


def newcomers(names, path):
    """Be people who send the form for signing up at once; record the status and page of each.

    Each has an address of their own, so that nobody waits for the limit of another one's.
    """
    Client(SERVER_NAME="localhost").get("/accounts/signup/")  # the first page takes longer
    barrier = threading.Barrier(len(names))
    check = Adapter.clean_username

    def check_and_wait(adapter, name, shallow=False):
        checked = check(adapter, name, shallow)
        barrier.wait(PATIENCE)
        return checked

    Adapter.clean_username = check_and_wait
    answers = []

    def sign_up(number, name):
        client = Client(
            SERVER_NAME="localhost",
            REMOTE_ADDR=f"198.51.100.{number}",
            raise_request_exception=False,
        )
        data = {"username": name, "password1": "a long enough word"}
        answer = client.post("/accounts/signup/", data)
        answers.append((answer.status_code, answer.content.decode()))
        connections.close_all()

    threads = [threading.Thread(target=sign_up, args=one) for one in enumerate(names)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    Path(path).write_text(json.dumps(answers))


def site(number, places, gate, folder):
    """Be a site in which each of `places` (slug, user) submits orders until it is too late."""
    threads = [
        threading.Thread(target=_send, args=(slug, user_id, Path(gate), Path(folder), number))
        for slug, user_id in places
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _send(slug, user_id, gate, folder, number):
    rng = random.Random(f"{slug} {user_id} {number}")
    client = Client(SERVER_NAME="localhost", raise_request_exception=False)
    client.force_login(User.objects.get(pk=user_id))
    game = Game.objects.select_related("chart").get(slug=slug)
    phase, seat = game.newest_phase(), Seat.objects.get(game=game, user_id=user_id)
    position, board, rules = phase.position, game.board, game.rules
    with (folder / f"{slug} {user_id} {os.getpid()}").open("w") as record:
        while True:
            orders = BOTS["random"].orders(board, position, Power(seat.power), rules, rng)
            text = sorted(map(str, orders))
            began = timezone.now()
            form = {"phase": 1, "sheet": "\n".join(text)}
            answer = client.post(f"/games/{slug}/orders/", form)
            close_old_connections()  # as a server does after each request
            record.write(json.dumps([answer.status_code, began.isoformat(), text]) + "\n")
            record.flush()
            if answer.status_code not in {SAVED, FAILED}:
                break  # too late, or an unexpected answer
            # Slower until the gate opens.
            time.sleep(rng.uniform(0, 0.05 if gate.exists() else 0.3))
    connections.close_all()


def saver(slug, user_id, power, start_at, path):
    """From an instant on, save orders in a new draft each time until it is too late.

    Records every answer and error. Each draft refers to its phase, so it needs a lock on its row.
    """
    rng = random.Random(f"{slug} {power}")
    game = Game.objects.select_related("chart").get(slug=slug)
    position = game.newest_phase().position
    time.sleep(max(0, start_at - time.time()))
    with Path(path).open("w") as record:
        while True:
            orders = BOTS["random"].orders(game.board, position, Power(power), game.rules, rng)
            text, now = sorted(map(str, orders)), timezone.now()
            known = {"slug": slug, "user_id": user_id, "sequence": 1, "now": now}
            try:
                save_orders(**known, choices=text, sheet="")
                record.write(json.dumps(["saved", now.isoformat(), text]) + "\n")
                new_draft(**known, name="Other", copy=True)
                drop_draft(**known, name="Other")
            except Refused:
                return
            except Error as error:
                reason = repr(error.__cause__ or error)
                record.write(json.dumps(["failed", now.isoformat(), reason]) + "\n")


def racer(verb, moments, arguments, path):
    """Perform an action at each of the moments; record when it was accepted, and the outcome."""
    with Path(path).open("w") as record:
        for moment in moments:
            time.sleep(max(0, dt.datetime.fromisoformat(moment).timestamp() - time.time()))
            now = timezone.now()
            try:
                outcome = VERBS[verb](now=now, **arguments)
            except Refused as refusal:
                record.write(json.dumps(["refused", now.isoformat(), str(refusal)]) + "\n")
                continue
            record.write(json.dumps([verb, now.isoformat(), outcome]) + "\n")


def late_clock(verb, known):
    """Perform an action that waits for the lock and reads the clock afterward."""
    ACTIONS_WITH_CLOCK[verb](**known)


def _credit(away_at):
    credit_outage(away_at=dt.datetime.fromisoformat(away_at), back_at=timezone.now)


def _pause_for_emergency(game_id):
    pause_for_emergency(game_id=game_id, length=dt.timedelta(hours=1), now=timezone.now)


def _be_ready(**arguments):
    """Mark a seat ready and, if that ends the phase, process it as the site does."""
    due = set_ready(**arguments)
    if due is not None:
        advance(game_id=due, owner=f"site {os.getpid()}", now=timezone.now)
    return "last" if due is not None else ""


def _agree(**arguments):
    return cast_ballot(yes=True, **arguments).outcome


VERBS = {"ready": _be_ready, "agree": _agree}
ACTIONS_WITH_CLOCK = {
    **{
        name: partial(ACTIONS[name], now=timezone.now)
        for name in (
            "add_bot",
            "end_emergency",
            "end_pauses",
            "close_expired_votes",
            "confirm",
            "end_wait",
            "freeze_game",
            "join_game",
            "lock_phase",
            "move_bots",
            "process_phase",
            "suspend_game",
            "unfreeze_game",
            "resume_game",
            "resign",
            "start_game",
            "start_with_bots",
            "take_seat",
        )
    },
    "credit_outage": _credit,
    "pause_for_emergency": _pause_for_emergency,
}
ROLES = {
    "late_clock": late_clock,
    "wrong_clock": wrong_clock,
    "site": site,
    "racer": racer,
    "saver": saver,
    "doomed_worker": doomed_worker,
    "newcomers": newcomers,
}
