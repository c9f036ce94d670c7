"""Everything that the form of a new game decides, a program decides with a twin of its own."""

from dataclasses import fields, replace

import pytest
from django.utils import timezone
from tests.api.calls import problem_of
from tests.api.test_operations import SCHEMA

from diplomaccloud.games.creation.actions import choose_board, make_solo
from diplomaccloud.games.creation.forms import GameForm, initial_values
from diplomaccloud.games.creation.presets import GAME_PRESETS, SPEEDS
from diplomaccloud.games.table.models import Game
from diplomaccloud.judge.rules import EDITIONS, RuleSet
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.schedule import schedule_to_json

HOURS = {"clock": "interval", "movement": "6 hours", "retreats": "1 hour", "builds": "2 hours"}
LENGTHS = {"kind": "interval", "movement": 21_600, "retreats": 3_600, "adjustments": 7_200}
WEEK = {"clock": "calendar", "times": "wed 20:00", "retreat_times": "2 hours", "least": "1 day"}
TIMES = {"kind": "calendar", "movement": ["wed 20:00"], "retreats": 7_200, "least": 86_400}
TOGETHER = {"build_times": "3 hours", "adjudication": "30 minutes", "zone": "Europe/Berlin"}
LATER = {"adjustments": 10_800, "adjudication": 1_800, "zone": "Europe/Berlin"}
SIX = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY")
CAPS = {"extension": 3_600, "extensions": 7_200, "pause": 10_800, "pauses": 14_400}


def _options(**changes):
    return {"options": changes}


def _schedule(**changes):
    return _options(schedule=changes)


TWINS = {
    "map": ({"map": "standard"}, {"map": "standard"}),
    "who": ({"who": "friends"}, {"private": True}),
    "speed": ({"speed": "mail"}, _schedule(**schedule_to_json(SPEEDS["mail"].schedule))),
    "preset": ({"preset": "daily"}, {"preset": "daily"}),
    "world": ({"world": "Tea and treaties"}, {"world": "Tea and treaties"}),
    "setup": ({"setup": "2000-5"}, _options(setup="2000-5")),
    "edition": ({"edition": "1971"}, {"edition": "1971"}),
    "victory": ({"victory": "pieces"}, {"switches": {"victory": "pieces"}}),
    "press": ({"press": "public"}, _options(press="public")),
    "gray": ({"gray": True}, _options(talk={"gray": True})),
    "writing": (
        {"press": "rulebook", "writing": 9},
        _options(press="rulebook", talk={"writing": 540}),
    ),
    "silent": ({"silent": True}, _options(talk={"silent": True})),
    "successor": ({"successor": "blank"}, _options(talk={"successor": "blank"})),
    "archives": ({"archives": "never"}, _options(talk={"opening": "never"})),
    "master_reads": (
        {"master": "creator", "master_reads": True},
        _options(master="creator", talk={"master_reads": True}),
    ),
    "slack": ({"slack": True}, _options(slack=True)),
    "anonymous": ({"anonymous": True}, _options(anonymous=True)),
    **dict.fromkeys(("clock", "movement", "retreats", "builds"), (HOURS, _schedule(**LENGTHS))),
    **dict.fromkeys(
        ("times", "retreat_times", "build_times", "adjudication", "least", "zone"),
        (WEEK | TOGETHER, _schedule(**TIMES, **LATER)),
    ),
    "weekdays": (
        HOURS | {"weekdays": ["mon"]},
        _schedule(**LENGTHS, days={"zone": "UTC", "weekdays": ["mon"]}),
    ),
    "holidays": (
        HOURS | {"holidays": "2030-01-02"},
        _schedule(**LENGTHS, days={"zone": "UTC", "holidays": ["2030-01-02"]}),
    ),
    "early": ({"early": ""}, _schedule(early=False)),
    "opening": ({"opening": "3 hours"}, _schedule(opening=10_800)),
    "grace": ({"grace": "3 hours"}, _schedule(grace=10_800)),
    **dict.fromkeys(
        CAPS,
        (
            {name: f"{seconds // 3_600} hours" for name, seconds in CAPS.items()},
            _schedule(caps=CAPS),
        ),
    ),
    "credit_after": ({"credit_after": "3 hours"}, _schedule(caps={"credit_after": 10_800})),
    "centers": ({"centers": 20}, _options(ends={"centers": 20})),
    "end_year": ({"end_year": 1908}, _options(ends={"last_year": 1908})),
    "turns": ({"turns": 12}, _options(ends={"turns": 12})),
    "end_date": ({"end_date": "2090-01-02"}, _options(ends={"date": "2090-01-02"})),
    "measure": ({"measure": "pieces"}, _options(ends={"measure": "pieces"})),
    "private": ({"private": True}, {"private": True}),
    "rated": ({"rated": ""}, {"rated": False}),
    "watch": ({"watch": "players"}, _options(watch="players")),
    "start": ({"start": "full"}, _options(start="full")),
    "opponents": (
        {"who": "solo", "opponents": ["level:3"], "setup": "2000-6", "victory": "pieces"},
        {
            "bot": "level:3",
            "players": [[name] for name in SIX],
            "switches": {"victory": "pieces"},
        },
    ),
    "hints": (
        {"who": "solo", "opponents": ["level:2"], "hints": "", "end_year": 1909},
        _options(hints=False, ends={"last_year": 1909}),
    ),
    "grace_locks": ({"grace_locks": ""}, _options(grace_locks=False)),
    "bots_give_way": ({"bots_give_way": True}, _options(bots_give_way=True)),
    "fill_with": ({"fill_with": ["greedy", "hold"]}, _options(fill_with="greedy,hold")),
    "master": ({"master": "playing"}, _options(master="playing")),
    "missed": ({"missed": 4}, _options(missed={"limit": 4})),
    "reliability": ({"reliability": 40}, _options(reliability=40)),
    "substitute": ({"substitute": "greedy"}, _options(missed={"substitute": "greedy"})),
}
"""For each field of the form: what a person fills in, and what a program sends instead."""


