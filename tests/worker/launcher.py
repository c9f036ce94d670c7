"""Forks workers and players on demand. Django is loaded only once, so new processes start fast.

Reads one JSON list per line, a role and its arguments, and prints the id of the new process.

With the argument `shared`, it is for all sites of a process of the tests: from a socket, its
standard input, it takes the standard streams of a launcher, and forks one for that site. The first
line that this launcher reads is its environment.
"""

import contextlib
import ctypes
import datetime as dt
import gc
import json
import logging
import os
import random
import signal
import socket
import sys
import time
import traceback
from functools import partial
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django

django.setup()

from django.conf import Settings, settings  # noqa: E402
from django.core.files.storage import default_storage  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.signals import setting_changed  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import OperationalError, connection, connections  # noqa: E402
from django.utils import timezone  # noqa: E402
from django.utils.log import configure_logging  # noqa: E402
from tests.worker import fault_roles, machine_roles  # noqa: E402

from diplomaccloud.bots import BOTS  # noqa: E402
from diplomaccloud.daide.site.meeting import serve_game  # noqa: E402
from diplomaccloud.games.bots.actions import ask_hint  # noqa: E402
from diplomaccloud.games.conditional_orders.actions import save_conditional_orders  # noqa: E402
from diplomaccloud.games.deadlines.actions import (  # noqa: E402
    finish_talking,
    resume_talking,
    try_again,
)
from diplomaccloud.games.drafts.actions import (  # noqa: E402
    adopt_orders,
    drop_draft,
    make_live,
    new_draft,
    rename_draft,
)
from diplomaccloud.games.master.actions import (  # noqa: E402
    ask_players,
    change_time,
    force_phase,
    preview_results,
    reprimand,
)
from diplomaccloud.games.master.rollback import (  # noqa: E402
    roll_back,
    roll_forward,
)
from diplomaccloud.games.next_game import actions as next_game_actions  # noqa: E402
from diplomaccloud.games.orders.actions import (  # noqa: E402
    add_orders,
    get_receipt,
    save_orders,
    set_ready,
    unset_ready,
)
from diplomaccloud.games.seats.actions import (  # noqa: E402
    remove_player,
    seat_bot,
)
from diplomaccloud.games.table import log as events  # noqa: E402
from diplomaccloud.games.table.errors import (  # noqa: E402
    DeadlinePassed,
    Refused,
)
from diplomaccloud.games.table.models import (  # noqa: E402
    Game,
    Seat,
)
from diplomaccloud.games.turn import claims  # noqa: E402
from diplomaccloud.games.votes.actions import (  # noqa: E402
    cast_ballot,
    open_vote,
    vote_with_orders,
    withdraw_vote,
)
from diplomaccloud.games.votes.wording import (  # noqa: E402
    Question,
    Terms,
)
from diplomaccloud.judge.board import Power  # noqa: E402
from diplomaccloud.notices import delivery, outbound  # noqa: E402
from diplomaccloud.project import urls  # noqa: E402, F401 - loaded once for all processes
from diplomaccloud.project.service_urls import parse_mail_url  # noqa: E402
from diplomaccloud.worker import threads  # noqa: E402

PR_SET_PDEATHSIG = 1
OF_PLACE = {"DATABASES", "DATA_DIR", "LOGGING", "OPERATOR_TEXTS", "STORAGES"}
"""The settings that follow from the address of the database and the folder of the data."""


def draw_nothing():
    """Leave out the pictures of cards: drawing each position would take most of a processor."""
    threads.draw_next_picture = lambda: 0


def worker(max_delay, lease=0.5, queues="clock,bots,notices,default"):
    """Be a worker that is slow within transactions, so that it can be killed there."""
    rng = random.Random(max_delay)
    record = events.record

    def record_slowly(**event):
        time.sleep(rng.uniform(0, max_delay))
        record(**event)

    events.record = record_slowly
    draw_nothing()
    # A busy machine can kill several workers at one phase by chance.
    claims.MAX_ATTEMPTS = 40
    next_game_actions.LEASE = dt.timedelta(seconds=lease)
    call_command("worker", pause=0.02, lease=lease, queues=queues)


def daide(slug, tokens, path):
    """Serve the seats of a game that the tokens open, and write the port to a file."""
    serve_game(
        slug,
        tokens,
        by_token=False,
        level=0,
        host="127.0.0.1",
        port=0,
        on_ready=lambda port: Path(path).write_text(str(port)),
    )


def mailer(port):
    """Be a worker whose mail server listens at `port`."""
    for name, value in parse_mail_url(f"smtp://127.0.0.1:{port}").items():
        setattr(settings, name, value)
    draw_nothing()
    call_command("worker", pause=0.02)


