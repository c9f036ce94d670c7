"""The text of a message: what can be sent, and what is said about what cannot."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diplomaccloud.press.table.errors import BadText
from diplomaccloud.press.table.text import MAX_BODY, MAX_SUBJECT, clean_body, clean_subject

GOOD = {
    "plain": ("Hello.", "Hello."),
    "line breaks of three systems": ("a\r\nb\rc\nd", "a\nb\nc\nd"),
    "other line breaks": ("a\u2028b\u2029c\x85d", "a\nb\nc\nd"),
    "composed": ("e\u0301", "\xe9"),
    "a tab": ("a\tb", "a\tb"),
    "space around it": ("\n  Hello.  \n", "Hello."),
    "markup stays text": ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    "a link that no page follows": ("javascript:alert(1)", "javascript:alert(1)"),
    "right to left": ("שלום", "שלום"),
    "an emoji of several parts": ("👩‍👩‍👧", "👩‍👩‍👧"),
    "ten marks": ("q" + "\u0323" * 10, "q" + "\u0323" * 10),
    "as long as it may be": ("é" * MAX_BODY, "é" * MAX_BODY),
    "decomposed to twice the length": ("e\u0301" * MAX_BODY, "é" * MAX_BODY),
}
BAD = {
    "nothing": (" \n\t ", "Write a message"),
    "too long": ("x" * (MAX_BODY + 1), "10,001. Shorten it by 1"),
    "a NUL": ("a\nb\x00", r"U\+0000 cannot be sent. It is in line 2 at character 2"),
    "an escape": ("\x1b[31m", r"U\+001B"),
    "a delete": ("a\x7f", r"U\+007F"),
    "a bidi override": ("evil \u202etxt.exe", r"U\+202E, right-to-left override"),
    "a bidi isolate": ("\u2066x", r"U\+2066, left-to-right isolate"),
    "a lone surrogate": ("a\ud800", r"U\+D800"),
    "eleven marks": ("q" + "\u0323" * 11, "accents or marks"),
}


@pytest.mark.parametrize(("sent", "stored"), GOOD.values(), ids=GOOD)
def test_what_can_be_sent(sent, stored):
    assert clean_body(sent) == stored


@pytest.mark.parametrize(("sent", "said"), BAD.values(), ids=BAD)
def test_what_cannot_be_sent_is_named(sent, said):
    with pytest.raises(BadText, match=said) as caught:
        clean_body(sent)
    assert caught.value.field == "body"
    assert caught.value.status == 400


def test_a_subject_is_one_line():
    assert clean_subject(" Plans\tfor\r\nspring ") == "Plans for spring"
    assert clean_subject("") == ""
    assert len(clean_subject("x" * MAX_SUBJECT)) == MAX_SUBJECT
    with pytest.raises(BadText, match="257"):
        clean_subject("x" * (MAX_SUBJECT + 1))


@given(st.text())
def test_what_is_stored_is_clean_already(text):
    try:
        stored = clean_body(text)
    except BadText:
        return
    assert clean_body(stored) == stored == unicodedata.normalize("NFC", stored)
    stored.encode()
