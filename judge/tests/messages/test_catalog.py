"""The catalog of messages: every key is used, and its parameters are those of its sentence."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from judge.tests.cases import case_position, load_cases, read_orders
from judge.tests.grids import strait_board, strait_seas
from judge.tests.scenes import NORTH, SOUTH, random_knot, random_orders, random_position
from judge.tests.shorthand import BOARD, order, orders, position, unit
from judge.tests.test_cases import FILES

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.codec import (
    Node,
    StoredSentence,
    board_from_json,
    message_to_json,
    read_message,
)
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.catalog import (
    ENDINGS,
    MESSAGES,
    NOTATION,
    REASONS,
    REFUSALS,
    REQUESTS,
    STORED,
    Plural,
)
from diplomaccloud.judge.messages.english import (
    UNIT_FORMS,
    parse_template,
    render_message,
    write_sentence,
)
from diplomaccloud.judge.messages.values import Message, Parameter, Place
from diplomaccloud.judge.orders import Build, Convoy, Disband, Move, Order, Waive
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, ConvoyPath, Paradox, RuleSet
from diplomaccloud.judge.units import Unit

NAMES = geography(BOARD)
FRANCE = Power("FRANCE")
Scene = tuple[Board, Position, list[Order], RuleSet]


def _movement_scenes() -> Iterator[Scene]:
    for path in FILES:
        for case in load_cases(path):
            start = case_position(case, BOARD)
            given = read_orders(case, BOARD, start).orders
            for edition in case.rules:
                yield BOARD, start, list(given), EDITIONS[edition]
    for text, rules in SITUATIONS:
        start = position(text)
        yield BOARD, start, list(orders(text, start)), rules
    yield _detour()
    yield _strait()
    rng = random.Random(7)
    for number in range(150):
        rules = EDITIONS[sorted(EDITIONS)[number % len(EDITIONS)]]
        if number % 3:
            start = random_position(BOARD, rng, 14, places=NORTH if number % 2 else SOUTH)
            yield BOARD, start, list(random_orders(BOARD, start, rng)), rules
        else:
            given = sorted(random_knot(BOARD, rng), key=lambda one: one.unit)
            units = tuple(one.unit for one in given)
            yield BOARD, Position(Phase.parse("S1903M"), units, {}), list(given), rules


PARADOX = "ENGLAND: F LON S F WAL - ENG, F WAL - ENG\nFRANCE: A BRE - LON, F ENG C A BRE - LON"
SITUATIONS: list[tuple[str, RuleSet]] = [
    (PARADOX, replace(DEFAULT, paradox=Paradox.ALL_HOLD)),
    (
        f"{PARADOX}\nGERMANY: F NTH S F BEL - ENG, F BEL - ENG",
        replace(DEFAULT, paradox=Paradox.RULE_2000),
    ),
    (
        "FRANCE: A PAR H, A GAS S A PAR\n"
        "GERMANY: A BUR - PAR, A PIC S A BUR - PAR, A BRE S A BUR - PAR",
        DEFAULT,
    ),
    # No route needs the fleet in the English Channel, which is dislodged the second time.
    ("ENGLAND: A YOR - BEL VIA, F ENG C A YOR - BEL, F NTH C A YOR - BEL", DEFAULT),
    (
        "ENGLAND: A YOR - BEL VIA, F ENG C A YOR - BEL, F NTH C A YOR - BEL\n"
        "FRANCE: F BRE - ENG, F MAO S F BRE - ENG",
        DEFAULT,
    ),
    # Units without a retreat.
    ("GERMANY: A SPA - POR, F MAO S A SPA - POR\nFRANCE: A POR - SPA", DEFAULT),
    (
        "GERMANY: A SPA - POR, F MAO S A SPA - POR\nFRANCE: F POR S A MAR - SPA, A MAR - SPA",
        DEFAULT,
    ),
    # One fleet of the convoy is dislodged, the other is in a paradox.
    (
        "FRANCE: A BEL - LON, F ENG C A BEL - LON, F NTH C A BEL - LON\n"
        "ENGLAND: F WAL - ENG, F LON S F WAL - ENG\nGERMANY: F SKA - NTH, F DEN S F SKA - NTH",
        DEFAULT,
    ),
]


def _detour() -> Scene:
    """Return a convoy by a fleet that is not on the path which the army's order names."""
    text = "FRANCE: A BEL - LON, F ENG C A BEL - LON, F NTH C A BEL - LON"
    start = position(text)
    army, *fleets = orders(text, start)
    assert isinstance(army, Move)
    by_north_sea = replace(army, path=(ProvinceCode("NTH"),))
    rules = replace(DEFAULT, convoy_path=ConvoyPath.ALLOWED)
    return BOARD, start, [by_north_sea, *fleets], rules


