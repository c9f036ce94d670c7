"""Orders, help and stabs, counted from processed phases."""

import pytest

from diplomaccloud.games.statistics.deeds import RunningTally
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.notation import parse_order, parse_unit
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()


def played(*turns, units, centers=None, phase="S1902M"):
    """Return phases begun with `units`, each of `turns` the orders of one of them by power."""
    standing = tuple(parse_unit(text, BOARD, Power(p)) for p, row in units.items() for text in row)
    owned = {BOARD.by_code[c].code: Power(p) for p, row in (centers or {}).items() for c in row}
    position, found = Position(Phase.parse(phase), standing, owned), []
    for turn in turns:
        orders = [
            parse_order(text, BOARD, position, Power(p)) for p, row in turn.items() for text in row
        ]
        resolution = adjudicate(BOARD, position, orders)
        found.append((position, resolution))
        position = resolution.next
    return found


def count_deeds(phases):
    """Return the statistics of these phases together."""
    running = RunningTally()
    for position, resolution in phases:
        running.count(position, resolution)
    return running.total


FRIENDS = {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A MUN", "A RUH"]}
HELP = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN S A PAR - BUR"]}


def test_help_counts_when_it_goes_to_another_and_arrives():
    tally = count_deeds(played(HELP, units=FRIENDS))
    assert dict(tally.helped) == {("GERMANY", "FRANCE"): 1}
    germany, france = tally.of(Power("GERMANY")), tally.of(Power("FRANCE"))
    assert (germany.supports, germany.given, france.moves, france.moved) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    "orders",
    [
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN S A GAS - BUR"]},
        {"FRANCE": ["A PAR H"], "GERMANY": ["A MUN S A RUH"]},
        {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"]},
    ],
    ids=["a support that matches nothing", "a support of one's own", "an own attack supported"],
)
def test_what_is_no_help_is_not_counted(orders):
    assert not count_deeds(played(orders, units=FRIENDS)).helped


ATTACK = {"FRANCE": ["A BUR H"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}
QUIET = {"FRANCE": ["A BUR H"]}


@pytest.mark.parametrize(
    ("turns", "stabs"),
    [
        ([HELP, ATTACK], 1),
        ([HELP, QUIET, ATTACK], 1),
        ([HELP, QUIET, QUIET, ATTACK], 0),
        ([{"FRANCE": ["A PAR - BUR"]}, ATTACK], 0),
    ],
    ids=["at once", "two moves later", "when it is long ago", "without any pact"],
)
def test_a_stab_is_an_attack_on_a_friend_while_the_pact_is_fresh(turns, stabs):
    centers = {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "KIE"]}
    found = count_deeds(played(*turns, units=FRIENDS, centers=centers))
    assert [(one.by, one.against, one.where) for one in found.stabs] == (
        [("GERMANY", "FRANCE", "BUR")] * stabs
    )
    assert found.of(Power("GERMANY")).dislodged == 1


def test_to_take_a_friend_s_center_is_a_stab_too():
    turns = [
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN S A PAR - BUR", "A RUH - BEL"]},
    ]
    centers = {"FRANCE": ["BEL", "PAR"], "GERMANY": ["MUN", "KIE"]}
    found = count_deeds(played(*turns, units=FRIENDS, centers=centers, phase="F1902M"))
    assert [(one.where, one.took_center) for one in found.stabs] == [("BEL", True)]


def test_a_unit_without_a_retreat_is_lost():
    units = {"FRANCE": ["F BRE"], "ENGLAND": ["F ENG", "F MAO"], "GERMANY": ["A PIC", "A GAS"]}
    orders = {
        "ENGLAND": ["F ENG - BRE", "F MAO S F ENG - BRE"],
        "GERMANY": ["A GAS H"],
    }
    tally = count_deeds(played(orders, units=units))
    assert tally.of(Power("FRANCE")).lost == 1
