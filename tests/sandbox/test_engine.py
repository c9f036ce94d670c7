"""The sandbox without a site: addresses, edits, orders, steps."""

import base64
import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge.tests.effort import count_calls
from judge.tests.scenes import random_orders, random_position
from judge.tests.shorthand import BOARD, orders, position, unit

from diplomaccloud.judge import adjudicate, legal_orders
from diplomaccloud.judge.board import Location, Power, ProvinceCode, Terrain, UnitKind
from diplomaccloud.judge.orders import Build, Disband, Hold, Move, Retreat, SupportHold, Waive
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox import engine
from diplomaccloud.sandbox.address import (
    MAX_LENGTH,
    decode_state,
    encode_state,
    fit_state,
    read_state,
)
from diplomaccloud.sandbox.engine import SandboxError, SandboxState

NO_COUNTRY, NO_PROVINCE, NO_EDITION = "no such country", "no such province", "no such edition"
MAP = "0123456789abcdef" * 4
FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")
A_PAR = unit("A PAR", "FRANCE")


def encode(state):
    return encode_state(state, BOARD, MAP)


def decode(text):
    return decode_state(text, BOARD, MAP)


def played_state(seed, phases=4, edition="2000"):
    """Return a state after some phases of random orders, with random orders in the next."""
    rng = random.Random(seed)
    state = engine.start_state(BOARD, edition)
    for _ in range(phases):
        state = engine.step(BOARD, with_random_orders(state, rng))
    return with_random_orders(state, rng)


def with_random_orders(state, rng):
    at = engine.replay(BOARD, state).position
    chosen = []
    for line in engine.list_lines(BOARD, at, ()):
        listed = engine.list_unit_orders(BOARD, at, line, state.rules)
        if (listed and rng.random() < 0.8 and line.unit is not None) or line.number == 1:
            chosen.append(rng.choice(listed))
    return engine.merge_orders(BOARD, state, chosen)


# Addresses.


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 8), st.sampled_from(sorted(EDITIONS)))
def test_every_state_comes_back_from_its_address(seed, phases, edition):
    state = played_state(seed, phases, edition)
    assert decode(encode(state)) == state
    assert len(encode(state)) < MAX_LENGTH


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_any_position_comes_back_from_its_address(seed):
    rng = random.Random(seed)
    start = random_position(BOARD, rng, 12)
    state = SandboxState(start, orders=tuple(random_orders(BOARD, start, rng)))
    again = decode(encode(state))
    assert (again.start, set(again.orders)) == (start, set(state.orders))


def test_an_address_needs_no_quoting_and_is_short():
    text = encode(engine.start_state(BOARD))
    assert text.replace("-", "").replace("_", "").isalnum()
    assert len(text) < 100


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=300), st.binary(max_size=200).map(lambda raw: raw.hex())))
def test_any_text_is_a_state_or_an_error(text):
    with contextlib.suppress(SandboxError):
        assert isinstance(decode(text), SandboxState)


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=120))
def test_any_bytes_after_a_good_head_are_read_or_refused(body):
    head = bytes([1]) + bytes.fromhex(MAP[:6]) + b"abc"
    text = base64.urlsafe_b64encode(head + body).decode().rstrip("=")
    try:
        reading = read_state(text, BOARD, MAP)
    except SandboxError:
        return
    assert reading.problems
    engine.replay(BOARD, reading.state)
    again = encode(reading.state)
    assert decode(again) == reading.state


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 500), st.data())
def test_a_changed_character_never_passes_unnoticed(seed, data):
    text = encode(played_state(seed, 2))
    place = data.draw(st.integers(0, len(text) - 2))
    letter = data.draw(st.sampled_from("ABCabc012-_"))
    changed = text[:place] + letter + text[place + 1 :]
    if changed != text:
        with pytest.raises(SandboxError):
            decode(changed)


