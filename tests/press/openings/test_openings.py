"""After the end: who can open a conversation, and what nobody learns before it is open."""

import re

import pytest
from django.test import Client
from tests.games.steps import asked, over_budget
from tests.press.archive import ASKED, NOTED, PUBLIC, SECRET
from tests.press.people import POWERS

from diplomaccloud.accounts.models import User
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.table.errors import NoSuchGame, WrongMoment
from diplomaccloud.games.table.models import Game
from diplomaccloud.judge.results import Ending
from diplomaccloud.press.conversations.actions import publish_gray
from diplomaccloud.press.openings.read import read_opening
from diplomaccloud.press.table.addresses import EVERYONE, GAME_MASTER, GRAY, NOTES, parse_address
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import PressEvent


def test_a_conversation_opens_once_its_last_reader_agrees(archive):
    with pytest.raises(WrongMoment):
        archive.agree("FRANCE")
    with pytest.raises(WrongMoment):
        archive.chronicle()
    archive.end()
    assert archive.told() == [PUBLIC]
    assert archive.agree("FRANCE") == ()
    assert archive.told("FRANCE") == archive.told("ENGLAND") == archive.told() == [PUBLIC]
    assert archive.agree("ENGLAND", "FRANCE") == (parse_address("FRANCE"),)
    for who in (None, "FRANCE", "ITALY", "Sam", "Morgan"):
        assert archive.told(who) == [SECRET, PUBLIC]
    with pytest.raises(WrongMoment, match="stays open"):
        archive.withdraw("FRANCE")


def test_all_readers_but_the_last_to_agree_are_notified_where_they_can_read_it(archive):
    talking = archive.talking
    left = talking.user_id("FRANCE")
    talking.resign("FRANCE")
    talking.take("Sam", "FRANCE")
    talking.send("FRANCE", "ENGLAND", "Hello, I am new.")
    archive.end()
    for who in ("FRANCE", left):
        archive.agree(who)
        assert not PressEvent.objects.filter(kind="opening").exists()
    archive.agree("ENGLAND", "FRANCE")
    events = PressEvent.objects.filter(kind="opening")
    told = {row.user_id: (row.message.body, row.data) for row in events.select_related("message")}
    assert told == {
        left: (SECRET, {"opened": True}),
        talking.user_id("FRANCE"): ("Hello, I am new.", {"opened": True}),
    }
    archive.agree("ENGLAND", "FRANCE")
    assert events.count() == 2


def test_consent_can_be_withdrawn_until_the_last_one_agrees(archive):
    archive.end()
    archive.agree("FRANCE")
    archive.withdraw("FRANCE")
    archive.withdraw("FRANCE")
    assert archive.agree("ENGLAND", "FRANCE") == ()
    assert archive.told() == [PUBLIC]
    assert archive.agree("FRANCE") == (parse_address("ENGLAND"),)


def test_a_message_after_the_consent_is_not_part_of_it(archive):
    archive.end()
    archive.agree("FRANCE")
    archive.talking.send("ENGLAND", "FRANCE", "It was a trick.")
    archive.agree("ENGLAND", "FRANCE")
    assert archive.told() == [SECRET, PUBLIC]
    own = read_opening(archive.talking.reader("FRANCE"), parse_address("ENGLAND"))
    assert (own.count, own.agreed, own.open) == (2, 1, 1)
    archive.agree("FRANCE")
    assert archive.told() == [SECRET, PUBLIC, "It was a trick."]
    assert [chapter.name for chapter in archive.chronicle().chapters] == ["1", "after"]


def test_everyone_who_could_ever_read_it_must_agree(archive):
    talking = archive.talking
    predecessor = talking.user_id("ENGLAND")
    talking.resign("ENGLAND")
    talking.take("Sam", "ENGLAND")
    archive.end()
    archive.agree("FRANCE")
    assert archive.agree("Sam", "FRANCE") == ()
    assert archive.told() == [PUBLIC]
    assert archive.agree(predecessor, "FRANCE") == (parse_address("FRANCE"),)
    assert archive.told() == [SECRET, PUBLIC]


def test_a_deleted_account_agrees_to_nothing(archive):
    archive.end()
    archive.agree("FRANCE")
    User.objects.filter(pk=archive.talking.user_id("FRANCE")).update(is_active=False)
    archive.agree("ENGLAND", "FRANCE")
    assert archive.told() == [PUBLIC]


def test_a_rollback_closes_everything_and_consent_starts_again(archive):
    talking = archive.talking
    talking.agree(anonymous=True, opening="end")
    archive.end()
    archive.agree("FRANCE", NOTES)
    assert archive.told() == [SECRET, PUBLIC, NOTED]
    page = Client().get(f"/games/{talking.slug}/chronicle/1/").content.decode()
    assert "Clara" in Client().get(f"/games/{talking.slug}/chronicle/").content.decode()
    assert SECRET in page
    archive.go_back()
    with pytest.raises(WrongMoment):
        archive.chronicle("FRANCE")
    for path in ("chronicle/", "chronicle/1/"):
        answer = Client().get(f"/games/{talking.slug}/{path}")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{talking.slug}/")
    archive.end()
    assert archive.told() == [SECRET, PUBLIC]
    own = read_opening(talking.reader("FRANCE"), NOTES)
    assert (own.agreed, own.open) == (0, 0)


@pytest.mark.parametrize(
    ("opening", "told"),
    [("consent", [PUBLIC]), ("end", [SECRET, PUBLIC]), ("never", [PUBLIC])],
)
def test_the_options(archive, opening, told):
    archive.talking.agree(opening=opening)
    archive.end()
    assert archive.told() == told
    if opening == "never":
        with pytest.raises(WrongMoment):
            archive.agree("FRANCE", NOTES)
        return
    archive.agree("FRANCE", NOTES)
    archive.agree("FRANCE", GAME_MASTER)
    assert archive.told() == [*told, NOTED]
    archive.agree("Morgan", "FRANCE")
    assert archive.told() == [*told, NOTED, ASKED]


def test_the_end_opens_nothing_that_was_written_after_it(archive):
    archive.talking.agree(opening="end")
    archive.end()
    archive.talking.send("ENGLAND", "FRANCE", "It was a trick.")
    archive.talking.send("ENGLAND", EVERYONE, "Good game.")
    assert archive.told() == [SECRET, PUBLIC, "Good game."]
    archive.agree("FRANCE")
    archive.agree("ENGLAND", "FRANCE")
    assert archive.told() == [SECRET, PUBLIC, "It was a trick.", "Good game."]


@pytest.mark.parametrize("to", ["FRANCE", "ENGLAND+FRANCE", "GERMANY", "NOWHERE", "notes"])
@pytest.mark.parametrize("who", ["ITALY", "Sam"])
def test_others_find_the_same_for_real_and_invented_conversations(archive, who, to):
    archive.end()
    archive.agree("FRANCE")
    refused = NoSuchConversation
    for act in (archive.agree, archive.withdraw):
        with pytest.raises(refused):
            act(who, to)


def test_what_everyone_reads_is_never_opened(archive):
    archive.talking.agree(gray=True)
    archive.end()
    for address in (EVERYONE, GRAY):
        with pytest.raises(NoSuchConversation):
            archive.agree("FRANCE", address)


def test_the_filter_shows_what_concerns_a_country(archive):
    archive.talking.agree(opening="end")
    archive.talking.send("GERMANY", "RUSSIA", "Sweden is yours")
    archive.end()
    assert archive.told(country="ENGLAND") == [SECRET]
    assert archive.told(country="ITALY") == [PUBLIC]
    assert archive.told(country="RUSSIA") == ["Sweden is yours"]
    assert len(archive.told(country="NOWHERE")) == 3
    page = Client().get(f"/games/{archive.slug}/chronicle/1/?country=RUSSIA").content.decode()
    assert "Sweden is yours" in page
    assert SECRET not in page
    assert 'name="robots" content="noindex"' in page


