"""Documents: fixed at the first signature, shown on whole, and found by nobody else."""

import html
import re

import pytest
from tests.press.people import new_key

from diplomaccloud.games.table.errors import NotYourSeat, WrongMoment
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.actions import Mode, hide_message, send_message
from diplomaccloud.press.documents.actions import (
    DocumentAttachment,
    change_document,
    digest_of_text,
    sign_document,
)
from diplomaccloud.press.documents.models import Document
from diplomaccloud.press.inbox import read as inbox_read
from diplomaccloud.press.table.addresses import parse_address
from diplomaccloud.press.table.errors import BadText, DocumentChanged, NoSuchDocument, PressClosed
from diplomaccloud.press.table.models import Message

TEXT = "We divide Belgium and Holland."


def show(talking, who, to, *, text="", source=None, mode="together"):
    """Show a document, and return its number as its sender sees it."""
    place = (parse_address(source[0]), source[1]) if source else None
    sent = send_message(
        slug=talking.slug,
        user_id=talking.user_id(who),
        to=parse_address(to),
        mode=Mode(mode),
        body="",
        key=new_key(),
        now=talking.tick(),
        attachment=DocumentAttachment(text, place),
    )
    return sent.messages[0].number


def sign(talking, who, to, number, text=TEXT, now=None):
    sign_document(
        slug=talking.slug,
        user_id=talking.user_id(who),
        to=parse_address(to),
        number=number,
        digest=digest_of_text(text),
        now=now or talking.tick(),
    )


def change(talking, who, to, number, text):
    change_document(
        slug=talking.slug,
        user_id=talking.user_id(who),
        to=parse_address(to),
        number=number,
        text=text,
        now=talking.tick(),
    )


def facts(talking, who, to, number=1):
    messages = talking.reader(who).conversation(parse_address(to)).messages
    return messages[number - 1].attachments[0]


def signers(talking, who, to, number=1):
    return [(row.country, str(row.phase)) for row in facts(talking, who, to, number).signatures]


def test_a_text_changes_until_it_is_signed(talking):
    show(talking, "FRANCE", "ENGLAND", text="A draft.")
    assert facts(talking, "FRANCE", "ENGLAND").may_change
    assert not facts(talking, "ENGLAND", "FRANCE").may_change
    with pytest.raises(NoSuchDocument):
        change(talking, "ENGLAND", "FRANCE", 1, "Mine.")
    change(talking, "FRANCE", "ENGLAND", 1, TEXT)
    with pytest.raises(DocumentChanged):
        sign(talking, "ENGLAND", "FRANCE", 1, "A draft.")
    sign(talking, "ENGLAND", "FRANCE", 1)
    sign(talking, "ENGLAND", "FRANCE", 1)
    with pytest.raises(WrongMoment, match="no longer change"):
        change(talking, "FRANCE", "ENGLAND", 1, "Another text.")
    sign(talking, "FRANCE", "ENGLAND", 1)
    assert facts(talking, "FRANCE", "ENGLAND").text == TEXT
    expected = [("England", "S1901M"), ("France", "S1901M")]
    assert signers(talking, "ENGLAND", "FRANCE") == expected


def test_a_changed_text_says_so_to_those_who_had_the_old_one(talking):
    show(talking, "FRANCE", "ENGLAND", text="A draft.")
    show(talking, "ENGLAND", "ITALY", source=("FRANCE", 1))
    change(talking, "FRANCE", "ENGLAND", 1, "A draft.")
    assert facts(talking, "ENGLAND", "FRANCE").changed_at is None
    change(talking, "FRANCE", "ENGLAND", 1, TEXT)
    changed_at = talking.now
    # A reader of the new text alone does not learn that someone had the old one.
    show(talking, "FRANCE", "GERMANY", source=("ENGLAND", 1))
    for who, to in (("FRANCE", "ENGLAND"), ("ENGLAND", "FRANCE"), ("ITALY", "ENGLAND")):
        assert facts(talking, who, to).changed_at == changed_at
    assert facts(talking, "GERMANY", "FRANCE").changed_at is None
    sign(talking, "ENGLAND", "FRANCE", 1)
    assert facts(talking, "ENGLAND", "FRANCE").changed_at == changed_at


