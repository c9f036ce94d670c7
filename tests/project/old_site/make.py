"""Make the backup of an old site, with the code of the commit 80c137b1.

In an unpacked archive of that commit, with the packages of the checks installed:

    export DJANGO_SETTINGS_MODULE=diplomaccloud.project.settings
    PYTHONPATH=src DIPLOMACCLOUD_DATA=FOLDER python make.py FILE
"""

import datetime as dt
import sys
from pathlib import Path

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

call_command("migrate", verbosity=0, interactive=False)

from diplomaccloud.games.actions import GamePlan  # noqa: E402
from diplomaccloud.games.options.options import Options, Press  # noqa: E402
from diplomaccloud.press.actions.sending import send_message  # noqa: E402
from diplomaccloud.press.addresses import Address, Kind  # noqa: E402
from diplomaccloud.project.backup.making import make_backup  # noqa: E402

from diplomaccloud.accounts.models import User  # noqa: E402
from diplomaccloud.games import actions  # noqa: E402
from diplomaccloud.games.models import Phase, Question, Seat, Terms  # noqa: E402
from diplomaccloud.maps.library import store_standard  # noqa: E402
from diplomaccloud.schedule import Interval, Lengths, Schedule  # noqa: E402

NOW = timezone.now().replace(microsecond=0)
DAY = dt.timedelta(days=1)
SCHEDULE = Schedule(Interval(Lengths(DAY, DAY, DAY)), early=False, grace=DAY / 2)
PLAN = GamePlan("Europe", store_standard(now=NOW), Options(SCHEDULE, press=Press.FULL))
PEOPLE = [
    User.objects.create_user(name, password="a long enough word").pk
    for name in ("Ann", "Ben", "Cem", "Dot", "Eve", "Fay", "Gus")
]
TO_TYROLIA = {"ITALY": "A VEN - TYR\nA ROM - VEN", "AUSTRIA": "F TRI H"}
TO_TRIESTE = {"ITALY": "A VEN - TRI\nA TYR S A VEN - TRI", "AUSTRIA": "F TRI H\nA VIE - GAL"}


def make_game(slug, *, start=True):
    """Create a game, and return its players by power."""
    creator, *others = PEOPLE
    about = {"slug": slug, "now": NOW}
    actions.create_game(plan=PLAN, creator_id=creator, code="x", seed=slug, **about)
    for person in others if start else others[:2]:
        actions.join_game(user_id=person, **about)
    if start:
        actions.start_game(user_id=creator, **about)
    return dict(Seat.objects.filter(game__slug=slug).values_list("power", "user_id"))


def play(slug, seats, orders, missing=()):
    """Save the orders of all powers but the missing, and process the phase if it is over."""
    phase = Phase.objects.get(game__slug=slug, processed_at=None)
    for power, user in seats.items():
        if power not in missing:
            actions.save_orders(
                slug=slug, user_id=user, sequence=phase.sequence, choices=[],
                sheet=orders.get(power, ""), now=phase.opens_at,
            )  # fmt: skip
    due_at = phase.due_at + dt.timedelta(seconds=1)
    actions.advance(game_id=phase.game_id, owner="worker", now=due_at)


def agree_on_draw(slug, seats):
    """End the game in the open phase."""
    phase = Phase.objects.get(game__slug=slug, processed_at=None)
    about = {"slug": slug, "sequence": phase.sequence, "now": phase.opens_at}
    first, *others = seats.values()
    vote = actions.open_vote(user_id=first, question=Question.DRAW, terms=Terms(), **about)
    for person in others:
        actions.cast_ballot(user_id=person, vote_id=vote.pk, yes=True, **about)


movement = make_game("movement22")
send_message(
    slug="movement22", user_id=movement["ITALY"], to=Address(Kind.SEATS, ("AUSTRIA",)),
    body="Are we allies?", key="0" * 32, now=NOW,
)  # fmt: skip
retreat = make_game("retreat222")
play("retreat222", retreat, TO_TYROLIA)
play("retreat222", retreat, TO_TRIESTE)
build = make_game("build22222")
play("build22222", build, {"AUSTRIA": "F TRI - ALB"})
play("build22222", build, {"ITALY": "A VEN - TRI"})
make_game("waiting222", start=False)
play("grace22222", make_game("grace22222"), {}, missing={"FRANCE"})
finished = make_game("finished22")
play("finished22", finished, TO_TYROLIA)
agree_on_draw("finished22", finished)
guest = Client(headers={"host": "localhost"})
guest.post(guest.get("/games/play/").url, {"phase": 1, "order": [], "anyway": "1"})
make_backup(Path(sys.argv[1]))
