"""Adjudication by edition, of impossible orders, and its reasons."""

import ast
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from judge.tests.scenes import KNOTS
from judge.tests.shorthand import (
    BOARD,
    order,
    play,
    position,
    result,
    unit,
    words,
)

from diplomaccloud import judge
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.orders import Move, Order, SupportHold, Waive
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.rules import EDITIONS, Paradox

# Convoys next door, by edition.

KIDNAP = "ENGLAND: A NWY - SWE\nRUSSIA: F SWE - NWY\nGERMANY: F SKA C A NWY - SWE"


@pytest.mark.parametrize(
    ("edition", "outcome"),
    [("1961", "moved"), ("1971", "moved"), ("1982", "bounced"), ("2000", "bounced")],
)
def test_an_army_is_kidnapped_only_by_the_old_rules(edition: str, outcome: str) -> None:
    resolution = play(KIDNAP, EDITIONS[edition])
    assert words(resolution, "A NWY", "F SWE") == {"A NWY": outcome, "F SWE": outcome}


@pytest.mark.parametrize(("edition", "outcome"), [("1971", "nopath"), ("1982", "moved")])
def test_one_broken_route_breaks_the_convoy_only_by_the_old_rules(
    edition: str, outcome: str
) -> None:
    resolution = play(
        """
        ENGLAND: A LON - BEL, F ENG C A LON - BEL, F NTH C A LON - BEL
        FRANCE: F BRE S F MAO - ENG, F MAO - ENG
        """,
        EDITIONS[edition],
    )
    assert words(resolution, "A LON") == {"A LON": outcome}


@pytest.mark.parametrize(("edition", "outcome"), [("1961", "cut"), ("2000", "given")])
def test_own_attack_cuts_own_support_only_in_1961(edition: str, outcome: str) -> None:
    resolution = play(
        "AUSTRIA: A BUD S A VIE, A VIE H, A SER - BUD\nRUSSIA: A GAL - VIE", EDITIONS[edition]
    )
    assert words(resolution, "A BUD") == {"A BUD": outcome}


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_every_edition_resolves_every_known_knot(edition: str) -> None:
    for text in KNOTS:
        powers = [info.power for info in BOARD.powers] * 2
        orders = zip(powers, text.split(", "), strict=False)
        resolution = play("\n".join(f"{power}: {one}" for power, one in orders), EDITIONS[edition])
        provinces = [one.province for one in resolution.next.units]
        assert len(set(provinces)) == len(provinces)


def test_all_hold_stops_every_move_of_a_paradox() -> None:
    resolution = play(
        """
        ENGLAND: F LON S F WAL - ENG, F WAL - ENG
        FRANCE: A BRE - LON, F ENG C A BRE - LON
        """,
        replace(EDITIONS["2000"], paradox=Paradox.ALL_HOLD),
    )
    assert words(resolution, "F WAL", "A BRE") == {"F WAL": "bounced", "A BRE": "nopath"}


# Orders that cannot be.


def test_orders_for_units_of_others_are_void_and_do_nothing() -> None:
    start = position("FRANCE: A PAR H\nGERMANY: A MUN H")
    given = [order("A PAR - BUR", "GERMANY"), order("A ROM - VEN", "FRANCE")]
    resolution = adjudicate(BOARD, start, given)
    outcomes = {
        str(result.order): (result.outcome.value, result.implicit) for result in resolution.results
    }
    assert outcomes == {
        "A PAR H": ("hold", True),
        "A MUN H": ("hold", True),
        "A PAR - BUR": ("void", False),
        "A ROM - VEN": ("void", False),
    }
    reason = next(one.why for one in resolution.results if str(one.order) == "A PAR - BUR")
    assert reason == "Germany has no unit in Paris: the army there belongs to France."


def test_an_illegal_order_is_void_and_its_unit_can_be_supported() -> None:
    resolution = play(
        """
        FRANCE: A PAR - MUN, A BUR S A PAR
        GERMANY: A PIC - PAR, A GAS S A PIC - PAR
        """
    )
    assert words(resolution, "A PAR", "A BUR", "A PIC") == {
        "A PAR": "void",
        "A BUR": "given",
        "A PIC": "bounced",
    }


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["A PAR - BUR", "A PAR - BUR"], "moved"),
        (["A PAR - MUN", "A PAR - BUR"], "moved"),
        (["A PAR - BUR", "A PAR - PIC"], "void"),
    ],
    ids=["the same twice", "one of them illegal", "two legal ones that differ"],
)
def test_several_orders_for_one_unit(texts: list[str], wanted: str) -> None:
    start = position("FRANCE: A PAR H")
    given = [order(text, "FRANCE") for text in texts]
    for one in (given, given[::-1]):
        assert words(adjudicate(BOARD, start, one), "A PAR") == {"A PAR": wanted}


