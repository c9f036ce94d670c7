"""Traces of games that other servers and clients have played, which are not part of the project.

DIPLOMACCLOUD_DAIDE_TRACES names a folder with files such as `daide/tests/*.csv` in the source
distribution of the package `diplomacy`: in each line what a client says, and the answers.
"""

import os
from pathlib import Path

import pytest

from diplomaccloud.daide.language import (
    STANDARD,
    Word,
    are_brackets_paired,
    encode_number,
    encode_text,
    read_text,
    write_text,
)
from diplomaccloud.daide.messages import MAX_LEVEL, read_request

FOLDER = os.environ.get("DIPLOMACCLOUD_DAIDE_TRACES", "")
TRACES = sorted(Path(FOLDER).glob("*.csv")) if FOLDER else []


def read_words(words):
    """Return a message whose tokens are written apart: numbers as `#7`, letters one by one."""
    message = []
    for word in words.split():
        if word in "()":
            message.append(int(Word.BRA if word == "(" else Word.KET))
        elif word.startswith("#"):
            message.append(encode_number(int(word[1:])))
        elif len(word) == 1:
            message += encode_text(word)
        else:
            message.append(STANDARD.tokens[word])
    return tuple(message)


def read_trace(path):
    """Yield for each line what a client says, if anything, and the answers."""
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            _, request, *answers = [*line.split(",", 2), "", ""][:3]
            yield (
                read_words(request) if request else None,
                [read_words(answer) for answer in answers[0].split(",") if answer],
            )


@pytest.mark.skipif(not TRACES, reason="DIPLOMACCLOUD_DAIDE_TRACES names no folder with traces")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_what_others_have_said_is_understood(path):
    said = 0
    for request, answers in read_trace(path):
        for message in answers if request is None else [request, *answers]:
            assert read_text(write_text(message)) == message
            assert are_brackets_paired(message)
            said += 1
        if request is not None:
            read_request(request, STANDARD, MAX_LEVEL)
    assert said
