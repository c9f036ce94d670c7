"""The reason of a dislodged unit says by whom, and that it is destroyed if it has no retreat."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.scenes import NORTH, SOUTH, random_orders, random_position
from judge.tests.shorthand import BOARD, order, orders, play, position, result

from diplomaccloud import judge
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.orders import Convoy, Order
from diplomaccloud.judge.protocol.answers import answer
from diplomaccloud.judge.reasons.values import Topic
from diplomaccloud.judge.rules import EDITIONS

SILESIA = ProvinceCode("SIL")
BY_FRANCE = "Dislodged by France’s fleet from the English Channel, 2 against 1."
CORNER = "GERMANY: A SPA - POR, F MAO S A SPA - POR\nFRANCE: A POR H"
BY_GERMANY = "Dislodged and destroyed by Germany’s army from Spain, 2 against 1."


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("F NTH C A LVP - WAL", id="needless convoy"),
        pytest.param("F NTH - MOS", id="illegal"),
        pytest.param("A NTH - MOS", id="illegal, and for an army"),
        pytest.param("F NTH S A LVP - WAL", id="out of reach"),
        pytest.param("F NTH - NWG, F NTH - BEL", id="contradictory"),
        pytest.param("F NTH - XYZ", id="unreadable"),
    ],
)
def test_a_refused_order_says_who_dislodged_the_unit(text: str) -> None:
    texts = text.split(", ")
    units = {"FRANCE": ["F ENG", "F LON"], "ENGLAND": ["F NTH", "A LVP"]}
    sheets = {"FRANCE": ["F ENG - NTH", "F LON S F ENG - NTH"], "ENGLAND": [*texts, "A LVP - WAL"]}
    asked = {"phase": "S1901M", "units": units, "orders": sheets, "explain": True}
    replied = answer(asked)
    assert replied["results"]["F NTH"] == "void"
    assert re.fullmatch(rf"[^.]+\. {BY_FRANCE}", replied["why"]["F NTH"])
    tree = replied["trees"]["F NTH"]
    assert tree["sentence"] == replied["why"]["F NTH"]
    assert Topic.DISLODGED.value in [cause["topic"] for cause in tree["cause"]["causes"]]
    game = judge.Game(
        position=judge.parse_position("S1901M; FRANCE: F ENG, F LON; ENGLAND: F NTH, A LVP")
    )
    for power, listed in sheets.items():
        game.order(power, listed)
    told = game.adjudicate()["NTH"]
    assert (told.why, told.dislodged_by) == (replied["why"]["F NTH"], "F ENG")
    assert told.why in replied["trees"]["F NTH"]["paragraph"]


def test_a_needless_convoy_says_who_dislodged_the_fleet() -> None:
    told = result(
        play(
            "ENGLAND: A YOR - BEL VIA, F ENG C A YOR - BEL, F NTH C A YOR - BEL\n"
            "FRANCE: F BRE - ENG, F MAO S F BRE - ENG"
        ),
        "F ENG",
    )
    assert told.why == (
        "Stood ready to convoy the army from Yorkshire to Belgium, but no route needs it. "
        "Dislodged by France’s fleet from Brest, 2 against 1."
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A POR H", BY_GERMANY),
        (
            "A POR - SPA",
            "Bounced in Spain: lost a head-to-head battle with Germany’s army, 1 against 2, and "
            "was dislodged and destroyed.",
        ),
        ("A POR S A SPA", f"Void: the army in Spain was ordered to move. {BY_GERMANY}"),
    ],
)
def test_a_unit_without_a_retreat_is_called_destroyed(text: str, reason: str) -> None:
    start = position(CORNER)
    listed: list[Order] = orders(CORNER, start)[:2]
    listed.append(order(text, "FRANCE", {one.province: one.power for one in start.units}))
    told = result(adjudicate(BOARD, start, listed), "A POR")
    assert told.why == reason
    explained = explain(BOARD, start, listed)[listed[2].unit]  # type: ignore[union-attr]
    assert explained.sentence == reason
    assert "The army in Portugal had no retreat." in " ".join(
        [explained.summary, *explained.details]
    )


def test_a_support_is_cut_by_an_attack_that_destroys_its_unit() -> None:
    resolution = play(
        "FRANCE: F POR S A MAR - SPA, A MAR - SPA\nGERMANY: A SPA - POR, F MAO S A SPA - POR"
    )
    assert result(resolution, "F POR").why == (
        "Support cut: the unit was dislodged and destroyed by Germany’s army from Spain, "
        "2 against 1."
    )


@examples(40)
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(EDITIONS)))
def test_the_reason_of_every_dislodged_unit_says_its_fate(seed: int, edition: str) -> None:
    """Also if its order is refused, and that of no other unit does."""
    rng = random.Random(seed)
    start = random_position(BOARD, rng, 14, places=rng.choice([NORTH, SOUTH]))
    written: list[Order] = [*random_orders(BOARD, start, rng)]
    for number in rng.sample(range(len(written)), 4):
        written[number] = Convoy(start.units[number], rng.choice(start.units), SILESIA)
    resolution = adjudicate(BOARD, start, written, EDITIONS[edition])
    attackers = {entry.unit: entry for entry in resolution.dislodged}
    for one, told in zip(start.units, resolution.results, strict=False):
        entry = attackers.get(one)
        assert ("destroyed" in told.why) == (one in resolution.destroyed), told
        if entry is not None:
            assert "dislodged" in told.why.lower(), told
            assert entry.by in told.by
