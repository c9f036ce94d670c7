"""No case of DATC chapter 6 is missing, in any edition."""

import pytest
from judge.tests.cases import ALL_EDITIONS, HERE, load_cases

COUNTS = {"A": 12, "B": 19, "C": 9, "D": 35, "E": 15, "F": 30, "G": 20, "H": 17, "I": 7, "J": 12}
"""The 176 cases of version 3.2."""


@pytest.mark.parametrize("edition", ALL_EDITIONS)
@pytest.mark.parametrize(("section", "count"), COUNTS.items())
def test_every_case_of_a_section_is_there(section: str, count: int, edition: str) -> None:
    cases = load_cases(HERE / "datc" / f"6.{section.lower()}.toml")
    found = {case.id.partition(" ")[0] for case in cases if edition in case.rules}
    assert found == {f"6.{section}.{number}" for number in range(1, count + 1)}


def test_no_case_is_repeated() -> None:
    paths = sorted((HERE / "datc").glob("*.toml"))
    ids = [case.id for path in paths for case in load_cases(path)]
    assert len(ids) == len(set(ids))