def test_a_page_with_the_old_text_does_not_sign_the_new_one(talking, client_of):
    press, england = f"/games/{talking.slug}/press/", client_of("ENGLAND")
    show(talking, "FRANCE", "ENGLAND", text="Peace until 1905.")
    page = england.get(f"{press}FRANCE/")
    assert "Changed:" not in text_of(page)
    old = re.search(r'name="digest" value="(\w+)"', page.content.decode())[1]
    change(talking, "FRANCE", "ENGLAND", 1, TEXT)
    for digest in (old, "", "x"):
        refused = england.post(f"{press}FRANCE/1/document/sign/", {"digest": digest})
        assert refused.status_code == 409
        assert "The text has changed, so nothing was signed." in text_of(refused)
    page = text_of(england.get(f"{press}FRANCE/"))
    assert "Changed:" in page
    assert "Read it again before you sign." in page
    card = england.get(f"{press}FRANCE/1/document/", headers={"HX-Request": "true"})
    assert "Changed:" in text_of(card)
    author = text_of(client_of("FRANCE").get(f"{press}ENGLAND/"))
    assert "Changed:" in author
    assert "Read it again" not in author


def test_search_finds_documents_only_for_those_who_have_them(talking, client_of):
    show(talking, "FRANCE", "ENGLAND", text="We split Holland.")
    talking.send("FRANCE", "ITALY", "Holland is mine.")
    talking.send("FRANCE", "ENGLAND", "Holland?")

    def search(who, text, **more):
        found = inbox_read.search(Viewer(talking.user_id(who)), text, **more)
        return [(hit.summary.place, hit.message.number) for hit in found]

    assert search("FRANCE", "HOLLAND") == [("ENGLAND", 2), ("ITALY", 1), ("ENGLAND", 1)]
    assert search("ENGLAND", "holland", slug=talking.slug) == [("FRANCE", 2), ("FRANCE", 1)]
    assert search("ENGLAND", "split holland", slug="otherotherr") == []
    for who in ("ITALY", "GERMANY", "Morgan", "Sam"):
        assert search(who, "split holland") == []
    page = text_of(client_of("ENGLAND").get("/messages/search/?q=split"))
    assert "We split Holland. · A document" in page
    # The text is that of the card: the old one is found no more, and a copy shows no more than it.
    change(talking, "FRANCE", "ENGLAND", 1, TEXT)
    assert search("ENGLAND", "split") == []
    assert search("ENGLAND", "divide") == [("FRANCE", 1)]
    show(talking, "ENGLAND", "everyone", source=("FRANCE", 1))
    assert search("GERMANY", "divide") == [("everyone", 1)]
    hide_message(
        user_id=talking.user_id("ENGLAND"), slug=talking.slug, to=parse_address("FRANCE"), number=1
    )
    assert search("ENGLAND", "divide") == [("everyone", 1)]
    # A successor who gets only new messages finds no older document.
    talking.agree(press="full", successor="blank")
    talking.resign("ENGLAND")
    talking.take("Sam", "ENGLAND")
    assert ("FRANCE", 1) not in search("Sam", "divide")


def test_anyone_who_has_it_shows_it_whole_and_nobody_is_told(talking):
    show(talking, "FRANCE", "ENGLAND", text=TEXT)
    sign(talking, "FRANCE", "ENGLAND", 1)
    before = repr(talking.reader("FRANCE").conversations), facts(talking, "FRANCE", "ENGLAND")
    show(talking, "ENGLAND", "GERMANY+ITALY", source=("FRANCE", 1), mode="apart")
    show(talking, "ITALY", "everyone", source=("ENGLAND", 1))
    after = repr(talking.reader("FRANCE").conversation(parse_address("ENGLAND")).summary)
    assert after in before[0] or facts(talking, "FRANCE", "ENGLAND") == before[1]
    for who, to in (("GERMANY", "ENGLAND"), ("ITALY", "ENGLAND"), ("Sam", "everyone")):
        assert facts(talking, who, to).text == TEXT
        assert signers(talking, who, to) == [("France", "S1901M")]
    assert not facts(talking, "Sam", "everyone").may_sign
    sign(talking, "GERMANY", "ENGLAND", 1)
    assert len(signers(talking, "FRANCE", "ENGLAND")) == 2
    assert Document.objects.count() == 1


