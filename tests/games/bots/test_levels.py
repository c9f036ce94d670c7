"""Bots with levels: they think in the background, the clock does not wait, the record repeats."""

import datetime as dt
import io
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone
from tests.cast import Cast
from tests.games.records import download, lines, verify
from tests.games.steps import begun, due, end_game, game, phase

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.levels import CHARACTERS, LevelBot
from diplomaccloud.games.bots import actions as bot_plans
from diplomaccloud.games.bots.actions import PATIENCE
from diplomaccloud.games.seats.actions import seat_bot
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import BotPlan, OrderRow, Phase
from diplomaccloud.games.turn import claims, thinking
from diplomaccloud.games.turn.claims import due_games
from diplomaccloud.games.turn.thinking import MAX_ATTEMPTS, think_for_bots
from diplomaccloud.games.votes.actions import find_unwilling
from diplomaccloud.record.verification import verify_record
from diplomaccloud.shared import database_cache as counters
from diplomaccloud.worker.threads import ThinkingThread

COLONELS = "level:3"


def start(plan, people, bots=COLONELS):
    options = replace(plan.options, fill_with=bots)
    made = begun(replace(plan, options=options), people["alice"], seed="s", now=timezone.now())
    return Cast(made.slug, made.pk, **people)


def let_think():
    return think_for_bots(owner="thinker", now=timezone.now)


def advance(now=timezone.now):
    return claims.advance(game_id=game().pk, owner="clock", now=now)


def count_ordered():
    return phase().submissions.exclude(seat__bot="").count()


def test_bots_that_look_ahead_think_in_the_background(plan, people):
    start(plan, people)
    advance()
    assert count_ordered() == 0
    assert BotPlan.objects.exclude(until=None).count() == 6
    assert let_think() == 6
    assert count_ordered() == 6
    assert not BotPlan.objects.exclude(until=None).exists()
    assert let_think() == 0


@pytest.mark.parametrize("bots", ["greedy", "level:1,level:2"])
def test_quick_bots_order_at_once(plan, people, bots):
    start(plan, people, bots)
    advance()
    assert count_ordered() == 6
    assert let_think() == 0


def test_the_bots_of_a_mixture_take_turns_and_have_characters_if_they_look_ahead(plan, people):
    start(plan, people, "level:2,level:4")
    bots = list(Seat.objects.exclude(bot="").order_by("pk").values_list("bot", flat=True))
    assert bots[::2] == ["level:2"] * 3
    assert all(bot.startswith("level:4:") for bot in bots[1::2])


def test_a_phase_that_is_due_waits_for_its_bots_and_then_goes_on(plan, people):
    start(plan, people)
    advance()
    Phase.objects.update(due_at=timezone.now(), adjudicate_at=timezone.now())
    assert advance() == 0
    assert due_games(now=timezone.now()) == []
    assert let_think() >= 6
    assert Phase.objects.count() == 2


def test_a_bot_that_runs_out_of_time_plays_what_greedy_would(plan, people):
    start(plan, people)
    advance()
    Phase.objects.update(due_at=timezone.now(), adjudicate_at=timezone.now())
    late = timezone.now() + PATIENCE + dt.timedelta(seconds=1)
    assert advance(lambda: late) == 1
    bots = Phase.objects.get(sequence=1).sealed_bots
    assert [bot.get("instead") for bot in bots] == ["greedy"] * 6
    (entry,) = LogEntry.objects.filter(kind="replaced")
    assert entry.text == ("6 bots did not answer in time, so the greedy bot ordered instead.")
    assert OrderRow.objects.filter(draft__phase__sequence=1).count() >= 18


def test_the_deadline_of_people_does_not_wait_for_bots(plan, people):
    start(plan, people)
    due = timezone.now() + dt.timedelta(seconds=2)
    Phase.objects.update(due_at=due, adjudicate_at=due)
    advance()
    assert set(BotPlan.objects.values_list("until", flat=True)) == {due}


def test_a_bot_that_crashes_plays_what_greedy_would(plan, people, monkeypatch):
    def crash(*_):
        raise MemoryError

    monkeypatch.setattr(LevelBot, "orders", crash)
    start(plan, people, "level:1,level:3")
    advance()
    assert count_ordered() == 3
    let_think()
    assert count_ordered() == 6
    assert BotPlan.objects.filter(fell_back=True).count() == 6


