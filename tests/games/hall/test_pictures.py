"""Pictures of positions: drawn by workers, named by what they show, and pruned."""

import datetime as dt
import os
from dataclasses import replace

import pytest
from django.core.management import call_command
from django.utils import timezone
from tests.games.steps import asked, due, end_game, game, phase

from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.hall import actions
from diplomaccloud.games.hall.actions import draw_next_picture, prune_pictures, request_picture
from diplomaccloud.games.hall.models import Standing
from diplomaccloud.games.hall.page import find_picture, present_card
from diplomaccloud.games.hall.read import read_cards, read_stamps
from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.seats.actions import color_country
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.maps import card_pictures, pictures, thumbnails
from diplomaccloud.shared.outages import Away

SECOND_DAY = dt.timedelta(days=2)


def draw_all():
    """Draw what is missing, and return how many games had a new picture."""
    count = 0
    while draw_next_picture():
        count += 1
    return count


def card_of(cast, who="nobody"):
    return read_cards(Viewer(cast.user_id(who)), read_stamps([cast.game_id]))[cast.game_id]


def url_of(cast):
    card = card_of(cast)
    return find_picture(card.map_hash, card.picture).light_url


def note_of(cast):
    return present_card(card_of(cast), timezone.now()).note


@pytest.mark.usefixtures("small_pictures")
class TestDrawing:
    def test_a_new_position_shows_the_opening_until_it_is_drawn(self, cast):
        assert (card_of(cast).picture, bool(note_of(cast))) == (None, True)
        assert "-card.webp" in url_of(cast)
        assert draw_all() == 1
        assert note_of(cast) == ""
        answer = cast.client("nobody").get(url_of(cast))
        assert answer.content[8:12] == b"WEBP"
        assert "immutable" in answer["Cache-Control"]

    def test_a_drawn_position_is_not_drawn_again(self, cast, monkeypatch):
        draw_all()
        monkeypatch.setattr(actions, "_draw", pytest.fail)
        assert draw_all() == 0

    def test_each_turn_has_another_picture(self, cast):
        draw_all()
        first = url_of(cast)
        due(cast)
        assert (card_of(cast).picture, bool(note_of(cast))) == (None, True)
        draw_all()
        assert url_of(cast) != first

    def test_games_in_the_same_position_share_a_picture(self, cast, plan, small_pictures):
        draw_all()
        known = {"slug": "bbbbbbbbbb", "now": timezone.now()}
        create_game(plan=plan, creator_id=cast.alice, code="x", seed="s", **known)
        start_game(user_id=cast.alice, **known)
        assert draw_all() == 1
        assert len(list(small_pictures.iterdir())) == len(card_pictures.THEMES)

    def test_a_color_that_a_player_chose_is_another_picture(self, cast):
        draw_all()
        first = url_of(cast)
        now = timezone.now()
        color_country(slug=cast.slug, user_id=cast.alice, color="#c0489c", now=now)
        draw_all()
        assert url_of(cast) != first

    def test_a_finished_game_shows_its_last_position_and_places(self, cast):
        draw_all()
        end_game()
        draw_all()
        card = card_of(cast, "alice")
        assert (card.picture is not None, str(card.last_phase), card.place) == (True, "S1901M", 2)
        assert card_of(cast).place == 0

    def test_a_rollback_and_its_undoing_change_the_picture(self, table):
        draw_all()
        first = url_of(table)
        due(table)
        draw_all()
        second = url_of(table)
        by = {"slug": table.slug, "user_id": table.charlie, "reason": "A test."}
        back = roll_back(**by, sequence=phase().sequence, to=1, now=timezone.now())
        draw_all()
        assert url_of(table) == first
        roll_forward(**by, sequence=back.sequence, now=timezone.now())
        draw_all()
        assert url_of(table) == second


