"""Finished games as rows, without playing them."""

import datetime as dt
from dataclasses import replace
from functools import cache

from diplomaccloud.accounts.models import User
from diplomaccloud.games.ratings.actions import rate_requested_games, request_rating
from diplomaccloud.games.ratings.models import PersonRating
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.table.models import RESIGNED, Game, Seat, Status, Tenure, store_rules
from diplomaccloud.games.table.options import Press
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.models import StoredChart

NOW = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)


def sign_up(count):
    """Return the keys of new people."""
    names = [f"Player{number}" for number in range(count)]
    User.objects.bulk_create(User(username=name, password="!") for name in names)
    return list(User.objects.filter(username__in=names).order_by("pk").values_list("pk", flat=True))


class Season:
    """Games of a site that end one after another."""

    def __init__(self, plan):
        self.plan, self.count, self.now = plan, 0, NOW
        self.rules = store_rules(plan.rules)
        self.chart = StoredChart.objects.get(content_hash=plan.map_hash)
        board = find_chart(plan.map_hash).board
        self.powers = [info.power for info in board.powers]

    def play(
        self,
        people,
        *,
        winners=(0,),
        reason="ending_centers",
        press=Press.FULL,
        left=(),
        late=(),
        at=None,
        rated=True,
        private=False,
        anonymous=False,
    ):
        """Return a game that the people have finished; bots have the other seats.

        `winners` are numbers of seats. The people of the seats in `left` have left them, to bots or
        to one of the people in `late`, pairs of a seat and a person who came in the second year.
        """
        self.count += 1
        self.now += HOUR
        started, ended = self.now - 30 * DAY, at or self.now
        options = replace(self.plan.options, press=press, anonymous=anonymous)
        powers = tuple(self.powers[number] for number in winners)
        names = {"winner": "Anyone", "count": 18, "total": 34, "when": "Fall 1907"}
        names |= {"year": 1907, "leaders": "Anyone", "best": 9, "country": "Anyone"}
        game = Game.objects.create(
            slug=f"{self.count:010}",
            world="Testland",
            chart=self.chart,
            status=Status.FINISHED,
            rule_set_id=self.rules,
            options=options,
            private=private,
            rated=rated and not private,
            creator_id=people[0],
            created_at=started,
            started_at=started,
            finished_at=ended,
            ending=Ending.of(powers, reason, **names),
        )
        if late:
            add_first_year(game, started + 10 * DAY)
        successors = dict(late)
        for number, power in enumerate(self.powers):
            person = people[number] if number < len(people) else None
            gone = number in left
            holder = successors.get(number) if gone else person
            seat = Seat.objects.create(
                game=game,
                power=power,
                number=number + 1,
                user_id=holder,
                bot="" if holder else "hold",
                finished_at=ended,
            )
            first = Tenure(seat=seat, since_at=started)
            first.user_id, first.bot = person, "" if person else "hold"
            if gone:
                first.until_at, first.left = started + 11 * DAY, RESIGNED
            first.save()
            if gone:
                bot = "" if holder else "hold"
                since = started + 12 * DAY
                Tenure.objects.create(seat=seat, user_id=holder, bot=bot, since_at=since)
        request_rating(game)
        return game


@cache
def find_first_results(board):
    """Return the results of a first phase in which nobody orders anything."""
    return adjudicate(board, starting_position(board), (), DEFAULT, seed="")


def add_first_year(game, over_at):
    """Add the last phase of the first year, processed at `over_at`."""
    Phase.objects.create(
        game=game,
        sequence=1,
        name="F1901M",
        position=game.starting_position,
        rule_set_id=game.rule_set_id,
        opens_at=over_at - DAY,
        due_at=over_at,
        adjudicate_at=over_at,
        processed_at=over_at,
        locked_at=over_at,
        results=find_first_results(game.board),
        open=None,
    )


def rate_all():
    """Do what workers do."""
    return sum(rate_requested_games(kind=kind) for kind in Kind)


def rating_of(person, kind=Kind.FULL):
    """Return a person's stored rating, or None."""
    return PersonRating.objects.filter(person=person, kind=kind).first()
