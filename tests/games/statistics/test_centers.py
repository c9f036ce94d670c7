"""The table of owners: years in a row with one owner, and the parts of a long game."""

import pytest

from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.statistics import page
from diplomaccloud.games.statistics.page import MAX_OWNER_YEARS, present_centers
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer

YEARS = 50


@pytest.fixture
def present(cast, monkeypatch):
    """Paris was French until 1909, free in 1910, and English from then on."""

    def read_owners(_):
        return {
            1900 + number: {"PAR": "FRANCE" if number < 10 else "ENGLAND"} if number != 10 else {}
            for number in range(YEARS)
        }

    monkeypatch.setattr(page, "read_owners", read_owners)
    reader = Reader(cast.slug, Viewer(None))
    return lambda until=None: present_centers(reader, present_seats(reader), until)


def owners_of_paris(view):
    (row,) = [row for row in view.owners if row.code == "PAR"]
    return [(owner and owner.power, years) for owner, years in row.owners]


def test_years_in_a_row_are_one(present):
    view = present(1919)
    assert view.owner_years == tuple(range(1900, 1920))
    assert owners_of_paris(view) == [("FRANCE", 10), (None, 1), ("ENGLAND", 9)]
    assert len(view.years) == YEARS


def test_a_long_game_has_parts(present):
    last = present()
    assert (last.owner_years[0], last.owner_years[-1], last.later) == (1930, 1949, None)
    middle = present(last.earlier)
    assert (middle.owner_years[0], middle.owner_years[-1]) == (1910, 1929)
    assert middle.later == 1949
    first = present(middle.earlier)
    assert (first.owner_years, first.earlier) == (tuple(range(1900, 1910)), None)
    assert first.later == 1929
    assert max(len(part.owner_years) for part in (first, middle, last)) == MAX_OWNER_YEARS


@pytest.mark.parametrize("year", ["1850", "-1", "x", "99999", ""])
def test_an_unknown_year_shows_the_last(cast, year):
    answer = cast.client("nobody").get(f"{cast.url()}centers/?last={year}")
    assert answer.status_code == 200
    assert answer.context["centers"].owner_years == (1900,)


def test_the_map_shows_who_owns_the_centers_now(cast):
    page = cast.client("nobody").get(f"{cast.url()}centers/")
    assert page.context["overlay"]
    assert page.context["overlay"] in page.content.decode()
