"""A game of seven people from its creation to its record, using only the pages."""

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.games.page import two_years
from tests.games.seven_players import SEVEN, Clock, SevenPlayers, plain
from tests.games.steps import DAY, HOUR
from tests.games.votes.test_votes import DRAW_VOTES
from tests.schedule.test_moves import ALL_READY

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.record.verification import verify_record

SEVEN_POWERS = {"AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"}
TYPISTS = {"ENGLAND", "FRANCE"}


@pytest.fixture
def players(monkeypatch, standard):
    return SevenPlayers(Clock(monkeypatch))


def found(players, standard):
    """Create the game with the form, seat seven people, and start it."""
    master = players.people["Morgan"]
    master.open(f"/games/new/?map={standard}")
    wanted = {"world": "Two Years", "movement": "5 days", "retreats": "2 days", "builds": "2 days"}
    wanted |= {"fill_with": "", "master": "creator", "missed": "2"}
    wanted |= {"speed": "custom", "who": "friends"}
    master.send("/games/new/", **wanted, grace="1 fortnite")
    assert "Enter a length with a unit" in master.text
    master.send("/games/new/", grace="12 hours")
    players.address = master.shown.request["PATH_INFO"]
    code = master.shown.context["view"].code
    for name in SEVEN[:-1]:
        for rest in ("", "?code=wrong"):
            assert players.visit(name, rest).shown.status_code == 403
        player = players.at(name, f"?code={code}")
        player.send("/join/")
        assert player.messages == ["You have joined the game."]
    players.at("Morgan").send("/invite/", name=SEVEN[-1])
    players.at(SEVEN[-1]).send("/join/")
    players.at("Morgan").send("/start/")
    players.seat_all()
    assert set(players.of) == SEVEN_POWERS
    return code


# What is done in a phase before its orders are given.


def drafts_faults_and_second_thoughts(players):
    austria = players.give("AUSTRIA", ["A VIE - XYZ", "A MUN H", "F TRI - ALB"], typed=True)
    assert austria.shown.status_code == 422
    messages = [one.message for one in austria.shown.context["problems"]]
    assert messages[0] == "'XYZ' is not a province."
    assert messages[1].startswith("A MUN is not yours")
    assert "F TRI - ALB" in players.at("AUSTRIA").text
    austria.send("/draw-vote/", vote="draw")

    france = players.give("FRANCE", ["A PAR - BUR", "F BRE - ENG"])
    france.send("/drafts/", where={"act": "new"}, name="Burgundy")
    france.send("/orders/", choose=["A MAR S A PAR - BUR", "F BRE - MAO"])
    assert "does not count" in plain(france.text)
    assert plain(france.text).count("differs") == 2
    france.send("/drafts/", where={"act": "live"})
    assert players.at("FRANCE").shown.context["view"].order_form.draft.name == "Burgundy"

    england = players.give("ENGLAND", ["F LON H"], typed=True, ready=True)
    assert seat(players, "ENGLAND").ready
    england.open(players.address)
    england.send("/ready/", button=("ready", "0"))
    assert not seat(players, "ENGLAND").ready

    players.give("RUSSIA", ["F SEV - RUM"], ready=True)
    players.give("RUSSIA", ["F SEV - BLA"])
    assert seat(players, "RUSSIA").ready


def votes_on_time_and_writing_ahead(players):
    due = players.view().header.due_at
    players.propose("ITALY", "extend", length="86400")
    players.agree("ENGLAND", "FRANCE", "TURKEY")
    assert players.view().header.due_at == due + DAY
    players.propose("TURKEY", "pause", length="86400")
    players.agree("ENGLAND", "FRANCE", "GERMANY")
    assert players.view().status.clock.state == "paused"
    players.clock.pass_by(HOUR)
    players.propose("AUSTRIA", "resume")
    players.agree("ENGLAND", "FRANCE", "GERMANY")
    assert players.view().header.due_at == due + DAY + HOUR

    write_ahead(players, "ENGLAND", "if one gained: F BUD", status=422)
    write_ahead(players, "ENGLAND", "if one gained: F LON; if two: A LON, F EDI")
    write_ahead(players, "GERMANY", "if two gained: A BER, F KIE")
    for power in ("FRANCE", "ENGLAND"):
        players.at(power).send("/draw-vote/", vote="draw")