def _strait() -> Scene:
    """Return a convoy of more fleets than a tree names."""
    board = board_from_json(strait_board(14))
    power = board.powers[0].power
    army = Unit(UnitKind.ARMY, Location("AAA"), power)
    fleets = [Unit(UnitKind.FLEET, Location(sea), power) for sea in strait_seas(14)]
    goal = ProvinceCode("BBB")
    convoys = [Convoy(fleet, army, goal) for fleet in fleets]
    start = Position(Phase.parse("S1901M"), (army, *fleets), {})
    return board, start, [Move(army, Location(goal)), *convoys], DEFAULT


def _winter(units: Iterable[str], centers: str, given: list[Order], edition: str) -> Scene:
    owned = {ProvinceCode(code): FRANCE for code in centers.split()}
    pieces = tuple(unit(text, "FRANCE") for text in units)
    rules = EDITIONS[edition]
    return BOARD, Position(Phase.parse("W1901A"), pieces, owned), given, rules


def _other_scenes() -> Iterator[Scene]:
    paris, brest, ruhr = (unit(text, "FRANCE") for text in ("A PAR", "F BRE", "A RUH"))
    army_in_brest = unit("A BRE", "FRANCE")
    for edition in EDITIONS:
        yield _winter([], "PAR BRE", [Build(paris), Build(brest), Build(army_in_brest)], edition)
        yield _winter([], "PAR", [Build(paris), Build(brest)], edition)
        yield _winter([], "PAR BRE", [Build(paris), Waive(FRANCE)], edition)
        yield _winter([], "PAR BRE", [Build(paris)], edition)
        yield _winter(["A PAR", "F BRE", "A MAR"], "PAR BRE MAR SPA", [Build(paris)], edition)
        yield _winter(["F BRE"], "BRE SPA POR PAR", [Build(paris)], edition)
        yield _winter(["A PAR", "F BRE"], "PAR BRE", [Build(paris)], edition)
        gone = [Disband(ruhr), Disband(ruhr), Disband(paris)]
        yield _winter(["A PAR", "A RUH"], "PAR", gone, edition)
        yield _winter(["A PAR", "A RUH", "F NAF"], "PAR", [], edition)
    out = tuple(
        Dislodged(unit(text, power), ProvinceCode(by), tuple(map(Location, retreats)))
        for text, power, by, retreats in (
            ("A BUR", "FRANCE", "MUN", ("PAR", "GAS")),
            ("A BEL", "GERMANY", "PIC", ("HOL",)),
            ("A RUH", "ENGLAND", "KIE", ("HOL",)),
            ("A TRI", "AUSTRIA", "VEN", ("TYR",)),
        )
    )
    texts = {
        "A BUR R PAR": "FRANCE",
        "A BEL R HOL": "GERMANY",
        "A RUH R HOL": "ENGLAND",
        "A TRI D": "AUSTRIA",
    }
    given: list[Order] = [order(text, power) for text, power in texts.items()]
    start = Position(Phase.parse("S1901R"), (), {}, out)
    yield BOARD, start, given, DEFAULT
    yield BOARD, start, given[:1], DEFAULT
    board, start, given, rules = _winter([], "PAR BRE", [Build(paris)], "2000")
    yield board, start, given, replace(rules, may_waive=False)


def _messages_in(value: Parameter) -> Iterator[Message]:
    if isinstance(value, tuple):
        for inner in value:
            yield from _messages_in(inner)
    elif isinstance(value, Message):
        yield value
        for inner in value.parameters.values():
            yield from _messages_in(inner)


@pytest.fixture(scope="module")
def used() -> dict[str, list[Message]]:
    """Return messages of every kind by their keys."""
    messages: dict[Message, None] = {}
    for scenes in (_movement_scenes(), _other_scenes()):
        for board, start, given, rules in scenes:
            for explanation in explain(board, start, given, rules).values():
                for cause in explanation.cause.walk():
                    messages |= dict.fromkeys(_messages_in(cause.message))
                    for support in cause.strength.supports if cause.strength else ():
                        if support.why_not is not None:
                            messages[support.why_not] = None
                for message in explanation.alternatives:
                    messages |= dict.fromkeys(_messages_in(message))
    by_key: dict[str, list[Message]] = {}
    for message in messages:
        by_key.setdefault(message.key, []).append(message)
    return by_key


