"""A game of seven people from its form to its record, by the pages alone."""

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.games import two_years as table
from tests.games.company import SEVEN, Clock, Company, plain
from tests.games.steps import DAY, HOUR

from diplomaccloud.judge.protocol import read_record, replay

SEVEN_POWERS = {"AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"}
TYPISTS = {"ENGLAND", "FRANCE"}
ALL_READY = "Everyone is ready: the turn is processed before its deadline."


@pytest.fixture
def company(monkeypatch, standard):
    return Company(Clock(monkeypatch))


def found(company, standard):
    """Make the game by its form, seat seven, begin."""
    master = company.people["Morgan"]
    master.open(f"/games/new/?map={standard}")
    wanted = {"world": "Two Years", "movement": "5 days", "retreats": "2 days", "builds": "2 days"}
    wanted |= {"fill_with": "", "private": "on", "master": "creator", "missed": "2"}
    master.send("/games/new/", **wanted, grace="1 fortnite")
    assert "Enter a length with a unit" in master.text
    master.send("/games/new/", grace="12 hours")
    company.address = master.shown.request["PATH_INFO"]
    code = master.shown.context["view"].code
    for name in SEVEN[:-1]:
        for rest in ("", "?code=wrong"):
            assert company.visit(name, rest).shown.status_code == 404
        player = company.at(name, f"?code={code}")
        player.send("/join/")
        assert player.messages == ["You have joined the game."]
    assert not company.at("Morgan").forms("/start/")
    company.at("Morgan").send("/invite/", name=SEVEN[-1])
    company.at(SEVEN[-1]).send("/join/")
    company.at("Morgan").send("/start/")
    company.seat_all()
    assert set(company.of) == SEVEN_POWERS
    return code


# What is done in a phase before its orders are given.


def drafts_faults_and_second_thoughts(company):
    austria = company.give("AUSTRIA", ["A VIE - XYZ", "A MUN H", "F TRI - ALB"], typed=True)
    assert austria.shown.status_code == 422
    messages = [one.message for one in austria.shown.context["problems"]]
    assert messages[0] == "unknown province 'XYZ'"
    assert messages[1].startswith("A MUN is not yours")
    assert "F TRI - ALB" in company.at("AUSTRIA").text
    austria.send("/draw-vote/", vote="draw")

    france = company.give("FRANCE", ["A PAR - BUR", "F BRE - ENG"])
    france.send("/drafts/", where={"act": "new"}, name="Burgundy")
    france.send("/orders/", choose=["A MAR S A PAR - BUR", "F BRE - MAO"])
    assert "does not count" in plain(france.text)
    assert plain(france.text).count("differs") == 2
    france.send("/drafts/", where={"act": "live"})
    assert company.at("FRANCE").shown.context["view"].order_form.draft == "Burgundy"

    england = company.give("ENGLAND", ["F LON H"], typed=True, ready=True)
    assert seat(company, "ENGLAND").ready
    england.open(company.address)
    england.send("/ready/", button=("ready", "0"))
    assert not seat(company, "ENGLAND").ready

    company.give("RUSSIA", ["F SEV - RUM"], ready=True)
    company.give("RUSSIA", ["F SEV - BLA"])
    assert seat(company, "RUSSIA").ready


def votes_on_time_and_writing_ahead(company):
    due = company.view().header.due_at
    company.propose("ITALY", "extend", length="86400")
    company.agree("ENGLAND", "FRANCE", "TURKEY")
    assert company.view().header.due_at == due + DAY
    company.propose("TURKEY", "pause", length="86400")
    company.agree("ENGLAND", "FRANCE", "GERMANY")
    assert company.view().status.clock.state == "paused"
    company.clock.pass_by(HOUR)
    company.propose("AUSTRIA", "resume")
    company.agree("ENGLAND", "FRANCE", "GERMANY")
    assert company.view().header.due_at == due + DAY + HOUR

    write_ahead(company, "ENGLAND", "if one gained: F BUD", status=422)
    write_ahead(company, "ENGLAND", "if one gained: F LON; if two: A LON, F EDI")
    write_ahead(company, "GERMANY", "if two gained: A BER, F KIE")
    for power in ("FRANCE", "ENGLAND"):
        company.at(power).send("/draw-vote/", vote="draw")


def only_two_ways_out(company):
    """Not to Serbia, where the attack came from, nor to Greece, where there was a standoff."""
    assert company.offered("TURKEY") == [["A BUL R CON", "A BUL R RUM", "A BUL D"]]
    turkey = company.give("TURKEY", ["A BUL - GRE"], typed=True)
    assert "it can retreat to Constantinople or Rumania" in plain(turkey.text)


