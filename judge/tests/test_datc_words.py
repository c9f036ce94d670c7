"""Every order of DATC chapter 6 has the outcome that DATC says, or a reason why not."""

import pytest
from judge.tests.cases import case_lines
from judge.tests.conformance import find_case, load_numbered_cases
from judge.tests.datc_words import (
    EDITION,
    FATES,
    OUTCOMES,
    REASONS,
    list_differences,
    load_words,
)

WORDS = load_words()


@pytest.mark.parametrize("number", WORDS)
def test_every_order_has_the_outcome_that_datc_says(number: str) -> None:
    differences = list_differences(number, find_case(number, EDITION))
    assert {difference.unit for difference in differences} == {
        unit for case, unit in REASONS if case == number
    }, differences


def test_every_order_of_every_case_has_a_word() -> None:
    assert list(WORDS) == list(load_numbered_cases())
    for number, phases in WORDS.items():
        case = find_case(number, EDITION)
        for words, phase in zip(phases, (case, case.following), strict=False):
            if phase is not None:
                orders = [unit for unit, said in words if said != ("automatic",)]
                assert len(orders) == len(case_lines(phase)), number


def test_every_word_is_known() -> None:
    said = {
        word for phases in WORDS.values() for words in phases for _, told in words for word in told
    }
    assert said == {*OUTCOMES, *FATES}
