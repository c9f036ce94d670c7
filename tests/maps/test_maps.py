"""Stored charts, their pictures, the gallery and the page of a map."""

import datetime as dt
import os
import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import pytest
from django.test import Client
from judge.tests.drawing.toy_map import ruled_toy_chart, toy_chart
from PIL import Image

from diplomaccloud.atlas.chartfile import load_chart
from diplomaccloud.atlas.landforms import Landform
from diplomaccloud.atlas.setups import setup_charts
from diplomaccloud.games.table.models import Game
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import certification, gallery, library, picture_files, pictures
from diplomaccloud.maps.library import save_map
from diplomaccloud.maps.models import ImmutableError, StoredChart
from diplomaccloud.maps.pictures import ThumbnailSize

from .measurements import make_measurement
from .test_certification import store_earlier, store_other


@pytest.mark.parametrize(
    ("chart", "has_passages"), [(toy_chart(), False), (ruled_toy_chart(), True)]
)
def test_a_picture_says_whether_its_frame_has_passages(chart, has_passages):
    assert gallery.build_map_picture("0" * 64, chart).has_passages is has_passages


class TestLibrary:
    def test_a_chart_is_read_as_it_was_stored(self, standard):
        assert library.find_chart(standard) == standard_chart()

    def test_the_same_chart_is_stored_once(self, standard, now):
        assert library.store_chart(standard_chart(), now=now) == standard
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

    def test_a_chart_that_is_looked_for_again_is_the_same_object(self, standard):
        chart = library.find_chart(standard)
        library.load_recent.cache_clear()
        assert library.find_chart(standard) is chart
        library.set_map_name(standard, "Other")
        assert library.find_chart(standard).world == "Other"
        StoredChart.objects.filter(content_hash=standard).delete()
        library.load_recent.cache_clear()
        with pytest.raises(library.UnknownMapError):
            library.find_chart(standard)


class TestPictures:
    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_the_base_map_may_be_cached_forever(self, standard, theme):
        response = Client().get(f"/maps/{standard}/{theme}.svg")
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "image/svg+xml"
        assert "immutable" in response.headers["Cache-Control"]
        assert response.content.startswith(b"<svg")

    @pytest.mark.long
    def test_each_theme_has_webp_thumbnails_in_three_sizes(self, standard):
        page = Client().get("/maps/").content.decode()
        sizes = {}
        for name in (f"{theme}-{size}" for theme in pictures.THEMES for size in ThumbnailSize):
            response = Client().get(f"/maps/{standard}/{name}.webp")
            assert response.headers["Content-Type"] == "image/webp"
            assert "immutable" in response.headers["Cache-Control"]
            assert (f"/maps/{standard}/{name}.webp?v=" in page) is not name.endswith("card")
            with Image.open(BytesIO(response.content)) as picture:
                sizes[name] = (picture.format, picture.width)
        assert sizes == {
            "light-small": ("WEBP", 360),
            "light-large": ("WEBP", 720),
            "light-card": ("WEBP", 320),
            "dark-small": ("WEBP", 360),
            "dark-large": ("WEBP", 720),
            "dark-card": ("WEBP", 320),
        }

    def test_eight_thumbnails_are_at_most_120_kilobytes(self, standard):
        """A page of the gallery had 1,448 kB when they were PNG."""
        assert 8 * len(pictures.load_thumbnail(standard, "light", ThumbnailSize.SMALL)) <= 120_000

    def test_the_addresses_of_png_thumbnails_still_work(self, standard):
        for name, now_at in (("thumb", "light-large"), ("thumb-dark", "dark-large")):
            response = Client().get(f"/maps/{standard}/{name}.png")
            assert (response.status_code, response.headers["Location"]) == (
                301,
                f"/maps/{standard}/{now_at}.webp",
            )

    def test_an_unknown_map_has_no_thumbnail(self, db):
        assert Client().get(f"/maps/{'0' * 64}/light-small.webp").status_code == 404

    def test_a_picture_is_drawn_once(self, standard, settings, tmp_path, monkeypatch):
        settings.DATA_DIR = tmp_path
        drawn = []

        def draw(chart, theme):
            drawn.append(theme)
            return "<svg/>"

        monkeypatch.setattr(pictures, "render_base", draw)
        assert {pictures.load_base_svg(standard, "light") for _ in range(2)} == {b"<svg/>"}
        assert len(drawn) == 1

    def test_an_unknown_theme_is_not_found(self, standard):
        assert Client().get(f"/maps/{standard}/pink.svg").status_code == 404


