import pytest
from tests.maps.measurements import make_shipped

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.setups import setup_charts
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.gallery_file import write_shipped_maps
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.project import demo
from diplomaccloud.project.demo import make_demo


@pytest.fixture
def shipped(monkeypatch, tmp_path):
    """Let the release come with one map."""
    path = tmp_path / "shipped.zip"
    write_shipped_maps(path, [make_shipped("Land")], {})
    monkeypatch.setattr(demo, "SHIPPED_MAPS", path)
    return path


@pytest.mark.long
def test_the_demo_is_made_once(db, shipped, capsys):
    assert make_demo()
    assert not make_demo()
    assert [user.username for user in User.objects.all()] == ["demo"]
    assert StoredChart.objects.count() == 2 + len(setup_charts())
    assert sorted(game.chart.name for game in Game.objects.all()) == [
        standard_chart().world,
        "Land",
    ]
    assert Seat.objects.filter(bot="level:2").count() == 12
    assert Phase.objects.filter(processed_at=None).count() == 2


@pytest.mark.long
def test_its_password_is_printed_and_works(db, shipped, capsys, client):
    make_demo()
    password = capsys.readouterr().out.split()[-1]
    client.post("/accounts/login/", {"login": "demo", "password": password})
    assert "_auth_user_id" in client.session


@pytest.mark.long
def test_a_damaged_file_of_maps_is_named_and_the_demo_is_made_without_it(db, shipped, capsys):
    shipped.write_bytes(b"")
    assert make_demo()
    assert str(shipped) in capsys.readouterr().err
    assert [game.chart.name for game in Game.objects.all()] == [standard_chart().world]
