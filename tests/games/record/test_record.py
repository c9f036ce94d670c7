"""The statistics page, and the record that can be replayed offline."""

import io
import json
from dataclasses import replace
from itertools import pairwise

import pytest
from django.utils import timezone
from tests.games.steps import due, save
from tests.scenes import scene

from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.seats.read import SeatView
from diplomaccloud.games.statistics.page import plot_lines
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.protocol import read_record, replay


def bundle(cast, who="bob"):
    """Return the record as a game from before the chain has it."""
    Game.objects.update(record_length=0)
    return b"".join(cast.client(who).get(cast.url("record.jsonl")).streaming_content)


@pytest.fixture
@scene
def played(cast):
    for sequence, order in ((1, "A BUD - SER"), (2, "A SER S F TRI - ALB")):
        save(cast, "alice", order)
        save(cast, "bob", "A CON H")
        assert due(cast) == 1, sequence
    return cast


def test_the_record_replays_without_a_difference(played):
    found = replay(read_record(io.BytesIO(bundle(played))))
    assert (found.games, found.phases, found.differences) == (1, 2, ())


def test_a_record_that_was_tampered_with_is_found_out(played):
    lines = bundle(played).decode().splitlines()
    phase = json.loads(lines[1])
    phase["results"]["A BUD"] = "bounced"
    lines[1] = json.dumps(phase)
    found = replay(read_record(io.BytesIO("\n".join(lines).encode())))
    assert "A BUD: judged moved, the record says bounced" in str(found.differences[0])


def test_orders_and_secrets_of_the_open_phase_are_not_in_it(played):
    save(played, "alice", "A SER - GRE")
    text = bundle(played, "alice").decode()
    assert "GRE" not in text.splitlines()[-1].partition('"next"')[0]
    *processed, opened = Phase.objects.order_by("sequence")
    assert all(row.judge_secret in text for row in processed)
    assert opened.judge_secret not in text


def test_the_seed_of_an_old_game_is_in_it_once_the_game_is_over(played):
    Game.objects.update(seed="an old seed")
    assert "an old seed" not in bundle(played).decode()
    Game.objects.update(status="finished", finished_at="2030-01-01T00:00Z", ending={})
    assert "an old seed" in bundle(played).decode()


@pytest.mark.parametrize("who", ["alice", "charlie", "nobody"])
def test_the_figures_of_a_public_game_are_for_everybody(played, who):
    page = played.client(who).get(played.url("statistics/"))
    austria = next(row for row in page.context["figures"].deeds if row.seat.power == "AUSTRIA")
    assert (austria.deeds.moved, austria.deeds.supports) == (1, 1)


@pytest.mark.parametrize("rest", ["statistics/", "record.jsonl"])
def test_those_of_a_private_game_are_its_players_own(played, rest):
    Game.objects.update(private=True)
    assert played.client("charlie").get(played.url(rest)).status_code == 404
    assert played.client("bob").get(played.url(rest)).status_code == 200


def seat(name):
    return SeatView((Power(name),), power_name=name, color="#000000")


def seat_of(*names):
    together = replace(seat(names[0]), power_name=", ".join(names))
    return replace(together, parts=tuple(map(seat, names)))


@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "on a telephone"])
@pytest.mark.parametrize(
    "seats",
    [
        [seat(str(n)) for n in range(10)],
        [seat_of("A", "B", "C"), seat_of("D", "E", "F"), seat("G")],
        [seat_of(*"ABCDE"), seat_of(*"FGHIJ")],
        [seat(str(n)) for n in range(34)],
    ],
    ids=["ten", "three and three and one", "five and five", "thirty-four"],
)
@pytest.mark.parametrize("last", [0, 3], ids=["at the bottom", "at the top"])
def test_names_beside_the_lines_keep_apart_and_inside(seats, last, narrow):
    plot = plot_lines([(one, (3, last)) for one in seats], (1900, 1901))
    plot = plot.narrow if narrow else plot
    lines = sorted(line.at for one in plot.lines for line in one.label)
    assert len(lines) == sum(len(one.parts) or 1 for one in seats)
    assert all(b - a >= 14.9 for a, b in pairwise(lines))
    assert lines[-1] <= plot.bottom
    assert lines[0] >= plot.top - 10