def test_the_start_of_a_cut_address_is_still_shown():
    state = played_state(3, 3)
    text = encode(state)
    reading = read_state(text[:-9], BOARD, MAP)
    assert reading.state.start == state.start
    assert reading.state.past == state.past[: len(reading.state.past)]
    assert "incomplete" in reading.problems[0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not the address"),
        ("hello world", "not the address"),
        ("é" * 40, "not the address"),
        ("A" * 10_000, "longer than"),
        ("AAAA" * 20, "version"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(SandboxError, match=sentence):
        decode(text)


def test_an_address_of_another_map_is_refused():
    with pytest.raises(SandboxError, match="another map"):
        decode_state(encode(engine.start_state(BOARD)), BOARD, "f" * 64)


def test_the_longest_text_is_refused_or_read_at_once():
    head = bytes([1]) + bytes.fromhex(MAP[:6]) + b"abc"
    rng = random.Random(1)
    texts = [base64.urlsafe_b64encode(head + rng.randbytes(4_400)) for _ in range(20)]

    def decode_all():
        for text in texts:
            with pytest.raises(SandboxError):
                decode(text.decode().rstrip("="))

    _, calls = count_calls(decode_all)
    assert calls < 10_000


def test_two_units_in_one_province_keep_the_first():
    crowded = Position(
        Phase.parse("S1901M"), (A_PAR, unit("F BRE", "FRANCE"), unit("A BRE", "GERMANY")), {}
    )
    reading = read_state(encode(SandboxState(crowded)), BOARD, MAP)
    assert len(reading.state.start.units) == 2
    assert "Only one unit fits in Brest" in reading.problems[0]


def test_forty_units_are_allowed():
    places = [p for p in BOARD.provinces if p.terrain is not Terrain.SEA][:40]
    units = tuple(Unit(UnitKind.ARMY, Location(p.code), FRANCE) for p in places)
    state = SandboxState(Position(Phase.parse("F1905M"), units, {}))
    assert decode(encode(state)) == state
    assert engine.step(BOARD, state)


def test_old_phases_are_forgotten_where_an_address_would_be_too_long():
    rng = random.Random(1)
    units = tuple(
        Unit(UnitKind.FLEET, p.fleet_locations[0], rng.choice(BOARD.powers).power)
        if p.terrain is Terrain.SEA
        else Unit(UnitKind.ARMY, Location(p.code), rng.choice(BOARD.powers).power)
        for p in BOARD.provinces
    )
    state = SandboxState(Position(Phase.parse("S1901M"), units, {}))
    for _ in range(20):
        state = engine.step(BOARD, state.with_orders(tuple(Hold(unit) for unit in units)))
    fitting, text = fit_state(state, BOARD, MAP)
    assert 0 < len(fitting.past) < len(state.past) + 1
    assert len(text) <= MAX_LENGTH
    now = engine.replay(BOARD, state).position
    assert engine.replay(BOARD, fitting).position == now


# Steps.


def test_a_step_is_what_the_judge_decides():
    start = starting_position(BOARD)
    text = "FRANCE: A PAR - BUR, A MAR S A PAR - BUR\nGERMANY: A MUN - BUR"
    state = SandboxState(start, orders=tuple(orders(text, start)))
    line = engine.replay(BOARD, engine.step(BOARD, state))
    assert line.position == adjudicate(BOARD, start, state.orders).next
    assert line.phases[0].orders == state.orders
    assert engine.step_back(engine.step(BOARD, state), 0) == state


def test_a_game_can_be_stepped_through_every_phase():
    seen = set()
    state = engine.start_state(BOARD)
    rng = random.Random(5)
    for _ in range(30):
        state = engine.step(BOARD, with_random_orders(state, rng))
        seen.add(engine.replay(BOARD, state).position.phase.stage)
    assert len(seen) == 3
    assert len(state.past) == 16
    assert state.start.phase.year > 1901


def test_the_edition_decides_again():
    text = "RUSSIA: A MOS - STP, A LVN S A MOS - STP\nENGLAND: F STP/NC H"
    start = position(text)
    state = engine.step(BOARD, SandboxState(start, orders=tuple(orders(text, start))))
    for edition in EDITIONS:
        again = engine.set_edition(BOARD, state, edition)
        assert (again.rules.name, again.past) == (edition, state.past)
    with pytest.raises(SandboxError, match=NO_EDITION):
        engine.set_edition(BOARD, state, "1848")


# Edits.


def test_a_unit_replaces_the_one_in_its_province_and_keeps_good_orders():
    start = starting_position(BOARD)
    state = SandboxState(start, orders=tuple(orders("FRANCE: A PAR - BUR, A MAR - SPA", start)))
    state = engine.place_unit(BOARD, state, unit("A PAR", "GERMANY"))
    now = engine.replay(BOARD, state).position
    assert now.unit_in(ProvinceCode("PAR")).power == GERMANY
    assert [str(order) for order in state.orders] == ["A MAR - SPA"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A NTH", "North Sea is at sea"),
        ("F MUN", "Munich is inland"),
        ("F SPA", "needs a coast: SPA/NC or SPA/SC"),
        ("A XYZ", NO_PROVINCE),
    ],
)
def test_units_where_they_cannot_be_are_refused(text, sentence):
    with pytest.raises(SandboxError, match=sentence):
        engine.place_unit(BOARD, engine.start_state(BOARD), unit(text, "FRANCE"))


def test_owners_change_only_where_there_is_a_center():
    state = engine.start_state(BOARD)
    state = engine.set_owner(BOARD, state, ProvinceCode("BEL"), FRANCE)
    assert state.start.centers["BEL"] == FRANCE
    state = engine.set_owner(BOARD, state, ProvinceCode("BEL"), None)
    assert "BEL" not in state.start.centers
    with pytest.raises(SandboxError, match="Burgundy is not a supply center"):
        engine.set_owner(BOARD, state, ProvinceCode("BUR"), FRANCE)


def test_the_phase_changes_the_orders():
    state = engine.move_to_phase(BOARD, engine.start_state(BOARD), Phase.parse("W1901A"))
    assert engine.list_lines(BOARD, state.start, ()) == ()
    state = engine.remove_unit(BOARD, state, ProvinceCode("PAR"))
    (line,) = engine.list_lines(BOARD, state.start, ())
    listed = engine.list_unit_orders(BOARD, state.start, line, state.rules)
    assert {type(order) for order in listed} == {Build, Waive}
    with pytest.raises(SandboxError, match="Adjudicate moves"):
        engine.move_to_phase(BOARD, state, Phase.parse("S1901R"))


# Orders.


def test_orders_of_one_unit_are_those_of_the_judge():
    state = played_state(8, 4)
    at = engine.replay(BOARD, state).position
    listed = [
        order
        for line in engine.list_lines(BOARD, at, ())
        for order in engine.list_unit_orders(BOARD, at, line, state.rules)
    ]
    if any(line.unit for line in engine.list_lines(BOARD, at, ())):
        assert set(listed) == set(legal_orders(BOARD, at))


def test_setting_an_order_replaces_it_and_nothing_else():
    state = engine.start_state(BOARD)
    lines = {line.key: line for line in engine.list_lines(BOARD, state.start, ())}
    line = lines["FRANCE A PAR"]
    state = engine.set_order(BOARD, state, lines["FRANCE A MAR"], Hold(lines["FRANCE A MAR"].unit))
    state = engine.set_order(BOARD, state, line, Move(A_PAR, Location("BUR")))
    state = engine.set_order(BOARD, state, line, Move(A_PAR, Location("PIC")))
    assert [str(order) for order in state.orders] == ["A MAR H", "A PAR - PIC"]
    assert engine.set_order(BOARD, state, line, None).orders == state.orders[:1]
    assert engine.clear_orders(state, FRANCE).orders == ()


def test_two_builds_in_one_place_are_refused():
    state = engine.move_to_phase(BOARD, engine.start_state(BOARD), Phase.parse("W1901A"))
    for code in ("PAR", "MAR"):
        state = engine.remove_unit(BOARD, state, ProvinceCode(code))
    first, second = engine.list_lines(BOARD, state.start, ())
    state = engine.set_order(BOARD, state, first, Build(A_PAR))
    with pytest.raises(SandboxError, match="Paris is already"):
        engine.set_order(BOARD, state, second, Build(A_PAR))


def test_retreats_come_back_with_their_choices():
    text = "FRANCE: A PAR - BUR, A MAR S A PAR - BUR\nGERMANY: A BUR H"
    start = position(text)
    state = engine.step(BOARD, SandboxState(start, orders=tuple(orders(text, start))))
    (line,) = engine.list_lines(BOARD, engine.replay(BOARD, state).position, ())
    listed = engine.list_unit_orders(BOARD, engine.replay(BOARD, state).position, line, state.rules)
    assert {type(order) for order in listed} == {Retreat, Disband}
    begun = engine.SandboxState(engine.replay(BOARD, state).position)
    assert decode(encode(begun)) == begun


# Text.


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_a_position_comes_back_from_its_text(seed):
    start = random_position(BOARD, random.Random(seed), 12)
    text = engine.write_position(BOARD, start)
    reading = engine.read_position(BOARD, starting_position(BOARD), text)
    assert reading.problems == ()
    assert reading.position.units == start.units
    assert reading.position.phase == start.phase


def test_good_parts_of_a_bad_text_are_kept():
    text = (
        "France: A PAR, F PAR, A NTH, A XYZ, F SPA, A PAR\n"
        "Nowhere: A BUR\n"
        "hello\n"
        "France owns: PAR, BUR, MAR\n"
        "Phase: Z1"
    )
    reading = engine.read_position(BOARD, starting_position(BOARD), text)
    assert [str(unit) for unit in reading.position.units] == ["A PAR"]
    assert set(reading.position.centers) == {"PAR", "MAR"}
    assert len(reading.problems) == 9


def test_a_text_without_units_is_refused_with_an_example():
    with pytest.raises(SandboxError, match="Austria: A BUD"):
        engine.read_position(BOARD, starting_position(BOARD), "hello\nworld")
    with pytest.raises(SandboxError, match="longer than"):
        engine.read_position(BOARD, starting_position(BOARD), "x" * 20_000)


def test_orders_are_written_as_sheets():
    start = starting_position(BOARD)
    given_orders = orders("FRANCE: A PAR - BUR\nGERMANY: A MUN H", start)
    text = engine.write_orders(BOARD, start, given_orders)
    assert "\nFrance:\nA PAR - BUR\n" in text
    assert "\nGermany:\nA MUN H\n" in text


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_on_a_crowded_board_the_usual_orders_are_offered(seed):
    """The list is cut off there, but everything in it is legal."""
    start = random_position(BOARD, random.Random(seed), 25)
    legal = set(legal_orders(BOARD, start))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "MAX_UNITS_LISTED", 0)
        for line in engine.list_lines(BOARD, start, ()):
            listed = engine.list_unit_orders(BOARD, start, line, EDITIONS["2000"])
            assert set(listed) <= legal
            assert Hold(line.unit) in listed
            own = {order for order in legal if order.unit == line.unit}
            assert {o for o in own if isinstance(o, SupportHold)} <= set(listed)