def test_gray_messages_stay_unsigned(archive):
    archive.talking.agree(gray=True, opening="end")
    sent = archive.talking.send("FRANCE", GRAY, "England lies")
    publish_gray(now=sent.published_at)
    Game.objects.update(finished_at=None)
    finish_game(archive.talking.game, Ending(("FRANCE",), "agreed_draw"), sent.published_at)
    chronicle = archive.chronicle()
    gray = [
        fact.message.author
        for fact in chronicle.read_messages("1").messages
        if fact.message.body == "England lies"
    ]
    assert [(author.kind, author.power, author.name) for author in gray] == [("unsigned", "", "")]
    assert "England lies" not in archive.told(country="FRANCE")


def test_a_private_game_has_a_chronicle_for_its_own_people_alone(archive):
    archive.talking.agree(opening="end")
    archive.end()
    url = f"/games/{archive.slug}/chronicle/1/"
    assert 'content="noindex"' not in Client().get(url).content.decode()
    Game.objects.update(private=True)
    with pytest.raises(NoSuchGame):
        archive.chronicle("Sam")
    assert Client().get(url).status_code == 404
    player = Client()
    player.force_login(User.objects.get(pk=archive.talking.user_id("ITALY")))
    page = player.get(url).content.decode()
    assert SECRET in page
    assert 'name="robots" content="noindex"' in page


def test_pages_cost_the_same_however_much_was_said(archive):
    talking = archive.talking
    talking.agree(opening="end")
    archive.end()
    client, counts = Client(), []
    client.force_login(User.objects.get(pk=talking.user_id("FRANCE")))
    paths = ("chronicle/", "chronicle/1/", "press/opening/", "phases/1/")
    urls = [f"/games/{archive.slug}/{path}" for path in paths]
    for url in urls:
        client.get(url)
    for _ in range(2):
        counts.append({url: len(asked(lambda url=url: client.get(url))) for url in urls})
        for other in POWERS[3:]:
            talking.send("FRANCE", other, "More.")
            talking.send(other, EVERYONE, "More.")
    assert counts[0] == counts[1]
    assert not over_budget(dict.fromkeys(urls, 12), counts[0])


def test_chapters_that_do_not_exist(archive):
    archive.end()
    for name in ("2", "before", "0", "x", "9" * 30):
        assert Client().get(f"/games/{archive.slug}/chronicle/{name}/").status_code == 404
    for query in ("page=9999999", "page=-1", "country=" + "x" * 999):
        answer = Client().get(f"/games/{archive.slug}/chronicle/1/?{query}")
        assert answer.status_code == 200


def test_the_button_counts_the_conversations_that_wait_for_consent(archive):
    archive.end()
    client = Client()
    client.force_login(User.objects.get(pk=archive.talking.user_id("FRANCE")))
    base = f"/games/{archive.slug}/press/opening"
    page = client.post(f"{base}/agree/", {"conversation": "1 notes"}, follow=True).content.decode()
    waiting = re.search(r'class="openings__all">(.*?)</form>', page, re.DOTALL)[1]
    assert re.findall(r"\d+", waiting.rpartition("<button")[2]) == ["2"]


def test_the_forms(archive):
    archive.end()
    client = Client()
    client.force_login(User.objects.get(pk=archive.talking.user_id("FRANCE")))
    base = f"/games/{archive.slug}/press/opening"
    page = client.get(f"{base}/").content.decode()
    assert "Agree to open all 3" in page
    for sent in ([], ["x"], ["1 NOWHERE"], ["1"]):
        assert client.post(f"{base}/agree/", {"conversation": sent}).status_code in (400, 404)
    every = ["1 ENGLAND", "1 notes", "1 game-master"]
    answer = client.post(f"{base}/agree/", {"conversation": every}, follow=True)
    assert "1 of 3 conversations are open now" in answer.content.decode()
    answer = client.post(f"{base}/withdraw/", {"conversation": "ENGLAND"}, follow=True)
    assert "You withdrew your consent" in answer.content.decode()
    answer = client.post(f"{base}/withdraw/", {"conversation": "notes"})
    assert answer.status_code == 409
    stranger = Client()
    stranger.force_login(User.objects.get(username="Sam"))
    assert stranger.get(f"{base}/").status_code == 404
