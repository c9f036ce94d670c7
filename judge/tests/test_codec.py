"""Judge values survive JSON, and hostile JSON is refused with the part at fault."""

import copy
import json
import random
from typing import Any

import pytest
from judge.tests.drawing.toy_map import ruled_toy_chart
from judge.tests.scenes import random_orders, random_position
from judge.tests.shorthand import BOARD, order, unit

from diplomaccloud.judge import codec
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Location, ProvinceCode
from diplomaccloud.judge.codec import LATER, CodecError
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.rules import EDITIONS

NOT_WHOLE = "not a whole number"
NOT_BOOLEAN = "neither true nor false"


def through_json(data: object) -> Any:
    return json.loads(json.dumps(data, sort_keys=True))


@pytest.mark.parametrize("seed", range(5))
def test_everything_of_a_phase_survives(seed: int) -> None:
    rng = random.Random(seed)
    start = random_position(BOARD, rng, 25)
    orders = random_orders(BOARD, start, rng)
    resolution = adjudicate(BOARD, start, orders)
    assert codec.position_from_json(through_json(codec.position_to_json(start))) == start
    written = through_json([codec.order_to_json(order) for order in orders])
    assert [codec.order_from_json(order) for order in written] == orders
    stored = through_json(codec.resolution_to_json(resolution))
    assert codec.resolution_from_json(stored).with_names(geography(BOARD)) == resolution
    assert not any("reason" in result for result in stored["results"])


def test_a_reason_that_was_stored_as_text_stays_readable() -> None:
    start = starting_position(BOARD)
    stored = codec.resolution_to_json(adjudicate(BOARD, start, ()))
    for result in stored["results"]:
        del result["message"]
        result["reason"] = "Held, as was said then."
    (reason,) = {result.why for result in codec.resolution_from_json(stored).results}
    assert reason == "Held, as was said then."


def test_a_reason_whose_key_is_gone_is_blank() -> None:
    start = starting_position(BOARD)
    stored = codec.resolution_to_json(adjudicate(BOARD, start, ()))
    stored["results"][0]["message"]["key"] = "held_long_ago"
    first, second, *_ = codec.resolution_from_json(stored).with_names(geography(BOARD)).results
    assert first.why == ""
    assert second.why.startswith("Held in ")


@pytest.mark.parametrize(
    "text", ["A PAR R GAS", "A PAR D", "F STP/NC B", "WAIVE", "A BUL - CON VIA"]
)
def test_order_survives(text: str) -> None:
    one = order(text, "FRANCE")
    assert codec.order_from_json(through_json(codec.order_to_json(one))) == one


def test_the_seas_that_an_order_names_survive() -> None:
    one = Move(unit("A LON", "ENGLAND"), Location("NWY"), path=(ProvinceCode("NTH"),))
    assert str(one) == "A LON - NTH - NWY"
    assert codec.order_from_json(through_json(codec.order_to_json(one))) == one


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_rule_set_survives(name: str) -> None:
    written = through_json(codec.rules_to_json(EDITIONS[name]))
    assert codec.rules_from_json(written) == EDITIONS[name]


def test_a_switch_that_is_missing_has_its_default() -> None:
    assert codec.rules_from_json({"v": 1, "name": "2000"}) == EDITIONS["2000"]


def test_board_survives() -> None:
    assert codec.board_from_json(through_json(codec.board_to_json(BOARD))) == BOARD


RULED = ruled_toy_chart().board


