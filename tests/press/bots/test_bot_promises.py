"""Bots keep the deals that they accept, and the record of the game still proves itself."""

import html
import io

import pytest
from django.test import Client
from tests.games.large_games import begin
from tests.press.bots.test_bot_answers import against_bots, other_power, reply
from tests.press.deals import answer, facts, order, process, propose, terms, verdicts
from tests.press.people import TalkingGame

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.bots import actions as bots_actions
from diplomaccloud.games.bots.actions import move_bots
from diplomaccloud.games.bots.page import present_hint
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import BotPlan, Draft, OrderRow, Submission
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.turn.thinking import think_for_bots
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.games.votes.actions import vote_with_orders
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Move
from diplomaccloud.press.proposals.models import Proposal
from diplomaccloud.record.signatures import read_keys
from diplomaccloud.record.verification import verify_record

__all__ = ["against_bots"]


@pytest.fixture
def ordered(against_bots):
    """The game against bots, which have written their orders as the phase opened."""
    talking, own = against_bots
    move_bots(phase_id=talking.phase.pk, now=talking.now)
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
    vote_with_orders(
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


def ask_hint(talking, own):
    """Let a General think about the person's orders; return the hint as the page shows it."""
    BotPlan.objects.filter(seat__power=own).delete()
    person = talking.user_id(own)
    bots_actions.ask_hint(slug=talking.slug, user_id=person, sequence=1, now=talking.now)
    while think_for_bots(owner="test", now=lambda: talking.now):
        pass
    return present_hint(Reader(talking.slug, Viewer(person)))


def agree_on(talking, own, *clauses):
    """Make a deal between the person and a bot, whatever the bot thinks of it."""
    bot = other_power(own)
    propose(talking, own, bot, terms(clauses, parties=sorted((own, bot))))
    closed = {"state": "accepted", "alternative": 0, "closed_at": talking.now}
    Proposal.objects.filter(closed_at=None).update(**closed)


def read_move(talking, text):
    """Return the order clause of the person's move in a hint."""
    move = next(order for order in legal_orders_of(talking) if str(order) == text)
    unit = [str(move.unit.kind), move.unit.location, move.unit.power]
    return {"order": "move", "unit": unit, "to": move.to, "via": False}


def legal_orders_of(talking):
    phase = talking.phase
    return [
        order
        for power in phase.powers_to_order()
        for order in legal_orders(phase.board, phase.position, power, phase.game.rules)
    ]


def test_a_hint_keeps_the_deals_of_the_person(ordered):
    talking, own = ordered
    move = next(order for order in ask_hint(talking, own).orders if " - " in order)
    clause = {"clause": "not-order", "order": read_move(talking, move)}
    agree_on(talking, own, clause)
    (warning,) = present_hint(Reader(talking.slug, Viewer(talking.user_id(own)))).warnings
    assert warning.startswith(f"{move} would break your promise: ")
    hint = ask_hint(talking, own)
    assert move not in hint.orders
    assert hint.warnings == ()


def test_a_hint_names_a_promise_that_it_cannot_keep(ordered):
    talking, own = ordered
    move = next(order for order in ask_hint(talking, own).orders if " - " in order)
    order = read_move(talking, move)
    agree_on(talking, own, {"clause": "order", "order": order})
    agree_on(talking, own, {"clause": "not-order", "order": order})
    hint = ask_hint(talking, own)
    assert len(hint.warnings) == 1
    page = Client()
    page.force_login(User.objects.get(username="Anna"))
    shown = page.get(f"/games/{talking.slug}/").content.decode()
    assert html.escape(hint.warnings[0]) in shown