def who_wrote_ahead_is_told_to_nobody(company):
    for power in ("ENGLAND", "GERMANY"):
        assert company.at(power).shown.context["view"].order_form.by_conditions
    told = {seat(company, power).ready for power in ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY")}
    assert told in ({None}, {False})


def a_plan_and_a_busy_master(company):
    write_ahead(company, "GERMANY", "if MUN is dislodged: KIE, then BER")
    due = company.view().header.due_at
    for length in ("86400", "259200", "259200"):
        company.master("time", where={"question": "extend"}, length=length, reason="A holiday.")
    greedy = company.master("time", where={"question": "extend"}, length="259200", reason="Greed.")
    assert greedy.shown.status_code >= 400
    assert company.view().header.due_at == due + 7 * DAY
    company.master("reprimand", power="RUSSIA", reason="Foul language.")


def looked_at(company):
    """The master sees what would come of the orders, and the log tells."""
    master = company.master("preview", reason="Were they understood?")
    shown = results(master.shown.context["report"])
    assert shown == table.SPRING_1902.outcomes


def grace_and_a_miss(company):
    company.pass_deadline()
    assert company.log()[-1].startswith(
        "Russia missed the deadline for the first time: extended once by twelve hours"
    )
    assert company.view().header.phase == "S1902R"
    company.clock.pass_by(HOUR)


def rolled_back_and_forward(company):
    """What was saved before is there again; Turkey is expelled, whose orders must not run."""
    company.give("TURKEY", ["A RUM - SEV", "F BLA S A RUM - SEV", "F CON - AEG"], ready=True)
    company.give("FRANCE", table.FALL_1902.orders["FRANCE"], ready=True)
    left = company.view().header.sequence
    roll(company, "roll-back", "Spring 1902, Movement", reason="A player was ill.")
    assert company.view().header.phase == "S1902M"
    assert company.at("GERMANY").shown.context["view"].order_form.saved_at is None
    company.master("roll-forward", reason="The player was not ill.")
    assert company.view().header.sequence == left
    assert "A RUM - SEV" in company.at("TURKEY").text
    assert seat(company, "FRANCE").ready
    company.master(
        "reprimand",
        power="TURKEY",
        reason="Cheating.",
        to=f"{company.address}master/remove/",
    )
    assert not company.at(company.of.pop("TURKEY")).forms("/orders/")


def replaced(company, code):
    assert company.visit("Viktor").shown.status_code == 404
    volunteer = company.at("Viktor", f"?code={code}")
    volunteer.send("/take-over/", where={"power": "RUSSIA"})
    absent = company.of["RUSSIA"]
    company.of["RUSSIA"] = "Viktor"
    bot = {"bot": "hold", "reason": "Nobody else wants it."}
    company.at("Morgan").send("/bot/", where={"power": "TURKEY"}, **bot)
    assert not company.at(absent).forms("/orders/")
    assert company.offered("RUSSIA") == [["A GAL R BOH", "A GAL R WAR", "A GAL D"]]


def italy_gives_up(company):
    italy = company.at("ITALY")
    italy.send("/draw-vote/", vote="surrender")
    italy.send("/draw-vote/", where={"sure": "1"})
    assert company.view("ITALY").status.draw_vote == "surrender"


def austria_gives_up_instead(company):
    assert company.view("ITALY").status.draw_vote == "none"
    assert not company.view("ITALY").status.surrendered
    austria = company.at("AUSTRIA")
    austria.send("/draw-vote/", vote="surrender")
    austria.send("/draw-vote/", where={"sure": "1"})
    austria.open(company.address)
    austria.send("/draw-vote/", vote="draw")
    austria.send("/draw-vote/", vote="surrender")
    austria.send("/draw-vote/", where={"sure": "1"})


# How phases end.


def when_all_are_ready(company, turn):
    for power, orders in turn.orders.items():
        company.give(power, orders, typed=power in TYPISTS, ready=True)


def at_the_deadline(company, turn):
    for power, orders in turn.orders.items():
        company.give(power, orders, typed=power in TYPISTS)
    if turn is table.SPRING_1902:
        looked_at(company)
    company.pass_deadline()


def by_force(company, turn):
    for power, orders in turn.orders.items():
        company.give(power, orders, typed=power in TYPISTS)
    company.master("end-phase", reason="All who are here have ordered.")


def nothing(company):
    pass


@dataclass(frozen=True)
class Step:
    """A phase of the table, what is done in it first, how it ends, what the log then says."""

    turn: table.Turn
    before: Callable
    ends: Callable
    log: tuple[str, ...]


RUSSIA_LEFT = "The player of Russia missed too many turns and lost the seat."
STEPS = [
    Step(
        table.SPRING_1901,
        drafts_faults_and_second_thoughts,
        when_all_are_ready,
        (ALL_READY, "Votes for a draw: Austria."),
    ),
    Step(
        table.FALL_1901,
        votes_on_time_and_writing_ahead,
        when_all_are_ready,
        (ALL_READY, "Votes for a draw: England and France."),
    ),
    Step(table.RETREATS_1901, only_two_ways_out, when_all_are_ready, (ALL_READY,)),
    Step(table.WINTER_1901, who_wrote_ahead_is_told_to_nobody, when_all_are_ready, (ALL_READY,)),
    Step(table.SPRING_1902, a_plan_and_a_busy_master, at_the_deadline, ()),
    Step(table.RETREATS_1902, grace_and_a_miss, at_the_deadline, ()),
    Step(table.FALL_1902, rolled_back_and_forward, by_force, (RUSSIA_LEFT,)),
]
PLAYED = [*(step.turn for step in STEPS), table.LATE_RETREATS_1902, table.WINTER_1902]


def test_two_years(company, standard):
    code = found(company, standard)
    for step in STEPS:
        play(company, step)
    later = (
        Step(table.LATE_RETREATS_1902, lambda one: replaced(one, code), when_all_are_ready, ()),
        Step(table.WINTER_1902, italy_gives_up, when_all_are_ready, ()),
    )
    for step in later:
        play(company, step)
    assert company.view("ITALY").status.surrendered
    roll(company, "roll-back", "Winter 1902, Adjustments", reason="A mistake.")
    play(company, Step(table.WINTER_1902, austria_gives_up_instead, when_all_are_ready, ()))
    company.at("ITALY", "resign/").send("/resign/")
    company.propose("ENGLAND", "draw")
    company.agree("FRANCE", "GERMANY", "RUSSIA")
    check_the_end(company)
    check_the_history(company)
    check_the_receipts(company)
    check_the_record(company)


def play(company, step):
    """Play a phase and check what everybody can see of it afterwards."""
    turn = step.turn
    open_now = company.view().header
    assert open_now.phase == turn.name
    step.before(company)
    sequence = company.view().header.sequence
    step.ends(company, turn)
    shown = company.at("Morgan", f"phases/{sequence}/").shown.context["report"]
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
    said = company.log()
    for line in step.log:
        assert line in said[-6:], (turn.name, said[-6:])
    if turn.centers:
        counted = {f"{one.power} {one.centers}/{one.units}" for one in company.view().seats}
        assert " ".join(sorted(counted)) == turn.centers


def check_the_end(company):
    """All who had neither surrendered nor left share the draw, the bot too."""
    view = company.view()
    assert view.header.status == "finished"
    assert {one.power for one in view.ending.winners} == SEVEN_POWERS - {"AUSTRIA", "ITALY"}
    assert company.log()[-1].startswith("The players agreed on a draw")
    assert "Final rankings" in company.at("Morgan").text
    figures = company.at("Morgan", "statistics/").shown.context["figures"]
    deeds = {one.seat.power: one.deeds for one in figures.deeds}
    moves = [key for turn in PLAYED for key, what in turn.outcomes.items() if what == "moved"]
    assert {power: deeds[power].moved for power in deeds} == {
        power: sum(move.startswith(power) for move in moves) for power in deeds
    }


def check_the_history(company):
    """Every phase is there with its orders, those of a line that was rolled back too."""
    live = company.view().phases
    assert [one.name for one in live] == [turn.name for turn in PLAYED]
    for name in (company.of["ITALY"], company.of["AUSTRIA"]):
        page = company.at(name, f"phases/{live[-1].sequence - 2}/")
        assert page.shown.context["report"].history.undone_by.reason == "A mistake."
    for one in live:
        assert results(company.at("Morgan", f"phases/{one.sequence}/").shown.context["report"])


def check_the_receipts(company):
    """Each is the SHA-256 that it says, of the orders that were carried out and no others."""
    for turn, phase in zip(PLAYED, company.view().phases, strict=True):
        page = company.at("Morgan", f"receipts/?phase={phase.sequence}").shown.context["page"]
        texts = {}
        for line in page.lines:
            digest = hashlib.sha256(f"{line.salt}\n{line.text}".encode()).hexdigest()
            assert (line.digest, line.valid) == (digest, True), turn.name
            texts[line.country.upper()] = set(line.text.splitlines())
        assert texts.keys() >= turn.orders.keys(), turn.name
        for power, orders in turn.orders.items():
            assert texts[power] >= set(orders), (turn.name, power)
        assert "A RUM - SEV" not in texts.get("TURKEY", ())


def check_the_record(company):
    bundle = company.at("Morgan", "record.jsonl").shown.content
    found = replay(read_record(io.BytesIO(bundle)))
    assert (found.phases, found.differences) == (len(PLAYED), ())


# Small reads.


def seat(company, power):
    return next(one for one in company.view().seats if one.power == power)


def results(report):
    return {
        f"{one.seat.power} {line.text}": line.outcome for one in report.powers for line in one.lines
    }


def write_ahead(company, power, text, status=200):
    player = company.at(power)
    player.send("/conditional-orders/", ahead=text)
    assert player.shown.status_code == status, plain(player.text)


def roll(company, way, title, *, reason):
    """Roll the game back to the start of the phase of this title."""
    back = {name: str(number) for number, name in require_master(company).back}
    company.master(way, choose=[back[title]], reason=reason)


def require_master(company):
    return company.at("Morgan", "master/").shown.context["master"]
