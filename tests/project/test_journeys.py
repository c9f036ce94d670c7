"""How much code nine journeys run through, as `scripts/journeys` measures it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEPT = json.loads(Path(__file__).with_name("journeys.json").read_text("utf-8"))

KERNEL = {
    "save an order (POST)": 0,
    "save an order as text (POST)": 0,
    "game page (GET)": 0,
    '"Why?" (GET)': 1,
    "press message sent (POST)": 0,
    "API, saved orders (PUT)": 0,
    "lobby (GET)": 0,
    "deadline to next phase": 1,
    "judge on one line": 1,
    "map make": 0,
}
"""How often each journey asks the judge's kernel."""


@pytest.fixture(scope="module")
def figures():
    """The measurements of each journey."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "journeys", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def describe_growth(kept, figures):
    """Return a sentence for each figure that is a fifth above the kept one, and not just by one."""
    return [
        f"{name}: {figures[name][what]} {what}, where {old} were kept; shorten it, or run "
        "`scripts/journeys --keep` and say in the commit why it is longer"
        for name, journey in kept.items()
        for what, old in journey.items()
        if figures[name][what] >= max(old * 1.2, old + 2)
    ]


@pytest.mark.long
def test_no_journey_grows_by_a_fifth(figures):
    assert figures.keys() == KEPT.keys(), "run `scripts/journeys --keep`"
    growth = describe_growth(KEPT, figures)
    assert not growth, "\n".join(growth)


@pytest.mark.parametrize(
    ("files", "returns", "grown"),
    [
        (50, 4, []),
        (59, 5, []),
        (60, 4, ["60 files, where 50 were kept"]),
        (50, 6, ["6 returns, where 4 were kept"]),
        (99, 9, ["99 files, where 50 were kept", "9 returns, where 4 were kept"]),
        (20, 0, []),
    ],
)
def test_growth_is_named_with_both_figures(files, returns, grown):
    kept = {"lobby (GET)": {"files": 50, "returns": 4}}
    sentences = describe_growth(kept, {"lobby (GET)": {"files": files, "returns": returns}})
    assert [sentence.partition(";")[0] for sentence in sentences] == [
        f"lobby (GET): {words}" for words in grown
    ]


@pytest.mark.long
def test_journeys_resolve_once_and_decode_once(figures):
    assert {name: figure["kernel"] for name, figure in figures.items()} == KERNEL
    decoded = {
        name: [
            count
            for function, count in figure["decoders"].items()
            if function.endswith(":options_from_json")
        ]
        for name, figure in figures.items()
    }
    # The lobby remembers the cards of its games.
    without = {"judge on one line", "map make", "lobby (GET)"}
    assert decoded == {name: [] if name in without else [1] for name in figures}
    # Making a phase decodes its position, and the process remembers it.
    functions = {function for figure in figures.values() for function in figure["decoders"]}
    assert not [function for function in functions if function.endswith(":position_from_json")]
