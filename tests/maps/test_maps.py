"""Stored charts, their pictures, the gallery and the map test page."""

import subprocess
import sys
from dataclasses import replace

import pytest
from django.test import Client

from diplomaccloud.atlas.generator.making import MakingError
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.maps import library, pictures, views
from diplomaccloud.maps.models import ImmutableError, StoredChart


@pytest.fixture
def made(monkeypatch):
    """The seeds that maps were made from; making one costs nothing here."""
    seeds = []

    def make(seed, players):
        seeds.append((seed, players))
        return replace(standard_chart(), world="Madeland", seed=seed)

    views._make.cache_clear()
    monkeypatch.setattr(views, "make_map", make)
    return seeds


@pytest.fixture
def alice(people):
    from diplomaccloud.accounts.models import User

    client = Client()
    client.force_login(User.objects.get(pk=people["alice"]))
    return client


class TestLibrary:
    def test_a_chart_comes_back_as_it_was(self, standard):
        assert library.find_chart(standard) == standard_chart()

    def test_the_same_chart_is_stored_once(self, standard, now):
        assert library.store(standard_chart(), now=now) == standard
        assert StoredChart.objects.count() == 1

    def test_a_stored_chart_never_changes(self, standard):
        row = StoredChart.objects.get()
        row.name = "Other"
        with pytest.raises(ImmutableError):
            row.save()
        with pytest.raises(ImmutableError):
            row.delete()

    def test_an_unknown_hash_has_no_chart(self, db):
        with pytest.raises(library.UnknownMapError):
            library.find_chart("0" * 64)


class TestPictures:
    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_the_base_is_sent_with_a_far_expiry(self, standard, theme):
        response = Client().get(f"/maps/{standard}/{theme}.svg")
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "image/svg+xml"
        assert "immutable" in response.headers["Cache-Control"]
        assert response.content.startswith(b"<svg")

    def test_the_thumbnail_is_a_png(self, standard):
        response = Client().get(f"/maps/{standard}/thumb.png")
        assert response.content.startswith(b"\x89PNG")

    def test_a_picture_is_drawn_once(self, standard, settings, tmp_path, monkeypatch):
        settings.DATA_DIR = tmp_path
        drawn = []

        def draw(chart, theme):
            drawn.append(theme)
            return "<svg/>"

        monkeypatch.setattr(pictures, "render_base", draw)
        assert {pictures.base_picture(standard, "light") for _ in range(2)} == {b"<svg/>"}
        assert len(drawn) == 1

    def test_there_is_no_other_theme(self, standard):
        assert Client().get(f"/maps/{standard}/pink.svg").status_code == 404


class TestGallery:
    def test_eight_maps_a_page(self, standard, now):
        for number in range(8):
            library.store(replace(standard_chart(), world=f"World {number}"), now=now)
        first = Client().get("/maps/").context["page"]
        assert (len(first.cards), first.number, first.of, first.previous_url) == (8, 1, 2, "")
        names = [card.name for card in first.cards]
        assert names == [standard_chart().world, *(f"World {number}" for number in range(7, 0, -1))]
        second = Client().get(first.next_url).context["page"]
        assert [card.name for card in second.cards] == ["World 0"]
        assert second.next_url == ""

    @pytest.mark.parametrize("page", ["0", "99", "-1", "x", "9" * 30])
    def test_a_page_out_of_range_is_put_in_range(self, standard, page):
        assert Client().get(f"/maps/?page={page}").status_code == 200

    def test_choosing_a_map_for_a_game(self, standard):
        page = Client().get("/maps/?for=game")
        assert page.context["for_game"]
        assert f"/games/new/?map={standard}" in page.content.decode()

    def test_one_map_with_its_provinces(self, standard):
        context = Client().get(f"/maps/{standard}/").context
        assert (context["chart"].players, len(context["provinces"])) == (7, 75)
        spain = next(row for row in context["provinces"] if row.code == "SPA")
        assert spain.borders == "GAS, LYO, MAO, MAR, POR, WES"


class TestMapTest:
    def test_visitors_log_in_first(self, db):
        assert Client().get("/maps/test/").status_code == 302

    def test_a_seed_shows_its_map_at_once(self, alice, made):
        page = alice.get("/maps/test/?seed=Hello&players=5")
        assert made == [("Hello", 5)]
        assert page.context["svg_light"].startswith("<svg")
        assert b"<svg" in page.content
        assert not StoredChart.objects.exists()

    @pytest.mark.parametrize("query", ["seed=&players=5", "seed=a&players=11", "seed=a"])
    def test_a_bad_form_makes_nothing(self, alice, made, query):
        page = alice.get(f"/maps/test/?{query}")
        assert page.context["form"].errors
        assert made == []

    def test_a_seed_without_a_map_is_told_so(self, alice, monkeypatch):
        def make(seed, players, **wishes):
            raise MakingError("no map came of the seed")

        views._make.cache_clear()
        monkeypatch.setattr("diplomaccloud.atlas.generator.make_chart", make)
        page = alice.get("/maps/test/?seed=Hello&players=5")
        assert "No map can be made" in page.context["form"].errors["seed"][0]
        assert "svg_light" not in page.context

    @pytest.mark.parametrize("name", ["a\u202eb", "a\u200bb", "\u3164", "\ue000", "a\u0378"])
    def test_a_name_that_hides_something_is_refused(self, alice, made, name):
        answer = alice.post("/maps/test/", {"seed": "Hello", "players": 5, "name": name})
        assert answer.status_code == 422
        assert "letters, digits and punctuation" in answer.content.decode()
        assert not StoredChart.objects.exists()

    @pytest.mark.parametrize("name", ["Newland", "<b>&amp;", "Ōita-Žár 🐉", 'quo"te\\'])
    def test_a_map_is_kept_under_a_name(self, alice, made, name):
        data = {"seed": "Hello", "players": 5, "name": name}
        response = alice.post("/maps/test/", data)
        assert response.status_code == 302
        row = StoredChart.objects.get()
        assert (row.name, row.seed) == (name, "Hello")
        assert response.url == f"/maps/{row.content_hash}/"
        library.find_chart.cache_clear()
        assert alice.get("/maps/").status_code == 200
        assert alice.get(response.url).status_code == 200

    def test_it_is_not_kept_without_one(self, alice, made):
        assert alice.post("/maps/test/", {"seed": "Hello", "players": 5}).status_code == 422
        assert not StoredChart.objects.exists()


def test_a_process_that_only_serves_pages_never_loads_the_generator():
    loads = (
        "import sys, diplomaccloud.project.asgi, diplomaccloud.project.urls;"
        "print({'scipy', 'shapely', 'numpy', 'diplomaccloud.atlas.generator'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr
