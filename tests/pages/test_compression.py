"""Compressed pages."""

import brotli
import pytest
from django.utils import timezone

from diplomaccloud.maps.library import store_standard
from diplomaccloud.maps.pictures import load_base_svg

pytestmark = pytest.mark.django_db
BROWSER = "gzip, deflate, br, zstd"


def test_a_page_is_compressed_by_brotli_where_the_browser_reads_it(client):
    plain = client.get("/learn/").content
    response = client.get("/learn/", headers={"accept-encoding": BROWSER})
    assert response.headers["Content-Encoding"] == "br"
    assert "Accept-Encoding" in response.headers["Vary"]
    assert len(response.content) == int(response.headers["Content-Length"]) < len(plain) / 3
    assert brotli.decompress(response.content)[:15] == plain[:15]


@pytest.mark.parametrize("accepted", ["gzip", "gzip, br;q=0"])
def test_other_browsers_get_gzip(client, accepted):
    response = client.get("/learn/", headers={"accept-encoding": accepted})
    assert response.headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize("accepted", [BROWSER, "gzip"])
def test_the_size_of_an_answer_does_not_show_how_well_it_compresses(client, accepted):
    answers = [client.get("/learn/", headers={"accept-encoding": accepted}) for _ in range(6)]
    assert len({len(answer.headers["Padding"]) for answer in answers}) > 1


def test_the_base_map_is_compressed_once(client):
    content_hash = store_standard(now=timezone.now())
    address = f"/maps/{content_hash}/light.svg"
    plain = client.get(address)
    response = client.get(address, headers={"accept-encoding": BROWSER})
    assert brotli.decompress(response.content) == plain.content
    assert plain.headers["Vary"] == response.headers["Vary"] == "Accept-Encoding"
    assert load_base_svg(content_hash, "light") == plain.content
