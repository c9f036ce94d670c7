"""Reports of players: who can be reported and by whom, who judges them, and what stays secret."""

import pytest
from django.test import Client
from tests.press.moderation.test_reports import (  # noqa: F401 - a fixture
    DAY,
    decide,
    judged,
    queue,
)
from tests.press.moderation.test_reports import report as report_text

from diplomaccloud.accounts.known_browsers import SharedMarks, record_login_mark
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.relationships import declare_relationship
from diplomaccloud.games.statistics.deeds import Tally
from diplomaccloud.games.statistics.read import GameTally
from diplomaccloud.games.table.errors import NoSuchGame, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.moderation import read as signals
from diplomaccloud.press.moderation.actions import inspect_case, take_case
from diplomaccloud.press.moderation.models import Case, Decision, Report
from diplomaccloud.press.moderation.read import read_audit, read_case, read_signals, read_unmasked
from diplomaccloud.press.reports.actions import appeal_decision, report_player
from diplomaccloud.press.reports.read import read_own_reports, read_player_choices
from diplomaccloud.press.table.errors import AlreadyReported, CaseTaken, NoSuchCase, TooManyMessages
from diplomaccloud.press.table.models import PressEvent


def report(talking, who, power, grounds="accounts", note="", now=None):
    report_player(
        user_id=talking.user_id(who),
        slug=talking.slug,
        power=power,
        grounds=grounds,
        note=note,
        now=now or talking.tick(),
    )
    return Case.objects.order_by("-pk").first().key


@pytest.fixture
def silent(judged):  # noqa: F811
    """A game without press, without a game master, with two moderators."""
    judged.agree(press="none")
    Game.objects.update(master=None)
    return judged


def test_a_seat_is_reported_and_the_evidence_names_game_seat_phase_and_text(silent):
    key = report(silent, "FRANCE", "ITALY", note="Austria and Italy are one person.")
    case = read_case(Viewer(silent.user_id("Mina")), key, now=silent.now)
    (row,) = case.reports
    assert (case.slug, case.line.country, case.line.kind) == (silent.slug, "Italy", None)
    assert (str(row.phase), row.name) == ("S1901M", silent.name_of("ITALY"))
    assert (row.note, row.is_intact) == ("Austria and Italy are one person.", True)
    assert silent.name_of("FRANCE") not in repr(case)
    # A second person's report joins the case; so does one by a person who only watches.
    for who in ("GERMANY", "Sam"):
        assert report(silent, who, "ITALY", "throwing") == key
    assert Report.objects.filter(case__key=key).count() == 3
    world, choices = read_player_choices(silent.slug, Viewer(silent.user_id("FRANCE")))
    assert world == silent.game.world
    assert {first: is_reported for first, _, is_reported in choices} == {
        power: power == "ITALY"
        for power in ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    }


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"power": "FRANCE"}, Refused),
        ({"power": "MARS"}, Refused),
        ({"power": ""}, Refused),
        ({"grounds": "abuse"}, Refused),
        ({"grounds": "other"}, Refused),
        ({"note": "x" * 1001}, Refused),
        ({"power": "TURKEY"}, AlreadyReported),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(silent, given, error):
    report(silent, "FRANCE", "TURKEY")
    with pytest.raises(error):
        report(silent, "FRANCE", **{"power": "ITALY", **given})
    assert Report.objects.count() == 1


def test_guests_strangers_and_games_that_have_not_started_have_no_reports(silent):
    Game.objects.update(private=True)
    with pytest.raises(NoSuchGame):
        report(silent, "Sam", "ITALY")
    with pytest.raises(NoSuchGame):
        read_player_choices(silent.slug, Viewer(silent.user_id("Sam")))
    Game.objects.update(private=False)
    User.objects.filter(username="Sam").update(guest=True)
    with pytest.raises(NotYourSeat):
        report(silent, "Sam", "ITALY")
    silent.game.phases.update(superseded_at=silent.now)
    with pytest.raises(WrongMoment):
        report(silent, "FRANCE", "ITALY")
    assert not Case.objects.exists()


def test_reports_of_players_and_messages_share_a_daily_limit(silent):
    silent.agree(press="full")
    limited = silent.user_id("FRANCE")
    key = report(silent, "FRANCE", "ITALY")
    for number in range(19):
        Report.objects.create(
            reporter_id=limited,
            case=Case.objects.create(game=silent.game, opened_at=silent.now, open=None),
            grounds="spam",
            evidence={"number": number},
            at=silent.now,
        )
    with pytest.raises(TooManyMessages):
        report(silent, "FRANCE", "AUSTRIA")
    report(silent, "FRANCE", "AUSTRIA", now=silent.now + 2 * DAY)
    assert Case.objects.filter(key=key).exists()


def test_a_person_has_one_open_report_of_a_seat_and_can_report_it_again_later(silent):
    first = report(silent, "FRANCE", "ITALY")
    with pytest.raises(AlreadyReported):
        report(silent, "FRANCE", "ITALY", "throwing")
    decide(silent, "Mina", first, "none")
    second = report(silent, "FRANCE", "ITALY", "throwing")
    assert second != first
    assert [row.is_decided for row in _own(silent, "FRANCE").reports] == [False, True]


def test_who_is_involved_never_judges(silent):
    everyone = ("FRANCE", "ITALY", "ENGLAND", "Sam", "Morgan")
    people = [silent.user_id(who) for who in everyone]
    User.objects.filter(pk__in=people).update(moderator=True)
    key = report(silent, "Sam", "ITALY")

    def judges():
        return {
            who
            for who in (*everyone, "Mina")
            if key in (queue(User.objects.get(pk=silent.user_id(who))) or ())
        }

    # Neither the reporter, nor the reported player, nor another player.
    (judge,) = judges()
    other = {"Morgan": "Mina", "Mina": "Morgan"}[judge]
    for who in ("Sam", "ITALY", "ENGLAND"):
        viewer = Viewer(silent.user_id(who))
        with pytest.raises(NoSuchCase):
            read_case(viewer, key, now=silent.now)
        with pytest.raises(NoSuchCase):
            take_case(user_id=viewer.user_id, key=key, now=silent.tick())
    take_case(user_id=silent.user_id(judge), key=key, now=silent.tick())
    assert read_audit(Viewer(silent.user_id("Sam"))) == ()
    assert read_audit(Viewer(silent.user_id("ITALY"))) == ()
    assert len(read_audit(Viewer(silent.user_id(other)))) == 1


def test_a_game_master_judges_first_unless_the_report_is_theirs(silent):
    Game.objects.update(master=silent.user_id("Morgan"))
    key = report(silent, "FRANCE", "ITALY")
    assert (queue("Morgan"), queue("Mina")) == ([key], [])
    own = report(silent, "Morgan", "AUSTRIA")
    assert (queue("Morgan"), queue("Mina")) == ([key], [own])
    take_case(user_id=silent.user_id("Morgan"), key=key, now=silent.tick())
    case = read_case(Viewer(silent.user_id("Morgan")), key, now=silent.now)
    assert case.outcomes == ("none", "warning", "removed")


def test_in_an_anonymous_game_only_a_look_in_the_audit_says_who_it_is(silent):
    silent.agree(anonymous=True)
    key = report(silent, "FRANCE", "ITALY", "outside")
    name, mina = silent.name_of("ITALY"), silent.user_id("Mina")
    take_case(user_id=mina, key=key, now=silent.tick())
    assert name not in repr(read_case(Viewer(mina), key, now=silent.now))
    assert name not in repr(Report.objects.get().evidence)
    assert name not in repr(read_player_choices(silent.slug, Viewer(silent.user_id("FRANCE"))))
    with pytest.raises(Refused):
        inspect_case(user_id=mina, key=key, what="conversation", reason="Why?", now=silent.tick())
    at = silent.tick()
    inspect_case(user_id=mina, key=key, what="name", reason="To compare.", now=at)
    assert read_unmasked(Viewer(mina), key, at=at) == name


