"""Forks workers and players on demand: Django is loaded once, so that a kill costs no second.

Reads one JSON list a line, a role and its arguments, and answers with the process it started.
"""

import contextlib
import datetime as dt
import json
import os
import random
import signal
import sys
import time
import traceback
from functools import partial
from pathlib import Path

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from diplomaccloud.bots import BOTS  # noqa: E402
from diplomaccloud.games import actions, events  # noqa: E402
from diplomaccloud.games.errors import DeadlinePassed, Refused  # noqa: E402
from diplomaccloud.games.models import Game, Seat  # noqa: E402
from diplomaccloud.games.records import board_of, open_phase_of, position_of, rules_of  # noqa: E402
from diplomaccloud.judge.board import Power  # noqa: E402


def worker(most_seconds):
    """Be a worker that takes its time within transactions, where it can be killed."""
    rng = random.Random(os.getpid())
    record = events.record

    def slow(**named):
        time.sleep(rng.uniform(0, most_seconds))
        record(**named)

    events.record = slow
    call_command("worker", pause=0.02, lease=0.5)


def player(slug, user_id, gate, path):
    """Give orders and flags until it is too late; write down what was accepted."""
    rng = random.Random(f"{os.getpid()}")
    game = Game.objects.select_related("chart").get(slug=slug)
    seat = Seat.objects.get(game=game, user_id=user_id)
    position, power = position_of(open_phase_of(game)), Power(seat.power)
    kept, gate = [], Path(gate)
    with Path(path).open("w") as told:
        while True:
            now = timezone.now()
            # Being ready might end the phase before others have begun.
            act = rng.choice(("save", "save", "ready", "unready")[: 4 if gate.exists() else 2])
            named = {"slug": slug, "user_id": user_id, "sequence": 1, "now": now}
            try:
                if act == "save":
                    orders = BOTS["random"].orders(
                        board_of(game), position, power, rules_of(game), rng
                    )
                    kept = sorted(str(order) for order in orders)
                    saved = actions.save_orders(**named, choices=kept, sheet="")
                    assert sorted(map(str, saved.orders)) == kept
                elif act == "ready":
                    actions.set_ready(**named)
                else:
                    actions.unset_ready(**named)
            except DeadlinePassed:
                return
            except Refused as refusal:
                kept = [f"refused: {refusal}"]
                act = "refused"
            told.write(json.dumps([act, now.isoformat(), kept]) + "\n")
            told.flush()
            time.sleep(rng.uniform(0, 0.08))  # SQLite lets in whom it likes, and some would starve


def voter(slug, user_id, motion_id, at, path):
    """Say yes to a motion at an instant; write down whether it was accepted."""
    time.sleep(max(0, at - time.time()))
    told, named = "refused", {"slug": slug, "user_id": user_id, "motion_id": motion_id}
    with contextlib.suppress(Refused):
        told = actions.cast_ballot(**named, yes=True, now=timezone.now()).outcome
    Path(path).write_text(told)


def presser(button, presses, path):
    """Press a button, each time at its moment; write down which presses were accepted."""
    rng = random.Random(os.getpid())
    with Path(path).open("w") as told:
        for moment, named in presses:
            time.sleep(max(0, dt.datetime.fromisoformat(moment).timestamp() - time.time()))
            for _ in range(3):  # a button that does not answer at once is pressed again
                now = timezone.now()
                try:
                    BUTTONS[button](now=now, **named)
                except Refused:
                    break
                told.write(json.dumps([button, now.isoformat(), named]) + "\n")
                told.flush()
                time.sleep(rng.uniform(0, 0.05))


REASON = "The players asked for it."
BUTTONS = {
    "agree": partial(actions.cast_ballot, yes=True),
    "extend": partial(
        actions.change_time,
        question=actions.Question.EXTEND,
        length=dt.timedelta(seconds=1),
        reason=REASON,
    ),
    "roll back": partial(actions.roll_back, reason=REASON),
}
ROLES = {"worker": worker, "player": player, "presser": presser, "voter": voter}


def main():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    for line in sys.stdin:
        role, *arguments = json.loads(line)
        pid = os.fork()
        if pid == 0:
            status = 1
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


main()
