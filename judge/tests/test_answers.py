"""The judge's answers to 20,000 requests have not changed without anybody noticing.

A changed digest means that some outcome, reason, text or error is another one than before. If that
was meant, run `.venv/bin/python -m judge.tests.answers`, which writes the digests again.
"""

import pytest
from judge.tests.answers import GROUPS, PATH, write_digest
from judge.tests.effort import examples

TRIED = GROUPS if examples.times >= 10 else 3


@pytest.mark.long
@pytest.mark.parametrize("group", range(TRIED))
def test_no_answer_has_changed(group: int) -> None:
    assert write_digest(group) == PATH.read_text(encoding="utf-8").splitlines()[group]
