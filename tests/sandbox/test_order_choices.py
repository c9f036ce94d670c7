import pytest

from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.orders import Build, Hold, Move
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox.order_choices import describe_choice, list_slots

BOARD = standard_board()
FRANCE, GERMANY, RUSSIA = Power("FRANCE"), Power("GERMANY"), Power("RUSSIA")


def unit(text, power):
    return Unit(UnitKind(text[0]), Location(text[2:]), power)


PARIS = unit("A PAR", FRANCE)
OPENING = starting_position(BOARD)


def choices(slot):
    return [choice for group in slot.groups for choice in group.choices]


def test_every_unit_has_a_line_with_hold_in_force():
    slots = list_slots(BOARD, OPENING, FRANCE, ())
    assert {slot.unit: slot.selected for slot in slots} == {
        "A MAR": "A MAR H",
        "A PAR": "A PAR H",
        "F BRE": "F BRE H",
    }
    assert not any(slot.saved for slot in slots)


def test_a_saved_order_is_in_force():
    slots = list_slots(BOARD, OPENING, FRANCE, [Move(PARIS, Location("BUR"))])
    paris = next(slot for slot in slots if slot.unit == "A PAR")
    assert (paris.selected, paris.saved, paris.title) == ("A PAR - BUR", True, "Army in Paris")


def test_the_choice_in_force_is_always_offered():
    for power in BOARD.power_info:
        for slot in list_slots(BOARD, OPENING, power, ()):
            assert slot.selected in {choice.value for choice in choices(slot)}


def test_a_dislodged_unit_may_retreat_and_is_disbanded_unless_it_does():
    driven_out = Dislodged(PARIS, by=BOARD.by_code["BUR"].code, retreats=(Location("GAS"),))
    position = Position(
        Phase.parse("S1901R"), (unit("A PAR", GERMANY),), {}, dislodged=(driven_out,)
    )
    (slot,) = list_slots(BOARD, position, FRANCE, ())
    assert (slot.dislodged, slot.by, slot.selected) == (True, "Burgundy", "A PAR D")
    assert [choice.value for choice in choices(slot)] == ["A PAR R GAS", "A PAR D"]


def test_each_build_owed_has_a_line_with_a_blank_choice():
    centers = dict.fromkeys(("PAR", "MAR", "BRE", "SPA"), FRANCE)
    position = Position(Phase.parse("W1901A"), (unit("A SPA", FRANCE), PARIS), centers)
    saved = [Build(unit("F BRE", FRANCE))]
    slots = list_slots(BOARD, position, FRANCE, saved)
    assert [(slot.key, slot.selected, slot.blank) for slot in slots] == [
        ("build-1", "F BRE B", "Not chosen yet"),
        ("build-2", "", "Not chosen yet"),
    ]
    assert {choice.value for choice in choices(slots[0])} == {
        "A BRE B",
        "F BRE B",
        "A MAR B",
        "F MAR B",
        "WAIVE",
    }


def test_each_disband_owed_has_a_line():
    position = Position(
        Phase.parse("W1901A"), (PARIS, unit("A BUR", FRANCE)), {BOARD.by_code["PAR"].code: FRANCE}
    )
    (slot,) = list_slots(BOARD, position, FRANCE, ())
    assert (slot.key, slot.selected) == ("disband-1", "")
    assert {choice.value for choice in choices(slot)} == {"A PAR D", "A BUR D"}


@pytest.mark.parametrize(
    ("order", "label", "kind", "province"),
    [
        (Hold(PARIS), "Hold", "hold", "PAR"),
        (Move(PARIS, Location("BUR")), "Move to Burgundy", "move", "BUR"),
        (
            Move(unit("F POR", FRANCE), Location("SPA/NC")),
            "Move to Spain (north coast)",
            "move",
            "SPA",
        ),
        (
            Move(unit("A BRE", FRANCE), Location("LON")),
            "Move to London by convoy",
            "convoyed",
            "LON",
        ),
    ],
    ids=str,
)
def test_choices_say_what_they_do(order, label, kind, province):
    choice = describe_choice(BOARD, order)
    assert (choice.label, choice.kind, choice.province) == (label, kind, province)