def test_border_rules_survive_and_need_version_2() -> None:
    written = through_json(codec.board_to_json(RULED))
    assert codec.board_from_json(written) == RULED
    assert isinstance(written, dict)
    assert written["v"] == 2
    with pytest.raises(CodecError, match="v: is 1, but border_rules needs version 2"):
        codec.board_from_json({**written, "v": 1})


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("v",), 3, "v: only versions 1 and 2 can be read"),
        (("builds",), "anywhere", f"builds: {LATER}"),
        (("provinces", 1, "box"), True, f"provinces[1].box: {LATER}"),
        (("starts", 0, 0), None, "starts[0][0]: a unit"),
        (("border_rules", 0, "kind"), "weak", f"border_rules[0].kind: weak {LATER}"),
        (("border_rules", 0, "turns"), ["S"], f"border_rules[0].turns: {LATER}"),
        (("border_rules", 0, "kind"), "wall", "border_rules[0].kind: 'wall' is not one of closed"),
        (("border_rules", 0, "units"), ["A"], "value: border rule ALM-KET: only a closed border"),
        (("border_rules", 0, "to"), "WSE", "value: border rule ALM-WSE: a river is between two"),
        (("border_rules", 0, "to"), "IST", "value: border rule ALM-IST: no fleet can stand at IST"),
        (("border_rules", 0, "to"), "BOR", "value: border rule ALM-BOR: a river needs the same"),
        (("border_rules", 2, "to"), "XYZ", "value: border rule ALM-XYZ: XYZ is not a province"),
        (("border_rules", 2, "to"), "ALM", "value: border rule ALM-ALM: a province does not"),
        (("border_rules", 2, "to"), "KET", "value: border rule ALM-KET: it is closed, but a"),
        (("border_rules", 2, "units"), [], "value: border rule ALM-IST: it names the units"),
        (("border_rules", 3, "from"), "ALM", "value: border rule ALM-IST: it is closed, but"),
    ],
)
def test_what_a_board_cannot_have_is_named(path: tuple[str], value: object, fault: str) -> None:
    data: Any = through_json(codec.board_to_json(RULED))
    part = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(CodecError) as caught:
        codec.board_from_json(data)
    assert str(caught.value).startswith(fault)


POSITION = codec.position_to_json(starting_position(BOARD))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"v": 2}, "v: "),
        ({"v": True}, f"v: {NOT_WHOLE}"),
        ({"phase": "S1901X"}, "phase: not a phase"),
        ({"phase": 7}, "phase: not a text"),
        ({"units": {}}, "units: not a list"),
        ({"units": [["A", "PAR"]]}, "units[0]: must have 3 members, not 2"),
        ({"units": [["X", "PAR", "FRANCE"]]}, "units[0][0]: 'X' is not one of A, F"),
        ({"units": [["A", "", "FRANCE"]]}, "units[0][1]: not a code"),
        ({"units": [["A", "P" * 99, "FRANCE"]]}, "units[0][1]: not a code"),
        ({"units": [["A", "STP/NC/SC", "FRANCE"]]}, "units[0][1]: not a code"),
        ({"units": [["A", "PAR", "FRANCE"], ["F", "PAR", "ITALY"]]}, "units: two units in PAR"),
        ({"units": [["A", "PAR", "FRANCE"]] * 20_001}, "units: must have at most 20000 members"),
        ({"centers": {"PAR": None}}, "centers.PAR: not a text"),
        ({"centers": {"P\n": "FRANCE"}}, "centers: key: not a code"),
        ({"dislodged": [{}]}, "dislodged[0].unit: missing"),
    ],
)
def test_hostile_position(change: dict[str, object], fault: str) -> None:
    with pytest.raises(CodecError) as caught:
        codec.position_from_json(POSITION | change)
    assert str(caught.value).startswith(fault)


@pytest.mark.parametrize("data", [None, 3, "x", [], {}, {"v": 1}, {"v": 1e3}, {"v": None}])
def test_invalid_json_is_refused(data: object) -> None:
    for read in (
        codec.position_from_json,
        codec.resolution_from_json,
        codec.board_from_json,
        codec.order_from_json,
    ):
        with pytest.raises(CodecError):
            read(data)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"order": "fly", "unit": ["A", "PAR", "FRANCE"]}, "order: unknown kind of order 'fly'"),
        ({"order": "move", "unit": ["A", "PAR", "FRANCE"], "to": "BUR"}, "via: missing"),
        ({"order": "hold", "unit": "A PAR"}, "unit: not a list"),
    ],
)
def test_hostile_order(data: object, fault: str) -> None:
    with pytest.raises(CodecError, match=fault):
        codec.order_from_json(data)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"v": 1, "paradox": "magic"}, "paradox: 'magic' is not one of szykman, 1971, 1982"),
        ({"v": 1, "own_attack_void": 1}, f"own_attack_void: {NOT_BOOLEAN}"),
        ({"v": 1, "dice": True}, "dice: no such switch"),
    ],
)
def test_hostile_rules(data: object, fault: str) -> None:
    with pytest.raises(CodecError) as caught:
        codec.rules_from_json(data)
    assert str(caught.value).startswith(fault)


def test_a_board_that_contradicts_itself_is_refused() -> None:
    data = copy.deepcopy(codec.board_to_json(BOARD))
    data["army_borders"] = [["PAR", "NTH"]]
    with pytest.raises(CodecError, match="border PAR-NTH"):
        codec.board_from_json(data)