def test_no_order_of_any_kind_makes_adjudication_raise() -> None:
    nowhere = replace(unit("A PAR", "FRANCE"), location=Location("XYZ"))
    ghost = replace(unit("A PAR", "FRANCE"), power=Power("ATLANTIS"))
    here = unit("A PAR", "FRANCE")
    strange: list[Order] = [
        Waive(Power("ATLANTIS")),
        Move(nowhere, Location("PAR")),
        Move(here, Location("XYZ/NC")),
        Move(here, Location("")),
        SupportHold(here, nowhere),
        SupportHold(ghost, here),
        *(order(text, "FRANCE") for text in ("A PAR R BUR", "A PAR D", "A PAR B", "WAIVE")),
        *(order(text, "FRANCE") for text in ("F PAR C A PAR - PAR", "A PAR S A PAR - PAR")),
        *(order(text, "FRANCE") for text in ("A PAR - PAR VIA", "F PAR - MAO VIA")),
    ]
    middle = position("FRANCE: A PAR H", centers={"FRANCE": "PAR BRE"})
    out = (Dislodged(here, ProvinceCode("BUR"), (Location("GAS"),)),)
    for phase in ("S1901M", "S1901R", "W1901A"):
        start = replace(middle, phase=judge.Phase.parse(phase))
        if phase == "S1901R":
            start = replace(start, dislodged=out)
        assert all(one.why for one in adjudicate(BOARD, start, strange).results)


# Reasons.


