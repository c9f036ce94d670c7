"""What a person can read of a conversation, numbered without gaps."""

from hypothesis import given
from hypothesis import strategies as st

from diplomaccloud.press.table.periods import merge_ranges

PARTS = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30)), max_size=5)


@given(PARTS)
def test_shown_numbers_have_no_gaps(parts):
    ranges = merge_ranges(parts)
    readable = sorted({n for first, last in parts for n in range(first, last + 1)})
    assert ranges.count == len(readable)
    assert ranges.last == (readable[-1] if readable else 0)
    assert [n for n in range(35) if n in ranges] == readable
    assert [ranges.shown(n) for n in readable] == list(range(1, len(readable) + 1))
    assert [ranges.stored(n) for n in range(1, len(readable) + 1)] == readable
    assert ranges.stored(0) == ranges.stored(-3) == 0
    assert ranges.stored(len(readable) + 1) == ranges.last