def only_two_ways_out(players):
    """Not to Serbia, where the attack came from, nor to Greece, where there was a standoff."""
    assert players.offered("TURKEY") == [["A BUL R CON", "A BUL R RUM", "A BUL D"]]
    turkey = players.give("TURKEY", ["A BUL - GRE"], typed=True)
    assert "it can retreat to Constantinople or Rumania" in plain(turkey.text)


def who_wrote_ahead_is_told_to_nobody(players):
    for power in ("ENGLAND", "GERMANY"):
        assert players.at(power).shown.context["view"].order_form.submission.by_conditions
    told = {seat(players, power).ready for power in ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY")}
    assert told in ({None}, {False})


def a_plan_and_a_busy_master(players):
    write_ahead(players, "GERMANY", "if MUN is dislodged: KIE, then BER")
    due = players.view().header.due_at
    for length in ("86400", "259200", "259200"):
        players.master("time", where={"question": "extend"}, length=length, reason="A holiday.")
    greedy = players.master("time", where={"question": "extend"}, length="259200", reason="Greed.")
    assert greedy.shown.status_code >= 400
    assert players.view().header.due_at == due + 7 * DAY
    players.master("reprimand", power="RUSSIA", reason="Foul language.")


def looked_at(players):
    """The game master previews the results, and the log shows it."""
    master = players.master("preview", reason="Were they understood?")
    shown = results(master.shown.context["report"])
    assert shown == two_years.SPRING_1902.outcomes


def grace_and_a_miss(players):
    players.pass_deadline()
    assert players.log()[-1].startswith(
        "Russia missed the deadline for the first time: extended once by twelve hours"
    )
    assert players.view().header.phase == "S1902R"
    players.clock.pass_by(HOUR)


def rolled_back_and_forward(players):
    """What was saved before is there again; Turkey is expelled, whose orders must not run."""
    players.give("TURKEY", ["A RUM - SEV", "F BLA S A RUM - SEV", "F CON - AEG"], ready=True)
    players.give("FRANCE", two_years.FALL_1902.orders["FRANCE"], ready=True)
    left = players.view().header.sequence
    roll(players, "roll-back", "Spring 1902, Movement", reason="A player was ill.")
    assert players.view().header.phase == "S1902M"
    assert players.at("GERMANY").shown.context["view"].order_form.submission.saved_at is None
    players.master("roll-forward", reason="The player was not ill.")
    assert players.view().header.sequence == left
    assert "A RUM - SEV" in players.at("TURKEY").text
    assert seat(players, "FRANCE").ready
    players.master(
        "reprimand",
        power="TURKEY",
        reason="Cheating.",
        to=f"{players.address}master/remove/",
    )
    assert not players.at(players.of.pop("TURKEY")).forms("/orders/")


def replaced(players, code):
    assert players.visit("Viktor").shown.status_code == 404
    volunteer = players.at("Viktor", f"?code={code}")
    volunteer.send("/take-over/", where={"power": "RUSSIA"})
    absent = players.of["RUSSIA"]
    players.of["RUSSIA"] = "Viktor"
    bot = {"bot": "hold", "reason": "Nobody else wants it."}
    players.at("Morgan").send("/bot/", where={"power": "TURKEY"}, **bot)
    assert not players.at(absent).forms("/orders/")
    assert players.offered("RUSSIA") == [["A GAL R BOH", "A GAL R WAR", "A GAL D"]]


def italy_gives_up(players):
    italy = players.at("ITALY")
    italy.send("/draw-vote/", vote="surrender")
    italy.send("/draw-vote/", where={"sure": "1"})
    assert players.view("ITALY").status.draw_vote == "surrender"


def austria_gives_up_instead(players):
    assert players.view("ITALY").status.draw_vote == "none"
    assert not players.view("ITALY").status.surrendered
    austria = players.at("AUSTRIA")
    austria.send("/draw-vote/", vote="surrender")
    austria.send("/draw-vote/", where={"sure": "1"})
    austria.open(players.address)
    austria.send("/draw-vote/", vote="draw")
    austria.send("/draw-vote/", vote="surrender")
    austria.send("/draw-vote/", where={"sure": "1"})


# How phases end.


def when_all_are_ready(players, turn):
    for power, orders in turn.orders.items():
        players.give(power, orders, typed=power in TYPISTS, ready=True)


def at_the_deadline(players, turn):
    for power, orders in turn.orders.items():
        players.give(power, orders, typed=power in TYPISTS)
    if turn is two_years.SPRING_1902:
        looked_at(players)
    players.pass_deadline()


def by_force(players, turn):
    for power, orders in turn.orders.items():
        players.give(power, orders, typed=power in TYPISTS)
    players.master("end-phase", reason="All who are here have ordered.")


def nothing(players):
    pass


@dataclass(frozen=True)
class Step:
    """A phase of the table, what is done in it first, how it ends, what the log then says."""

    turn: two_years.Turn
    before: Callable
    ends: Callable
    log: tuple[str, ...]


RUSSIA_LEFT = "The player of Russia missed too many turns and lost the seat."
STEPS = [
    Step(
        two_years.SPRING_1901,
        drafts_faults_and_second_thoughts,
        when_all_are_ready,
        (ALL_READY, f"{DRAW_VOTES}Austria."),
    ),
    Step(
        two_years.FALL_1901,
        votes_on_time_and_writing_ahead,
        when_all_are_ready,
        (ALL_READY, f"{DRAW_VOTES}England and France."),
    ),
    Step(two_years.RETREATS_1901, only_two_ways_out, when_all_are_ready, (ALL_READY,)),
    Step(
        two_years.WINTER_1901, who_wrote_ahead_is_told_to_nobody, when_all_are_ready, (ALL_READY,)
    ),
    Step(two_years.SPRING_1902, a_plan_and_a_busy_master, at_the_deadline, ()),
    Step(two_years.RETREATS_1902, grace_and_a_miss, at_the_deadline, ()),
    Step(two_years.FALL_1902, rolled_back_and_forward, at_the_deadline, (RUSSIA_LEFT,)),
]
PLAYED = [*(step.turn for step in STEPS), two_years.LATE_RETREATS_1902, two_years.WINTER_1902]


@pytest.mark.long
def test_two_years(players, standard):
    code = found(players, standard)
    for step in STEPS:
        play(players, step)
    later = (
        Step(two_years.LATE_RETREATS_1902, lambda one: replaced(one, code), when_all_are_ready, ()),
        Step(two_years.WINTER_1902, italy_gives_up, when_all_are_ready, ()),
    )
    for step in later:
        play(players, step)
    assert players.view("ITALY").status.surrendered
    roll(players, "roll-back", "Winter 1902, Adjustments", reason="A mistake.")
    play(players, Step(two_years.WINTER_1902, austria_gives_up_instead, by_force, ()))
    players.at("ITALY", "resign/").send("/resign/")
    players.propose("ENGLAND", "draw")
    players.agree("FRANCE", "GERMANY", "RUSSIA")
    check_the_end(players)
    check_the_history(players)
    check_the_receipts(players)
    check_the_record(players)


def play(players, step):
    """Play a phase and check what everyone can see of it afterward."""
    turn = step.turn
    open_now = players.view().header
    assert open_now.phase == turn.name
    step.before(players)
    sequence = players.view().header.sequence
    step.ends(players, turn)
    shown = players.at("Morgan", f"phases/{sequence}/").shown.context["report"]
    assert shown.title == turn.title
    found = results(shown)
    assert found.items() >= turn.outcomes.items(), turn.name
    assert turn.standoffs == shown.standoffs
    lines = {
        f"{one.seat.power} {line.text}"
        for one in shown.powers
        for line in one.lines
        if line.dislodged
    }
    assert lines == set(turn.dislodged), turn.name
    said = players.log()
    for line in step.log:
        # A line about votes also says how many countries did not vote for a draw.
        assert any(each.startswith(line) for each in said[-6:]), (turn.name, said[-6:])
    if turn.centers:
        counted = {f"{one.power} {one.centers}/{one.units}" for one in players.view().seats}
        assert " ".join(sorted(counted)) == turn.centers


def check_the_end(players):
    """Everyone who has neither surrendered nor left shares the draw, including the bot."""
    view = players.view()
    assert view.header.status == "finished"
    assert {one.power for one in view.ending.winners} == SEVEN_POWERS - {"AUSTRIA", "ITALY"}
    assert players.log()[-1].startswith("The players agreed on a draw")
    assert "Final rankings" in players.at("Morgan").text
    figures = players.at("Morgan", "statistics/").shown.context["figures"]
    deeds = {one.seat.power: one.deeds for one in figures.deeds}
    moves = [key for turn in PLAYED for key, what in turn.outcomes.items() if what == "moved"]
    assert {power: deeds[power].moved for power in deeds} == {
        power: sum(move.startswith(power) for move in moves) for power in deeds
    }


def check_the_history(players):
    """Every phase is there with its orders, including those that were rolled back."""
    live = players.view().phases
    assert [one.name for one in live] == [turn.name for turn in PLAYED]
    for name in (players.of["ITALY"], players.of["AUSTRIA"]):
        page = players.at(name, f"phases/{live[-1].sequence - 2}/")
        assert page.shown.context["report"].record.undone_by.reason == "A mistake."
    for one in live:
        assert results(players.at("Morgan", f"phases/{one.sequence}/").shown.context["report"])


def check_the_receipts(players):
    """Each receipt is the SHA-256 of exactly the orders that were carried out."""
    for turn, phase in zip(PLAYED, players.view().phases, strict=True):
        page = players.at("Morgan", f"receipts/?phase={phase.sequence}").shown.context["page"]
        texts = {}
        for line in page.lines:
            digest = hashlib.sha256(
                f"{line.receipt.salt}\n{line.receipt.text}".encode()
            ).hexdigest()
            assert (line.receipt.digest, line.receipt.valid) == (digest, True), turn.name
            if line.part == "orders":
                country = line.seat.country.upper()
                ordered = line.receipt.text.splitlines()[1:]
                texts[country] = {order.removeprefix(f"{country} ") for order in ordered}
        assert texts.keys() >= turn.orders.keys(), turn.name
        for power, orders in turn.orders.items():
            assert texts[power] >= set(orders), (turn.name, power)
        assert "A RUM - SEV" not in texts.get("TURKEY", ())


def check_the_record(players):
    record = b"".join(players.at("Morgan", "record.jsonl").shown.streaming_content)
    found = verify_record(io.BytesIO(record), BoardLoader())
    assert [str(fault) for fault in found.faults] == []
    assert found.phases >= len(PLAYED)


# Small reads.


def seat(players, power):
    return next(one for one in players.view().seats if one.power == power)


def results(report):
    return {
        f"{one.seat.power} {line.text}": line.outcome for one in report.powers for line in one.lines
    }


def write_ahead(players, power, text, status=200):
    player = players.at(power)
    player.send("/conditional-orders/", ahead=text)
    assert player.shown.status_code == status, plain(player.text)


def roll(players, way, title, *, reason):
    """Roll the game back to the start of the phase with this title."""
    back = {name: str(number) for number, name in require_master(players).back}
    players.master(way, choose=[back[title]], reason=reason)


def require_master(players):
    return players.at("Morgan", "master/").shown.context["master"]
