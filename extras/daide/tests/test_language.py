"""Tokens, frames and strings survive a round trip, and no bytes do harm."""

import hypothesis.strategies as st
import pytest
from hypothesis import given
from judge.tests.effort import examples

from diplomaccloud.daide.language import (
    RESERVED,
    STANDARD,
    STANDARD_POWERS,
    STANDARD_PROVINCES,
    DaideError,
    ErrorCode,
    FrameError,
    FrameReader,
    FrameType,
    MessageError,
    Vocabulary,
    Word,
    are_brackets_paired,
    compose,
    decode_number,
    encode_number,
    read_message,
    read_text,
    require_initial,
    write_frame,
    write_initial,
    write_message,
    write_text,
)
from diplomaccloud.daide.messages import read_request

ANY_TOKEN = st.integers(0, 0xFFFF).filter(lambda token: token >> 8 not in RESERVED)
KNOWN = st.sampled_from(sorted(STANDARD.names))
LETTERS = st.integers(0x4B00, 0x4BFF)
MESSAGES = st.lists(st.one_of(ANY_TOKEN, KNOWN, LETTERS), min_size=1, max_size=60).map(tuple)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("AUS", 0x4100),
        ("TUR", 0x4106),
        ("FLT", 0x4201),
        ("VIA", 0x4325),
        ("RTO", 0x4341),
        ("WVE", 0x4382),
        ("NSU", 0x4410),
        ("YSC", 0x4413),
        ("RET", 0x4506),
        ("SCS", 0x4608),
        ("WIN", 0x4704),
        ("SMR", 0x481E),
        ("DSD", 0x490D),
        ("VSS", 0x4A1C),
        ("XDO", 0x4A1F),
        ("UKR", 0x5006),
        ("WAR", 0x510D),
        ("WES", 0x5220),
        ("YOR", 0x542F),
        ("VEN", 0x5547),
        ("STP", 0x574A),
    ],
)
def test_a_token_has_its_published_number(name, number):
    assert STANDARD.tokens[name] == number


def test_the_standard_names_are_complete():
    assert len(STANDARD_POWERS) == 7
    assert sorted(token & 0xFF for token in STANDARD_PROVINCES.values()) == list(range(75))
    assert len(set(STANDARD.tokens.values())) == len(STANDARD.tokens)


@pytest.mark.parametrize("number", [0, 1, 8191, -1, -8192])
def test_a_number_comes_back(number):
    assert decode_number(encode_number(number)) == number


@pytest.mark.parametrize("number", [8192, -8193])
def test_a_number_beyond_14_bits_is_refused(number):
    with pytest.raises(ValueError, match="is not from -8192 to 8191"):
        encode_number(number)


@given(MESSAGES)
@examples(200)
def test_a_message_comes_back_from_its_text(message):
    assert read_text(write_text(message)) == message


@given(MESSAGES, st.lists(st.integers(1, 9), max_size=40))
@examples(200)
def test_a_message_comes_back_from_its_bytes_in_any_pieces(message, sizes):
    data, frames, reader = write_message(message), [], FrameReader()
    for size in [*sizes, len(data)]:
        frames += reader.feed(data[:size])
        data = data[size:]
    assert [(frame.type, read_message(frame.body)) for frame in frames] == [
        (FrameType.DIPLOMACY, message)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "NME ('Albert') ('v6.0.1')",
        "NOW (SPR 1901) (RUS FLT (STP SCS)) (ENG FLT NTH MRT (LON YOR))",
        "TME (-5)",
        "ADM ('a') ('it''s (not) it')",
        "0x4e02 0x4b00 'a'",
    ],
)
def test_a_text_comes_back(text):
    assert write_text(read_text(text)) == text


@pytest.mark.parametrize("text", ["FOO", "NME %", "8192", "'open", "12345678"])
def test_a_text_that_is_no_message_is_refused(text):
    with pytest.raises(MessageError):
        read_text(text)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (write_frame(FrameType.INITIAL, b"\0\1\xda\x10"), None),
        (write_frame(FrameType.INITIAL, b"\0\1\x10\xda"), ErrorCode.WRONG_ENDIAN),
        (b"\0\0\4\0\1\0\x10\xda", ErrorCode.WRONG_ENDIAN),
        (write_frame(FrameType.INITIAL, b"\0\1\xde\xad"), ErrorCode.WRONG_MAGIC),
        (write_frame(FrameType.INITIAL, b"\0\2\xda\x10"), ErrorCode.WRONG_VERSION),
        (write_frame(FrameType.INITIAL, b"\0\1"), ErrorCode.TOO_SHORT),
        (write_frame(FrameType.DIPLOMACY, b"\x48\x0f"), ErrorCode.NOT_INITIAL),
        (b"GET / HTTP/1.1\r\n\r\n", ErrorCode.NOT_INITIAL),
    ],
)
def test_what_a_client_sends_first_is_checked(data, code):
    def read():
        for frame in FrameReader().feed(data):
            require_initial(frame)

    if code is None:
        read()
        return
    with pytest.raises(FrameError) as error:
        read()
    assert error.value.code is code