def test_every_key_is_used(used: dict[str, list[Message]]) -> None:
    # `refused` repeats texts of a stored result or of an order that could not be read.
    assert set(used) - set(REFUSALS) == set(REASONS) - {"refused"}


def test_no_two_messages_share_a_key() -> None:
    assert len(MESSAGES) == sum(map(len, (REASONS, STORED, REFUSALS, NOTATION, REQUESTS, ENDINGS)))


def test_parameters_are_those_that_the_sentences_name(used: dict[str, list[Message]]) -> None:
    for key, template in REASONS.items():
        sentences = [template.one, template.other] if isinstance(template, Plural) else [template]
        names = {name for text in sentences for _, name, _ in parse_template(text)} - {None}
        if isinstance(template, Plural):
            names.add(template.parameter)
        for message in used.get(key, ()):
            assert set(message.parameters) == names, key


def test_every_message_is_whole_sentences(used: dict[str, list[Message]]) -> None:
    for messages in used.values():
        for message in messages[:50]:
            sentence = render_message(message, NAMES)
            assert sentence[0].isupper(), sentence
            assert sentence.endswith("."), sentence
            assert "{" not in sentence, sentence


@pytest.mark.parametrize(
    ("key", "parameters", "sentence"),
    [
        ("refused_conflicting_orders", {}, "The unit was given different orders."),
        ("refused_only_armies_convoyed", {}, "Only armies can be convoyed."),
        ("refused_supports_itself", {}, "A unit cannot support or convoy itself."),
        ("refused_civil_disorder", {}, "A power in civil disorder cannot be supported."),
        ("refused_supported_unit_moves", {}, "The unit to be supported was ordered to move."),
        ("refused_wrong_kind", {}, "The order calls an army a fleet, or a fleet an army."),
        (
            "refused_wrong_nationality",
            {},
            "The unit named in the order belongs to another power.",
        ),
        (
            "refused_wrong_coast",
            {"unit": {"unit": ["F", "STP/NC", "RUSSIA"]}},
            "The fleet is not on that coast.",
        ),
        (
            "refused_needs_supporting_fleet",
            {"place": {"place": "ARM"}},
            "The army cannot reach Armenia without a convoy by this fleet, so this fleet cannot "
            "support it.",
        ),
    ],
)
def test_results_stored_before_refusals_named_the_unit_are_shown_as_before(
    key: str, parameters: object, sentence: str
) -> None:
    assert str(StoredSentence(Node({"key": key, "parameters": parameters}), NAMES)) == sentence


def test_every_sentence_of_the_catalog_starts_and_ends_like_one() -> None:
    frames = {"sentences", "order_and_result", "refused"}
    for key, template in MESSAGES.items():
        for text in (template.one, template.other) if isinstance(template, Plural) else (template,):
            if key not in frames:
                assert text[0].isupper() or text[0] == "{", text
                assert text[-1] in ".?", text


def test_every_message_survives_as_json(used: dict[str, list[Message]]) -> None:
    for messages in used.values():
        for message in messages[:50]:
            stored = json.loads(json.dumps(message_to_json(message)))
            assert read_message(Node(stored)) == message


def test_every_form_of_units_is_named_somewhere() -> None:
    texts = [
        text
        for template in MESSAGES.values()
        for text in (
            (template.one, template.other) if isinstance(template, Plural) else (template,)
        )
    ]
    forms = {form for text in texts for _, _, form in parse_template(text)}
    # A unit of its own power is a type of parameter.
    assert set(UNIT_FORMS) <= forms | {"own"}


def test_a_sentence_without_names_needs_no_board() -> None:
    several = write_sentence("time_up_after_year_centers", year=1905, leaders="Italy", best=4)
    assert several == "Time was up after 1905: Italy led with 4 centers."
    one = write_sentence("time_up_on_date_pieces", date="1 May 2026", leaders="Italy", best=1)
    assert one == "Time was up on 1 May 2026: Italy led with 1 piece."
    assert write_sentence("canceled") == "The players agreed to cancel the game."


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (("PAR",), "Paris"),
        (("PAR", "NTH"), "Paris or the North Sea"),
        (("PAR", "NTH", "STP/NC"), "Paris, the North Sea or St. Petersburg (north coast)"),
    ],
    ids=["one", "two", "three"],
)
def test_lists_are_joined(places: tuple[str, ...], words: str) -> None:
    message = Message.of(
        "retreat_options", unit=unit("F SKA", "ENGLAND"), places=tuple(map(Place, places))
    )
    wanted = f"The fleet in the Skagerrak could retreat to {words}."
    assert render_message(message, NAMES) == wanted
