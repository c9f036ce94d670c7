"""A person's own data: the download has what messages carry, and deletion leaves what was sent."""

import json

import pytest
from django.db.models import QuerySet
from tests.press.deals import TO_BURGUNDY, peace, propose, terms
from tests.press.documents.test_documents import show, sign
from tests.press.maps.test_maps import Table
from tests.press.moderation.test_reports import report

from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.models import User
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.drawing.chart import Mark, MarkKind
from diplomaccloud.notices.models import Destination
from diplomaccloud.press.conversations.actions import block_person, mute_seat
from diplomaccloud.press.inbox import read as inbox
from diplomaccloud.press.inbox.read import export
from diplomaccloud.press.maps import read as maps
from diplomaccloud.press.maps.models import ConferenceMap, SentMap
from diplomaccloud.press.maps.read import export_maps
from diplomaccloud.press.moderation.actions import take_case
from diplomaccloud.press.moderation.models import Case, Report
from diplomaccloud.press.moderation.read import read_case
from diplomaccloud.press.table.addresses import NOTES, MapPlace, parse_address
from diplomaccloud.press.table.models import Block, Message, SeatMute

TEXT = "We divide Belgium."
PIN = Mark(MarkKind.PIN, "red", ProvinceCode("BUR"), text="Here I come")


@pytest.fixture
def carried(talking):
    """France has sent England a map, a proposal and a document, in this sequence."""
    table = Table(talking)
    table.send("FRANCE", "ENGLAND", table.make("FRANCE", table.move("PAR", "BUR"), marks=[PIN]))
    propose(talking, "FRANCE", "ENGLAND", terms([peace()], [TO_BURGUNDY]))
    show(talking, "FRANCE", "ENGLAND", text=TEXT)
    sign(talking, "ENGLAND", "FRANCE", 3, TEXT)
    return table


def test_a_download_that_fails_leaves_no_cursor_open(carried, monkeypatch):
    carried.make("FRANCE", carried.move("MAR", "SPA"))
    iterator, opened = QuerySet.iterator, []
    downloads = {"read_attachments": (inbox, export), "describe_map": (maps, export_maps)}

    def open_rows(rows, chunk_size=None):
        opened.append(iterator(rows, chunk_size))
        return opened[-1]

    def fail(*args):
        raise RuntimeError

    monkeypatch.setattr(QuerySet, "iterator", open_rows)
    for name, (module, download) in downloads.items():
        monkeypatch.setattr(module, "_CHUNK", 1)
        monkeypatch.setattr(module, name, fail)
        # The traceback keeps the locals of the export alive.
        with pytest.raises(RuntimeError) as caught:
            list(download(Viewer(carried.talking.user_id("FRANCE"))))
        assert caught.tb
    assert len(opened) == 2
    assert [rows.gi_frame for rows in opened] == [None, None]


def test_the_download_has_maps_proposals_and_documents_in_words(carried):
    talking = carried.talking
    carried.make("FRANCE", carried.move("MAR", "SPA"))
    for who in ("FRANCE", "ENGLAND"):
        viewer = Viewer(talking.user_id(who))
        rows = [json.loads(line) for line in export(viewer)]
        assert [row["attached"] for row in rows] == ["map", "proposal", "document"]
        drawn, offered, written = (row["attached_text"].split("\n") for row in rows)
        assert "FRANCE A PAR - BUR" in drawn
        assert "pin BUR Here I come" in drawn
        assert offered[:2] == [
            "Alternative 1",
            "England and France keep peace for the rest of the game.",
        ]
        assert offered[-1] == "State: open"
        assert written == [TEXT, "Signed by England in Spring 1901, Movement."]
        maps = [json.loads(line) for line in export_maps(viewer)]
        assert [row["number"] for row in maps] == ([1, 2] if who == "FRANCE" else [])
    for who in ("ITALY", "Morgan", "Sam"):
        viewer = Viewer(talking.user_id(who))
        assert [*export(viewer), *export_maps(viewer)] == []


def test_a_report_copies_what_messages_carry(carried, client_of):
    talking = carried.talking
    key = report(talking, "ENGLAND", "FRANCE", 3)
    case = read_case(Viewer(talking.user_id("Morgan")), key, now=talking.now)
    texts = [copy.attached_text for copy in case.reports[0].copies]
    assert "pin BUR Here I come" in texts[0]
    assert "keep peace" in texts[1]
    assert texts[2].startswith(TEXT)
    page = client_of("Morgan").get(f"/moderation/{key}/").content.decode()
    assert TEXT in page
    assert "Here I come" in page
    # Evidence of earlier releases has no such texts.
    old = Report.objects.get().evidence
    for copy in old["messages"]:
        del copy["attached_text"]
    Report.objects.update(evidence=old)
    assert client_of("Morgan").get(f"/moderation/{key}/").status_code == 200


def test_search_says_what_a_message_carries(carried, client_of):
    talking = carried.talking
    number = carried.make("FRANCE", carried.move("MAR", "SPA"))
    carried.send("FRANCE", "ENGLAND", number, "Look at Spain.")
    page = client_of("ENGLAND").get("/messages/search/?q=spain").content.decode()
    assert "Look at Spain. · A map" in " ".join(page.split())
    assert talking.slug in page


def test_deleting_an_account_leaves_what_was_sent_and_nothing_else(carried):
    talking, france = carried.talking, carried.talking.user_id("FRANCE")
    private = carried.make("FRANCE", carried.move("MAR", "SPA"))
    carried.make("FRANCE", carried.move("MAR", "BUR"), parent=MapPlace(private))
    before = carried.make("FRANCE", carried.move("BRE", "MAO"))
    sent = carried.make("FRANCE", carried.move("BRE", "ENG"), parent=MapPlace(before))
    carried.send("FRANCE", "ENGLAND", sent)
    noted = carried.make("FRANCE", carried.move("PAR", "GAS"))
    carried.send("FRANCE", "notes", noted, "Nobody knows this.")
    talking.send("FRANCE", NOTES, "Nor this.")
    mute_seat(slug=talking.slug, user_id=france, power="ITALY", muted=True, now=talking.now)
    block_person(user_id=france, name="Sam", blocked=True, now=talking.now)
    Destination.objects.create(
        user_id=france,
        channel="email",
        address="f@example.org",
        digest="x",
        origin="https://x.example",
        created_at=talking.now,
    )
    delete_account(user_id=france, now=talking.now)
    kept = set(ConferenceMap.objects.filter(author=france).values_list("number", flat=True))
    assert kept == {1, before, sent}
    assert SentMap.objects.count() == 2
    assert not Message.objects.filter(body__contains="this.").exists()
    for model in (SeatMute, Block, Destination):
        assert not model.objects.filter(user=france).exists()
    facts = talking.reader("ENGLAND").conversation(parse_address("FRANCE")).messages
    assert [row.attached for row in facts] == ["map", "proposal", "document", "map"]
    assert all(row.attachments for row in facts)
    assert {row.author.name for row in facts} == {"deleted player"}
    assert {row.author.country for row in facts} == {"France"}
    assert facts[2].attachments[0].text == TEXT


def test_cases_of_a_judge_who_deletes_the_account_go_back_into_the_queue(carried):
    talking, morgan = carried.talking, carried.talking.user_id("Morgan")
    key = report(talking, "ENGLAND", "FRANCE", 3)
    take_case(user_id=morgan, key=key, now=talking.now)
    delete_account(user_id=morgan, now=talking.now)
    assert Case.objects.get(key=key).taken_by_id is None
    assert not User.objects.get(pk=morgan).is_active
