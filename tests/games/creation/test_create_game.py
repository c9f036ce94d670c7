"""The form that makes a game: presets, every option, faults named, and the rules page."""

import datetime as dt
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.steps import begun

from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.creation.forms import GameForm, initial_values
from diplomaccloud.games.creation.presets import GAME_PRESETS, USUAL
from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.forms import (
    PhraseError,
    format_adjudication,
    format_due,
    format_span,
    format_times,
    read_adjudication,
    read_due,
    read_span,
    read_times,
)
from diplomaccloud.games.table.log_models import PlayerFigures
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Attendance
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.schedule import Clock, LaterDay

ALL = [USUAL, *GAME_PRESETS.values()]
HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)


@pytest.fixture
def alice(standard, people):
    from diplomaccloud.accounts.models import User

    client = Client()
    client.force_login(User.objects.get(pk=people["alice"]))
    return client


@pytest.fixture
def filled(alice, standard):
    def data(preset="", **changes):
        form = alice.get(f"/games/new/?map={standard}&preset={preset}").context["form"]
        values = {name: form[name].value() for name in form.fields}
        return {k: v for k, v in (values | changes).items() if v is not None and v is not False}

    return data


class TestPhrases:
    @pytest.mark.parametrize(
        ("text", "span"),
        [
            ("2 days", 2 * DAY),
            ("1 day 12 hours", 1.5 * DAY),
            ("36h", 36 * HOUR),
            ("90 minutes", 1.5 * HOUR),
            ("1 week and 1 day", 8 * DAY),
        ],
    )
    def test_lengths(self, text, span):
        assert read_span(text) == span
        assert read_span(format_span(span)) == span

    @pytest.mark.parametrize("text", ["5", "soon", "2 fortnights", "1 day or so"])
    def test_no_lengths(self, text):
        with pytest.raises(PhraseError):
            read_span(text)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("Wed 24:00, Sun 24:00", "Wed 24:00, Sun 24:00"),
            ("every sunday 9:30", "Sun 09:30"),
            ("daily 20:00", "daily 20:00"),
            ("weekends 08:00; Mon 10:00", "Sat 08:00, Sun 08:00, Mon 10:00"),
        ],
    )  # fmt: skip
    def test_times(self, text, said):
        times = read_times(text)
        assert format_times(times) == said
        assert read_times(said) == times
        assert read_due(format_due(times)) == times

    @pytest.mark.parametrize("text", ["Wed", "Wen 24:00", "Wed 25:00", ""])
    def test_no_times(self, text):
        with pytest.raises(PhraseError):
            read_times(text)

    @pytest.mark.parametrize(
        ("text", "when"),
        [
            ("", dt.timedelta()),
            ("the next day at 12:30", LaterDay(1, Clock.parse("12:30"))),
            ("same day 23:00", LaterDay(0, Clock.parse("23:00"))),
            ("3 days later 08:00", LaterDay(3, Clock.parse("08:00"))),
            ("30 minutes later", HOUR / 2),
        ],
    )
    def test_adjudication(self, text, when):
        assert read_adjudication(text) == when
        assert read_adjudication(format_adjudication(when)) == when


class TestPresets:
    @pytest.mark.parametrize("preset", ALL, ids=lambda preset: preset.title)
    def test_a_preset_fills_the_form_and_comes_back_whole(self, preset):
        data = {"map": "f" * 64, "world": "W", **initial_values(preset)}
        form = GameForm({name: value for name, value in data.items() if value is not False})
        assert form.is_valid(), form.errors
        plan = form.plan()
        assert plan.options == preset.options
        assert plan.rules == preset.rules

    @pytest.mark.parametrize("preset", ALL, ids=lambda preset: preset.title)
    def test_its_link_works_without_script(self, alice, standard, filled, preset):
        page = alice.get(f"/games/new/?map={standard}&preset={preset.key}&world=Mine")
        assert page.context["form"]["world"].value() == "Mine"
        assert page.context["schedule_words"] in page.content.decode().replace("&#x27;", "'")
        assert alice.post("/games/new/", filled(preset.key)).status_code == 303
        assert Game.objects.get().options == preset.options

    def test_the_schedule_is_said_in_plain_words(self, alice, filled):
        page = alice.post("/games/new/summary/", filled("invitation")).content.decode()
        assert "Orders are due every Wednesday and Sunday at 24:00 (Los Angeles time)" in page
        assert "adjudicated the next day at 12:30" in page

    def test_checking_makes_no_game(self, alice, filled):
        page = alice.post("/games/new/", filled(check="1"))
        assert page.status_code == 200
        assert not Game.objects.exists()