def test_the_record_repeats_the_orders_of_levels_and_says_who_was_replaced(
    plan, people, monkeypatch
):
    cast = start(plan, people, "level:1,level:3")
    advance()
    let_think()
    Phase.objects.filter(open=True).update(due_at=timezone.now(), adjudicate_at=timezone.now())
    assert advance() == 1
    monkeypatch.setattr(bot_plans, "looks_ahead", lambda _: True)
    BotPlan.objects.filter(fell_back=False).delete()
    late = timezone.now() + dt.timedelta(days=2)
    advance(lambda: late)
    advance(lambda: late + 2 * PATIENCE)
    # Their characters are a secret, so who ordered what is shown at the end.
    characters = set(Seat.objects.exclude(bot="").values_list("bot", flat=True))
    assert any(bot.count(":") == 2 for bot in characters)
    record = download(cast).decode()
    page = cast.client("bob").get(f"/api/v1/games/{cast.slug}").content.decode()
    assert [bot for bot in characters if bot.count(":") == 2 and bot in record + page] == []
    report = verify(cast)
    assert report.checked["order sets of bots"] == 0
    assert any("hidden bots" in what for what in report.unchecked)
    end_game()
    assert any("instead" in bot for line in lines("reveal") for bot in line["bots"])
    report = verify(cast)
    # Without the compiled kernel, the orders of those who looked ahead are not checked.
    expected = 9 if SLOW_KERNEL else 12
    assert report.checked["order sets of bots"] == expected
    assert report.checked["characters of bots"] == 6
    assert characters <= set(re.findall(r"level:\d(?::\w+)?", download(cast).decode()))
    page = cast.client("bob").get(f"/api/v1/games/{cast.slug}").content.decode()
    assert [bot for bot in characters if bot not in page] == []


def test_a_character_that_was_not_drawn_is_found(plan, people):
    cast = start(plan, people, "level:3")
    advance()
    let_think()
    Phase.objects.filter(open=True).update(due_at=timezone.now(), adjudicate_at=timezone.now())
    seat = Seat.objects.exclude(bot="").first()
    seat.bot = "level:3:loyalist" if "avenger" in seat.bot else "level:3:avenger"
    seat.save()
    assert advance() == 1
    end_game()
    report = verify_record(io.BytesIO(download(cast)), BoardLoader())
    assert "the secret does not make a bot" in str(*report.faults)


def test_people_choose_and_mix_levels_for_a_game_at_once(cast):
    client = cast.client("alice")
    page = client.get("/games/quick/?map=standard").content.decode()
    assert page.count("face-") == 5
    answer = client.post("/games/quick/", {"map": "standard", "bot": ["level:1", "level:3"]})
    made = Game.objects.exclude(pk=cast.game_id).get()
    assert answer["Location"].endswith(f"/{made.slug}/")
    assert made.options.fill_with == "level:1,level:3"
    assert {bot[:7] for bot in made.seats.exclude(bot="").values_list("bot", flat=True)} == {
        "level:1",
        "level:3",
    }
    page = client.get(f"{answer['Location']}parts/powers/").content.decode()
    assert "Recruit" in page
    assert "face-3" in page


def test_visitors_choose_before_they_see_the_board(db, standard):
    page = Client().get("/games/quick/?map=standard&choose=1").content.decode()
    assert "Marshal" in page
    answer = Client().post("/games/quick/", {"map": "standard", "bot": ["level:4", "level:5"]})
    board = Client().get(answer["Location"], follow=True)
    assert board.status_code == 200
    assert "General" in board.content.decode()


@pytest.mark.parametrize("bot", ["level:6", "search:900000", "level:1," * 20, "level:4:avenger"])
def test_unknown_bots_are_refused(cast, bot):
    answer = cast.client("alice").post("/games/quick/", {"map": "standard", "bot": bot})
    assert answer.status_code in {400, 409, 422}
    assert Game.objects.count() == 1


