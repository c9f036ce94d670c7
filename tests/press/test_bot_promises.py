"""Bots keep the deals that they accept, and the record of the game still proves itself."""

import io

import pytest
from django.test import Client
from tests.games.large_games import begin
from tests.press.deals import answer, facts, order, process, propose, terms, verdicts
from tests.press.people import TalkingGame
from tests.press.test_bot_answers import against_bots, other_power, reply

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games import actions as game_actions
from diplomaccloud.games.models import Draft, Game, OrderRow, Seat, Submission
from diplomaccloud.judge.orders import Move
from diplomaccloud.record.signatures import read_keys
from diplomaccloud.record.verification import verify_record

__all__ = ["against_bots"]


@pytest.fixture
def ordered(against_bots):
    """The game against bots, which have written their orders as the phase opened."""
    talking, own = against_bots
    game_actions.move_bots(phase_id=talking.phase.pk, now=talking.now)
    return talking, own


def orders_of(talking, power, phase):
    rows = OrderRow.objects.live_in(phase).filter(draft__seat__power=power)
    return sorted(str(row.canonical) for row in rows)


def refuse_move(talking, bot):
    """Return a clause against a move that the bot plans, and the text of that move."""
    rows = OrderRow.objects.live_in(talking.phase).filter(draft__seat__power=bot)
    move = next(row.canonical for row in rows if isinstance(row.canonical, Move))
    unit = [str(move.unit.kind), move.unit.location, move.unit.power]
    data = {"order": "move", "unit": unit, "to": move.to, "via": False}
    return {"clause": "not-order", "order": data}, str(move)


def verify(talking):
    """Return the report on the record of the game, which has no fault."""
    keys = read_keys(Client().get("/keys/").content)
    answered = Client().get(f"/games/{talking.slug}/record.jsonl")
    record = io.BytesIO(b"".join(answered.streaming_content))
    heads = [Game.objects.get().record_head]
    report = verify_record(record, BoardLoader(), heads=heads, keys=keys)
    assert [str(fault) for fault in report.faults] == []
    return report


def test_a_bot_gives_other_orders_to_keep_a_deal(ordered):
    talking, own = ordered
    bot, phase = other_power(own), talking.phase
    pair = sorted((own, bot))
    clause, move = refuse_move(talking, bot)
    planned = orders_of(talking, bot, phase)
    number = propose(talking, own, bot, terms([clause], parties=pair))
    assert reply(talking) == 1
    assert facts(talking, own, bot, number).state == "accepted"
    assert process(talking) == 1
    given = orders_of(talking, bot, phase)
    assert move in planned
    assert move not in given
    assert len(given) == len(planned)
    assert verdicts(talking, own, bot, number) == [f"S1901M: {bot} kept"]
    assert Draft.objects.filter(phase=phase, seat__power=bot).count() == 1
    assert Submission.objects.filter(phase=phase, seat__power=bot, ready_at=None).count() == 0
    report = verify(talking)
    assert "orders by which bots kept promises to other players" in report.unchecked
    # The bots of the five others, who promised nothing.
    assert report.checked["order sets of bots"] == 5


def test_without_a_deal_all_bots_play_by_their_seeds(ordered):
    talking, own = ordered
    bot, phase = other_power(own), talking.phase
    clause, move = refuse_move(talking, bot)
    planned = orders_of(talking, bot, phase)
    number = propose(talking, own, bot, terms([clause], parties=sorted((own, bot))))
    answer(talking, own, bot, number, "withdraw")
    process(talking)
    assert orders_of(talking, bot, phase) == planned
    assert move in planned
    report = verify(talking)
    assert report.checked["order sets of bots"] == 6
    assert not any("promises" in note for note in report.unchecked)


def test_a_broken_deal_binds_the_bot_no_longer(ordered):
    talking, own = ordered
    bot = other_power(own)
    pair = sorted((own, bot))
    unit = talking.phase.position.units_of(own)[0]
    hold = {"order": "hold", "unit": [str(unit.kind), unit.location, own]}
    zone = {"clause": "dmz", "powers": [bot], "provinces": ["BUR"]}
    number = propose(
        talking, own, bot, terms([{"clause": "order", "order": hold}, zone], parties=pair)
    )
    assert reply(talking) == 1
    to = sorted(talking.phase.board.reach(unit.kind, unit.location))[0]
    order(talking, own, f"{unit} - {to}")
    assert process(talking) == 1
    assert facts(talking, own, bot, number).ledger[0].final
    talking.now = talking.phase.opens_at
    process(talking)
    assert len(facts(talking, own, bot, number).ledger) == 1
    verify(talking)


def test_a_bot_votes_for_a_draw_as_it_promised(db):
    from django.utils import timezone

    people = [User.objects.create(username=name).pk for name in ("Anna", "Bruno")]
    talking = TalkingGame(begin(people, 1, now=timezone.now(), bot="hold"))
    own = Seat.objects.get(user=people[0]).power
    bot, other = sorted(Seat.objects.exclude(bot="").values_list("power", flat=True))[:2]
    draw = {"clause": "draw", "powers": sorted((own, bot))}
    number = propose(talking, own, bot, terms([draw], parties=sorted((own, bot))))
    assert reply(talking) == 1
    game_actions.vote_with_orders(
        slug=talking.slug, user_id=people[0], sequence=1, vote="draw", now=talking.tick()
    )
    assert process(talking) == 1
    (votes,) = Game.objects.get().log.filter(kind="votes")
    assert votes.data["draws"] == sorted((own, bot))
    assert other not in votes.data["draws"]
    assert verdicts(talking, own, bot, number) == [
        "S1901M: " + ", ".join(f"{power} kept" for power in draw["powers"])
    ]
    verify(talking)
