"""The import page: valid map files go to the gallery, faults are listed."""

import datetime as dt
import html
import json
from dataclasses import replace

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from judge.tests.drawing.checkerboard import checkerboard
from judge.tests.drawing.toy_map import toy_chart
from tests.atlas.chart_faults import BROKEN, combine, set_value, valid_data

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chartfile import ChartError, check_chart, content_hash, dump_chart
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.maps import library as quotas
from diplomaccloud.maps import views as import_page
from diplomaccloud.maps.check_worker import CHECK_WORKER
from diplomaccloud.maps.line_worker import WorkerBusy, WorkerSlow
from diplomaccloud.maps.models import SavedMap, StoredChart
from diplomaccloud.shared.models import CacheEntry


@pytest.fixture(autouse=True)
def check_here(request, monkeypatch):
    """Check files in this process, unless a test is about the other."""
    if "check_worker" not in request.fixturenames:
        monkeypatch.setattr(CHECK_WORKER, "check", check_chart)


@pytest.fixture
def check_worker():
    """The process that checks files."""
    yield CHECK_WORKER
    CHECK_WORKER.close()


@pytest.fixture
def alice(people):
    cache.clear()  # otherwise the quota would include the maps of other tests
    client = Client()
    client.force_login(User.objects.get(pk=people["alice"]))
    return client


def upload(client, content, **fields):
    file = SimpleUploadedFile("map.json", content, content_type="application/json")
    return client.post("/maps/import/", {"file": file, **fields})


TOY = dump_chart(toy_chart()).encode()


def broken():
    data = valid_data()
    combine(set_value("palette", "ALMAR", "<red>"), set_value("board", "victory_centers", 9))(data)
    return json.dumps(data).encode()


def test_a_visitor_must_log_in_first(db):
    answer = upload(Client(), TOY)
    assert answer.status_code == 302
    assert "login" in answer["Location"]
    assert not StoredChart.objects.exists()


def test_a_map_file_goes_into_the_gallery_under_its_name(alice):
    answer = upload(alice, TOY)
    assert answer["Location"] == f"/maps/{content_hash(toy_chart())}/"
    assert "Toyland" in alice.get("/maps/").text
    assert alice.get("/maps/import/").status_code == 200


def test_the_downloaded_file_is_the_uploaded_file(alice):
    page = upload(alice, TOY)["Location"]
    download = alice.get(f"{page}map.json")
    assert b"".join(download) if download.streaming else download.content == TOY


def test_another_name_may_be_given(alice):
    upload(alice, TOY, name="Elsewhere")
    assert StoredChart.objects.get().name == "Elsewhere"


def test_every_fault_is_shown_and_nothing_is_saved(alice):
    answer = upload(alice, broken())
    assert answer.status_code == 422
    assert "2 errors in this file" in answer.text
    assert "palette.ALMAR" in answer.text
    assert "board.victory_centers" in answer.text
    assert "<red>" not in answer.text
    assert not StoredChart.objects.exists()
    assert not SavedMap.objects.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" " * 4_000_001, "limited to 4 MB"),
        (b"{" + b" " * 200_000, "is not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[" * 50_000, "nested too deeply"),
    ],
    ids=["nothing", "too large", "larger than other requests", "another encoding", "deep nesting"],
)
def test_a_hostile_file_gets_one_clear_error(alice, content, message):
    answer = upload(alice, content)
    assert answer.status_code == 422
    assert message in answer.text
    assert not StoredChart.objects.exists()


@pytest.mark.parametrize(
    ("change", "path"), [row[1:3] for row in BROKEN[1::3]], ids=[row[0] for row in BROKEN[1::3]]
)
def test_a_fault_is_shown_with_its_path_and_nothing_is_saved(alice, change, path):
    before = count_rows()
    data = valid_data()
    change(data)
    answer = upload(alice, json.dumps(data).encode())
    assert answer.status_code == 422
    assert path in html.unescape(answer.text)
    assert count_rows() == before


def count_rows():
    """Return how many rows each table has."""
    return {model: model.objects.count() for model in apps.get_models() if model is not CacheEntry}