WEDNESDAYS = ", ".join(str(dt.date(2030, 1, 2) + week * 7 * DAY) for week in range(14))
THE_SUNDAYS_TOO = ", ".join(str(dt.date(2030, 1, 6) + week * 7 * DAY) for week in range(14))
EVERY_DAY = ", ".join(str(dt.date(2030, 1, 1) + day * DAY) for day in range(82))
FAULTS = [
    ("movement", "5", "unit"),
    ("movement", "0 minutes", "from 1 minute"),
    ("times", "Wed 24:30", "24:30"),
    ("times", ",", "at least one time"),
    ("times", "Wed 24:00, Sun 7:60", "7:60"),
    ("adjudication", "next day 24:30", "24:30"),
    ("adjudication", "8 days", "7 days"),
    ("build_times", "daily 25:00", "25:00"),
    ("least", "2 weeks", "7 days"),
    ("opening", "31 days", "30 days"),
    ("holidays", "2030-02-30", "2030-02-30"),
    ("holidays", f"{WEDNESDAYS}, {THE_SUNDAYS_TOO}", "between 2030-01-02 and 2030-04-10"),
    ("movement", "40 days", "30 days"),
    ("times", "Wen 24:00", "day of the week"),
    ("adjudication", "the day before", "length"),
    ("adjudication", "same day 08:00", "before orders are due"),
    ("retreat_times", "", "when"),
    ("zone", "Atlantis/Poseidon", "time zone"),
    ("holidays", "Christmas", "not a day"),
    ("extension", "99 weeks", "90 days"),
    ("centers", "0", "greater"),
    ("end_date", "31.12.2030", "date"),
    ("missed", "-1", "greater"),
    ("reliability", "101", "less"),
    ("substitute", "hal", "choice"),
    ("setup", "2000-8", "choice"),
]


@pytest.mark.parametrize(("field", "text", "words"), FAULTS, ids=[f"{f[0]} {f[1]}" for f in FAULTS])
def test_a_fault_names_its_field_and_loses_nothing(alice, filled, field, text, words):
    preset = "" if field == "movement" else "invitation"
    page = alice.post("/games/new/", filled(preset, world="Kept", **{field: text}))
    assert page.status_code == 422
    form = page.context["form"]
    assert list(form.errors) == [field]
    assert words in str(form.errors[field])
    assert form["world"].value() == "Kept"
    assert form[field].value() == text
    assert not Game.objects.exists()


SENSELESS = [
    ("centers", "35", "This map has only 34 centers, so no player can own 35."),
    ("centers", "1", "A country begins with 4 centers, so winning must require more than that."),
    ("centers", "4", "A country begins with 4 centers, so winning must require more than that."),
    ("end_date", "2020-01-01", "The game cannot end on January 1, 2020, which is in the past."),
    ("end_year", "1900", "The game cannot end before 1901."),
    (
        "extension",
        "10 days",
        "One extension cannot be longer than the total allowed for a phase, 7 days.",
    ),
    ("pause", "31 days", "One pause cannot be longer than the total allowed for a phase, 30 days."),
]


