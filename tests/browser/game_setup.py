"""Set up a game for the browser tests and print its path as JSON.

Call it with `SCENE NAME... [--due=SECONDS]`, or with `end PATH` to end a phase. It runs as a
separate process on the data directory in the environment variables.
"""

import argparse
import datetime as dt
import json
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from diplomaccloud.accounts.models import User  # noqa: E402
from diplomaccloud.games.bots.actions import move_bots  # noqa: E402
from diplomaccloud.games.creation import actions as creation_actions  # noqa: E402
from diplomaccloud.games.creation.actions import random_text  # noqa: E402
from diplomaccloud.games.creation.presets import GamePlan  # noqa: E402
from diplomaccloud.games.lobby import actions as lobby_actions  # noqa: E402
from diplomaccloud.games.lobby.actions import join_game  # noqa: E402
from diplomaccloud.games.orders.actions import save_orders  # noqa: E402
from diplomaccloud.games.table.models import Game  # noqa: E402
from diplomaccloud.games.table.options import Options  # noqa: E402
from diplomaccloud.games.table.phase_models import (  # noqa: E402
    OrderRow,
    Submission,
)
from diplomaccloud.games.turn.claims import advance  # noqa: E402
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind  # noqa: E402
from diplomaccloud.judge.phases import Phase  # noqa: E402
from diplomaccloud.judge.position import Dislodged, Position  # noqa: E402
from diplomaccloud.judge.units import Unit  # noqa: E402
from diplomaccloud.maps.library import store_standard  # noqa: E402
from diplomaccloud.schedule import Interval, Lengths, Schedule  # noqa: E402

ENGLAND, FRANCE, RUSSIA = Power("ENGLAND"), Power("FRANCE"), Power("RUSSIA")
PASSWORD = "a long enough word"


def unit(text: str, power: Power = ENGLAND) -> Unit:
    kind, place = text.split()
    return Unit(UnitKind(kind), Location(place), power)


def centers(**owned: str) -> dict[ProvinceCode, Power]:
    return {
        ProvinceCode(code): Power(power) for power, codes in owned.items() for code in codes.split()
    }


HOMES = centers(ENGLAND="LON LVP EDI", FRANCE="PAR BRE MAR", RUSSIA="STP MOS WAR SEV")
SCENES = {
    "movement": Position(
        Phase.parse("S1902M"),
        (
            *(unit(text) for text in ("A LON", "F NTH", "F ENG", "A YOR")),
            unit("F STP/SC", RUSSIA),
            unit("A PAR", FRANCE),
        ),
        HOMES,
    ),
    "battle": Position(
        Phase.parse("S1902M"),
        (
            *(unit(text) for text in ("A BEL", "F NTH", "F ENG", "A YOR")),
            unit("F STP/SC", RUSSIA),
            *(unit(text, FRANCE) for text in ("A BUR", "A PIC", "A PAR", "F BRE")),
        ),
        HOMES | centers(ENGLAND="BEL"),
    ),
    "skirmish": Position(
        Phase.parse("S1902M"),
        (
            *(unit(text) for text in ("A BEL", "F NTH", "F ENG", "A YOR")),
            *(unit(text, FRANCE) for text in ("A BUR", "A PIC", "A PAR", "F BRE")),
        ),
        HOMES | centers(ENGLAND="BEL"),
    ),
    "fall": Position(
        Phase.parse("F1902M"),
        (
            *(unit(text) for text in ("A LON", "F NTH", "A NWY")),
            unit("F STP/SC", RUSSIA),
            unit("A PAR", FRANCE),
        ),
        HOMES,
    ),
    "east": Position(
        Phase.parse("S1904M"),
        (
            *(unit(text) for text in ("A ARM", "F BLA", "A CON", "F AEG", "A BUL")),
            unit("F SEV", RUSSIA),
            unit("A PAR", FRANCE),
        ),
        HOMES | centers(ENGLAND="ANK CON SMY BUL"),
    ),
    "dislodged": Position(
        Phase.parse("S1902R"),
        (unit("A BEL", FRANCE), unit("A PAR", FRANCE), unit("F LON")),
        HOMES,
        (Dislodged(unit("A BEL"), ProvinceCode("PIC"), (Location("HOL"), Location("RUH"))),),
    ),
    "builds": Position(
        Phase.parse("W1902A"),
        (unit("A NWY"), unit("F NTH"), unit("A PAR", FRANCE)),
        HOMES | centers(ENGLAND="NWY"),
    ),
    "rebuild": Position(Phase.parse("W1902A"), (unit("A PAR", FRANCE),), HOMES),
    "last": Position(
        Phase.parse("F1909M"),
        (unit("A LON"), unit("A POR", FRANCE)),
        centers(
            ENGLAND="LON LVP EDI NWY SWE DEN BEL HOL PAR BRE MAR KIE BER MUN STP MOS WAR SPA",
            FRANCE="POR",
        ),
    ),
    "disbands": Position(
        Phase.parse("W1902A"),
        (unit("A NWY"), unit("F NTH"), unit("A YOR"), unit("A PAR", FRANCE)),
        centers(ENGLAND="LON LVP", FRANCE="PAR BRE MAR EDI"),
    ),
}


