"""Steps in a game that several tests share."""

import datetime as dt
import re
from dataclasses import replace

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games.creation.actions import NO_HOLDERS, create_game
from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.models import RESIGNED, Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Submission
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import cast_ballot, open_vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.judge.results import Ending

HOUR = dt.timedelta(hours=1)
DAY = 24 * HOUR


def begun(plan, maker, *, seed, now, holders=NO_HOLDERS, **options):
    """Return a game of the plan with other `options`, made and started by one person alone."""
    made = create_game(
        plan=replace(plan, options=replace(plan.options, **options)),
        creator_id=maker,
        now=now,
        slug="aaaaaaaaaa",
        code="letmein222",
        seed=seed,
        holders=holders,
    )
    start_game(slug=made.slug, user_id=maker, now=now)
    return made


def names_in(text, names):
    """Return those of `names` that stand in `text` as whole words.

    Three letters of a form's random token may spell "Bob".
    """
    return [name for name in names if re.search(rf"\b{name}\b", text)]


def asked(work):
    """Return the queries that `work` sent to the database, without transactions and savepoints."""
    with CaptureQueriesContext(connection) as captured:
        work()
    texts = [query["sql"] for query in captured]
    return [text for text in texts if re.match(r"\(?(SELECT|INSERT|UPDATE|DELETE)", text)]


def over_budget(budgets, counts):
    """Return a line for each address of `budgets` that asked more queries than its number."""
    return [
        f"{address or 'the page itself'}: {counts[address]} > {most}"
        for address, most in budgets.items()
        if counts[address] > most
    ]


def game():
    return Game.objects.get()


def phase():
    return game().newest_phase()


def change_position(**changes):
    """Replace the units or centers in the position of the open phase."""
    row = phase()
    row.position = replace(row.position, **changes)
    row.save(update_fields=["position"])


def remove_units(*powers):
    """Take the units of `powers` off the board."""
    units = phase().position.units
    change_position(units=tuple(unit for unit in units if unit.power not in powers))


def remove_centers(*powers):
    """Take the centers of `powers` away from them."""
    centers = phase().position.centers
    change_position(centers={k: v for k, v in centers.items() if v not in powers})


def seat_people(number):
    """Let `number` people have played in the game, by giving bots' seats former holders."""
    seats = Seat.objects.filter(game=game())
    missing = number - seats.exclude(user=None).count()
    for seat in seats.exclude(bot="")[:missing]:
        person = User.objects.create(username=f"Former{seat.pk}")
        now = timezone.now()
        Tenure.objects.create(seat=seat, user=person, since_at=now, until_at=now, left=RESIGNED)


def due(cast, after=dt.timedelta()):
    """Process the open phase when it is due."""
    now = phase().adjudicate_at + after
    return advance(game_id=cast.game_id, owner="test", now=now)


@atomic_with_retries
def end_game():
    finish_game(lock_game(game().slug), Ending((), "Agreed."), timezone.now())


def save(cast, who, *choices, now=None):
    return save_orders(
        slug=cast.slug,
        user_id=cast.user_id(who),
        sequence=phase().sequence,
        choices=choices,
        sheet="",
        now=now or timezone.now(),
    )


def vote_with_orders(votes):
    """Write votes for powers, including bots, which cannot vote through the site."""
    for power, vote in votes.items():
        seat = Seat.objects.get(power=power)
        Submission.objects.update_or_create(phase=phase(), seat=seat, defaults={"draw_vote": vote})


def call_vote(cast, who, question, *, now=None, **terms):
    return open_vote(
        slug=cast.slug,
        user_id=cast.user_id(who),
        sequence=phase().sequence,
        question=Question(question),
        terms=Terms(**terms),
        now=now or timezone.now(),
    )


def ballot(cast, who, vote, *, yes=True, now=None):
    return cast_ballot(
        slug=cast.slug,
        user_id=cast.user_id(who),
        sequence=phase().sequence,
        vote_id=vote.pk,
        yes=yes,
        now=now or timezone.now(),
    )