def test_a_document_that_one_does_not_have_cannot_be_shown_or_signed(talking):
    show(talking, "FRANCE", "ENGLAND", text=TEXT)
    talking.send("FRANCE", "ITALY", "Hello.")
    for source in (("FRANCE", 1), ("FRANCE", 2), ("ENGLAND", 1), ("GERMANY", 0)):
        with pytest.raises(NoSuchDocument):
            show(talking, "ITALY", "GERMANY", source=source)
        with pytest.raises(NoSuchDocument):
            sign(talking, "ITALY", *source)
    with pytest.raises(NotYourSeat):
        show(talking, "Morgan", "everyone", text=TEXT)
    with pytest.raises(NotYourSeat):
        show(talking, "FRANCE", "notes", text=TEXT)
    with pytest.raises(BadText):
        show(talking, "FRANCE", "ENGLAND", text=" ")
    with pytest.raises(BadText):
        show(talking, "FRANCE", "ENGLAND", text="x" * 10_001)
    assert Message.objects.count() == 2


def test_the_table_of_who_may_speak_applies_to_signatures(talking):
    show(talking, "FRANCE", "ENGLAND", text=TEXT)
    talking.agree(press="rulebook")
    with pytest.raises(PressClosed):
        sign(talking, "ENGLAND", "FRANCE", 1, now=talking.phase.due_at)
    left = talking.user_id("ENGLAND")
    talking.resign("ENGLAND")
    with pytest.raises(NotYourSeat):
        sign(talking, left, "FRANCE", 1)


def text_of(response):
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split()))


def test_the_pages_write_show_sign_and_change(talking, client_of):
    press = f"/games/{talking.slug}/press/"
    france, england = client_of("FRANCE"), client_of("ENGLAND")
    assert f"{press}ENGLAND/document/" in france.get(f"{press}ENGLAND/").content.decode()
    form = {"text": TEXT, "body": "Sign this.", "key": new_key()}
    sent = [france.post(f"{press}ENGLAND/document/", form).url for _ in range(2)]
    assert sent == [f"{press}ENGLAND/#m1"] * 2
    empty = france.post(f"{press}ENGLAND/document/", {**form, "text": "", "key": new_key()})
    assert empty.status_code == 400
    assert "Sign this." in text_of(empty)
    changed = france.post(f"{press}ENGLAND/1/document/change/", {"text": f"{TEXT} Soon."})
    assert changed.status_code == 303
    page = england.get(f"{press}FRANCE/")
    assert f"{TEXT} Soon." in text_of(page)
    digest = re.search(r'name="digest" value="(\w+)"', page.content.decode())[1]
    signed = england.post(f"{press}FRANCE/1/document/sign/", {"digest": digest}, follow=True)
    assert "Signed by England in Spring 1901." in text_of(signed)
    assert england.get(f"{press}FRANCE/1/document/change/").status_code == 404
    shown = england.get(f"{press}new/?document=FRANCE/1&to=ITALY")
    assert "A document with its signatures" in text_of(shown)
    form = {"to": "ITALY", "mode": "apart", "document": "FRANCE/1", "key": new_key(), "body": ""}
    england.post(f"{press}send/", form)
    assert "Signed by England" in text_of(client_of("ITALY").get(f"{press}ENGLAND/"))
    part = {"HX-Request": "true"}
    assert "Sign" in text_of(france.get(f"{press}ENGLAND/1/document/", headers=part))
    for who, place in (("ITALY", "FRANCE/1"), ("RUSSIA", "ENGLAND/1"), ("ITALY", "ENGLAND/7")):
        assert client_of(who).get(f"{press}{place}/document/").status_code == 404
    forged = client_of("RUSSIA").post(
        f"{press}send/", {**form, "document": "ENGLAND/1", "key": new_key()}
    )
    assert forged.status_code == 404
