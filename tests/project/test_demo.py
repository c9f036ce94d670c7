from dataclasses import replace

import pytest

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.setups import setup_charts
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import stock
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.project.demo import make_demo


@pytest.fixture
def cheap_maps(monkeypatch):
    def make(seed):
        return replace(standard_chart(), world=f"Land of {seed}", seed=seed)

    monkeypatch.setattr(stock, "make_map", make)


@pytest.mark.long
def test_the_demo_is_made_once(db, cheap_maps, capsys):
    assert make_demo()
    assert not make_demo()
    assert [user.username for user in User.objects.all()] == ["demo"]
    assert StoredChart.objects.count() == 2 + len(setup_charts())
    assert sorted(game.chart.name for game in Game.objects.all()) == [
        standard_chart().world,
        f"Land of {stock.FIRST_SEED}",
    ]
    assert Seat.objects.filter(bot="level:2").count() == 12
    assert Phase.objects.filter(processed_at=None).count() == 2


@pytest.mark.long
def test_its_password_is_printed_and_works(db, cheap_maps, capsys, client):
    make_demo()
    password = capsys.readouterr().out.split()[-1]
    client.post("/accounts/login/", {"login": "demo", "password": password})
    assert "_auth_user_id" in client.session
