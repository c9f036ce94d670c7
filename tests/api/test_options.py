"""The options of a new game: changes to a preset, each refused by its path if it is wrong."""

import pytest
from tests.api.calls import problem_of

from diplomaccloud.games.table.models import Game


@pytest.fixture
def create(program, table):
    """A function that creates a game with these options as Alice."""

    def send(options, **more):
        return program("alice").post("/games", {"world": "Aldmark", "options": options, **more})

    return send


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"ends": {"last_yr": 1}}, "options.ends.last_yr"),
        ({"ends": {"centers": None, "last_year": 1903, "last_yr": 1}}, "options.ends.last_yr"),
        ({"missed": {"limit": 1, "zzz": 1}}, "options.missed.zzz"),
        ({"talk": {"gry": True}}, "options.talk.gry"),
        ({"schedule": {"days": {}}}, "options.schedule.days"),
        ({"schedule": {"caps": {"x": 1}}}, "options.schedule.caps.x"),
        ({"ends": {"last_year": "1903"}}, "options.ends.last_year"),
        ({"ends": 1903}, "options.ends"),
        ({"ends": None}, "options.ends"),
        ({"anonymous": "yes"}, "options.anonymous"),
        ({"press": "loud"}, "options.press"),
        ({"schedule": []}, "options.schedule"),
        ({"schedule": {"movement": ["soon"]}}, "options.schedule.movement[0]"),
        ({"schedule": {"kind": "often"}}, "options.schedule.kind"),
        ({"schedule": {"v": 2}}, "options.schedule.v"),
        ({"schedule": {"kind": "interval", "movement": 60}}, "options.schedule.retreats"),
        ({"schedule": {"kind": "interval", "zone": "UTC"}}, "options.schedule.movement"),
    ],
)
def test_a_wrong_option_is_named_by_its_path(create, options, field):
    document = problem_of(create(options), "invalid", 422)
    fault = document["errors"][0]
    assert fault["field"] == field
    assert fault["message"][0].isupper()
    assert fault["message"].endswith(".")
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"ends": {"last_year": 1899}}, "options.ends.last_year"),
        ({"ends": {"centers": 2}}, "options.ends.centers"),
        ({"ends": {"date": "1999-01-01"}}, "options.ends.date"),
        ({"talk": {"gray": True}, "press": "none"}, "options.talk.gray"),
        ({"fill_with": "nobody"}, "options.fill_with"),
        ({"missed": {"substitute": "nobody"}}, "options.missed.substitute"),
        ({"setup": "nowhere"}, "options.setup"),
    ],
)
def test_an_option_that_the_rules_refuse_is_named(create, options, field):
    document = problem_of(create(options), "refused", 422)
    assert document["errors"][0]["field"] == field
    assert Game.objects.count() == 1


def test_options_that_are_left_out_stay_as_in_the_preset(create):
    usual = create({}).json()["options"]
    made = create(
        {"ends": {"last_year": 1903}, "missed": {"limit": 5}, "schedule": {"grace": 60}}
    ).json()["options"]
    assert made["ends"] == {**usual["ends"], "last_year": 1903}
    assert made["missed"] == {**usual["missed"], "limit": 5}
    assert made["schedule"] == {**usual["schedule"], "grace": 60}
    assert create(made).json()["options"] == made


def test_a_schedule_of_the_other_kind_keeps_what_both_kinds_have(create):
    usual = create({}).json()["options"]["schedule"]
    lengths = {"kind": "interval", "movement": 3600, "retreats": 600, "adjustments": 600}
    made = create({"schedule": lengths}).json()["options"]["schedule"]
    assert made["days"] is None
    assert made | lengths == made
    assert (made["grace"], made["caps"]) == (usual["grace"], usual["caps"])
    days = {**lengths, "days": {"zone": "Europe/Berlin", "weekdays": ["mon", "fri"]}}
    made = create({"schedule": days}).json()["options"]["schedule"]["days"]
    assert made == {"zone": "Europe/Berlin", "weekdays": ["mon", "fri"], "holidays": []}
    times = {
        "kind": "calendar",
        "zone": "UTC",
        "movement": ["wed 20:00"],
        "retreats": 3600,
        "adjustments": 3600,
    }
    made = create({"schedule": times}, preset="2009").json()["options"]["schedule"]
    assert made | times == made


@pytest.mark.parametrize("call", ["/games", "/solo-games"])
def test_a_map_that_does_not_exist_is_named(program, table, call):
    body = {"world": "Aldmark", "map": "0" * 64}
    document = problem_of(program("alice").post(call, body), "not-found", 404)
    assert "map" in document["detail"]
    assert document["errors"][0]["field"] == "map"
