"""Why an order had its outcome: shown to everyone who sees the phase, and for no open phase."""

from dataclasses import replace

import pytest
from django.utils import timezone
from tests.games.browsing import read_page
from tests.games.steps import asked, due, names_in, save
from tests.scenes import scene

from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow, Phase
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.units import Unit

EVERYBODY = ["alice", "bob", "charlie", "nobody"]
PARTIAL = {"HX-Request": "true"}


@pytest.fixture
@scene
def fought(cast):
    """Two phases are over, in the second Austria and Turkey bounced; a third one is open."""
    for mine, theirs in (("A BUD - SER", "A CON - BUL"), ("A SER - BUL", "A BUL - SER")):
        save(cast, "alice", mine)
        save(cast, "bob", theirs)
        assert due(cast) == 1
    return cast


def number_of(order, sequence=2):
    kind, place = order.split()[:2]
    results = Phase.objects.get(sequence=sequence).resolution.results
    unit = f"{kind} {place}"
    return next(number for number, result in enumerate(results) if str(result.order.unit) == unit)


def ask(cast, who, order, sequence=2, **headers):
    path = cast.url(f"phases/{sequence}/why/{number_of(order, sequence)}/")
    return cast.client(who).get(path, headers=headers)


def words(cause):
    return "".join(fragment.text for fragment in cause.fragments)


@pytest.mark.parametrize("who", EVERYBODY)
def test_everyone_who_sees_the_phase_sees_why(fought, who):
    answer = ask(fought, who, "A SER", **PARTIAL)
    why = answer.context["why"]
    assert [words(cause) for cause in why.causes] == [
        "The army in Serbia attacked Bulgaria with strength 1.",
        "The army in Bulgaria attacked head-to-head with strength 1.",
    ]
    assert why.rules[0].title == "Rule 6"
    text = answer.content.decode()
    assert "<html" not in text
    link = fought.url(f"phases/2/why/{number_of('A BUL')}/#order-2-{number_of('A BUL')}")
    assert f'href="{link}"' in text


def test_each_result_asks_why_on_the_page_of_its_phase_and_of_the_game(fought):
    asked_by = [
        f'href="/games/{fought.slug}/phases/2/why/{number}/#order-2-{number}"'
        for number in range(22)
    ]
    for rest in ("phases/2/", ""):
        text = fought.client("charlie").get(fought.url(rest)).content.decode()
        assert all(one in text for one in asked_by), rest
        assert '<details class="why"' not in text


def test_without_scripts_the_page_of_the_phase_comes_with_that_one_open(fought):
    answer = ask(fought, "charlie", "A SER")
    text = answer.content.decode()
    number = number_of("A SER")
    assert answer.context["report"].why.number == number
    assert text.count('<details class="why"') == 1
    assert f'id="why-2-{number}" open' in text
    assert f'id="order-2-{number}"' in text
    assert "autofocus" not in text
    assert "attacked head-to-head with strength 1" in text


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("headers", [{}, PARTIAL], ids=["page", "part"])
def test_an_open_phase_has_no_explanations(fought, who, headers):
    save(fought, "alice", "A SER - GRE")
    for number in (0, 1, 10, 21):
        answer = fought.client(who).get(fought.url(f"phases/3/why/{number}/"), headers=headers)
        assert answer.status_code == 404
        assert "GRE" not in answer.content.decode()


@pytest.mark.parametrize(
    "rest", ["phases/2/why/22/", "phases/9/why/0/", "phases/2/why/99999999999999999999/"]
)
@pytest.mark.parametrize("headers", [{}, PARTIAL], ids=["page", "part"])
def test_there_is_no_explanation_of_what_is_not_there(fought, rest, headers):
    assert fought.client("alice").get(fought.url(rest), headers=headers).status_code == 404


@pytest.mark.parametrize("who", ["charlie", "nobody"])
@pytest.mark.parametrize("change", ["private", "watched by players only"])
def test_strangers_to_a_game_see_nothing(fought, agree, who, change):
    if change == "private":
        Game.objects.update(private=True)
    else:
        agree(watch="players")
    for headers in ({}, PARTIAL):
        answer = ask(fought, who, "A SER", **headers)
        assert answer.status_code == 404
        assert b"Serbia" not in answer.content
    assert ask(fought, "alice", "A SER").status_code == 200


