"""The conditional orders of a player of one or more powers, read and written out again."""

import pytest

from diplomaccloud.games.conditional_orders.plans import (
    ConditionError,
    PlayerContext,
    compose_player_text,
    read_player_text,
    write_player_text,
)
from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
ENGLAND, GERMANY = Power("ENGLAND"), Power("GERMANY")


def footing(*powers, phase="F1901M"):
    units = (
        *(Unit(UnitKind(t[0]), Location(t[2:]), GERMANY) for t in ("A MUN", "F MAO")),
        *(Unit(UnitKind(t[0]), Location(t[2:]), ENGLAND) for t in ("F NTH", "A YOR")),
    )
    return PlayerContext(BOARD, Position(Phase.parse(phase), units, {}), powers)


READ = [
    ([GERMANY], "if MUN is dislodged: BER, then KIE", ["if MUN is dislodged: BER, KIE"]),
    ([GERMANY], "if MUN is dislodged: disband", ["if MUN is dislodged: disband"]),
    (
        [ENGLAND],
        "if two gained: A LON, F EDI\nif one: F LON",
        ["if 2 gained: A LON, F EDI", "if 1 gained: F LON"],
    ),
    ([ENGLAND], "if one lost: F NTH; if two: F NTH, A YOR", ["if 1 lost: F NTH", ""]),
    ([ENGLAND], "if two gained: waive, waive", ["if 2 gained: waive, waive"]),
    (
        [ENGLAND, GERMANY],
        "if MUN is dislodged: BER; if one gained: F LON; if one gained: A BER",
        [
            "England: if 1 gained: F LON",
            "Germany: if MUN is dislodged: BER",
            "Germany: if 1 gained: A BER",
        ],
    ),
    (
        [ENGLAND, GERMANY],
        "Germany: if two gained: A BER, A KIE; if one: A KIE; england: if one lost: F NTH",
        [
            "England: if 1 lost: F NTH",
            "Germany: if 2 gained: A BER, A KIE",
            "Germany: if 1 gained: A KIE",
        ],
    ),
    (
        [ENGLAND, GERMANY],
        "# Fall\nGermany:\nif one gained: A BER # or KIE; if two\nEngland:\nif one gained: F LON",
        ["England: if 1 gained: F LON", "Germany: if 1 gained: A BER"],
    ),
    ([GERMANY], "Germany:\nif MUN is dislodged: BER", ["if MUN is dislodged: BER"]),
]


@pytest.mark.parametrize(
    ("powers", "text", "clauses"), READ, ids=[text[:45] for _, text, _ in READ]
)
def test_each_power_s_own_clauses_are_understood_and_read_back(powers, text, clauses):
    ground = footing(*powers)
    plans = read_player_text(text, ground)
    written = write_player_text(plans, BOARD)
    assert [one for one in clauses if one] == [one for one in written if one in clauses]
    assert read_player_text("\n".join(written), ground) == plans


REFUSED = [
    ([GERMANY], "if BER is dislodged: MUN", "no unit in Berlin"),
    ([GERMANY], "if MUN is dislodged: PAR", "cannot go to Paris"),
    ([GERMANY], "if MAO is dislodged: SPA", "which coast"),
    ([GERMANY], "if MUN is dislodged: BER; if one gained: A PAR", "'if one gained: A PAR'"),
    ([ENGLAND], "if two gained: F LON", "waive"),
    ([ENGLAND], "if four gained: F LON, F EDI, F LVP, waive", "no more than 3"),
    ([ENGLAND], "if two lost: F NTH", "2 units to remove"),
    ([ENGLAND], "if YOR is dislodged: LON; if YOR is dislodged: EDI", "already"),
    ([ENGLAND, GERMANY], "if one lost: F NTH", "which country"),
    ([ENGLAND, GERMANY], "France: if one gained: A PAR", "England or Germany"),
    ([GERMANY], "France:\nif MUN is dislodged: BER", "'France:': 'France' is not one of your"),
    ([ENGLAND], "x" * 2001, "2000 characters"),
    ([ENGLAND], "if one gained: \x00", "if one gained"),
]


@pytest.mark.parametrize(("powers", "text", "reason"), REFUSED, ids=[r[2] for r in REFUSED])
def test_a_clause_that_can_never_apply_is_refused(powers, text, reason):
    with pytest.raises(ConditionError, match=reason):
        read_player_text(text, footing(*powers))


def test_builds_are_not_written_in_spring():
    with pytest.raises(ConditionError, match="before Fall"):
        read_player_text("if one gained: F LON", footing(ENGLAND, phase="S1901M"))


def test_choices_in_lists_are_the_same_as_text():
    lists = {
        "if MUN is dislodged": ["BER", "", "BER", "KIE"],
        "if two gained": ["waive", "waive", ""],
        "if one gained": ["", ""],
    }
    assert (
        compose_player_text(lists) == "if MUN is dislodged: BER, KIE\nif two gained: waive, waive"
    )