class TestGallery:
    @pytest.mark.parametrize("order", ["newest", "most-even", "largest", "smallest"])
    def test_eight_maps_a_page_forward_and_back(self, standard, now, order):
        for number in range(19):
            chart = replace(standard_chart(), world=f"World {number}", maker="x")
            key = library.store_chart(chart, now=now + dt.timedelta(minutes=number % 3))
            StoredChart.objects.filter(content_hash=key).update(provinces=40 + number % 4)
            if number % 2:
                found = make_measurement(key, 0.1 + number % 5 / 10)
                certification.store_measurement(found, now=now)
        pages = [Client().get(f"/maps/?order={order}").context["page"]]
        while pages[-1].next_url:
            pages.append(Client().get(pages[-1].next_url).context["page"])
        assert pages[0].cards[-1].hash == standard
        assert [len(page.cards) for page in pages] == [9, 8, 3]
        assert {page.total for page in pages} == {20}
        hashes = [card.hash for page in pages for card in page.cards]
        assert len(set(hashes)) == 20
        assert pages[0].previous_url == ""
        for earlier, later in pairwise(pages):
            back = Client().get(later.previous_url).context["page"]
            assert [card.hash for card in back.cards] == [card.hash for card in earlier.cards]
            assert (back.previous_url, back.next_url) == (earlier.previous_url, earlier.next_url)

    def test_a_map_added_meanwhile_moves_no_map_to_another_page(self, standard, now):
        for number in range(10):
            chart = replace(standard_chart(), world=f"World {number}", maker="x")
            library.store_chart(chart, now=now)
        first = Client().get("/maps/").context["page"]
        library.store_chart(replace(standard_chart(), world="New", maker="x"), now=now)
        second = Client().get(first.next_url).context["page"]
        assert [card.name for card in second.cards] == ["World 1", "World 0"]

    @pytest.mark.parametrize("query", ["page=3", "after=x", "before=", f"after={'0' * 64}"])
    def test_a_page_that_does_not_exist_is_the_first_one(self, standard, query):
        response = Client().get(f"/maps/?{query}")
        assert len(response.context["page"].cards) == 1

    def test_choosing_a_map_for_a_game(self, standard):
        page = Client().get("/maps/?for=game")
        assert page.context["for_game"]
        assert f"/games/new/?map={standard}" in page.content.decode()

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("", ["Fair", "Even", "Small", "New", "Europe"]),
            ("order=newest", ["Fair", "Even", "Small", "New", "Europe"]),
            ("order=most-even", ["Fair", "Even", "Small", "New", "Europe"]),
            ("order=largest", ["New", "Fair", "Even", "Small", "Europe"]),
            ("order=smallest", ["Small", "New", "Fair", "Even", "Europe"]),
            ("certified=on", ["Fair", "Even", "Small"]),
            ("players=5", ["Small"]),
            ("players=5&order=most-even&certified=on", ["Small"]),
            ("players=9", []),
            ("players=x&order=x", ["Fair", "Even", "Small", "New", "Europe"]),
        ],
    )
    def test_certified_maps_come_first_unless_filter_or_order_say_otherwise(
        self, standard, now, query, names
    ):
        for minutes, (name, spread) in enumerate(
            [("Small", 0.3), ("Even", 0.25), ("Fair", 0.1), ("New", None)]
        ):
            chart = replace(standard_chart(), world=name, maker="x")
            key = library.store_chart(chart, now=now + dt.timedelta(minutes=minutes))
            facts = {"players": 5, "provinces": 40} if name == "Small" else {"provinces": 60}
            StoredChart.objects.filter(content_hash=key).update(**facts)
            if spread is not None:
                certification.store_measurement(make_measurement(key, spread), now=now)
        cards = Client().get(f"/maps/?{query}").context["page"].cards
        europe = standard_chart().world
        assert [card.name.replace(europe, "Europe") for card in cards] == names

    @pytest.mark.parametrize(
        ("query", "inside"),
        [
            ("", ["manual", "early-5", "early-4"]),
            ("players=7", ["manual"]),
            ("players=5", ["early-5"]),
            ("players=6", None),
            ("certified=on", None),
        ],
    )
    def test_setups_are_inside_the_card_of_europe(self, standard, now, query, inside):
        keys = {}
        for name in ("early-4", "early-5", "manual"):
            setup = setup_charts()[name]
            keys[name] = library.store_chart(setup.chart, now=now, players=len(setup.setup.players))
        response = Client().get(f"/maps/?for=game&{query}")
        page = response.context["page"]
        assert [card.hash for card in page.cards] == ([] if inside is None else [standard])
        assert page.total == len(page.cards)
        text = response.content.decode()
        for name, key in keys.items():
            assert (f'"/games/new/?map={key}"' in text) is (name in (inside or ()))
        for card in page.cards:
            names = [setup_charts()[name].chart.world for name in inside]
            assert [setup.name for setup in card.setups] == names

    @pytest.mark.parametrize(
        ("maker", "name", "drawn", "saved", "listed"),
        [
            ("hand", "Europe", True, False, False),
            ("setup early-5", "Europe of old", True, False, False),
            ("hand", "Europe", True, True, True),
            ("hand", "Europe", False, False, True),
            ("setup early-5", "Europe of old", False, False, True),
        ],
        ids=[
            "an older drawing of ours",
            "an older setup map",
            "an older drawing that a person saved",
            "a person's own map of Europe, from `map import`",
            "a person's own map, made from a setup map",
        ],
    )
    def test_older_drawings_of_europe_are_not_listed(
        self, standard, people, now, monkeypatch, maker, name, drawn, saved, listed
    ):
        chart = replace(standard_chart(), world=name, maker=maker, seed="not as it is now")
        key = library.store_chart(chart, now=now)
        if drawn:
            known = library.known_drawings() | {key}
            monkeypatch.setattr(library, "known_drawings", lambda: known)
        if saved:
            save_map(chart, name, user_id=people["alice"], now=now)
        # The query for the first page keeps the drawings that the process knew before.
        cards = Client().get("/maps/?players=7").context["page"].cards
        assert (key in [card.hash for card in cards]) is listed
        assert Client().get(f"/maps/{key}/").status_code == 200

    def test_the_next_page_keeps_the_filter(self, standard, now):
        for number in range(9):
            library.store_chart(
                replace(standard_chart(), world=f"World {number}", maker="x"), now=now
            )
        page = Client().get("/maps/?players=7&order=most-even&for=game").context["page"]
        last = page.cards[-2].hash  # before Europe
        assert page.next_url == f"/maps/?players=7&order=most-even&for=game&after={last}"

    def test_a_card_has_the_title_and_the_landform_and_can_be_found_by_it(self, standard, now):
        for landform, title in (
            ("isthmus", "The Neck of Ama"),
            ("inland-sea", "The Shores of Bel"),
        ):
            maker = f"generator 8, landform {landform}, chosen by play"
            chart = replace(toy_chart(), world=landform, title=title, maker=maker)
            library.store_chart(chart, now=now)
        cards = {
            card.name: card for card in gallery.build_gallery_page(gallery.GalleryFilter()).cards
        }
        assert cards["inland-sea"].title == "The Shores of Bel"
        assert cards["inland-sea"].landform is Landform.INLAND_SEA
        found = gallery.build_gallery_page(gallery.GalleryFilter(landform="isthmus"))
        assert ([card.title for card in found.cards], found.total) == (["The Neck of Ama"], 1)
        page = Client().get("/maps/?landform=isthmus").content.decode()
        assert "The Neck of Ama" in page
        assert "<span>Isthmus</span>" in page
        assert "The Shores of Bel" not in page

    def test_a_hidden_name_hides_the_title_everywhere(self, standard, now):
        chart = replace(toy_chart(), world="Badword", title="The Realms of Badword")
        key = library.store_chart(chart, now=now)
        for path in ("/maps/", f"/maps/{key}/"):
            assert "The Realms of Badword" in Client().get(path).content.decode()
        library.hide_map_name(key)
        for path in ("/maps/", f"/maps/{key}/"):
            assert "Badword" not in Client().get(path).content.decode()
        assert library.find_chart(key).title == ""
        library.set_map_name(key, "Badword")
        for path in ("/maps/", f"/maps/{key}/"):
            assert "The Realms of Badword" in Client().get(path).content.decode()

    def test_the_seed_is_shown_with_a_listed_map_under_its_own_name(self, db, now):
        chart = replace(toy_chart(), seed="what a stranger typed")
        for listed in (False, True):
            key = library.store_chart(chart, now=now, listed=listed)
            page = Client().get(f"/maps/{key}/").content.decode()
            assert (chart.seed in page) is listed
            assert ('name="robots" content="noindex"' in page) is not listed
        library.hide_map_name(key)
        assert chart.seed not in Client().get(f"/maps/{key}/").content.decode()

    def test_a_title_comes_back_though_another_process_knew_the_map_without_it(self, db, now):
        chart = replace(toy_chart(), world="Goodword", title="The Realms of Goodword")
        key = library.store_chart(chart, now=now)
        library.hide_map_name(key)
        library.find_chart(key)
        StoredChart.objects.filter(content_hash=key).update(name="Goodword")
        assert gallery.build_map_card(key).title == chart.title
        library.load_recent.cache_clear()
        assert gallery.build_map_card(key).title == chart.title

    def test_a_landform_that_is_cut_off_is_left_out(self, db, now):
        maker = f"{'x' * 45}, landform isthmus"
        key = library.store_chart(replace(toy_chart(), maker=maker), now=now)
        assert gallery.build_map_card(key).landform is None