def test_the_player_gets_the_reason_and_appeals_and_the_reporter_learns_only_of_the_end(silent):
    key = report(silent, "FRANCE", "ITALY")
    player = silent.user_id("ITALY")
    decide(silent, "Mina", key, "removed", reason="You play two countries.")
    assert Seat.objects.get(power="ITALY").user_id is None
    line = LogEntry.objects.get(kind="left")
    assert (line.reason, line.by) == ("After a report.", None)
    (row,) = _own(silent, "FRANCE").reports
    assert (row.country, row.is_decided) == ("Italy", True)
    assert _own(silent, "FRANCE").decisions == ()
    (decision,) = read_own_reports(Viewer(player), now=silent.now).decisions
    assert (decision.reason, decision.country) == ("You play two countries.", "Italy")
    assert silent.name_of("FRANCE") not in repr(decision)
    appeal_decision(user_id=player, key=key, text="My brother does.", now=silent.tick())
    assert (queue("Mina"), queue("Mo")) == ([], [key])
    take_case(user_id=silent.user_id("Mo"), key=key, now=silent.tick())
    case = read_case(Viewer(silent.user_id("Mo")), key, now=silent.now)
    assert case.outcomes == ("none", "warning", "removed")
    decide(silent, "Mo", key, "none")
    told = PressEvent.objects.exclude(kind="report waiting").values_list("kind", "user")
    assert sorted(told) == [
        ("judged", player),
        ("judged", player),
        ("report decided", silent.user_id("FRANCE")),
    ]


def test_a_ban_ends_if_it_is_overturned_unless_a_decision_about_a_message_stands(silent):
    key = report(silent, "FRANCE", "ITALY")
    player = silent.user_id("ITALY")
    decide(silent, "Mina", key, "banned")
    assert User.objects.get(pk=player).banned_at
    appeal_decision(user_id=player, key=key, text="No.", now=silent.tick())
    decide(silent, "Mo", key, "none")
    assert not User.objects.get(pk=player).banned_at
    assert Decision.objects.filter(case__person=player).count() == 2


def test_the_last_player_of_a_vacant_seat_is_reported(silent):
    gone = silent.user_id("ITALY")
    silent.resign("ITALY")
    report(silent, "FRANCE", "ITALY", "throwing")
    assert Case.objects.get().person_id == gone
    # The next player of the seat is another person, with a case of their own.
    silent.take("Sam", "ITALY")
    report(silent, "GERMANY", "ITALY")
    assert Case.objects.count() == 2


def _own(talking, who):
    return read_own_reports(Viewer(talking.user_id(who)), now=talking.now)


def test_signals_name_only_countries_take_a_reason_and_are_shown_once(silent):
    silent.agree(anonymous=True)
    one, other = (User.objects.get(pk=silent.user_id(who)) for who in ("ITALY", "AUSTRIA"))
    for person in (one, other):
        record_login_mark(person, browser="b", address="192.0.2.7", now=silent.now)
    key = report(silent, "FRANCE", "ITALY")
    mina = silent.user_id("Mina")
    look = {"user_id": mina, "key": key, "what": "signals"}
    with pytest.raises(CaseTaken):
        inspect_case(**look, reason="Two names.", now=silent.tick())
    take_case(user_id=mina, key=key, now=silent.tick())
    with pytest.raises(Refused):
        inspect_case(**look, reason=" ", now=silent.tick())
    at = silent.tick()
    with pytest.raises(NoSuchCase):
        read_signals(Viewer(mina), key, at=at)
    inspect_case(**look, reason="Two names.", now=at)
    found = {row.country: row for row in read_signals(Viewer(mina), key, at=at)}
    assert len(found) == 6
    assert found["Austria"].shared == SharedMarks(browser=True, network=True)
    assert found["France"].shared == SharedMarks()
    assert (found["Austria"].games, found["Austria"].given) == (1, 0)
    assert other.username not in repr(found)
    assert read_audit(Viewer(mina))[0].act == "inspected"
    client = Client()
    client.force_login(User.objects.get(pk=mina))
    url = f"/moderation/{key}/"
    shown = client.post(f"{url}inspect/", {"what": "signals", "reason": "Again."})
    assert "Compared with" in shown.content.decode()
    assert other.username not in shown.content.decode()
    assert "Compared with" not in client.get(url).content.decode()


