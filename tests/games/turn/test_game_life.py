import datetime as dt

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.utils import timezone

from diplomaccloud.games.creation import actions as making
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.lobby.actions import join_game, leave_game, start_game
from diplomaccloud.games.orders.actions import save_orders, set_ready, unset_ready
from diplomaccloud.games.seats.actions import name_country
from diplomaccloud.games.table.errors import (
    DeadlinePassed,
    NoSuchGame,
    NotYourSeat,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import OrderRow, Phase
from diplomaccloud.games.turn import claims
from diplomaccloud.games.turn.claims import LEASE, MAX_PHASES_AT_ONCE, claim_phase, due_games
from diplomaccloud.games.turn.turn import PACE, process_phase
from diplomaccloud.judge.board import Power

DAY = dt.timedelta(days=1)
AUSTRIA = Power("AUSTRIA")


def save(cast, who="alice", sheet="", choices=(), sequence=1, now=None):
    return save_orders(
        slug=cast.slug,
        user_id=cast.user_id(who),
        sequence=sequence,
        choices=choices,
        sheet=sheet,
        now=now or timezone.now(),
    )


def ready(cast, who, sequence=1):
    return set_ready(
        slug=cast.slug, user_id=cast.user_id(who), sequence=sequence, now=timezone.now()
    )


def advance(cast, now=None):
    return claims.advance(game_id=cast.game_id, owner="test", now=now or timezone.now())


def saved_texts(cast, power="AUSTRIA"):
    rows = OrderRow.objects.filter(draft__seat__game_id=cast.game_id, draft__seat__power=power)
    return sorted(str(order) for order in tuple(row.canonical for row in rows))


class TestForming:
    def test_the_maker_has_the_first_seat(self, forming):
        assert [seat.user_id for seat in Seat.objects.all()] == [forming.alice]

    def test_the_draw_comes_from_the_seed_and_bots_fill_the_rest(self, cast):
        seats = {seat.power: seat for seat in Seat.objects.all()}
        assert len(seats) == 7
        assert seats["AUSTRIA"].user_id == cast.alice
        assert seats["TURKEY"].user_id == cast.bob
        assert {
            seat.bot for power, seat in seats.items() if power not in ("AUSTRIA", "TURKEY")
        } == {"hold"}

    def test_nobody_joins_twice_or_late(self, cast):
        for who in ("bob", "charlie"):
            with pytest.raises(WrongMoment):
                join_game(slug=cast.slug, user_id=cast.user_id(who), now=timezone.now())

    def test_a_private_game_asks_for_its_code(self, forming, now):
        Game.objects.update(private=True)
        with pytest.raises(NoSuchGame):
            join_game(slug=forming.slug, user_id=forming.bob, now=now, code="guess")
        seat = join_game(slug=forming.slug, user_id=forming.bob, now=now, code="letmein222")
        assert seat.user_id == forming.bob

    def test_leaving_frees_the_seat_but_the_maker_stays(self, forming, now):
        join_game(slug=forming.slug, user_id=forming.bob, now=now)
        leave_game(slug=forming.slug, user_id=forming.bob, now=now)
        assert Seat.objects.count() == 1
        with pytest.raises(WrongMoment, match="created this game"):
            leave_game(slug=forming.slug, user_id=forming.alice, now=now)

    def test_only_the_maker_starts_and_only_once(self, cast, now):
        with pytest.raises(NotYourSeat):
            start_game(slug=cast.slug, user_id=cast.bob, now=now)
        with pytest.raises(WrongMoment):
            start_game(slug=cast.slug, user_id=cast.alice, now=now)

    def test_without_bots_a_game_waits_for_people(self, forming, now, agree):
        agree(fill_with="")
        with pytest.raises(WrongMoment, match="6 more"):
            start_game(slug=forming.slug, user_id=forming.alice, now=now)

    def test_a_seat_is_a_person_or_a_bot(self, forming):
        with pytest.raises(IntegrityError):
            Seat.objects.create(game_id=forming.game_id, user_id=forming.bob, bot="hold")

    @pytest.mark.parametrize(
        ("name", "refusal"),
        [
            pytest.param("x" * 31, "at most 30", id="too long"),
            pytest.param("a\u202eb", "letters, digits", id="a character that turns the text"),
            pytest.param("turkey", "Another country", id="the printed name of another"),
            pytest.param("Bobland", "Another country", id="the name another has taken"),
        ],
    )
    def test_a_country_gets_a_decent_name_of_its_own(self, cast, now, name, refusal):
        name_country(slug=cast.slug, user_id=cast.bob, country="BOBLAND", now=now)
        with pytest.raises(Refused, match=refusal):
            name_country(slug=cast.slug, user_id=cast.alice, country=name, now=now)

    def test_there_is_an_end_to_making_games(self, forming, plan, now, monkeypatch):
        monkeypatch.setattr(making, "MAX_UNFINISHED_GAMES", 1)
        with pytest.raises(WrongMoment, match="limit of 1 unfinished"):
            create_game(
                plan=plan, creator_id=forming.alice, now=now, slug="cccccccccc", code="x", seed="x"
            )


class TestOrders:
    def test_saving_again_replaces_the_unit_s_order(self, cast):
        save(cast, sheet="A VIE - GAL\nA BUD - SER")
        save(cast, sheet="A VIE - TRI\nF TRI - ALB")
        assert saved_texts(cast) == ["A BUD - SER", "A VIE - TRI", "F TRI - ALB"]

    def test_a_refused_line_loses_nothing(self, cast):
        save(cast, sheet="A VIE - GAL")
        saved = save(cast, sheet="A VIE - PAR\nA BUD - SER")
        assert [problem.text for problem in saved.problems] == ["A VIE - PAR"]
        assert saved_texts(cast) == ["A BUD - SER", "A VIE - GAL"]

    def test_the_text_is_kept_as_written(self, cast):
        save(cast, sheet="the army in vienna to galicia")
        assert (
            OrderRow.objects.get(draft__seat__power="AUSTRIA").written
            == "the army in vienna to galicia"
        )

    def test_strangers_and_late_comers_are_refused(self, cast):
        due = Phase.objects.get().due_at
        with pytest.raises(NotYourSeat):
            save(cast, "charlie", "A VIE - GAL")
        with pytest.raises(DeadlinePassed, match="Spring 1901"):
            save(cast, sheet="A VIE - GAL", now=due)
        with pytest.raises(DeadlinePassed):
            save(cast, sheet="A VIE - GAL", sequence=2)
        assert saved_texts(cast) == []

    def test_bots_have_moved_and_are_ready_when_the_phase_opens(self, cast):
        ready_bots = Phase.objects.get().submissions.exclude(ready_at=None).count()
        assert ready_bots == 5


class TestProcessing:
    def test_the_last_to_be_ready_makes_the_phase_due(self, cast):
        save(cast, sheet="A VIE - GAL")
        assert ready(cast, "alice") is None
        assert advance(cast) == 0
        assert ready(cast, "bob") == cast.game_id
        assert advance(cast) == 1
        first, second = Phase.objects.order_by("sequence")
        assert (first.name, second.name) == ("S1901M", "F1901M")
        assert "A VIE - GAL" in [str(r.order) for r in first.resolution.results]
        assert any(str(unit) == "A GAL" for unit in second.position.units_of(AUSTRIA))

    def test_ready_can_be_taken_back(self, cast):
        ready(cast, "alice")
        unset_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=timezone.now())
        assert ready(cast, "bob") is None

    def test_at_the_deadline_missing_orders_hold(self, cast):
        due = Phase.objects.get().due_at
        assert advance(cast, due - dt.timedelta(seconds=1)) == 0
        assert advance(cast, due) == 1
        results = Phase.objects.get(sequence=1).resolution.results
        implicit = [r for r in results if r.order.unit.power == AUSTRIA]
        assert len(implicit) == 3
        assert all(r.implicit for r in implicit)

    def test_orders_of_a_processed_phase_are_frozen(self, cast):
        due = Phase.objects.get().due_at
        advance(cast, due)
        with pytest.raises(DeadlinePassed):
            save(cast, sheet="A VIE - GAL", now=due + dt.timedelta(seconds=1))

    def test_a_lease_keeps_others_away_until_it_ends(self, cast):
        due = Phase.objects.get().due_at
        lease = dt.timedelta(seconds=30)
        first = claim_phase(game_id=cast.game_id, owner="one", now=due, lease=lease)
        assert first is not None
        assert claim_phase(game_id=cast.game_id, owner="two", now=due) is None
        later = due + 2 * lease
        assert claim_phase(game_id=cast.game_id, owner="two", now=later) == first
        assert not process_phase(phase_id=first, owner="one", now=later)
        assert process_phase(phase_id=first, owner="two", now=later)
        assert not process_phase(phase_id=first, owner="two", now=later)
        assert Phase.objects.count() == 2

    def test_each_phase_is_told_once(self, cast):
        advance(cast, Phase.objects.get().due_at)
        with pytest.raises(IntegrityError):
            Event.objects.create(
                game_id=cast.game_id, kind="processed", key="processed 1", created_at=timezone.now()
            )

    def test_a_game_that_raises_is_put_aside_and_the_others_go_on(
        self, cast, plan, people, monkeypatch
    ):
        now = timezone.now()
        other = create_game(
            plan=plan, creator_id=people["charlie"], now=now, slug="bbbbbbbbbb", code="x", seed="2"
        )
        start_game(slug=other.slug, user_id=people["charlie"], now=now)
        position = Phase.objects.get(game_id=cast.game_id).position
        Phase.objects.filter(game_id=cast.game_id).update(position={"v": 1, "phase": "nonsense"})
        due = now + 2 * DAY
        for game_id in due_games(now=due):
            claims.advance(game_id=game_id, owner="test", now=due)
        assert "CodecError" in Game.objects.get(pk=cast.game_id).suspended_reason
        assert Phase.objects.filter(game=other).count() == 2
        assert due_games(now=due) == []
        Phase.objects.filter(game_id=cast.game_id).update(position=position)
        call_command("release", cast.slug)
        assert due_games(now=due + 2 * LEASE) == [cast.game_id]
        with pytest.raises(CommandError, match="not suspended"):
            call_command("release", cast.slug)

    def test_the_agreed_last_year_ends_the_game(self, cast, agree):
        agree({"last_year": 1901})
        for _ in range(6):
            phase = Phase.objects.order_by("-sequence").first()
            advance(cast, phase.due_at)
        game = Game.objects.get()
        assert game.status == "finished"
        # Everyone held, so Russia's four centers are the most.
        assert game.ending.winners == ("RUSSIA",)
        assert "1901" in game.ending.reason

    def test_phases_in_which_only_bots_order_are_not_waited_for(self, cast):
        Seat.objects.filter(power="TURKEY").update(user=None, bot="random")
        Seat.objects.exclude(user=None).update(user=None, bot="random")
        at = Phase.objects.get().due_at
        assert 1 <= advance(cast, at) < MAX_PHASES_AT_ONCE
        # Retreats and builds are processed at once, but can be viewed afterward.
        coming = Phase.objects.get(processed_at=None)
        assert (coming.name[-1], coming.due_at) == ("M", at + PACE)
