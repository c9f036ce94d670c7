"""The game master's look: only if the game allows it, logged without a name, and announced."""

import html
import re

import pytest
from tests.press.deals import peace, propose, terms
from tests.press.documents.test_documents import show

from diplomaccloud.games.table.errors import NotYourSeat, Refused
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.inspection.actions import look_at_conversation
from diplomaccloud.press.inspection.read import read_look
from diplomaccloud.press.table.addresses import NOTES, parse_address
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import PressEvent

SECRET, REASON = "Burgundy by surprise", "Two players complained."
PAIR = "ENGLAND+FRANCE"


@pytest.fixture
def watched(talking):
    """A game whose master may look; France and England talk."""
    talking.agree(master_reads=True)
    talking.send("FRANCE", "ENGLAND", SECRET)
    return talking


def look(talking, who="Morgan", to=PAIR, reason=REASON):
    now = talking.tick()
    look_at_conversation(
        slug=talking.slug,
        user_id=talking.user_id(who),
        to=parse_address(to),
        reason=reason,
        now=now,
    )
    return read_look(Viewer(talking.user_id(who)), talking.slug, parse_address(to), at=now)


def page(client, talking, **sent):
    url = f"/games/{talking.slug}/press/look/"
    response = client.post(url, sent) if sent else client.get(url)
    return response, " ".join(
        html.unescape(re.sub("<[^>]+>", " ", response.content.decode())).split()
    )


def test_a_look_shows_one_conversation_and_notifies_those_read(watched):
    left = watched.user_id("FRANCE")
    watched.resign("FRANCE")
    watched.take("Sam", "FRANCE")
    watched.send("FRANCE", "ENGLAND", "I am new.")
    watched.send("ENGLAND", "FRANCE+ITALY", "Another one.")
    assert [copy.body for copy in look(watched)] == [SECRET, "I am new."]
    entry = LogEntry.objects.get(kind="look")
    assert (entry.text, entry.reason) == ("The game master read a private conversation.", REASON)
    assert entry.data == {}
    events = PressEvent.objects.filter(kind="looked at").select_related("message")
    assert {(row.user_id, row.message.body) for row in events} == {
        (left, SECRET),
        (watched.user_id("FRANCE"), "I am new."),
        (watched.user_id("ENGLAND"), "I am new."),
    }
    assert {str(row.data) for row in events} == {"{'by': 'master'}"}


def test_a_look_shows_what_messages_carry(watched):
    propose(watched, "FRANCE", "ENGLAND", terms([peace()]))
    show(watched, "ENGLAND", "FRANCE", text="We divide Belgium.")
    texts = [copy.attached_text for copy in look(watched)]
    assert texts[0] == ""
    assert texts[1].startswith("England and France keep peace")
    assert texts[2] == "We divide Belgium."


def test_an_empty_conversation_is_logged_and_notifies_nobody(watched):
    assert look(watched, to="GERMANY+ITALY") == ()
    assert LogEntry.objects.filter(kind="look").count() == 1
    assert not PressEvent.objects.exists()


@pytest.mark.parametrize("to", ["FRANCE", "NOWHERE", "FRANCE+NOWHERE", "notes", "everyone"])
def test_only_conversations_between_countries_are_opened(watched, to):
    watched.send("FRANCE", NOTES, "Noted.")
    with pytest.raises(NoSuchConversation):
        look(watched, to=to)
    assert not LogEntry.objects.filter(kind="look").exists()


@pytest.mark.parametrize("reason", ["", "  ", "What does France want?", "x" * 401])
def test_a_look_takes_a_reason_that_names_no_country(watched, reason):
    with pytest.raises(Refused):
        look(watched, reason=reason)
    assert not LogEntry.objects.filter(kind="look").exists()


@pytest.mark.parametrize("who", ["FRANCE", "ITALY", "Sam"])
def test_nobody_else_can_look(watched, who):
    with pytest.raises(NoSuchConversation):
        look(watched, who)


def test_without_the_option_there_is_no_look(talking, client_of):
    talking.send("FRANCE", "ENGLAND", SECRET)
    with pytest.raises(NoSuchConversation):
        look(talking)
    response, text = page(client_of("Morgan"), talking)
    assert response.status_code == 404
    assert text == page(client_of("Sam"), talking)[1].replace("Sam", "Morgan")
    text = client_of("FRANCE").get(f"/games/{talking.slug}/press/ENGLAND/").content.decode()
    assert "may read this conversation" not in text


@pytest.mark.parametrize("is_former", [False, True])
def test_a_master_who_ever_held_a_seat_never_looks(watched, client_of, is_former):
    player = watched.user_id("ITALY")
    if is_former:
        watched.resign("ITALY")
    Game.objects.update(master=player)
    with pytest.raises(NotYourSeat, match="cannot read"):
        look(watched, player)
    client = client_of(player)
    response, text = page(client, watched)
    assert "cannot read private messages" in text
    assert "Reason" not in text
    sent = {"to": ["ENGLAND", "FRANCE"], "reason": REASON}
    assert page(client, watched, **sent)[0].status_code == 403
    assert response.status_code == 200


def test_a_look_is_no_key_to_another_conversation(watched):
    at = watched.now
    viewer = Viewer(watched.user_id("Morgan"))
    with pytest.raises(NoSuchConversation):
        read_look(viewer, watched.slug, parse_address(PAIR), at=at)


def test_the_page_asks_and_shows_once(watched, client_of):
    master = client_of("Morgan")
    assert (
        f"/games/{watched.slug}/press/look/"
        in master.get(f"/games/{watched.slug}/press/").content.decode()
    )
    _, text = page(master, watched)
    assert SECRET not in text
    refused, text = page(master, watched, to=["FRANCE"], reason=REASON)
    assert refused.status_code == 400
    assert "at least two countries" in text
    assert f'value="{REASON}"' in refused.content.decode()
    shown, text = page(master, watched, to=["ENGLAND", "FRANCE"], reason=REASON)
    assert shown.status_code == 200
    assert SECRET in text
    assert SECRET not in page(master, watched)[1]
    log = client_of("ITALY").get(f"/games/{watched.slug}/log/").content.decode()
    assert REASON in log
    told = client_of("FRANCE").get(f"/games/{watched.slug}/press/ENGLAND/").content.decode()
    assert "The game master may read this conversation." in told
    rules = client_of().get(f"/games/{watched.slug}/rules/").content.decode()
    assert "may read private conversations" in " ".join(rules.split())