def relate(talking, one, other):
    for person, name in ((one, talking.name_of(other)), (other, talking.name_of(one))):
        user_id = talking.user_id(person)
        declare_relationship(user_id=user_id, name=name, kind="household", now=talking.now)


def look_at_signals(talking, key):
    mina, at = talking.user_id("Mina"), talking.tick()
    inspect_case(user_id=mina, key=key, what="signals", reason="Why.", now=at)
    return {row.country: row.declared for row in read_signals(Viewer(mina), key, at=at)}


def test_a_moderator_who_took_the_case_reads_what_is_declared(silent):
    relate(silent, "ITALY", "AUSTRIA")
    relate(silent, "FRANCE", "GERMANY")
    key = report(silent, "FRANCE", "ITALY")
    mina = silent.user_id("Mina")
    assert read_case(Viewer(mina), key, now=silent.now).declared == ()
    take_case(user_id=mina, key=key, now=silent.tick())
    ((country, declared),) = read_case(Viewer(mina), key, now=silent.now).declared
    assert (country, declared.kind, declared.until) == ("Austria", "family or household", None)
    found = look_at_signals(silent, key)
    assert found["Austria"] == declared
    assert {country for country in found if found[country]} == {"Austria"}
    client = Client()
    client.force_login(User.objects.get(pk=mina))
    assert "family or household, since" in client.get(f"/moderation/{key}/").content.decode()
    sent = {"what": "signals", "reason": "Again."}
    shown = client.post(f"/moderation/{key}/inspect/", sent).content.decode()
    assert "Declared: family or household" in " ".join(shown.split())


def test_in_an_anonymous_game_only_the_signals_show_what_is_declared(silent):
    silent.agree(anonymous=True)
    relate(silent, "ITALY", "AUSTRIA")
    key = report(silent, "FRANCE", "ITALY")
    mina = silent.user_id("Mina")
    take_case(user_id=mina, key=key, now=silent.tick())
    assert read_case(Viewer(mina), key, now=silent.now).declared == ()
    assert look_at_signals(silent, key)["Austria"]


def test_a_game_master_reads_nothing_that_is_declared(silent):
    relate(silent, "ITALY", "AUSTRIA")
    Game.objects.update(master=silent.user_id("Morgan"))
    key = report(silent, "FRANCE", "ITALY")
    morgan = silent.user_id("Morgan")
    take_case(user_id=morgan, key=key, now=silent.tick())
    assert read_case(Viewer(morgan), key, now=silent.now).declared == ()


def test_help_is_compared_with_what_the_others_get(silent, monkeypatch):
    tally = Tally()
    tally.helped.update({("ITALY", "AUSTRIA"): 6, ("ITALY", "FRANCE"): 1, ("AUSTRIA", "ITALY"): 2})
    monkeypatch.setattr(signals, "tally_phases", lambda *_: GameTally(tally, {}))
    key = report(silent, "FRANCE", "ITALY")
    mina, at = silent.user_id("Mina"), silent.tick()
    take_case(user_id=mina, key=key, now=at)
    inspect_case(user_id=mina, key=key, what="signals", reason="Help.", now=at)
    found = {row.country: row for row in read_signals(Viewer(mina), key, at=at)}
    austria = found["Austria"]
    assert (austria.given, austria.received, austria.usual) == (6, 2, 0.2)
    assert (found["France"].given, found["France"].usual) == (1, 1.2)


def test_a_case_about_a_message_has_no_signals(silent):
    silent.agree(press="full")
    silent.send("ITALY", "everyone", "Hello.")
    key = report_text(silent, "FRANCE", "everyone", 1)
    mina = silent.user_id("Mina")
    take_case(user_id=mina, key=key, now=silent.tick())
    with pytest.raises(Refused):
        inspect_case(user_id=mina, key=key, what="signals", reason="Why.", now=silent.tick())