@pytest.mark.parametrize(
    ("one", "wide", "narrow"),
    [
        (seat_of("Austria", "Germany"), ["9 Austria", "+ Germany"], ["9 Austria", "+ Germany"]),
        (replace(seat_of("A", "B"), name="The League"), ["9 The League"], ["9 The League"]),
        (seat("Austria and Hungary"), ["9 Austria and Hungary"], ["9 Austria and …"]),
    ],
    ids=["several powers", "several under one name", "a long name"],
)
def test_the_name_beside_a_line_has_room(one, wide, narrow):
    plot = plot_lines([(one, (9,))], (1900,))
    for shape, texts in ((plot, wide), (plot.narrow, narrow)):
        assert [line.text for line in shape.lines[0].label] == texts
        # Letters of DejaVu Sans, the widest that may be had, are up to 9 wide on average.
        assert shape.right + 10 + 9 * max(map(len, texts)) <= shape.width


def test_a_game_of_one_year_is_drawn():
    plot = plot_lines([(seat("A"), (3,))], (1900,))
    assert plot.lines[0].points.count(",") == 1


def test_statistics_follow_processed_and_rolled_back_phases(played):
    def moved():
        page = played.client("bob").get(played.url("statistics/"))
        return next(row.deeds.moved for row in page.context["figures"].deeds if row.seat.is_you)

    assert moved() == moved() == 0
    due(played)
    save(played, "bob", "A CON - BUL")
    due(played)
    assert moved() == 1
    Game.objects.update(master_id=played.charlie)
    known = {"slug": played.slug, "user_id": played.charlie, "reason": "So.", "now": timezone.now()}
    newest = Phase.objects.count()
    roll_back(**known, sequence=newest, to=4)
    assert moved() == 0
    roll_forward(**known, sequence=newest + 1)
    assert moved() == 1


class TestAsWritten:
    """What was typed or clicked stands beside what was understood, once it is public."""

    def written(self, cast, who="bob", sequence=1):
        report = cast.client(who).get(cast.url(f"phases/{sequence}/")).context["report"]
        return {
            (str(order.order), order.text, order.author)
            for seat, orders in report.written
            for order in orders
        }

    @pytest.fixture
    def typed(self, cast):
        data = {"phase": 1, "sheet": "army budapest to serbia", "order": ["A VIE H"]}
        assert cast.client("alice").post(cast.url("orders/"), data).status_code == 303
        return cast

    @pytest.mark.parametrize("who", ["alice", "bob", "charlie", "nobody"])
    def test_everybody_reads_it_when_the_phase_is_resolved(self, typed, who):
        answer = typed.client(who).get(typed.url())
        assert who == "alice" or b"army budapest" not in answer.content
        assert typed.client(who).get(typed.url("phases/1/")).status_code == 404
        due(typed)
        found = self.written(typed, who)
        assert ("A BUD - SER", "army budapest to serbia", "Alice") in found
        assert ("A VIE H", "A VIE H", "Alice") in found
        assert ("F LON H", "F LON H", "Hold bot") in found
        assert b"army budapest to serbia" in typed.client(who).get(typed.url("phases/1/")).content

    def test_in_an_anonymous_game_nobody_has_a_name(self, typed, agree):
        agree(anonymous=True)
        due(typed)
        assert {by for *_, by in self.written(typed)} == {"a player", "Hold bot"}

    def test_who_took_the_seat_since_is_not_said_to_have_written_it(self, typed):
        due(typed)
        resign(slug=typed.slug, user_id=typed.alice, now=timezone.now())
        take_seat(slug=typed.slug, user_id=typed.charlie, power="AUSTRIA", now=timezone.now())
        assert "Charlie" not in {by for *_, by in self.written(typed)}

    def test_the_record_holds_it_and_still_replays(self, typed):
        due(typed)
        phase = json.loads(bundle(typed).decode().splitlines()[1])
        assert phase["written"]["AUSTRIA"]["A BUD - SER"] == "army budapest to serbia"
        assert set(phase["orders"]["AUSTRIA"]) == set(phase["written"]["AUSTRIA"])
        save(typed, "alice", "A SER H")
        assert len(bundle(typed, "alice").decode().splitlines()) == 2
        assert replay(read_record(io.BytesIO(bundle(typed)))).differences == ()


ENDING = {"winners": [], "reason": "So."}
