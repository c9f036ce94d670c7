"""A player of several powers tells them apart: in the orders, among the powers, by colour."""

from itertools import combinations

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.steps import begun

from diplomaccloud.accounts.models import User
from diplomaccloud.games import actions
from diplomaccloud.games.colours import far_apart
from diplomaccloud.games.errors import WrongMoment

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
        assert far_apart(one.color, [other.color])


def test_orders_stand_under_each_country_beside_its_color(alice_has_several):
    view, page = alice_has_several.context["view"], alice_has_several.content.decode()
    heads = page.split('<li class="slots__power">')[1:]
    assert len(heads) == len(view.you.parts)
    for part, head in zip(view.you.parts, heads, strict=True):
        before, _, _ = head.partition("</li>")
        assert f'fill="{part.color}"' in before
        assert before.endswith(part.country)
    assert "Each of your countries keeps its own color" in page


def test_a_color_is_refused_with_the_reason(alice_has_several, people):
    known = {"slug": "aaaaaaaaaa", "user_id": people["alice"], "now": timezone.now()}
    with pytest.raises(WrongMoment, match="several countries: they keep their colors"):
        actions.color_country(color="#9c2424", **known)