def notifier(lease):
    """Be a worker that may call this machine without TLS, and whose leases are short."""
    outbound.is_secure_http_url = outbound.is_public_ip_address = lambda _: True
    delivery.LEASE = dt.timedelta(seconds=lease)
    delivery.WEBHOOK_DELAYS = (dt.timedelta(seconds=0.2),) * 50
    draw_nothing()
    call_command("worker", pause=0.02)


def server(slow, path):
    """Serve pages and the API, slow before and after each transaction; write the port to a file."""
    record, application = events.record, get_wsgi_application()

    def record_slowly(**event):
        time.sleep(slow)  # steady: a server that is slow can be killed at work
        record(**event)
        time.sleep(slow)  # steady: as before

    def answer_slowly(environ, start_response):
        answer = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "GET":
            time.sleep(slow)  # steady: as before
        return answer

    events.record = record_slowly
    with make_server("127.0.0.1", 0, answer_slowly, handler_class=QuietHandler) as served:
        draft = Path(path).with_suffix(".draft")
        draft.write_text(str(served.server_port))
        draft.rename(path)
        served.serve_forever()


class QuietHandler(WSGIRequestHandler):
    """Writes no line for each request."""

    def log_message(self, *_args):
        """Write nothing."""


def player(slug, user_id, gate, path):
    """Submit orders and flags until it is too late; record what was accepted."""
    rng = random.Random(Path(path).name)
    game = Game.objects.select_related("chart").get(slug=slug)
    seat = Seat.objects.get(game=game, user_id=user_id)
    position, power = game.newest_phase().position, Power(seat.power)
    saved_orders, gate = [], Path(gate)
    with Path(path).open("w") as record:
        while True:
            now = timezone.now()
            # Being ready might end the phase before others have started.
            act = rng.choice(("save", "save", "ready", "unready")[: 4 if gate.exists() else 2])
            known = {"slug": slug, "user_id": user_id, "sequence": 1, "now": now}
            try:
                if act == "save":
                    orders = BOTS["random"].orders(game.board, position, power, game.rules, rng)
                    saved_orders = sorted(str(order) for order in orders)
                    saved = save_orders(**known, choices=saved_orders, sheet="")
                    assert sorted(map(str, saved.orders)) == saved_orders
                elif act == "ready":
                    set_ready(**known)
                else:
                    unset_ready(**known)
            except DeadlinePassed:
                return
            except OperationalError:
                if connection.vendor != "sqlite":
                    raise
                continue  # the database was locked for twenty seconds: nothing was accepted
            except Refused as refusal:
                saved_orders = [f"refused: {refusal}"]
                act = "refused"
            record.write(json.dumps([act, now.isoformat(), saved_orders]) + "\n")
            record.flush()
            # SQLite does not queue writers fairly: without pauses some would starve.
            time.sleep(rng.uniform(0, 0.08))


def voter(slug, user_id, vote_id, at, path):
    """Vote yes at an instant; record whether the vote was accepted."""
    time.sleep(max(0, at - time.time()))
    result, known = "refused", {"slug": slug, "user_id": user_id, "vote_id": vote_id}
    known["sequence"] = 1
    with contextlib.suppress(Refused):
        result = cast_ballot(**known, yes=True, now=timezone.now()).outcome
    Path(path).write_text(result)


def waiter(act, known, at, path):
    """Perform an action that was requested at an instant; record the answer."""
    result = "accepted"
    try:
        ACTS[act](now=dt.datetime.fromisoformat(at), **known)
    except Refused as refusal:
        result = f"{type(refusal).__name__}: {refusal}"
    Path(path).write_text(result)


def presser(button, presses, path):
    """Press a button at the given moments; record which presses were accepted."""
    rng = random.Random(Path(path).name)
    with Path(path).open("w") as record:
        for moment, arguments in presses:
            time.sleep(max(0, dt.datetime.fromisoformat(moment).timestamp() - time.time()))
            for _ in range(3):  # people press a button again if it does not answer at once
                now = timezone.now()
                try:
                    BUTTONS[button](now=now, **arguments)
                except Refused:
                    break
                record.write(json.dumps([button, now.isoformat(), arguments]) + "\n")
                record.flush()
                time.sleep(rng.uniform(0, 0.05))


def describe(path):
    """Write what a process of this site sees of its settings."""
    seen = {name: str(getattr(settings, name)) for name in dir(settings) if name.isupper()}
    del seen["LOGGING"]  # names objects
    seen["environment"] = dict(os.environ)
    seen["database"] = str(connection.settings_dict)
    seen["files"] = default_storage.path("x")
    seen["log"] = sorted(str(handler) for handler in logging.getLogger().handlers)
    Path(path).write_text(json.dumps(seen))