class TestMapPage:
    def test_provinces_with_their_neighbors(self, standard):
        context = Client().get(f"/maps/{standard}/").context
        rows = {row.code: row for row in context["provinces"]}
        assert len(rows) == 75
        near = {
            province: [
                [code for code, _ in group]
                for group in (rows[province].both, rows[province].by_land, rows[province].by_sea)
            ]
            for province in ("SPA", "ROM", "BOH", "NTH")
        }
        assert near["SPA"] == [["GAS", "MAR", "POR"], [], ["LYO", "MAO", "WES"]]
        assert near["ROM"] == [["NAP", "TUS"], ["APU", "VEN"], ["TYS"]]
        assert near["BOH"] == [["GAL", "MUN", "SIL", "TYR", "VIE"], [], []]
        assert near["NTH"][1:] == [[], []]

    def test_centers_by_power(self, standard):
        listed = Client().get(f"/maps/{standard}/").context["groups"]
        groups = {name: centers for (name, *_), centers in listed}
        assert [len(centers) for centers in groups.values()] == [3, 3, 3, 3, 3, 4, 3, 12]
        starts = {code: unit for code, _, unit in groups["Russia"]}
        assert starts == {"MOS": "army", "SEV": "fleet", "STP": "fleet", "WAR": "army"}
        assert {unit for _, _, unit in groups["Neutral"]} == {""}

    def test_a_map_without_a_certificate_says_so(self, db, now):
        page = Client().get(f"/maps/{store_other(now)}/").content.decode()
        assert "Being measured" in page
        assert "Being measured" in Client().get("/maps/").content.decode()

    def test_a_certificate_is_shown_with_a_row_for_each_bot(self, db, now):
        key = store_other(now)
        shares = (0.1, 0.2, 0.14, 0.14, 0.14, 0.14, 0.14)
        found = make_measurement(key, 0.05, shares=shares)
        certification.store_measurement(found, now=now)
        response = Client().get(f"/maps/{key}/")
        page = response.content.decode()
        assert response.context["evenness"].verdict == "more even than Europe"
        assert [bot.name for bot in response.context["evenness"].bots] == [
            row.bot for row in found.rows
        ]
        for text in (
            "captain-1",
            "0.03–0.07",
            "England did best",
            "after 8 years",
            "0.050 ± 0.010",
        ):
            assert text in page
        assert "more even than Europe" in Client().get("/maps/").content.decode()

    def test_a_quick_certificate_is_no_verdict(self, db, now):
        key = store_other(now)
        certification.store_measurement(make_measurement(key, 0.05, quick=True), now=now)
        page = Client().get(f"/maps/{key}/").content.decode()
        assert "Measured with the greedy bot only" in page
        assert "than Europe" not in page
        assert "measured with the greedy bot only" in Client().get("/maps/").content.decode()

    def test_what_an_earlier_version_measured_is_no_verdict(self, db, now):
        key = store_other(now)
        store_earlier(key, now, spread=0.01)
        page = Client().get(f"/maps/{key}/").content.decode()
        assert "by an earlier version, in 200 games" in page
        assert "than Europe" not in Client().get("/maps/").content.decode()

    def test_a_large_map_is_compared_with_seven_powers(self, db, now, monkeypatch):
        key = store_other(now)
        monkeypatch.setattr(gallery, "MAX_GENERAL_POWERS", 6)
        certification.store_measurement(make_measurement(key, 0.05), now=now)
        assert "compared with 7 powers" in Client().get("/maps/").content.decode()

    def test_europe_is_what_others_are_compared_with(self, standard, now):
        certification.certify_map(standard, quickly=True, now=now)
        page = Client().get(f"/maps/{standard}/").content.decode()
        assert "All other maps are compared with this one" in page
        assert "Setups for fewer players are not rated" in page
        assert "the standard map" in Client().get("/maps/").content.decode()

    def test_no_page_calls_a_map_fair(self, db, now):
        key = store_other(now)
        certification.store_measurement(make_measurement(key, 0.05), now=now)
        for page in ("/maps/", f"/maps/{key}/"):
            assert " fair" not in Client().get(page).content.decode().lower()

    @pytest.mark.parametrize(
        ("name", "sees"), [("alice", True), ("bob", True), ("charlie", False), ("nobody", False)]
    )
    def test_a_private_game_is_listed_for_its_players_alone(self, cast, name, sees):
        Game.objects.filter(pk=cast.game_id).update(private=True)
        key = Game.objects.get(pk=cast.game_id).chart.content_hash
        response = cast.client(name).get(f"/maps/{key}/")
        assert (cast.slug in response.content.decode()) is sees
        assert response.context["chart"].games == 0

    def test_a_public_game_is_listed_for_everyone(self, cast):
        key = Game.objects.get(pk=cast.game_id).chart.content_hash
        response = cast.client("nobody").get(f"/maps/{key}/")
        assert cast.slug in response.content.decode()
        assert response.context["chart"].games == 1

    @pytest.mark.parametrize(
        ("kind", "begins"), [("json", b"{"), ("svg", b"<svg"), ("png", b"\x89PNG")]
    )
    def test_a_map_is_sent_as_a_file(self, standard, kind, begins, monkeypatch):
        monkeypatch.setattr(pictures, "PNG_WIDTH", 200)  # a large one takes seconds
        monkeypatch.setattr(picture_files, "renderer_version", lambda: "small")  # and is kept apart
        response = Client().get(f"/maps/{standard}/map.{kind}")
        assert response.content.startswith(begins)
        assert response.headers["Content-Disposition"].startswith("attachment")
        # A title that is hidden later must not stay in shared caches.
        assert ("private" in response.headers["Cache-Control"]) is (kind != "json")
        if kind == "json":
            assert load_chart(response.content.decode()) == standard_chart()

    def test_a_downloaded_picture_does_not_have_the_map_s_name(self, standard):
        picture = Client().get(f"/maps/{standard}/map.svg").content.decode()
        assert f"<title>Map {standard[:8]}</title>" in picture
        assert standard_chart().world not in picture

    def test_an_unknown_map_has_no_file(self, db):
        assert Client().get(f"/maps/{'0' * 64}/map.json").status_code == 404


SERVES = """
import sys, django
django.setup()
from django.test import Client
from diplomaccloud.maps import pictures
pictures.render_base = None  # the picture must be read, not drawn
response = Client(headers={"host": "localhost"}).get("/maps/%s/light.svg")
heavy = {"scipy", "shapely", "numpy", "diplomaccloud.atlas.generator"} & set(sys.modules)
print(response.status_code, len(response.content), *sorted(heavy))
"""


@pytest.mark.long
def test_a_base_map_is_served_without_the_generator_and_its_libraries(standard, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    body = pictures.load_base_svg(standard, "light")
    environment = os.environ | {
        "DIPLOMACCLOUD_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", SERVES % standard], capture_output=True, text=True, env=environment
    )
    assert done.stdout.splitlines()[-1] == f"200 {len(body)}", done.stderr


@pytest.mark.long
def test_a_process_that_only_serves_pages_never_loads_the_generator():
    loads = (
        "import sys, diplomaccloud.project.asgi, diplomaccloud.project.urls;"
        "print({'scipy', 'shapely', 'numpy', 'diplomaccloud.atlas.generator'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr
