"""Addresses that are made once."""

import pytest
from django.template import Context, Template
from django.urls import NoReverseMatch, get_script_prefix, reverse, set_script_prefix

from diplomaccloud.shared.links import find_url


def test_an_address_is_the_one_that_django_makes():
    for _ in range(2):
        assert find_url("games:phase", "springtime", 3) == reverse(
            "games:phase", args=["springtime", 3]
        )
        assert find_url("home") == reverse("home") == "/"


def test_a_site_below_a_path_has_addresses_of_its_own():
    before, usual = get_script_prefix(), find_url("games:lobby")
    set_script_prefix("/games-of-ours/")
    try:
        assert find_url("games:lobby") == f"/games-of-ours{usual}"
    finally:
        set_script_prefix(before)
    assert find_url("games:lobby") == usual


def test_templates_get_the_same_addresses():
    def write(text):
        return Template(text).render(Context({"slug": "springtime", "missing": ""}))

    address = reverse("games:detail", args=["springtime"])
    assert write("{% url 'games:detail' slug %}") == address
    assert write("{% url 'games:detail' slug=slug %}") == address
    assert write("{% url 'games:detail' slug as here %}<{{ here }}>") == f"<{address}>"
    assert write("{% url 'games:detail' missing as here %}<{{ here }}>") == "<>"
    with pytest.raises(NoReverseMatch):
        write("{% url 'games:detail' missing %}")