def test_a_general_gives_a_hint_in_a_game_against_bots(plan, people):
    cast = start(plan, people, "greedy")
    client, sequence = cast.client("alice"), phase().sequence
    page = client.get(cast.url()).content.decode()
    assert "What would a General do?" in page
    answer = client.post(cast.url("hint/"), {"phase": sequence}, headers={"HX-Request": "true"})
    assert "A General is thinking" in answer.content.decode()
    assert "A General is thinking" in client.get(cast.url()).content.decode()
    let_think()
    assert "A General would order" in client.get(cast.url()).content.decode()
    assert let_think() == 0
    assert not phase().submissions.filter(seat__user=cast.user_id("alice")).exists()


def test_hints_are_an_option_of_a_game_against_bots(plan, people):
    plan = replace(plan, options=replace(plan.options, hints=False))
    cast = start(plan, people, "greedy")
    client = cast.client("alice")
    assert "What would a General do?" not in client.get(cast.url()).content.decode()
    client.post(cast.url("hint/"), {"phase": phase().sequence})
    assert not BotPlan.objects.exists()
    rules = client.get(cast.url("rules/")).content.decode()
    assert re.search(r"Hints.*None\.", rules, re.S)


def test_a_person_decides_about_hints_before_a_quick_game(people, standard):
    client = Cast("", 0, **people).client("alice")
    page = client.get("/games/quick/?map=standard").content.decode()
    assert re.search(r'name="hints"[^>]*checked', page)
    for sent, hints in (({"asked": "hints", "hints": "on"}, True), ({"asked": "hints"}, False)):
        client.post("/games/quick/", {"map": "standard", "bot": "greedy", **sent})
        assert Game.objects.order_by("pk").last().options.hints == hints


def test_plans_of_bots_do_not_outlive_their_phase(plan, people):
    cast = start(plan, people)
    for _ in range(3):
        advance()
        let_think()
        assert 0 < BotPlan.objects.count() <= 6
        due(cast)
        assert not BotPlan.objects.filter(phase__open=None).exists()


def test_a_bot_that_takes_a_seat_has_a_character(plan, people):
    cast = start(plan, people, "greedy,level:3")
    bots = Seat.objects.filter(bot__startswith="level:3:")
    assert bots.count() == 3
    seat = Seat.objects.filter(bot="greedy").first()
    Seat.objects.filter(pk=seat.pk).update(bot="", vacated_at=timezone.now())
    Game.objects.update(master_id=people["charlie"])
    seat_bot(
        slug=cast.slug,
        user_id=people["charlie"],
        sequence=phase().sequence,
        power=seat.power,
        bot="level:5",
        reason="a test",
        now=timezone.now(),
    )
    assert Seat.objects.get(pk=seat.pk).bot.rpartition(":")[2] in CHARACTERS
    assert "Marshal" in cast.client("alice").get(cast.url()).content.decode()


def test_there_are_no_hints_against_people(cast):
    client = cast.client("alice")
    assert "What would a General do?" not in client.get(cast.url()).content.decode()
    client.post(cast.url("hint/"), {"phase": phase().sequence})
    assert not BotPlan.objects.exists()


def test_bots_with_a_level_agree_to_a_draw_that_pays(plan, people):
    start(plan, people, "level:1")
    bots = Seat.objects.exclude(bot="")
    rich = bots.first().power
    position = phase().position
    row = phase()
    row.position = replace(position, centers=dict.fromkeys(position.centers, rich))
    row.save()
    assert find_unwilling(phase()) == {rich}


def test_a_bot_that_kills_its_process_again_and_again_is_replaced(plan, people, monkeypatch):
    def die(*_):
        raise SystemExit

    start(plan, people)
    advance()
    monkeypatch.setattr(LevelBot, "orders", die)
    at = timezone.now()
    for _ in range(6 * MAX_ATTEMPTS):
        at += 3 * PATIENCE
        with pytest.raises(SystemExit):
            think_for_bots(owner="thinker", now=at)
    think_for_bots(owner="thinker", now=at + 3 * PATIENCE)
    assert BotPlan.objects.filter(fell_back=True).count() == 6
    assert count_ordered() == 6


def test_two_workers_do_not_let_one_bot_think(plan, people, monkeypatch):
    start(plan, people)
    advance()
    asked, others = [], []

    def ask(_bot, _board, _position, power, *_):
        asked.append(power)
        if len(asked) == 1:
            others.append(think_for_bots(owner="other", now=timezone.now))
        return ()

    monkeypatch.setattr(LevelBot, "orders", ask)
    assert let_think() == 1
    assert others == [5]
    assert len(asked) == len(set(asked)) == 6


