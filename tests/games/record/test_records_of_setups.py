"""The record of a game on the site passes, however the game begins, bots and coin flips too."""

import datetime as dt
import io
from dataclasses import replace

import pytest
from tests.games.steps import begun

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.creation.actions import Holder
from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.table.log_models import RecordLine
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Missed
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.record.chain import ChainLine, make_lines
from diplomaccloud.record.lines import seal_line
from diplomaccloud.record.signatures import make_key
from diplomaccloud.record.verification import verify_record
from diplomaccloud.setups import setups

PLAYED = sorted(set(setups()) - {"standard"})


def stop(error):
    raise error


def play(game, phases, now):
    for _ in range(phases):
        game.refresh_from_db()
        if game.status != "running":
            break
        phase = game.newest_phase()
        at = max(phase.adjudicate_at, now) + dt.timedelta(seconds=1)
        advance(game_id=game.pk, owner="test", now=at)


def verify(game):
    """Return the report on the sealed record of a game."""
    game = Game.objects.get(pk=game.pk)
    texts = RecordLine.objects.filter(game=game).order_by("number").values_list("text", flat=True)
    last = ChainLine(game.record_length, "", game.record_head)
    body = seal_line(game=game.slug, lines=last.number, head=last.hash, key=make_key())
    (seal,) = make_lines([body], after=last)
    record = "".join(f"{text}\n" for text in [*texts, seal.text]).encode()
    report = verify_record(io.BytesIO(record), BoardLoader(), on_error=stop)
    assert [str(fault) for fault in report.faults] == []
    assert report.phases == game.phases.exclude(processed_at=None).count()
    return report


@pytest.mark.parametrize("name", PLAYED)
def test_the_record_of_every_setup_passes(plan, people, now, name):
    options = {"setup": name, "fill_with": "random", "missed": Missed(limit=0)}
    game = begun(plan, people["alice"], seed="setups", now=now, **options)
    play(game, 9 if setups()[name].coin else 4, now)
    assert verify(game).checked["order sets of bots"]


@pytest.mark.parametrize("name", EDITIONS)
def test_the_record_of_every_edition_passes(plan, people, now, name):
    plan = replace(plan, rules=EDITIONS[name])
    options = {"fill_with": "random", "missed": Missed(limit=0)}
    game = begun(plan, people["alice"], seed="editions", now=now, **options)
    play(game, 4, now)
    assert verify(game).checked["order sets of bots"]


def test_the_record_passes_when_a_coin_is_flipped_twice(plan, people, now):
    ends = replace(plan.options.ends, centers=20)
    options = {"setup": "2000-2", "fill_with": "random", "missed": Missed(limit=0), "ends": ends}
    game = begun(plan, people["alice"], seed="coins", now=now, **options)
    Game.objects.update(master_id=people["charlie"])
    play(game, 9, now)
    act = {"slug": game.slug, "user_id": people["charlie"], "reason": "So.", "now": now}
    roll_back(**act, sequence=game.newest_phase().sequence, to=2)
    roll_forward(**act, sequence=game.newest_phase().sequence)
    roll_back(**act, sequence=game.newest_phase().sequence, to=1)
    play(game, 9, now)
    assert verify(game).checked["coin flips"] == 2


def test_the_record_passes_when_an_absent_player_is_replaced(plan, people, now):
    options = {"fill_with": "greedy", "missed": Missed(limit=1, substitute="random")}
    game = begun(plan, people["alice"], seed="absent", now=now, **options)
    play(game, 6, now)
    verify(game)


def test_the_record_passes_when_some_powers_are_not_drawn(plan, people, now):
    holders = {"TURKEY": Holder(), "ITALY": Holder(bot="random"), "AUSTRIA": Holder(bot="hold")}
    options = {"fill_with": "random", "missed": Missed(limit=0)}
    game = begun(plan, people["alice"], seed="holders", now=now, holders=holders, **options)
    play(game, 2, now)
    assert verify(game).checked["draws"] == 1
    players = {seat.power: seat.user_id or seat.bot for seat in game.seats.all()}
    chosen = [players[power] for power in ("TURKEY", "ITALY", "AUSTRIA")]
    assert chosen == [people["alice"], "random", "hold"]
