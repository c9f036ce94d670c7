"""Terms survive JSON, and hostile JSON is refused with the smallest part at fault."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from judge.tests.shorthand import BOARD, order

from diplomaccloud.deals import (
    DealVerdict,
    Finding,
    findings_from_json,
    findings_to_json,
    terms_from_json,
    terms_to_json,
)
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import CodecError

MOVE = {"order": "move", "unit": ["A", "PAR", "FRANCE"], "to": "BUR", "via": False}
GOOD = {
    "v": 1,
    "phase": "S1901M",
    "parties": ["FRANCE", "GERMANY"],
    "alternatives": [
        [
            {"clause": "order", "order": MOVE},
            {"clause": "not-order", "order": MOVE | {"to": "PIC"}},
            {"clause": "dmz", "powers": ["FRANCE"], "provinces": ["BUR", "RUH"], "until": "F1902"},
        ],
        [
            {"clause": "peace", "powers": ["FRANCE", "GERMANY"]},
            {"clause": "alliance", "powers": ["FRANCE", "GERMANY"], "against": ["ITALY"]},
            {"clause": "draw", "powers": ["FRANCE", "GERMANY"]},
        ],
    ],
}
PEACE = GOOD["alternatives"][1][0]
CLAUSE = ("alternatives", 0, 0)
FAULTS = [
    ((), [], "value: not an object"),
    (("v",), 2, "v: version 2 is not supported, only 1"),
    (("phase",), "X1901M", "phase: not a phase"),
    (("parties",), ["FRANCE"], "parties: must have at least 2 powers, not 1"),
    (("parties", 1), "SPAIN", "parties[1]: 'SPAIN' is not a power of this map"),
    (("parties", 1), "FRANCE", "parties[1]: FRANCE is named twice"),
    (("parties",), "FRANCE", "parties: not a list"),
    (("alternatives",), [], "alternatives: there is no clause"),
    (("alternatives",), [[PEACE]] * 4, "alternatives: must have at most 3 members, not 4"),
    (("alternatives", 0), [PEACE] * 9, "alternatives[0]: must have at most 8 members, not 9"),
    (("alternatives", 0), [PEACE] * 6, "alternatives: must have at most 8 clauses, not 9"),
    (("alternatives", 1), [], "alternatives[1]: there is no clause"),
    ((*CLAUSE, "clause"), "gift", "alternatives[0][0].clause: 'gift' is not a kind of clause"),
    ((*CLAUSE, "clause"), ["order"], "alternatives[0][0].clause: not a text"),
    ((*CLAUSE, "order", "to"), "PRA", "alternatives[0][0].order.to: 'PRA' is not a province"),
    ((*CLAUSE, "order", "to"), "STP/XC", "alternatives[0][0].order.to: STP has no coast 'XC'"),
    ((*CLAUSE, "order", "unit", 1), "ZZZ", "alternatives[0][0].order.unit[1]: 'ZZZ' is not"),
    ((*CLAUSE, "order", "unit", 2), "ITALY", "alternatives[0][0].order.unit: ITALY is not a party"),
    ((*CLAUSE, "order"), {"order": "waive", "power": "FRANCE"}, "alternatives[0][0].order.order: "),
    (("alternatives", 0, 2, "until"), "1903", "alternatives[0][2].until: not a season"),
    (("alternatives", 0, 2, "provinces"), [], "alternatives[0][2].provinces: there is no province"),
    (("alternatives", 0, 2, "provinces", 1), "BUR", "alternatives[0][2].provinces[1]: BUR is nam"),
    (("alternatives", 1, 0, "powers", 1), "ITALY", "alternatives[1][0].powers[1]: ITALY is not a"),
    (
        ("alternatives", 1, 0, "powers"),
        ["FRANCE"],
        "alternatives[1][0].powers: must have at least",
    ),
    (("alternatives", 1, 1, "against", 0), "FRANCE", "alternatives[1][1].against[0]: FRANCE canno"),
]


def changed(path, value):
    """Return the good terms with one part replaced."""
    if not path:
        return value
    data = copy.deepcopy(GOOD)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


def test_terms_survive():
    terms = terms_from_json(GOOD, BOARD)
    stored = json.loads(json.dumps(terms_to_json(terms)))
    assert stored == GOOD
    assert terms_from_json(stored, BOARD) == terms


def test_findings_survive():
    france = Power("FRANCE")
    findings = (
        Finding(0, france, DealVerdict.BROKEN, order("A PAR - BUR", "FRANCE")),
        Finding(1, france, DealVerdict.MOOT),
    )
    assert findings_from_json(json.loads(json.dumps(findings_to_json(findings)))) == findings


@pytest.mark.parametrize(("path", "value", "message"), FAULTS, ids=[row[2] for row in FAULTS])
def test_a_fault_is_named(path, value, message):
    with pytest.raises(CodecError) as error:
        terms_from_json(changed(path, value), BOARD)
    assert str(error.value).startswith(message)


def test_only_two_parties_choose_between_alternatives():
    data = changed(("parties",), ["FRANCE", "GERMANY", "ITALY"])
    with pytest.raises(CodecError, match="only two parties"):
        terms_from_json(data, BOARD)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=6), parts),
    max_leaves=6,
)
PATHS = [path for path, _, _ in FAULTS]


@examples(150)
@given(st.sampled_from(PATHS), JSON)
def test_no_json_does_anything_but_read_or_refuse(path, value):
    try:
        terms = terms_from_json(changed(path, value), BOARD)
    except CodecError:
        return
    assert terms_from_json(terms_to_json(terms), BOARD) == terms