@pytest.mark.usefixtures("small_pictures")
class TestFaults:
    def test_a_turn_during_the_drawing_is_drawn_next(self, cast, monkeypatch):
        measure = actions._measure

        def measure_late(position):
            monkeypatch.setattr(actions, "_measure", measure)
            request_picture(game())
            return measure(position)

        monkeypatch.setattr(actions, "_measure", measure_late)
        draw_next_picture()
        assert card_of(cast).is_new
        assert draw_all() == 1
        assert not card_of(cast).is_new

    def test_what_a_killed_worker_left_is_drawn_by_another(self, cast, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr(card_pictures, "compress_card", lambda _: interrupt())
            with pytest.raises(KeyboardInterrupt):
                draw_next_picture()
        assert card_of(cast).is_new
        assert draw_all() == 1

    def test_a_full_disk_is_tried_again(self, cast, monkeypatch):
        def refuse(*_):
            raise OSError("no space left")

        with monkeypatch.context() as patch:
            patch.setattr(card_pictures, "keep_file", refuse)
            with pytest.raises(OSError, match="no space"):
                draw_next_picture()
        assert card_of(cast).is_new

    def test_a_damaged_game_is_left_out_and_keeps_nobody_waiting(self, cast):
        damaged = phase()
        damaged.position_json = {}
        damaged.save()
        assert draw_all() == 1
        assert (card_of(cast).picture, card_of(cast).is_new) == (None, False)

    def test_a_new_renderer_draws_again_and_the_old_picture_stays_until_then(
        self, cast, monkeypatch
    ):
        draw_all()
        first = url_of(cast)
        for module in (actions, card_pictures):
            monkeypatch.setattr(module, "card_version", lambda: "another")
        assert (url_of(cast), card_of(cast).is_new) == (first, False)
        assert draw_all() == 1
        assert url_of(cast) != first

    def test_a_new_position_comes_before_an_outdated_picture(self, cast, plan):
        draw_all()
        Standing.objects.update(drawn="0")
        known = {"slug": "bbbbbbbbbb", "now": timezone.now()}
        create_game(plan=plan, creator_id=cast.alice, code="x", seed="s", **known)
        start_game(user_id=cast.alice, **known)
        draw_next_picture()
        assert [row.drawn for row in Standing.objects.order_by("pk")] == [
            "0",
            card_pictures.card_version(),
        ]

    def test_a_round_without_work_takes_three_queries(self, cast):
        draw_all()
        assert len(asked(draw_next_picture)) == 3

    def test_a_picture_that_does_not_exist_is_not_drawn_or_looked_up(self, cast):
        client, path = cast.client("nobody"), f"/maps/cards/{'0' * 64}.webp"
        assert len(asked(lambda: client.get(path))) == 0
        assert client.get(path).status_code == 404


class TestFileStore:
    @pytest.fixture
    def machine(self, small_pictures, settings, tmp_path):
        """A function that lets the test be a machine with a data folder of its own."""
        settings.HAS_FILE_STORE = True

        def be(name):
            settings.DATA_DIR = tmp_path / name
            return settings.DATA_DIR / "cards"

        be("worker")
        return be

    def test_a_web_server_fetches_a_picture_once(self, cast, machine, monkeypatch):
        draw_all()
        copies, client = machine("web"), cast.client("nobody")
        assert client.get(url_of(cast)).status_code == 200
        assert len(list(copies.iterdir())) == 1
        monkeypatch.setattr(card_pictures, "open_kept_file", pytest.fail)
        assert client.get(url_of(cast)).status_code == 200

    def test_while_the_store_is_down_pictures_wait(self, cast, machine, monkeypatch):
        def fail(*_):
            raise Away("file store")

        with monkeypatch.context() as patch:
            patch.setattr(card_pictures, "open_kept_file", fail)
            assert draw_next_picture() == 0
            assert cast.client("nobody").get(f"/maps/cards/{'0' * 64}.webp").status_code == 503
        assert card_of(cast).is_new
        assert draw_all() == 1

    def test_old_copies_go_with_the_pictures(self, cast, machine):
        draw_all()
        copies = machine("web")
        cast.client("nobody").get(url_of(cast))
        due(cast)
        draw_all()
        assert prune_pictures(timezone.now() + SECOND_DAY) == (2, 0)
        assert list(copies.iterdir()) == []


class TestPruning:
    @pytest.fixture
    def drawn(self, cast, small_pictures):
        """Return the folder of two positions of one game; the first is two days old."""
        draw_all()
        old = (timezone.now() - SECOND_DAY).timestamp()
        for path in small_pictures.iterdir():
            os.utime(path, (old, old))
        due(cast)
        draw_all()
        return small_pictures

    def test_old_pictures_go_and_the_last_of_each_game_stays(self, cast, drawn):
        assert len(list(drawn.iterdir())) == 4
        assert prune_pictures(timezone.now()) == (2, 0)
        assert len(list(drawn.iterdir())) == 2
        assert cast.client("nobody").get(url_of(cast)).status_code == 200
        assert prune_pictures(timezone.now() + 3 * SECOND_DAY) == (0, 0)

    def test_pictures_that_open_pages_still_show_stay_for_a_day(self, cast, drawn):
        due(cast)
        draw_all()
        assert prune_pictures(timezone.now()) == (2, 0)
        assert len(list(drawn.iterdir())) == 4

    def test_missing_pictures_are_drawn_again(self, cast, drawn, capsys):
        for path in drawn.iterdir():
            path.unlink()
        call_command("prunepictures")
        assert "1 game" in capsys.readouterr().out
        assert draw_all() == 1
        assert cast.client("nobody").get(url_of(cast)).status_code == 200

    def test_without_any_picture_there_is_nothing_to_prune(self, cast, small_pictures):
        assert prune_pictures(timezone.now()) == (0, 0)


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.long
def test_a_picture_has_at_most_ten_kilobytes(cast):
    sizes = []
    for centers in ({}, dict.fromkeys(phase().position.centers, "TURKEY")):
        position = replace(phase().position, centers=centers or phase().position.centers)
        for theme in card_pictures.THEMES.values():
            svg = card_pictures.render_card(game().map, position, theme)
            sizes.append(len(pictures.compress_card(svg)))
    assert max(sizes) <= thumbnails.MAX_CARD_BYTES
