"""The pages of the lessons: they need no account, no script and no rows in the database."""

import re

import pytest
from tests.games.browsing import read_page

from diplomaccloud.judge.drawing.overlay import render_parts
from diplomaccloud.judge.messages.catalog import ENDINGS
from diplomaccloud.learn.page import COURSE
from diplomaccloud.learn.steps import Entry, judge_attempt

pytestmark = pytest.mark.django_db

STEPS = [
    (lesson.slug, number, step)
    for lesson in COURSE
    for number, step in enumerate(lesson.steps, start=1)
]


@pytest.mark.parametrize(("slug", "number", "step"), STEPS)
def test_every_step_opens_and_shows_its_task(client, slug, number, step):
    page = client.get(f"/learn/{slug}/{number}/")
    assert page.status_code == 200
    assert step.task in page.content.decode()


@pytest.mark.parametrize(("slug", "number", "step"), STEPS)
def test_the_form_alone_solves_a_step(client, slug, number, step):
    sent = {"order": step.orders_of_solution(), "letter": step.letter, "vote": step.vote}
    page = client.get(f"/learn/{slug}/{number}/", sent)
    assert "Well done." in page.content.decode()


def read_units(text):
    """Return the power, the unit and whether it has a ring, for each unit on the page's board."""
    found = re.findall(r'<g class="unit[^>]+data-unit="([^"]+)"([^>]+)>', text)
    return sorted(
        (re.search(r'data-power="(\w+)"', rest).group(1), unit, "data-dislodged" in rest)
        for unit, rest in found
    )


def list_units(position):
    """Return the same for a position."""
    standing = [(unit.power, str(unit), False) for unit in position.units]
    left = [(entry.unit.power, str(entry.unit), True) for entry in position.dislodged]
    return sorted(standing + left)


@pytest.mark.parametrize(("slug", "number", "step"), STEPS)
def test_a_solved_step_shows_the_board_after_the_turn(client, slug, number, step):
    sent = {"order": step.orders_of_solution(), "letter": step.letter, "vote": step.vote}
    text = client.get(f"/learn/{slug}/{number}/", sent).content.decode()
    letter = step.letter if step.letters else None
    after = judge_attempt(step, Entry(step.orders_of_solution(), letter, step.vote)).resolution.next
    assert read_units(text) == list_units(after)
    assert render_parts(step.small.chart, after)["countries"] in text
    shown = re.findall(r'data-order="([^"]+)"[^>]+data-outcome', text)
    assert {order for order in step.orders_of_solution() if not order.endswith(" H")} <= set(shown)


@pytest.mark.parametrize(("slug", "number", "step"), STEPS)
def test_after_a_wrong_try_the_board_shows_what_the_form_is_about(client, slug, number, step):
    text = client.get(f"/learn/{slug}/{number}/", {"order": "x"}).content.decode()
    assert "Not yet." in text
    units = [(power, unit) for power, unit, _ in read_units(text)]
    assert units == [(power, unit) for power, unit, _ in list_units(step.position)]
    assert render_parts(step.small.chart, step.position)["countries"] in text


def test_the_list_shows_what_is_solved(client):
    assert "Start the first lesson" in client.get("/learn/").content.decode()
    client.get("/learn/move/1/", {"order": "A MUN - KIE"})
    text = read_page(client.get("/learn/"))
    assert "1 of 4 done" in text
    assert "Continue: Move and bounce" in text


def test_a_cookie_that_was_changed_counts_as_none(client):
    client.cookies["learn"] = "move:1 move:2:forged"
    assert "Start the first lesson" in client.get("/learn/").content.decode()


def test_wrong_orders_show_what_happened_and_stay_chosen(client):
    text = client.get("/learn/move/1/", {"order": "A MUN - RUH"}).content.decode()
    assert "Not yet." in text
    assert "Then the orders of all players are carried out at the same moment." in text
    assert "Moved to Ruhr." in text
    assert re.search(r'value="A MUN - RUH" selected', text)


def test_a_learner_who_surrenders_reads_who_shares_the_game(client):
    text = client.get("/learn/ending/3/", {"vote": "surrender"}).content.decode()
    assert "Not yet." in text
    assert "You surrendered. Germany and Italy share the game." in text
    assert "The others surrendered" not in text


def test_a_draw_for_which_all_vote_says_so(client):
    page = client.get("/learn/ending/3/?vote=draw").content.decode()
    assert ENDINGS["agreed_with_orders"] in page


def test_only_builds_of_countries_in_the_lesson_are_reported(client):
    text = client.get("/learn/builds/2/", {"order": "A MUN B"}).content.decode()
    assert "Built in Munich." in text
    assert text.count("Waived: no build was ordered.") == 1
    assert "Austria" not in re.sub("<svg.*?</svg>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    "order", ["A PAR - BUR", "F MUN - KIE TOMORROW", "x" * 5000, "<script>alert(1)</script>"]
)
def test_an_order_that_cannot_be_followed_is_explained(client, order):
    page = client.get("/learn/move/1/", {"order": order})
    assert page.status_code == 200
    text = page.content.decode()
    assert "errorlist" in text
    assert "<script>alert" not in text


def test_a_hundred_orders_do_no_harm(client):
    page = client.get("/learn/move/1/", {"order": ["A MUN - KIE"] * 100})
    assert page.status_code == 200


@pytest.mark.parametrize("path", ["/learn/nonsense/", "/learn/move/0/", "/learn/move/99/"])
def test_an_unknown_lesson_leads_to_the_list(client, path):
    page = client.get(path)
    assert page.status_code == 404
    assert "There is no lesson at this address." in page.content.decode()


def test_a_lesson_leads_to_its_first_step(client):
    assert client.get("/learn/support/").headers["Location"] == "/learn/support/1/"


def test_the_board_is_cached_forever_by_its_hash(client):
    text = client.get("/learn/move/1/").content.decode()
    url = re.search(r'img src="([^"]+)"', text).group(1)
    picture = client.get(url)
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert "immutable" in picture.headers["Cache-Control"]
    assert client.get(url.replace("/boards/germany-", "/boards/nowhere-")).status_code == 404


def test_the_sketch_draws_the_chosen_orders(client):
    answer = client.post("/learn/move/1/sketch/", {"order": "A MUN - KIE"})
    assert answer.content.decode().startswith("<g")
    assert client.post("/learn/nonsense/1/sketch/").status_code == 404


def test_a_page_reads_nothing_from_the_database(client, django_assert_num_queries):
    client.get("/learn/move/1/")
    with django_assert_num_queries(0):
        client.get("/learn/move/1/", {"order": "A MUN - KIE"})


@pytest.mark.parametrize(("slug", "number", "step"), STEPS)
def test_a_page_is_light(client, slug, number, step):
    sent = {"order": step.orders_of_solution(), "letter": step.letter, "vote": step.vote}
    for query, limit in (({}, 600), (sent, 600), ({"order": ["nonsense"]}, 680)):
        text = client.get(f"/learn/{slug}/{number}/", query).content.decode()
        assert len(re.findall(r"<[a-z]", text)) <= limit
