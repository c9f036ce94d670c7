"""A player with several powers can distinguish them: in the orders, among the powers, by color."""

from itertools import combinations

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.steps import begun

from diplomaccloud.accounts.models import User
from diplomaccloud.games.seats.actions import color_country
from diplomaccloud.games.table.errors import NotYourSeat, WrongMoment
from diplomaccloud.games.table.options import COLORS, is_distinguishable

SEVERAL = ["2000-4", "2000-3", "2000-2"]


@pytest.fixture(params=SEVERAL)
def alice_has_several(plan, people, request):
    """A page of Alice's, who plays several powers."""
    # The seat that comes first in four-player games is England's alone: a seed draws another.
    game = begun(plan, people["alice"], seed="2", now=timezone.now(), setup=request.param)
    client = Client()
    client.force_login(User.objects.get(pk=people["alice"]))
    return client.get(f"/games/{game.slug}/")


def test_each_power_keeps_its_own_color_far_from_the_others(alice_has_several):
    you = alice_has_several.context["view"].you
    assert len(you.parts) > 1
    for one, other in combinations(you.parts, 2):
        assert is_distinguishable(one.color, [other.color])


def test_orders_stand_under_each_country_beside_its_color(alice_has_several):
    view, page = alice_has_several.context["view"], alice_has_several.content.decode()
    heads = page.split('<li class="slots__power">')[1:]
    assert len(heads) == len(view.you.parts)
    for part, head in zip(view.you.parts, heads, strict=True):
        before, _, _ = head.partition("</li>")
        assert f'color="{part.color}"' in before
        assert before.strip().endswith(part.country)


_POWERS = "/games/aaaaaaaaaa/parts/powers/"


def choose(people, **chosen):
    color_country(slug="aaaaaaaaaa", user_id=people["alice"], now=timezone.now(), **chosen)


def test_each_power_has_a_color_of_its_player_s_choice(alice_has_several, people):
    client = alice_has_several.client
    for number, part in enumerate(alice_has_several.context["view"].you.parts):
        wells = client.get(_POWERS).context["view"].color_choices
        ink = wells[number].choices[0][0]
        sent = {"power": part.power, "color": ink}
        assert client.post("/games/aaaaaaaaaa/color/", sent).status_code == 303
        view = client.get("/games/aaaaaaaaaa/").context["view"]
        assert view.you.parts[number].color == ink
        assert ink in view.overlay
        wells = client.get(_POWERS).context["view"].color_choices
        assert [color for color, _, chosen in wells[number].choices if chosen] == [ink]
    first = view.you.parts[0]
    choose(people, power=first.power, color="")
    after = client.get(_POWERS).context["view"]
    assert after.color_choices[0].printed
    assert [part.color for part in after.you.parts[1:]] == [p.color for p in view.you.parts[1:]]


def test_a_color_is_refused_with_the_reason(alice_has_several, people):
    view = alice_has_several.client.get(_POWERS).context["view"]
    one, other = view.you.parts[:2]
    ink = next(color for color, _, _ in view.color_choices[1].choices)
    choose(people, power=other.power, color=ink)
    with pytest.raises(WrongMoment, match=f"{other.country} already has this color."):
        choose(people, power=one.power, color=ink)
    for color in COLORS:
        if color != ink and not is_distinguishable(color, [ink]):
            with pytest.raises(WrongMoment, match="is too similar"):
                choose(people, power=one.power, color=color)
    theirs = next(seat for seat, *_ in view.units if not seat.is_you).power
    with pytest.raises(NotYourSeat, match="do not play this country"):
        choose(people, power=theirs, color=ink)
