"""Privacy, terms, contact and trademark: an administrator's text replaces the default."""

import os
from html import unescape

import pytest
from django.test import Client

from diplomaccloud.pages.views import TITLES


@pytest.fixture
def folder(settings, tmp_path):
    settings.OPERATOR_TEXTS = tmp_path
    return tmp_path


def read(name):
    answer = Client().get(f"/about/{name}/")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("name", TITLES)
def test_every_site_has_the_pages_and_links_to_them(db, folder, name):
    assert f'<h1 id="{name}">{TITLES[name]}</h1>' in read(name)
    assert f'href="/about/{name}/">{TITLES[name]}</a>' in Client().get("/").content.decode()


def test_the_administrator_s_text_replaces_the_default_at_once(db, folder):
    file = folder / "contact.md"
    file.write_text("# Write to us\n\nTo [Ann](mailto:ann@games.example).\n")
    assert '<a href="mailto:ann@games.example">Ann</a>' in read("contact")
    assert "<title>Write to us" in read("contact")
    file.write_text("No heading, and another text.")
    os.utime(file, ns=(1, 1))
    assert "<title>Contact" in read("contact")
    assert "another text" in read("contact")
    file.unlink()
    assert "has not added an address here yet" in read("contact")


def test_addresses_between_angle_brackets_are_links(db, folder):
    (folder / "contact.md").write_text("Write to <ann@games.example>, see <https://good.example/>.")
    page = unescape(read("contact"))
    assert '<a href="mailto:ann@games.example">ann@games.example</a>' in page
    assert '<a href="https://good.example/">' in page


def test_html_and_scripts_in_a_text_do_nothing(db, folder):
    (folder / "terms.md").write_text(
        "# Terms\n\n<script>alert(1)</script>\n\n<b onclick='x()'>bold</b> text\n\n"
        "[a](javascript:alert(1)) [b](JAVASCRIPT:x) [c](data:text/html,x) [d](//evil.example) "
        "[e]( javascript:x) [f](java&#115;cript:x) ![g](javascript:x)\n\n[h](https://good.example/)\n"
    )
    page = read("terms").partition("<article")[2].partition(">")[2].partition("</article>")[0]
    assert "<script" not in page
    assert "<b" not in page
    assert "&lt;script&gt;" in page
    assert "javascript:" not in page.lower().replace("&lt;script&gt;alert", "")
    assert "data:" not in page
    assert "evil.example" not in page
    assert '<a href="https://good.example/">h</a>' in page


def test_only_the_four_texts_are_pages(db, folder):
    (folder / "secret.md").write_text("# Secret")
    for name in ("secret", "..%2fsecret", "privacy.md"):
        assert Client().get(f"/about/{name}/").status_code == 404


def test_a_text_that_is_no_text_is_shown_all_the_same(db, folder):
    (folder / "privacy.md").write_bytes(b"# Caf\xe9 \x00\n")
    assert "Caf" in read("privacy")


@pytest.mark.parametrize("path", ["/", "/api/", "/guides/http-api/"])
def test_pages_link_to_the_site_s_code_if_its_address_is_set(db, settings, path):
    assert "Source code" not in Client().get(path).content.decode()
    settings.CODE_URL = "https://code.example.org/games?a=1&b=2"
    page = Client().get(path).content.decode()
    assert 'href="https://code.example.org/games?a=1&amp;b=2">Source code</a>' in page