def test_the_page_needs_no_english_of_the_judge(fought, monkeypatch):
    def refuse(*_):
        raise AssertionError("the judge wrote English")

    for module in ("messages.english", "reasons.values"):
        monkeypatch.setattr(f"diplomaccloud.judge.{module}.render_message", refuse)
    answer = ask(fought, "alice", "A SER", **PARTIAL)
    assert "attacked Bulgaria with strength 1" in answer.content.decode()


@pytest.mark.parametrize("who", EVERYBODY)
def test_an_anonymous_game_names_nobody(fought, agree, who):
    agree(anonymous=True)
    text = ask(fought, who, "A SER", **PARTIAL).content.decode()
    assert not names_in(text, ["Alice", "Bob", "Charlie"])


@pytest.mark.every_database
def test_a_phase_that_was_rolled_back_is_explained_as_it_went(fought):
    before = ask(fought, "bob", "A SER", **PARTIAL).content
    Phase.objects.filter(sequence=2).update(superseded_at=timezone.now())
    assert ask(fought, "bob", "A SER", **PARTIAL).content == before


def test_a_result_that_the_judge_now_decides_differently_is_not_explained(fought):
    phase = Phase.objects.get(sequence=2)
    results = list(phase.resolution.results)
    number = number_of("A SER")
    results[number] = replace(results[number], outcome=Outcome.MOVED)
    phase.results = replace(phase.resolution, results=tuple(results))
    phase.save()
    answer = ask(fought, "bob", "A SER", **PARTIAL)
    assert not answer.context["why"].known
    assert not answer.context["why"].causes
    assert "no longer available" in read_page(answer)


def test_it_asks_the_database_little(fought):
    client = fought.client("charlie")
    path = fought.url(f"phases/2/why/{number_of('A SER')}/")
    client.get(path)
    # Two of them are for the visitor.
    assert len(asked(lambda: client.get(path, headers=PARTIAL))) <= 3 + 2
    page = asked(lambda: client.get(fought.url("phases/2/")))
    assert len(asked(lambda: client.get(path))) == len(page)


def unit(text, power):
    kind, place = text.split()
    return Unit(UnitKind(kind), Location(place), Power(power))


OUT = Position(
    JudgePhase.parse("F1902R"),
    (unit("A BUL", "TURKEY"), unit("A GRE", "TURKEY"), unit("A VIE", "AUSTRIA")),
    {},
    (Dislodged(unit("A SER", "AUSTRIA"), ProvinceCode("BUL"), (Location("ALB"), Location("BUD"))),),
)
WINTER = Position(
    JudgePhase.parse("W1902A"),
    (unit("A BUL", "TURKEY"), unit("A GRE", "TURKEY"), unit("A VIE", "AUSTRIA")),
    {ProvinceCode(code): Power("TURKEY") for code in ("BUL",)}
    | {ProvinceCode(code): Power("AUSTRIA") for code in ("VIE", "BUD")},
)


@pytest.mark.parametrize(
    ("start", "orders", "sentences"),
    [
        pytest.param(
            OUT,
            {"alice": "A SER R BUD"},
            ["The army in Serbia could retreat to Albania or Budapest."],
            id="a retreat",
        ),
        pytest.param(
            WINTER,
            {"alice": "A BUD B"},
            [
                "Turkey owned 1 center and had 2 units, so it had to disband 1.",
                "Austria owned 2 centers and had 1 unit, so it could build 1.",
            ],
            id="a build, and a removal in civil disorder",
        ),
        pytest.param(
            WINTER,
            {"alice": "WAIVE", "bob": "A GRE D"},
            [
                "Turkey owned 1 center and had 2 units, so it had to disband 1.",
                "Austria owned 2 centers and had 1 unit, so it could build 1.",
            ],
            id="a build waived, and a removal",
        ),
    ],
)
def test_retreats_and_adjustments_are_explained_too(cast, start, orders, sentences):
    phase = Phase.objects.get()
    OrderRow.objects.all().delete()
    phase.name, phase.position = str(start.phase), start
    phase.save()
    for who, order in orders.items():
        save(cast, who, order)
    assert due(cast) == 1
    results = Phase.objects.get(sequence=1).resolution.results
    found = [
        cast.client("nobody").get(cast.url(f"phases/1/why/{number}/"), headers=PARTIAL)
        for number in range(len(results))
    ]
    firsts = [words(answer.context["why"].causes[0]) for answer in found]
    assert sorted(firsts) == sorted(sentences)