ORDERS = {
    "battle": (
        ("A BEL H", "F NTH C A YOR - NWY", "A YOR - NWY", "F ENG - MAO"),
        ("A BUR - BEL", "A PIC S A BUR - BEL", "A PAR - BUR", "F BRE - MAO"),
    )
}
"""What the people order in a scene, which is then judged: the open phase is the one after it."""


def set_up_game(scene: str, names: list[str]) -> Game:
    """Return a game in which the first person plays England, the second France.

    In the scene `waiting`, they are in the waiting room.
    """
    now = timezone.now()
    people = [find_or_create_user(name) for name in names]
    game = create_game(people, now)
    if scene == "waiting":
        return game
    start_game(game, people[0], now)
    if scene != "opening":
        seat_in_order(game, people)
        set_position(game, SCENES[scene], now)
    if scene == "skirmish":
        give_orders(game, people[1], ORDERS["battle"][1], now)
    if scene in ORDERS:
        for person, orders in zip(people, ORDERS[scene], strict=False):
            give_orders(game, person, orders, now)
        end_phase(game)
    return game


def give_orders(game: Game, person: User, orders: tuple[str, ...], now: dt.datetime) -> None:
    """Save the orders of one person for the open phase."""
    phase = game.phases.get(processed_at=None)
    save_orders(
        slug=game.slug,
        user_id=person.pk,
        sequence=phase.sequence,
        choices=orders,
        sheet="",
        now=now,
    )


def end_phase(game: Game) -> None:
    """Adjudicate the open phase as if it were due, and open the next one now."""
    due = game.phases.get(processed_at=None).adjudicate_at
    advance(game_id=game.pk, owner="setup", now=due)
    phase = game.phases.get(processed_at=None)
    early = phase.opens_at - timezone.now()
    phase.opens_at -= early
    phase.due_at -= early
    phase.adjudicate_at -= early
    phase.save()


def find_or_create_user(name: str) -> User:
    user = User.objects.filter(username=name).first()
    return user or User.objects.create_user(name, password=PASSWORD)


def create_game(people: list[User], now: dt.datetime) -> Game:
    """Return a game that these people have joined."""
    day = dt.timedelta(days=1)
    plan = GamePlan(
        world="Testland",
        map_hash=store_standard(now=now),
        options=Options(schedule=Schedule(Interval(Lengths(day, day, day))), fill_with="hold"),
    )
    text = random_text
    game = creation_actions.create_game(
        plan=plan, creator_id=people[0].pk, now=now, slug=text(10), code=text(10), seed="scene"
    )
    for other in people[1:]:
        join_game(slug=game.slug, user_id=other.pk, now=now)
    return game


def start_game(game: Game, creator: User, now: dt.datetime) -> None:
    lobby_actions.start_game(slug=game.slug, user_id=creator.pk, now=now)
    advance(game_id=game.pk, owner="setup", now=now)
    game.refresh_from_db()


def seat_in_order(game: Game, people: list[User]) -> None:
    """Give the people England, France and so on, instead of their random powers."""
    seats = sorted(game.seats.all(), key=lambda seat: _user_rank(seat.user_id, people))
    powers = sorted((seat.power or "" for seat in seats), key=_power_rank)
    game.seats.update(power=None)
    for seat, power in zip(seats, powers, strict=True):
        seat.power = power
        seat.save()


def _user_rank(user_id: int | None, people: list[User]) -> int:
    ids = [user.pk for user in people]
    return ids.index(user_id) if user_id in ids else len(ids)


def _power_rank(power: str) -> tuple[int, str]:
    first = (ENGLAND, FRANCE)
    return (first.index(Power(power)) if power in first else len(first), power)


def set_position(game: Game, position: Position, now: dt.datetime) -> None:
    """Start the open phase with `position`."""
    phase = game.phases.get(processed_at=None)
    OrderRow.objects.filter(draft__phase=phase).delete()
    Submission.objects.filter(phase=phase).delete()
    phase.name = str(position.phase)
    phase.position = position
    phase.save()
    move_bots(phase_id=phase.pk, now=now)


def set_deadline(game: Game, due: dt.datetime) -> None:
    """Close the orders for the open phase at `due`."""
    game.phases.filter(processed_at=None).update(due_at=due, adjudicate_at=due)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("scene")
    arguments.add_argument("names", nargs="+")
    arguments.add_argument("--due", type=float)
    given = arguments.parse_args()
    if given.scene == "end":
        end_phase(Game.objects.get(slug=given.names[0].strip("/").partition("/")[2]))
        sys.exit()
    game = set_up_game(given.scene, given.names)
    if given.due is not None:
        set_deadline(game, timezone.now() + dt.timedelta(seconds=given.due))
    sys.stdout.write(json.dumps({"path": f"/games/{game.slug}/"}) + "\n")