@pytest.mark.parametrize("part", ["extension", "pause"])
def test_one_that_is_longer_than_all_which_are_blank_is_told_in_words(alice, filled, part):
    page = alice.post("/games/new/", filled(**{part: "1 day", f"{part}s": ""}))
    words = f"The total for all {part}s of a phase is zero, so leave this blank too."
    assert page.context["form"].errors == {part: [words]}


@pytest.mark.parametrize("check", [{}, {"check": "1"}], ids=["created", "checked first"])
@pytest.mark.parametrize(
    ("field", "text", "words"), SENSELESS, ids=[f"{f[0]} {f[1]}" for f in SENSELESS]
)
def test_what_makes_no_sense_on_the_map_is_told_at_its_field(
    alice, filled, field, text, words, check
):
    page = alice.post("/games/new/", filled(world="Kept", **{field: text}, **check))
    assert page.status_code == 422
    form = page.context["form"]
    assert form.errors == {field: [words]}
    assert (form["world"].value(), form[field].value()) == ("Kept", text)
    assert words in page.content.decode()
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("field", "text"),
    [("centers", "34"), ("centers", "5"), ("end_date", "today"), ("end_year", "1901")],
)
def test_what_makes_some_sense_is_taken(alice, filled, field, text):
    value = str(timezone.now().date()) if text == "today" else text
    assert alice.post("/games/new/", filled(**{field: value})).status_code == 303


def test_where_countries_win_together_they_are_counted_together(alice, filled):
    page = alice.post("/games/new/", filled(setup="2000-2", centers="10", check="1"))
    why = "A player begins with 10 centers, so winning must require more than that."
    assert page.context["form"].errors == {"centers": [why]}
    assert alice.post("/games/new/", filled(setup="2000-2", centers="11")).status_code == 303


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ({"centers": 35}, "34 centers"),
        ({"centers": 1}, "begins with 4"),
        ({"last_year": 1900}, "before 1901"),
        ({"date": dt.date(2030, 2, 28)}, "February 28, 2030"),
    ],
    ids=["too many", "too few", "too early", "over"],
)
def test_no_game_is_made_of_what_makes_no_sense(plan, people, now, ends, words):
    ends = replace(plan.options.ends, **ends)
    with pytest.raises(Refused, match=words):
        begun(plan, people["alice"], seed="s", now=now, ends=ends)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("weekdays", [], "At least one weekday"),
        ("zone", "Atlantis/Poseidon", "time zone"),
        ("zone", "../../etc/passwd", "time zone"),
        ("retreats", "1 second", "unit"),
    ],
    ids=["every day masked", "no such zone", "no zone at all", "too short to say"],
)
def test_a_fault_of_a_length_names_its_field(alice, filled, field, value, words):
    page = alice.post("/games/new/", filled(**{field: value}))
    assert page.status_code == 422
    assert list(page.context["form"].errors) == [field]
    assert words in str(page.context["form"].errors[field])


def test_days_off_and_a_mask_that_leave_nothing_name_the_days_off(alice, filled):
    mondays = ", ".join(str(dt.date(2030, 1, 7) + week * 7 * DAY) for week in range(20))
    page = alice.post("/games/new/", filled(weekdays=["mon"], holidays=mondays))
    assert list(page.context["form"].errors) == ["holidays"]
    assert alice.post("/games/new/", filled(weekdays=["tue"], holidays=mondays)).status_code == 303


def test_a_summer_off_is_no_fault(alice, filled):
    made = alice.post("/games/new/", filled("invitation", holidays=EVERY_DAY))
    assert made.status_code == 303


def test_a_length_has_the_time_zone_that_was_asked_for(alice, filled):
    assert alice.post("/games/new/", filled(zone="Europe/Berlin")).status_code == 303
    plan = Game.objects.get().options.schedule.plan
    assert plan.zone == "Europe/Berlin"


def test_what_the_other_kind_of_deadlines_says_does_not_matter(alice, filled):
    assert alice.post("/games/new/", filled("2009", times="Wen 24:00")).status_code == 303