REASON = "The players asked for it."
BUTTONS = {
    "agree": partial(cast_ballot, yes=True),
    "extend": partial(
        change_time,
        question=Question.EXTEND,
        length=dt.timedelta(seconds=1),
        reason=REASON,
    ),
    "roll back": partial(roll_back, reason=REASON),
}
ACTS = {
    "add_orders": partial(add_orders, choices=[]),
    "save_orders": partial(save_orders, choices=[], sheet=""),
    "set_ready": set_ready,
    "unset_ready": unset_ready,
    "get_receipt": get_receipt,
    "new_draft": partial(new_draft, name="Other", copy=True),
    "rename_draft": partial(rename_draft, name="Orders", new_name="Other"),
    "make_live": partial(make_live, name="Orders"),
    "drop_draft": partial(drop_draft, name="Orders"),
    "adopt_orders": partial(adopt_orders, name="Map 1", orders=[]),
    "save_conditional_orders": partial(save_conditional_orders, text=""),
    "vote_with_orders": partial(vote_with_orders, vote="draw"),
    "open_vote": partial(open_vote, question=Question.CANCEL, terms=Terms()),
    "cast_ballot": partial(cast_ballot, yes=True),
    "withdraw_vote": withdraw_vote,
    "finish_talking": finish_talking,
    "resume_talking": resume_talking,
    "ask_hint": ask_hint,
    "change_time": partial(BUTTONS["extend"], key="press"),
    "force_phase": partial(force_phase, reason=REASON, key="press"),
    "ask_players": partial(
        ask_players,
        question=Question.END_PHASE,
        terms=Terms(reason=REASON),
    ),
    "preview_results": partial(preview_results, reason=REASON),
    "remove_player": partial(remove_player, reason=REASON),
    "reprimand": partial(reprimand, reason=REASON),
    "seat_bot": partial(seat_bot, bot="hold", reason=REASON),
    "roll_back": partial(roll_back, to=1, reason=REASON),
    "roll_forward": partial(roll_forward, reason=REASON),
    "try_again": partial(try_again, reason=REASON, key="press"),
}
"""Every action on a phase, each as a form for one phase sends it."""
ROLES = {
    "worker": worker,
    "daide": daide,
    "describe": describe,
    "mailer": mailer,
    "notifier": notifier,
    "player": player,
    "presser": presser,
    "server": server,
    "voter": voter,
    "waiter": waiter,
    **fault_roles.ROLES,
    **machine_roles.ROLES,
}


def start_roles():
    """Fork a process for each request on standard input."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # do not leave zombies
    end_with_parent = ctypes.CDLL(None).prctl if sys.platform == "linux" else lambda *_: None
    launcher = os.getpid()
    for line in sys.stdin:
        role, *arguments = json.loads(line)
        pid = os.fork()
        if pid == 0:
            end_with_parent(PR_SET_PDEATHSIG, signal.SIGKILL)  # even if the tests are killed
            if os.getppid() != launcher:  # it has ended before
                os._exit(1)
            os.dup2(2, 1)
            status = 1
            if role not in ("worker", "mailer", "notifier", "site", "celery", "plain"):
                # One connection is enough for each of 160 players; a pool opens more.
                connection.settings_dict["OPTIONS"].pop("pool", None)
            try:
                ROLES[role](*arguments)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def fork_launchers(door):
    """Fork a launcher for each three standard streams that come through the door."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    while streams := socket.recv_fds(door, 1, 3)[1]:
        if os.fork():
            for stream in streams:
                os.close(stream)
            continue
        try:
            door.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            move(json.loads(sys.stdin.readline()))
            start_roles()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(0)


def move(variables):
    """Make this process what it would be if it had been started with these variables."""
    os.environ.clear()
    os.environ.update(variables)
    before = settings._wrapped
    del sys.modules[settings.SETTINGS_MODULE]
    settings._wrapped = now = Settings(settings.SETTINGS_MODULE)
    # Reading the key would make one.
    changed = {
        name
        for name in dir(now)
        if name.isupper() and name != "SECRET_KEY"
        if getattr(now, name) != getattr(before, name, None)
    }
    # Others may have been used while Django was loaded.
    assert changed <= OF_PLACE, changed
    assert connection.connection is None
    del connections["default"]
    vars(connections).pop("settings", None)
    connections._settings = None
    for name in changed - {"DATABASES"}:
        setting_changed.send(Settings, setting=name, value=getattr(now, name), enter=True)
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


if sys.argv[1:] == ["shared"]:
    fork_launchers(socket.socket(fileno=os.dup(0)))
else:
    start_roles()