def test_a_map_for_one_power_is_rejected(now):
    data = valid_data()
    data["board"]["powers"].pop()
    data["board"]["starts"].pop()
    data["board"]["provinces"][4]["home"] = None
    del data["palette"]["DUNN"]
    with pytest.raises(ChartError, match="has 1 power; a game needs"):
        import_page.read_map(json.dumps(data).encode())


def test_a_map_for_64_powers_is_added_and_played(alice, people, plan, now):
    page = upload(alice, dump_chart(checkerboard()).encode())["Location"]
    assert alice.get(page).status_code == alice.get("/maps/").status_code == 200
    plan = replace(plan, map_hash=content_hash(checkerboard()))
    game = create_game(
        plan=plan, creator_id=people["alice"], now=now, slug="bbbbbbbbbb", code="x", seed="s"
    )
    start_game(slug=game.slug, user_id=people["alice"], now=now)
    advance(game_id=game.pk, owner="test", now=now)
    later = now + dt.timedelta(days=2)
    assert advance(game_id=game.pk, owner="test", now=later)
    shown = alice.get(f"/games/{game.slug}/").content.decode()
    assert game.seats.count() == 64
    # In the strip, and on the map.
    letters = find_badge_letters(checkerboard().board)
    for pair in letters.values():
        assert shown.count(f">{pair}</text>") >= 2, pair
    assert game.phases.count() == 2
    seat = game.seats.get(user_id=people["alice"])
    for url, shown_powers in (
        ("/", [seat.power]),
        (f"{page}sandbox/", letters),
        (f"/games/{game.slug}/press/everyone/proposal/", letters),
    ):
        shown = alice.get(url).content.decode()
        missing = [power for power in shown_powers if f">{letters[power]}</text>" not in shown]
        assert not missing, url


def test_the_title_of_a_map_is_shown_as_text_until_its_name_is_hidden(alice):
    titled = replace(toy_chart(), title="The <b>Isles</b> of Kalora")
    page = upload(alice, dump_chart(titled).encode())["Location"]
    shown = "The &lt;b&gt;Isles&lt;/b&gt; of Kalora"
    assert shown in alice.get(page).content.decode()
    quotas.hide_map_name(content_hash(titled))
    assert shown not in alice.get(page).content.decode()


def test_a_title_with_an_invisible_letter_is_rejected():
    data = valid_data() | {"v": 2, "title": "The Is\u3164les"}
    with pytest.raises(ChartError, match=r"^title: "):
        import_page.read_map(json.dumps(data).encode())


def test_a_person_can_save_a_limited_number_of_maps(alice, monkeypatch):
    monkeypatch.setattr(quotas, "MAX_SAVED_MAPS", 1)
    assert upload(alice, TOY).status_code == 302
    second = dump_chart(replace(toy_chart(), seed="another")).encode()
    answer = upload(alice, second)
    assert answer.status_code == 429
    assert "limit of 1 saved maps" in answer.text
    assert StoredChart.objects.count() == 1


def test_the_process_that_checks_files_finds_what_is_right_and_what_is_wrong(check_worker):
    assert check_worker.check(TOY) == check_chart(TOY)
    with pytest.raises(ChartError) as here:
        check_chart(broken())
    with pytest.raises(ChartError) as there:
        check_worker.check(broken())
    assert there.value.faults == here.value.faults
    assert check_worker.check(TOY) == toy_chart()


@pytest.mark.parametrize(
    ("fault", "part"),
    [
        (WorkerBusy(), "being checked right now"),
        (WorkerSlow(), "takes too long"),
        (OSError("ended"), "could not be checked"),
    ],
    ids=["busy", "slow", "ended"],
)
def test_a_file_that_cannot_be_checked_now_is_kept_out(
    alice, check_worker, monkeypatch, fault, part
):
    def ask(_):
        raise fault

    monkeypatch.setattr(check_worker, "ask", ask)
    answer = upload(alice, TOY)
    assert (answer.status_code, part in answer.content.decode()) == (503, True)
    assert not SavedMap.objects.exists()