def test_an_unknown_type_after_the_beginning_has_its_own_code():
    reader = FrameReader()
    assert list(reader.feed(write_initial()))
    with pytest.raises(FrameError) as error:
        list(reader.feed(b"\x07\0\0\0"))
    assert error.value.code is ErrorCode.UNKNOWN_TYPE


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"", ErrorCode.TOO_SHORT), (b"\x48", ErrorCode.TOO_SHORT), (b"\x58\0", 0x0E)],
)
def test_a_body_that_holds_no_tokens_is_refused(body, code):
    with pytest.raises(FrameError) as error:
        read_message(body)
    assert error.value.code == code


@given(st.binary(max_size=400))
@examples(300)
def test_bytes_never_raise_anything_but_the_error_of_the_protocol(data):
    try:
        for frame in FrameReader().feed(data):
            require_initial(frame)
            Vocabulary.from_bytes(frame.body)
            read_request(read_message(frame.body), STANDARD, 30)
    except DaideError:
        pass


@given(MESSAGES)
@examples(300)
def test_tokens_never_raise_anything_but_the_error_of_the_protocol(message):
    if not are_brackets_paired(message):
        return
    at = 0
    try:
        read_request(message, STANDARD, 30)
    except MessageError as error:
        at = error.at
    assert 0 <= at <= len(message)


@given(st.binary(max_size=60))
@examples(200)
def test_names_never_raise_anything_but_the_error_of_the_protocol(body):
    try:
        vocabulary = Vocabulary.from_bytes(body)
    except FrameError:
        return
    assert Vocabulary.from_bytes(vocabulary.to_bytes()) == vocabulary


FAULTS = {
    "an unknown command": ("MRT", 0),
    "a text that ends too early": ("NME ('a')", 4),
    "a power that is none": ("IAM (PAR) (5)", 2),
    "a passcode that is a word": ("IAM (FRA) (PAR)", 5),
    "something after the end": ("GOF GOF", 1),
    "an order without a deed": ("SUB ((FRA AMY PAR))", 7),
    "a support for nothing": ("SUB ((FRA AMY PAR) SUP MTO BUR)", 8),
    "a convoy without seas": ("SUB ((ENG AMY LVP) CTO NWY VIA ())", 11),
    "a season that is none": ("HST (PAR 1901)", 2),
    "a NOT of something else": ("NOT (MAP)", 2),
    "a proposal above the level": ("SND (FRA) (PRP (AND (PCE (ENG FRA)) (DRW)))", 7),
    "one offer of several": ("SND (FRA) (PRP (XDO ((FRA AMY PAR) HLD) (DRW)))", 16),
    "press to nobody": ("SND () (PRP (DRW))", 2),
}


@pytest.mark.parametrize(("text", "at"), FAULTS.values(), ids=FAULTS)
def test_the_token_at_fault_is_named(text, at):
    with pytest.raises(MessageError) as error:
        read_request(read_text(text), STANDARD, 20)
    assert error.value.at == at


PRESS = {
    10: [
        "PRP (PCE (ENG FRA))",
        "PRP (ALY (ENG FRA) VSS (GER))",
        "PRP (NOT (DRW))",
        "PRP (SLO (FRA))",
        "YES (PRP (DRW))",
        "REJ (YES (PRP (DRW)))",
        "BWX (PRP (PCE (ENG FRA)))",
        "HUH (ERR WHY (anything))",
        "TRY (PRP PCE)",
        "TRY ()",
    ],
    20: ["PRP (XDO ((FRA AMY PAR) MTO BUR))", "PRP (NOT (DMZ (ENG FRA) (ECH BUR)))"],
    30: ["PRP (AND (PCE (ENG FRA)) (NOT (DRW)))", "PRP (ORR (DRW) (SLO (ENG)) (DRW))"],
}


@pytest.mark.parametrize("level", [0, 10, 20, 30])
@pytest.mark.parametrize(
    ("needed", "press"),
    [(level, press) for level, all_press in PRESS.items() for press in all_press],
)
def test_press_is_taken_from_its_level_on(needed, press, level):
    message = read_text(f"SND (FRA) ({press.replace('anything', 'SUG')})")
    if level >= needed:
        assert read_request(message, STANDARD, level).press == message[5:-1]
    else:
        with pytest.raises(MessageError):
            read_request(message, STANDARD, level)


def test_words_of_a_higher_level_are_left_out_of_what_a_player_understands():
    message = read_text("SND (FRA) (TRY (PRP XDO AND DRW))")
    assert write_text(read_request(message, STANDARD, 20).press) == "TRY (PRP XDO DRW)"


def test_lists_get_brackets_and_messages_do_not():
    inner = compose(Word.PCE, [0x4100, 0x4101])
    assert write_text(compose(Word.PRP, [inner])) == "PRP (PCE (AUS ENG))"