def test_every_option_reaches_the_game_and_its_rules_page(alice, filled):
    data = filled(
        "invitation",
        setup="2000-4",
        victory="centers",
        press="none",
        anonymous="on",
        watch="players",
        start="full",
        centers="20",
        end_year="1910",
        turns="30",
        end_date="2031-01-31",
        measure="pieces",
        missed="4",
        reliability="85",
        substitute="hold",
        holidays="2030-12-25",
        master="creator",
    )
    made = alice.post("/games/new/", data)
    assert made.status_code == 303, made.context["form"].errors
    game = Game.objects.get()
    options = game.options
    assert (options.setup, options.press.value, options.ends.turns) == ("2000-4", "none", 30)
    assert game.chart.name == "Europe for four (2000)"
    page = alice.get(f"{made.url}rules/").content.decode()
    for words in (
        "Four players", "One player has Austria and France", "20 supply centers",
        "after 1910, after 30 turns", "Friday, January 31, 2031", "most pieces wins",
        "every Wednesday and Sunday at 24:00 (Los Angeles time)", "not on holidays",
        "4 turns in a row", "at least 85%", "hold bot", "may not write",
        "only its players may watch",
        "names are hidden until", "last seat is taken", "does not play", "The 1961 rules",
    ):  # fmt: skip
        assert words in page, words


def test_an_unknown_setup_is_refused(plan, people, now):
    from diplomaccloud.maps.library import store_setup_maps

    other = store_setup_maps(now=now)[0]
    agreed = replace(plan, map_hash=other, options=replace(plan.options, setup="no such setup"))
    with pytest.raises(Refused):
        create_game(
            plan=agreed, creator_id=people["alice"], now=now, slug="b" * 10, code="c", seed="s"
        )


class TestLimitForOutages:
    @pytest.mark.parametrize("text", ["", "   "])
    def test_blank_is_the_default(self, alice, filled, text):
        assert alice.post("/games/new/", filled(credit_after=text)).status_code == 303
        assert Game.objects.get().options.schedule.caps.credit_after == dt.timedelta(minutes=5)

    def test_a_missed_turn_counts_in_a_game_whose_limit_was_left_blank(self, alice, filled, people):
        alice.post("/games/new/", filled(credit_after="", fill_with="hold", missed="2"))
        game, now = Game.objects.get(), timezone.now()
        start_game(slug=game.slug, user_id=people["alice"], now=now)
        late = game.newest_phase().adjudicate_at + dt.timedelta(seconds=2)
        assert advance(game_id=game.pk, owner="worker", now=late) == 1
        assert not Attendance.objects.get().excused

    @pytest.mark.parametrize("text", ["0 minutes", "0m", "0 days"])
    def test_less_than_a_minute_is_refused(self, alice, filled, text):
        answer = alice.post("/games/new/", filled(credit_after=text))
        assert answer.context["form"].errors == {"credit_after": ["Must be at least 1 minute."]}
        assert not Game.objects.exists()

    def test_a_minute_is_accepted(self, alice, filled):
        alice.post("/games/new/", filled(credit_after="1 minute"))
        assert Game.objects.get().options.schedule.caps.credit_after == dt.timedelta(minutes=1)


def test_a_least_reliability_above_the_creators_own_is_refused_at_its_field(alice, filled, people):
    PlayerFigures.objects.create(user_id=people["alice"], turns=10, missed=2, games=1)
    refused = alice.post("/games/new/", filled(reliability="81"))
    assert refused.status_code == 422
    assert "Yours is 80%" in refused.context["form"].errors["reliability"][0]
    assert refused.context["form"]["reliability"].value() == "81"
    assert not Game.objects.exists()
    assert alice.post("/games/new/", filled(reliability="80")).status_code == 303
    assert Game.objects.get().options.reliability == 80
    assert alice.post("/games/new/", filled(reliability="")).status_code == 303