@pytest.mark.parametrize(
    ("text", "name", "reason", "by"),
    [
        (
            "AUSTRIA: A VIE - GAL\nRUSSIA: A WAR - GAL",
            "A VIE",
            "Bounced in Galicia: Russia’s army from Warsaw also tried to move there, 1 against 1.",
            ("WAR",),
        ),
        (
            "FRANCE: A PIC - BEL\nGERMANY: A RUH - BEL, A HOL S A RUH - BEL",
            "A PIC",
            "Bounced in Belgium: Germany’s army from Ruhr was stronger, 2 against 1.",
            ("RUH",),
        ),
        (
            "FRANCE: A PAR - BUR\nGERMANY: A MUN - BUR, A RUH S A MUN - BUR\n"
            "ITALY: A MAR - BUR, A GAS S A MAR - BUR",
            "A PAR",
            "Bounced in Burgundy: Italy’s army from Marseilles and Germany’s army from Munich were "
            "stronger, 2 against 1.",
            ("MAR", "MUN"),
        ),
        (
            "FRANCE: A PAR - BUR\nGERMANY: A BUR H, A MUN S A BUR",
            "A PAR",
            "Bounced in Burgundy: Germany’s army was not dislodged, 1 against 2.",
            ("BUR",),
        ),
        (
            "FRANCE: A PAR - BUR, A MAR S A PAR - BUR, A BUR H",
            "A PAR",
            "Bounced in Burgundy: France cannot dislodge its own army.",
            ("BUR",),
        ),
        (
            "FRANCE: A PAR - BUR, A BUR H",
            "A PAR",
            "Bounced in Burgundy: France’s own army was still there.",
            ("BUR",),
        ),
        (
            "ITALY: A VEN - PIE, A ROM - VEN\nFRANCE: A MAR - PIE",
            "A ROM",
            "Bounced in Venice: Italy’s own army was still there.",
            ("VEN",),
        ),
        (
            "ITALY: A VEN - PIE, A ROM - VEN, A APU S A ROM - VEN\nFRANCE: A MAR - PIE",
            "A ROM",
            "Bounced in Venice: Italy cannot dislodge its own army.",
            ("VEN",),
        ),
        (
            "ITALY: A ROM - VEN, A VEN - ROM",
            "A ROM",
            "Bounced in Venice after a head-to-head battle with Italy’s army, 1 against 1.",
            ("VEN",),
        ),
        (
            "ITALY: A ROM - VEN, A VEN - ROM, A APU S A ROM - VEN",
            "A VEN",
            "Bounced in Rome after a head-to-head battle with Italy’s army, 1 against 2.",
            ("ROM",),
        ),
        (
            "ITALY: A ROM - VEN, A VEN - ROM, A APU S A ROM - VEN",
            "A ROM",
            "Bounced in Venice: Italy cannot dislodge its own army.",
            ("VEN",),
        ),
        (
            "FRANCE: A PAR - BUR\nGERMANY: A BUR - PAR",
            "A PAR",
            "Bounced in Burgundy after a head-to-head battle with Germany’s army, 1 against 1.",
            ("BUR",),
        ),
        (
            "FRANCE: A PAR S A BUR, A BUR H\nGERMANY: A PIC - PAR",
            "A PAR",
            "Support cut by the attack of Germany’s army from Picardy.",
            ("PIC",),
        ),
        (
            "FRANCE: A PAR S A GAS - BUR, A GAS H",
            "A PAR",
            "Void: the army in Gascony was not ordered to Burgundy.",
            (),
        ),
        (
            "FRANCE: A PAR H\nGERMANY: A PIC - PAR, A BUR S A PIC - PAR",
            "A PAR",
            "Dislodged by Germany’s army from Picardy, 2 against 1.",
            ("PIC",),
        ),
        (
            "ENGLAND: A LON - NWY, F NTH C A LON - NWY\nGERMANY: F HEL - NTH, F HOL S F HEL - NTH",
            "A LON",
            "The convoy from London to Norway failed: the fleet in the North Sea was dislodged.",
            ("NTH",),
        ),
        (
            "ENGLAND: A LON - NWY, F NTH H",
            "A LON",
            "No complete convoy route was ordered from London to Norway.",
            (),
        ),
        (
            "FRANCE: A PAR - BUR\nGERMANY: A MUN - BUR\nITALY: A MAR - BUR",
            "A PAR",
            "Bounced in Burgundy: Italy’s army from Marseilles and Germany’s army from Munich also "
            "tried to move there, 1 against 1.",
            ("MAR", "MUN"),
        ),
        (
            "FRANCE: A PAR - BUR, A GAS - BUR",
            "A PAR",
            "Bounced in Burgundy: its own army from Gascony also tried to move there, 1 against 1.",
            ("GAS",),
        ),
        (
            "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A BUR H, A MUN S A PAR - BUR, "
            "A BEL S A BUR",
            "A PAR",
            "Bounced in Burgundy: Germany’s army was not dislodged, 2 against 2. "
            "Germany’s support against its own unit did not count.",
            ("BUR",),
        ),
        (
            "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A BUR - PAR",
            "A BUR",
            "Bounced in Paris: lost a head-to-head battle with France’s army, 1 against 2, and was "
            "dislodged.",
            ("PAR",),
        ),
        (
            "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A BUR - PAR",
            "A PAR",
            "Moved to Burgundy and dislodged Germany’s army, 2 against 1.",
            (),
        ),
        (
            "GERMANY: F HEL - NTH, F SKA S F HEL - NTH\nENGLAND: F NTH H\n"
            "RUSSIA: F NWY - NTH, F NWG S F NWY - NTH",
            "F NTH",
            "Held in the North Sea: the attacks by Germany’s fleet from the Helgoland Bight and "
            "Russia’s fleet from Norway bounced each other.",
            (),
        ),
        (
            "GERMANY: A MUN S A SIL, A SIL H\nRUSSIA: A BOH - MUN, A TYR S A BOH - MUN",
            "A MUN",
            "Support cut by the attack of Russia’s army from Bohemia, which dislodged the unit, "
            "2 against 1.",
            ("BOH",),
        ),
        (
            "RUSSIA: F CON S F BLA - ANK, F BLA - ANK\nTURKEY: F ANK - CON, A SMY S F ANK - CON",
            "F CON",
            "Support cut: the unit was dislodged by Turkey’s fleet from Ankara, 2 against 1.",
            ("ANK",),
        ),
        (
            "ENGLAND: A LON - NWY, F NTH C A LON - NWY\nRUSSIA: F NWY H",
            "F NTH",
            "Convoyed the army from London to Norway, where it bounced.",
            (),
        ),
        (
            "FRANCE: A TUN - NAP, F TYS C A TUN - NAP, F ION C A TUN - NAP\n"
            "TURKEY: F EAS - ION, F AEG S F EAS - ION",
            "F ION",
            "Convoy disrupted, but the army from Tunis used another route to Naples. Dislodged by "
            "Turkey’s fleet from the Eastern Mediterranean, 2 against 1.",
            ("EAS",),
        ),
        (
            "TURKEY: A BUL - NAP, F AEG C A BUL - NAP, F ION C A BUL - NAP\n"
            "ITALY: F TYS - ION, F APU S F TYS - ION",
            "F AEG",
            "Ready to convoy the army from Bulgaria to Naples, but the fleet in the Ionian Sea "
            "was dislodged.",
            (),
        ),
        (
            "ENGLAND: F LON S F WAL - ENG, F WAL - ENG\nFRANCE: A BRE - LON, F ENG C A BRE - LON",
            "F ENG",
            "A paradox disrupted the convoy of the army from Brest to London. "
            "Dislodged by England’s fleet from Wales, 2 against 1.",
            ("WAL",),
        ),
    ],
)
def test_reason(text: str, name: str, reason: str, by: tuple[str, ...]) -> None:
    found = result(play(text), name)
    assert (found.why, found.by) == (reason, by)


def test_the_judge_needs_nothing_but_the_standard_library() -> None:
    root = Path(judge.__file__).parent
    foreign = {
        f"{path.name}: {name}"
        for path in root.rglob("*.py")
        for name in _imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        # Pictures are saved as PNG by the extra `png`, and only then.
        and (path.name, name) != ("png.py", "resvg_py")
        and not name.startswith((".", "diplomaccloud.judge"))
    }
    assert not foreign


def _imports(path: Path) -> list[str]:
    """Return the modules that a file imports, without those that only type checkers read."""
    names: list[str] = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append("." * node.level + (node.module or ""))
    return names
