"""Fragments of pages: each shows its values, and is rendered once for equal ones."""

import datetime as dt
import re
from dataclasses import dataclass, replace

import pytest
from django.template import Context, Template, engines
from django.template.loader import get_template
from django.utils import timezone

from diplomaccloud.pages.templatetags import fragments
from diplomaccloud.pages.views import site_context

AT = dt.datetime(2026, 1, 2, 23, 30, tzinfo=dt.UTC)


@dataclass(frozen=True)
class Line:
    """What a fragment shows."""

    text: str
    at: dt.datetime = AT


@pytest.fixture
def rendered(monkeypatch):
    """Return the templates that were rendered; the one of the tests needs no file."""
    fragments._render.cache_clear()
    template = engines["django"].from_string(
        "<p>{{ line.text }}, {{ line.at|date:'H:i' }}{{ user }}</p>"
    )
    names = []

    def load(name):
        names.append(name)
        return template if name == "line.html" else get_template(name)

    monkeypatch.setattr(fragments, "get_template", load)
    yield names
    fragments._render.cache_clear()


def show(line, user=""):
    page = Template("{% load fragments %}{% fragment 'line.html' line=line %}")
    return page.render(Context({"line": line, "user": user}))


def test_equal_values_are_rendered_once_and_others_again(rendered):
    line = Line("Paris")
    assert show(line) == show(replace(line)) == "<p>Paris, 23:30</p>"
    assert len(rendered) == 1
    assert show(replace(line, text="Rome")) == "<p>Rome, 23:30</p>"
    assert show(line) == "<p>Paris, 23:30</p>"
    assert len(rendered) == 2


def test_text_is_escaped(rendered):
    assert show(Line("<b>")) == "<p>&lt;b&gt;, 23:30</p>"


@pytest.mark.usefixtures("rendered")
def test_nothing_else_of_the_page_is_shown():
    assert show(Line("Paris"), user="Alice") == show(Line("Paris"), user="Bob")
    assert "Alice" not in show(Line("Paris"), user="Alice")


@pytest.mark.usefixtures("rendered")
def test_times_are_shown_in_the_zone_of_the_reader():
    assert "23:30" in show(Line("Paris"))
    with timezone.override("Asia/Tokyo"):
        assert "08:30" in show(Line("Paris"))
    assert "23:30" in show(Line("Paris"))


def test_no_more_than_a_number_is_remembered(rendered):
    for number in range(fragments.MAX_FRAGMENTS + 1):
        show(Line(str(number)))
    show(Line("0"))
    assert len(rendered) == fragments.MAX_FRAGMENTS + 2


def test_a_developer_sees_a_changed_template(rendered, settings):
    settings.DEBUG = True
    show(Line("Paris"))
    show(Line("Paris"))
    assert len(rendered) == 2


def test_the_masthead_marks_the_page_that_one_is_on(rf):
    def show_links(address):
        values = {"path": site_context(rf.get(address))["nav_path"]}
        return get_template("pages/_site_nav.html").render(values)

    links = set(re.findall(r'href="([^"]+)"', show_links("/rules/")))
    assert len(links) > 3
    current = {link: re.findall(r'"([^"]+)" aria-current', show_links(link)) for link in links}
    assert current == {link: [link] for link in links}
    assert "aria-current" not in show_links("/rules/")