@pytest.mark.parametrize("name", GameForm.base_fields)
def test_each_field_of_the_form_has_a_twin(program, table, settings, name):
    settings.SLACK_SIGNING_SECRET = "x"
    filled, sent = TWINS[name]
    values = {**initial_values(GAME_PRESETS["daily"]), "map": "standard", "world": "Aldmark"}
    plain = {name: value for name, value in values.items() if value not in (None, False)}
    form = GameForm({**plain, **filled}, setup_names=("2000-5", "2000-6"))
    assert form.is_valid(), form.errors
    plan = replace(form.plan(), map_hash=standard_hash())
    if form.is_solo:
        plan = make_solo(plan)
    wanted = choose_board(plan, now=timezone.now())
    body = {"world": "Aldmark", "anyway": True, **sent}
    if form.is_solo:
        del body["anyway"]
    answer = program("alice").post("/solo-games" if form.is_solo else "/games", body)
    assert answer.status_code == 201, answer.content
    made = Game.objects.get(slug=answer.json()["id"])
    # The form keeps the name of the preset even if an option was changed.
    assert replace(made.options, preset="") == replace(wanted.options, preset="")
    assert made.rules == wanted.rules
    assert made.chart.content_hash == wanted.map_hash
    chosen = (wanted.world, wanted.private, wanted.rated and not wanted.private)
    assert (made.world, made.private, made.rated) == chosen
    shown = program("alice").get(f"/games/{made.slug}").json()
    assert shown["rules"] == made.rules.name
    assert replace(EDITIONS[shown["rules"]], **shown["switches"]) == made.rules
    assert shown["players"] == [list(powers) for powers in made.players]
    assert {"v": 1, **shown["options"]} == made.options.to_json()


def test_each_edition_is_offered_and_each_switch_that_matters_on_the_site():
    schemas = SCHEMA["components"]["schemas"]
    editions, _ = schemas["GameGiven"]["properties"]["edition"]["anyOf"]
    assert editions["enum"] == list(EDITIONS)
    paper = {"order_sets", "undated_sets", "perpetual_orders", "proxy_orders", "flying_dutchman"}
    names = {each.name for each in fields(RuleSet)} - {"name"}
    assert set(schemas["SwitchesGiven"]["properties"]) == names - paper
    for name, switch in schemas["SwitchState"]["properties"].items():
        default = getattr(RuleSet(), name)
        (kind, _) = switch["anyOf"]
        expected = {"type": "boolean"}
        if not isinstance(default, bool):
            expected = {"type": "string", "enum": list(type(default))}
        assert kind == expected


@pytest.mark.parametrize("call", ["/games", "/solo-games"])
@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"edition": "1900"}, "edition"),
        ({"switches": {"paradox": "1900"}}, "switches.paradox"),
        ({"switches": {"may_waive": "no"}}, "switches.may_waive"),
        ({"switches": {"proxy_orders": "none"}}, "switches.proxy_orders"),
        ({"players": []}, "players"),
        ({"players": [["ENGLAND"], ["FRANCE"]]}, "players"),
        ({"players": [[name] for name in SIX], "options": {"setup": "2000-5"}}, "players"),
        ({"options": {"press": 1}}, "options.press"),
    ],
)
def test_wrong_rules_and_powers_are_named_and_nothing_is_created(program, table, call, sent, field):
    answer = program("alice").post(call, {"world": "Aldmark", **sent})
    problem = problem_of(answer, answer.json()["type"].rpartition(":")[2], 422)
    assert problem["errors"][0]["field"] == field
    assert Game.objects.count() == 1


def test_powers_of_one_player_choose_the_start_and_a_setup_among_equal_ones(program, table):
    alice = program("alice")
    body = {"world": "Aldmark", "players": [[name] for name in SIX], "anyway": True}
    first = alice.post("/games", body).json()
    assert first["options"]["setup"] == "2000-6"
    again = alice.post("/games", {**body, "options": {"setup": "1961-6"}}).json()
    assert again["options"]["setup"] == "1961-6"
    whole = alice.post("/games", {"world": "Aldmark", "anyway": True}).json()
    same = alice.post("/games", {**body, "players": whole["players"]}).json()
    assert same["options"]["setup"] == ""


def test_changed_switches_are_among_the_rules_of_the_game(program, table, client):
    body = {"world": "Aldmark", "switches": {"paradox": "1971", "may_waive": False}}
    made = program("alice").post("/games", body).json()
    assert made["switches"] == {"paradox": "1971", "may_waive": False}
    page = client.get(f"/games/{made['id']}/rules/").content.decode()
    assert "paradox = 1971" in page
    assert "may_waive = no" in page
