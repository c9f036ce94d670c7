"""A person who creates a public game like one that waits is first offered that one."""

from itertools import product

import pytest
from django.utils import timezone

from diplomaccloud.atlas.setups import setup_charts
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.maps.library import store_chart


@pytest.fixture
def first(people, cast):
    """A game that Bob has just created."""
    assert create(cast, "bob").status_code == 303
    return Game.objects.latest("pk")


def create(cast, person, /, **changes):
    client = cast.client(person)
    form = client.get("/games/new/").context["form"]
    values = {name: form[name].value() for name in form.fields}
    values |= {"world": "Mine", "who": "anyone", **changes}
    data = {name: value for name, value in values.items() if value not in (None, False)}
    return client.post("/games/new/", data)


def count():
    return Game.objects.count()


def test_the_waiting_game_is_offered_and_the_form_keeps_its_text(cast, first):
    before = count()
    page = create(cast, "charlie")
    assert count() == before
    assert page.context["twin"].slug == first.slug
    assert page.context["form"]["world"].value() == "Mine"
    assert "data-twin" in page.content.decode()


def test_its_button_joins(cast, first):
    cast.client("charlie").post(f"/games/{first.slug}/join/", {"world": "Mine", "map": "standard"})
    assert Seat.objects.filter(game=first, user=cast.charlie).exists()


def test_another_one_can_be_created_anyway(cast, first):
    assert create(cast, "charlie", anyway="1").status_code == 303


@pytest.mark.parametrize(
    "values",
    [{"speed": "mail"}, {"press": "none", "who": "anyone", "speed": "daily"}, {"who": "friends"}],
    ids=["another speed", "another press", "by invitation"],
)
def test_a_game_that_differs_has_no_twin(cast, first, values):
    before = count()
    create(cast, "charlie", **values)
    assert count() == before + 1


def test_a_full_game_is_none(cast, first):
    bots = [Seat(game=first, user=None, bot="hold") for _ in range(6)]
    Seat.objects.bulk_create(bots)
    assert create(cast, "charlie").context["twin"].slug == first.slug
    Seat.objects.filter(game=first).exclude(user=cast.bob).delete()
    Game.objects.filter(pk=first.pk).update(private=True)
    assert create(cast, "charlie").status_code == 303


def test_ones_own_game_is_no_offer(cast, first):
    assert create(cast, "bob").status_code == 303


def test_a_setup_is_the_same_on_its_own_map_and_on_the_standard_one(people, cast):
    setup = setup_charts()["early-4"]
    key = store_chart(setup.chart, now=timezone.now(), players=len(setup.setup.players))
    ways = {"map": key}, {"map": "standard", "setup": "early-4"}
    for first, second in product(ways, ways):
        Game.objects.update(private=True)
        assert create(cast, "bob", **first).status_code == 303
        made = Game.objects.latest("pk")
        assert create(cast, "charlie", **second).context["twin"].slug == made.slug
    assert create(cast, "charlie").status_code == 303
