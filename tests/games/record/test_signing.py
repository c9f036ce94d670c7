"""The keys that the site signs with, the page that lists them, and their rotation."""

import io
import json

from django.core.management import call_command
from tests.games.record.test_record_lines import download, verify
from tests.games.steps import save

from diplomaccloud.games.table.log_models import SaveReceipt, SigningKey
from diplomaccloud.record.signatures import verify as is_signed


def test_the_first_key_is_made_with_the_first_game_and_published(cast):
    key = SigningKey.objects.get()
    page = cast.client("nobody").get("/keys/")
    assert page["Content-Type"] == "application/json"
    (listed,) = json.loads(page.content)["keys"]
    assert (listed["key"], listed["public"]) == (key.key_id, key.public)
    assert key.private not in page.content.decode()


def test_a_browser_gets_a_page_with_the_keys_and_programs_get_json(cast):
    key, visitor = SigningKey.objects.get(), cast.client("nobody")
    page = visitor.get("/keys/", headers={"Accept": "text/html,application/xml;q=0.9,*/*;q=0.8"})
    assert page["Content-Type"].startswith("text/html")
    assert key.public in page.content.decode()
    assert 'href="/keys.json"' in page.content.decode()
    assert key.private not in page.content.decode()
    assert "Accept" in page["Vary"]
    plain = visitor.get("/keys/").content
    for accept in ("*/*", "application/json"):
        assert visitor.get("/keys/", headers={"Accept": accept}).content == plain
    assert visitor.get("/keys.json", headers={"Accept": "text/html"}).content == plain


def test_after_a_rotation_old_and_new_signatures_are_valid(cast):
    save(cast, "alice", "A VIE - GAL")
    out = io.StringIO()
    call_command("rotatekey", stdout=out)
    save(cast, "alice", "A VIE - BOH")
    old, new = SigningKey.objects.order_by("pk")
    assert new.key_id in out.getvalue()
    assert old.retired_at is not None
    first, second = SaveReceipt.objects.order_by("pk")
    assert (first.key, second.key) == (old, new)
    record = download(cast, "alice", "record-and-receipts.jsonl")
    assert verify(record).checked["receipts"] == 2
    listed = json.loads(cast.client("nobody").get("/keys/").content)["keys"]
    assert [key["key"] for key in listed] == [old.key_id, new.key_id]
    assert [bool(key["retired_at"]) for key in listed] == [True, False]
    seal = next(line for line in map(json.loads, record.splitlines()) if line["kind"] == "seal")
    assert seal["key"] == new.key_id
    assert not is_signed(old.public, "x", first.signature)