def test_an_error_in_one_phase_keeps_no_other_from_thinking(plan, people, monkeypatch):
    cast = start(plan, people)
    advance()
    broken = phase().pk
    cast.client("bob").post("/games/quick/", {"map": "standard", "bot": "level:3"})
    usual = thinking.think

    def think(phase, seat, plan, ask):
        if phase.pk == broken:
            raise ValueError
        usual(phase, seat, plan, ask)

    monkeypatch.setattr(thinking, "think", think)
    assert let_think() == 6


def test_what_was_not_planned_in_time_is_not_asked_for_forever(plan, people):
    start(plan, people)
    advance()
    Phase.objects.update(open=None)
    assert let_think() == 0
    assert not BotPlan.objects.exclude(until=None).exists()


def test_bots_of_suspended_games_do_not_think(plan, people):
    start(plan, people)
    advance()
    Game.objects.update(suspended_reason="broken")
    assert let_think() == 0
    Game.objects.update(suspended_reason="")
    assert let_think() == 6


def test_a_turn_does_not_wait_for_a_hint(plan, people):
    cast = start(plan, people, "greedy")
    advance()
    cast.client("alice").post(cast.url("hint/"), {"phase": phase().sequence})
    Phase.objects.update(due_at=timezone.now(), adjudicate_at=timezone.now())
    assert advance() == 1
    assert not BotPlan.objects.exclude(until=None).exists()


def test_a_hint_that_failed_can_be_asked_for_again(plan, people, monkeypatch):
    def crash(*_):
        raise MemoryError

    cast = start(plan, people, "greedy")
    client, sequence = cast.client("alice"), phase().sequence
    client.post(cast.url("hint/"), {"phase": sequence})
    with monkeypatch.context() as broken:
        broken.setattr(LevelBot, "orders", crash)
        let_think()
    assert "What would a General do?" in client.get(cast.url()).content.decode()
    client.post(cast.url("hint/"), {"phase": sequence})
    let_think()
    assert "A General would order" in client.get(cast.url()).content.decode()


def test_a_bot_whose_plan_is_gone_meanwhile_stops_nothing(plan, people, monkeypatch):
    def vanish(*_):
        BotPlan.objects.all().delete()
        return ()

    start(plan, people)
    advance()
    monkeypatch.setattr(LevelBot, "orders", vanish)
    assert let_think() >= 1


def test_a_game_whose_bots_have_thought_for_too_long_goes_on_with_the_greedy_bot(plan, people):
    start(plan, people)
    advance()
    name = f"bots of game {game().pk}"
    counters.count(name, 60, 1000 * thinking.GAME_SECONDS)
    assert let_think() == 6
    assert set(BotPlan.objects.values_list("fell_back", flat=True)) == {True}


def test_thinking_is_counted_for_the_game(plan, people):
    start(plan, people)
    advance()
    let_think()
    assert 0 < counters.count(f"bots of game {game().pk}", 60, 0) < 1000 * thinking.GAME_SECONDS


def test_only_so_many_bots_of_the_site_think_at_once(plan, people, settings):
    settings.BOTS_AT_ONCE = 2
    start(plan, people)
    advance()
    keys = BotPlan.objects.values_list("pk", flat=True)[:2]
    now = timezone.now()
    BotPlan.objects.filter(pk__in=list(keys)).update(lease_until=now + PATIENCE)
    assert let_think() == 0
    assert think_for_bots(owner="thinker", now=lambda: now + 2 * PATIENCE) == 6


def test_the_thread_of_thinking_bots_keeps_the_clock_of_the_site(plan, people):
    start(plan, people)
    advance()
    # Some also talk and answer messages.
    assert ThinkingThread(now=timezone.now).run_once() >= 6
    assert BotPlan.objects.filter(until=None).count() == 6
    due = phase().due_at
    BotPlan.objects.update(until=due, lease_until=None)
    ThinkingThread(now=lambda: due - dt.timedelta(seconds=1)).run_once()
    assert Phase.objects.count() == 1
    BotPlan.objects.filter(phase__open=True).update(until=due, lease_until=None)
    ThinkingThread(now=lambda: due + dt.timedelta(days=1)).run_once()
    assert Phase.objects.count() > 1
