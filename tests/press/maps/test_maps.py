"""Conference maps: drawing, sending, changing and adopting them, and who sees which."""

import html
import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from tests.press.people import new_key

from diplomaccloud.accounts.models import User
from diplomaccloud.games.results.actions import finish_game, reopen_game
from diplomaccloud.games.table.errors import NotYourSeat
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.phase_models import Draft, OrderRow, Submission
from diplomaccloud.judge.board import Location
from diplomaccloud.judge.drawing.chart import Mark, MarkKind
from diplomaccloud.judge.drawing.styles import MODERN, MODERN_NIGHT
from diplomaccloud.judge.orders import Hold, Move, SupportHold
from diplomaccloud.judge.results import Ending
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.map_styles import COOKIE, MapStyle
from diplomaccloud.press.conversations.actions import Mode, send_message
from diplomaccloud.press.maps.actions import MAX_MAPS, MapAttachment, make_map
from diplomaccloud.press.maps.content import MAX_STEPS, count_orders, read_content
from diplomaccloud.press.maps.models import ConferenceMap, SentMap
from diplomaccloud.press.table.addresses import EVERYONE, MapPlace, parse_address
from diplomaccloud.press.table.errors import (
    BadMap,
    BadText,
    NoSuchConversation,
    NoSuchMap,
    PressClosed,
    TooManyMessages,
)
from diplomaccloud.press.table.models import Message
from diplomaccloud.sandbox.address import encode_state
from diplomaccloud.sandbox.engine import add_mark, open_position, step

CHANGING = re.compile(rb'[A-Za-z0-9]{64}|value="[0-9a-f]{32}"|name="server-time" content="[^"]*"')


class Table:
    """A game whose people draw maps; `content` is the text of a board."""

    def __init__(self, talking):
        self.talking, self.slug = talking, talking.slug
        self.phase = talking.phase
        self.map_hash = talking.game.chart.content_hash
        self.board = self.phase.board
        self.state = open_position(self.board, self.phase.position, (), talking.game.rules.name)

    def unit(self, province):
        return self.phase.position.unit_in(province)

    def move(self, start, to):
        return Move(self.unit(start), Location(to))

    def content(self, *orders, marks=(), steps=0):
        state = self.state.with_orders(orders)
        for mark in marks:
            state = add_mark(self.board, state, mark)
        for _ in range(steps):
            state = step(self.board, state)
        return encode_state(state, self.board, self.map_hash)

    def make(self, who, *orders, parent=None, **more):
        return make_map(
            slug=self.slug,
            user_id=self.talking.user_id(who),
            content=self.content(*orders, **more),
            parent=parent,
            now=self.talking.tick(),
        )

    def send(self, who, to, number, body="", *, key=""):
        return send_message(
            slug=self.slug,
            user_id=self.talking.user_id(who),
            to=parse_address(to),
            mode=Mode.TOGETHER,
            body=body,
            key=key or new_key(),
            now=self.talking.tick(),
            attachment=MapAttachment(number),
        )

    def client(self, who=None):
        client = Client()
        if who:
            client.force_login(User.objects.get(pk=self.talking.user_id(who)))
        return client

    def url(self, rest=""):
        return f"/games/{self.slug}/{rest}"


@pytest.fixture
def table(talking):
    return Table(talking)


def test_a_map_is_drawn_sent_read_and_answered_with_changes(table):
    france, england = table.client("FRANCE"), table.client("ENGLAND")
    page = france.get(table.url("press/ENGLAND/"))
    assert table.url("maps/draw/?to=ENGLAND").encode() in page.content
    board = table.content(
        table.move("PAR", "BUR"),
        table.move("LON", "NTH"),
        marks=[Mark(MarkKind.PIN, "gold", "ENG", text="<b>empty</b>")],
    )
    last = france.get(table.url("maps/draw/"), {"to": "ENGLAND", "board": board, "view": "share"})
    assert "Send to England" in last.content.decode()
    fields = {"board": board, "to": "ENGLAND", "next": "send"}
    composer = france.post(table.url("maps/save/"), fields)
    # The composer is beside the board.
    assert composer.url == table.url("?talk=ENGLAND&map=1#press")
    shown = france.get(composer.url).content.decode()
    assert '<input type="hidden" name="map" value="1">' in shown
    sent = {"to": "ENGLAND", "mode": "together", "key": new_key(), "body": "", "map": "1"}
    for _ in range(2):
        assert france.post(table.url("press/send/"), sent).url == table.url("?talk=ENGLAND#press")
    assert (Message.objects.count(), SentMap.objects.count()) == (1, 1)

    talk = england.get(table.url("press/FRANCE/")).content.decode()
    assert "2 orders, 1 mark" in talk
    assert 'loading="lazy"' in talk
    assert "Add my order\n" in talk
    page = england.get(table.url("press/FRANCE/1/map/")).content.decode()
    for text in ("A PAR - BUR", "F LON - NTH", "&lt;b&gt;empty&lt;/b&gt;", "Reply with changes"):
        assert text in page
    assert "<b>empty" not in page
    picture = england.get(table.url("press/FRANCE/1/map/picture.svg"))
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert b"<b>" not in picture.content
    assert len(picture.content) < 200_000
    england.cookies[COOKIE] = MapStyle.MODERN
    for night, style in (("", MODERN), ("?night=1", MODERN_NIGHT)):
        picture = england.get(table.url(f"press/FRANCE/1/map/picture.svg{night}"))
        assert style.sea in picture.content.decode()
    del england.cookies[COOKIE]

    changed = table.content(table.move("PAR", "PIC"), table.move("LON", "NTH"))
    fields = {"board": changed, "to": "FRANCE", "parent": "FRANCE/1", "next": "send"}
    again = {"to": "FRANCE", "board": changed, "parent": "FRANCE/1", "view": "share"}
    assert b"A PAR - BUR is now A PAR - PIC" in england.get(table.url("maps/draw/"), again).content
    assert "talk=FRANCE&map=1" in england.post(table.url("maps/save/"), fields).url
    table.send("ENGLAND", "FRANCE", 1, "Rather this.")
    answer = france.get(table.url("press/ENGLAND/2/map/")).content.decode()
    assert "A PAR - BUR is now A PAR - PIC" in answer
    assert "Pin in English Channel" in answer
    assert 'is-new" data-order="A PAR - PIC"' in answer


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_the_board_counts_all_orders_of_a_map_like_the_composer(table, steps):
    france = table.client("FRANCE")
    moves = table.move("PAR", "BUR"), table.move("LON", "NTH")
    board = table.content(*moves, steps=steps)
    last = france.get(table.url("maps/draw/"), {"board": board, "view": "share"}).content.decode()
    assert f"<title>Conference map · {table.talking.game.world} · Diplomaccloud</title>" in last
    table.make("FRANCE", *moves, steps=steps)
    composer = france.get(table.url("press/ENGLAND/?map=1")).content.decode()
    summary = re.search(r"Map of [^:]+: ([^<]+?)\s*<", composer)[1]
    assert summary.startswith("2 orders")
    assert f"Your map shows {summary}." in last
    empty = france.get(table.url("maps/draw/?view=share")).content.decode()
    assert "Your map shows no orders or marks." in empty


def test_a_chronicle_draws_the_maps_of_open_messages_alone(table):
    for to in ("everyone", "ENGLAND"):
        number = table.make("FRANCE", table.move("PAR", "BUR"))
        table.send("FRANCE", to, number)
    finish_game(table.talking.game, Ending(("FRANCE",), "agreed_draw"), table.talking.tick())
    page = table.client().get(table.url("chronicle/1/")).content.decode()
    (picture,) = set(re.findall(r'src="([^"]+/chronicle/1/\w+\.svg)"', page))
    assert "A PAR - BUR" in page
    answer = table.client().get(picture)
    assert answer.headers["Content-Type"] == "image/svg+xml"
    for wrong in (picture.replace("/1/", "/2/"), picture[:-5] + "0.svg"):
        assert table.client().get(wrong).status_code == 404
    game = table.talking.game
    game.branch += 1
    reopen_game(game, table.talking.tick())
    assert table.client().get(picture).status_code == 404


def test_a_map_of_a_chronicle_has_its_marks_as_text_and_opens_by_keyboard(table):
    marks = [
        Mark(MarkKind.PIN, "gold", "ENG", text="<b>empty</b>"),
        Mark(MarkKind.ARROW, "red", "PAR", to="BUR"),
    ]
    number = table.make("FRANCE", table.move("PAR", "BUR"), marks=marks)
    table.send("FRANCE", "everyone", number)
    finish_game(table.talking.game, Ending(("FRANCE",), "agreed_draw"), table.talking.tick())
    page = table.client().get(table.url("chronicle/1/")).content.decode()
    assert "Pin 1 in English Channel: &lt;b&gt;empty&lt;/b&gt;" in page
    assert "Red arrow from Paris to Burgundy" in page
    (large,) = re.findall(r'<a href="([^"]+/chronicle/1/\w+\.svg)"', page)
    assert table.client().get(large).status_code == 200


def test_one_picture_of_a_chronicle_reads_no_other_message(table):
    for _ in range(3):
        number = table.make("FRANCE", table.move("PAR", "BUR"))
        table.send("FRANCE", "everyone", number, "A long text.")
    finish_game(table.talking.game, Ending(("FRANCE",), "agreed_draw"), table.talking.tick())
    page = table.client().get(table.url("chronicle/1/")).content.decode()
    picture = re.search(r'src="([^"]+/chronicle/1/\w+\.svg)"', page)[1]
    with CaptureQueriesContext(connection) as queries:
        assert table.client().get(picture).status_code == 200
    assert not any('"press_message"."body",' in query["sql"] for query in queries)


def list_live(table, power):
    rows = OrderRow.objects.filter(draft__seat__power=power, draft__live=True)
    return {str(row.canonical) for row in rows}


def undo(client, page):
    """Send the form with the button Undo of a page, and return the answer."""
    form = page.partition('name="version"')[0].rpartition("<form")[2]
    action = re.search(r'action="([^"]+)"', form)[1]
    rest = page.partition(form)[2].partition("</form>")[0]
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', form + rest)
    return client.post(
        action, {name: [v for key, v in fields if key == name] for name, _ in fields}
    )


def test_own_orders_are_added_to_the_live_ones_and_nobody_learns(table):
    wrong = SupportHold(table.unit("EDI"), table.unit("LVP"))
    france = table.move("PAR", "BUR")
    table.make("FRANCE", table.move("LON", "NTH"), table.move("LVP", "YOR"), wrong, france)
    table.send("FRANCE", "ENGLAND", 1)
    client, adopt = table.client("ENGLAND"), table.url("press/FRANCE/1/map/adopt/")
    assert "Add my 3 orders" in client.get(table.url("press/FRANCE/")).content.decode()
    save = {"phase": table.phase.sequence, "order": ["F LON - ENG", "F EDI - NWG"]}
    client.post(table.url("orders/"), save)
    others = {"ITALY", "FRANCE", None}
    paths = ("", "state/", "log/", "press/")
    readers = [(table.client(who), table.url(path)) for who in others for path in paths]
    before = [CHANGING.sub(b"", reader.get(path).content) for reader, path in readers]
    events = Event.objects.filter(seat=None).count()
    page = client.post(adopt).content.decode()
    after = [CHANGING.sub(b"", reader.get(path).content) for reader, path in readers]
    assert before == after
    assert Event.objects.filter(seat=None).count() == events
    # The legal orders stand, the other unit keeps its own, and the illegal one is named.
    assert list_live(table, "ENGLAND") == {"F LON - NTH", "A LVP - YOR", "F EDI - NWG"}
    assert not Draft.objects.filter(live=None).exists()
    assert "Not added: <code>F EDI S A LVP</code>" in page
    # Again, nothing changes; Undo brings back what stood there.
    page = client.post(adopt).content.decode()
    assert list_live(table, "ENGLAND") == {"F LON - NTH", "A LVP - YOR", "F EDI - NWG"}
    client.post(table.url("orders/"), save | {"whole": "1"})
    page = client.post(adopt).content.decode()
    assert undo(client, page).status_code == 303
    assert list_live(table, "ENGLAND") == {"F LON - ENG", "F EDI - NWG"}
    # Orders that were changed since are not overwritten.
    page = client.post(adopt).content.decode()
    client.post(table.url("orders/"), save)
    assert undo(client, page).status_code == 409
    assert list_live(table, "ENGLAND") == {"F LON - ENG", "F EDI - NWG", "A LVP - YOR"}


def test_adding_nothing_but_refused_orders_changes_nothing(table):
    wrong = SupportHold(table.unit("EDI"), table.unit("LVP"))
    table.make("ENGLAND", wrong)
    client = table.client("ENGLAND")
    page = client.post(table.url("maps/1/adopt/")).content.decode()
    assert "Your orders were not changed." in page
    assert "F EDI S A LVP" in page
    assert list_live(table, "ENGLAND") == set()


def test_orders_that_are_not_the_readers_cannot_be_added(table):
    table.make("ITALY", Hold(table.unit("ROM")))
    table.send("ITALY", "FRANCE", 1)
    france = table.client("FRANCE")
    assert "/map/adopt/" not in france.get(table.url("press/ITALY/")).content.decode()
    refused = france.post(table.url("press/ITALY/1/map/adopt/"))
    assert refused.status_code == 409
    assert b"None of these orders are for your country" in refused.content
    assert table.client().post(table.url("press/ITALY/1/map/adopt/")).status_code == 404


def test_a_ready_player_is_asked_before_orders_are_added(table):
    table.make("FRANCE", table.move("LON", "NTH"))
    table.send("FRANCE", "ENGLAND", 1)
    client, adopt = table.client("ENGLAND"), table.url("press/FRANCE/1/map/adopt/")
    fields = {"phase": table.phase.sequence, "order": ["F LON - ENG"], "anyway": "1"}
    client.post(table.url("orders/"), fields)
    asked = client.post(adopt)
    assert asked.status_code == 409
    assert b"You are ready. Change your orders?" in asked.content
    assert b'name="confirmed" value="1"' in asked.content
    assert list_live(table, "ENGLAND") == {"F LON - ENG"}
    assert Submission.objects.get(seat__power="ENGLAND").ready_at
    client.post(adopt, {"confirmed": "1"})
    assert list_live(table, "ENGLAND") == {"F LON - NTH"}
    assert Submission.objects.get(seat__power="ENGLAND").ready_at is None


def test_orders_of_an_earlier_phase_cannot_be_added(table):
    table.make("FRANCE", table.move("LON", "NTH"))
    table.send("FRANCE", "ENGLAND", 1)
    client = table.client("ENGLAND")
    table.talking.game.phases.update(locked_at=table.talking.now)
    assert "/map/adopt/" not in client.get(table.url("press/FRANCE/")).content.decode()
    refused = client.post(table.url("press/FRANCE/1/map/adopt/"))
    assert refused.status_code == 409
    assert b'role="alert"' in refused.content


def test_pictures_show_the_part_of_the_map_that_has_orders(table):
    def read_box(*orders):
        number = table.make("FRANCE", *orders)
        svg = table.client("FRANCE").get(table.url(f"maps/{number}/picture.svg")).content.decode()
        return tuple(map(float, re.search(r'viewBox="([^"]+)"', svg)[1].split()))

    labels = {shape.province: shape.anchors.label for shape in find_chart(table.map_hash).shapes}
    whole, near = read_box(), read_box(table.move("PAR", "BUR"))
    far = read_box(table.move("PAR", "BUR"), table.move("SEV", "BLA"))
    assert near[2] < far[2] / 2 < whole[2] / 2
    for left, top, width, height in (near, far):
        assert width / height == pytest.approx(4 / 3, abs=0.01)
        for province in ("PAR", "BUR"):
            x, y = labels[province]
            assert left < x < left + width
            assert top < y < top + height


def test_only_those_who_read_the_message_see_its_map(table):
    table.make("FRANCE", table.move("PAR", "BUR"))
    table.send("FRANCE", "ENGLAND", 1)
    paths = ("press/FRANCE/1/map/", "press/FRANCE/1/map/picture.svg")
    for path in paths:
        assert table.client("ENGLAND").get(table.url(path)).status_code == 200
    for who in ("ITALY", "GERMANY", "Morgan", "Sam", None):
        for powers in ("FRANCE", "ENGLAND"):
            for rest in ("map/", "map/picture.svg"):
                real = table.client(who).get(table.url(f"press/{powers}/1/{rest}"))
                made_up = table.client(who).get(table.url(f"press/{powers}/99/{rest}"))
                assert real.status_code == made_up.status_code == 404
                assert CHANGING.sub(b"", real.content) == CHANGING.sub(b"", made_up.content)
        post = table.client(who).post(table.url("press/FRANCE/1/map/adopt/"))
        assert post.status_code == 404
    # Unsent maps are their author's alone, by every way of naming them.
    table.make("FRANCE", table.move("MAR", "SPA"))
    assert table.client("FRANCE").get(table.url("maps/2/")).status_code == 200
    for who in ("ENGLAND", "Morgan", "Sam", None):
        for path in ("maps/2/", "maps/2/picture.svg", "maps/draw/?parent=2"):
            assert table.client(who).get(table.url(path)).status_code == 404
    assert table.client("ITALY").get(table.url("maps/draw/?parent=FRANCE/1")).status_code == 404
    for place in (MapPlace(2), MapPlace(1, parse_address("FRANCE")), MapPlace(9, EVERYONE)):
        with pytest.raises(NoSuchMap):
            table.make("ITALY", parent=place)
    with pytest.raises(NoSuchMap):
        table.send("ITALY", "FRANCE", 2)
    assert b"Map 2" in table.client("FRANCE").get(table.url("maps/")).content
    assert b"Map 2" not in table.client("ENGLAND").get(table.url("maps/")).content
    # What a map changes is not shown to people who have not read that.
    table.make("ENGLAND", table.move("PAR", "PIC"), parent=MapPlace(1, parse_address("FRANCE")))
    table.send("ENGLAND", "ITALY", 1)
    assert b"PAR - BUR" not in table.client("ITALY").get(table.url("press/ENGLAND/1/map/")).content
    assert b"PAR - BUR" in table.client("ENGLAND").get(table.url("maps/1/")).content


def test_a_successor_gets_what_was_sent_and_not_what_was_drawn(table):
    table.make("FRANCE", table.move("PAR", "BUR"))
    table.send("FRANCE", "ENGLAND", 1)
    table.make("FRANCE", table.move("MAR", "SPA"))
    before = table.talking.user_id("FRANCE")
    table.talking.resign("FRANCE")
    table.talking.take("Sam", "FRANCE")
    successor, former = table.client("FRANCE"), table.client(before)
    assert successor.get(table.url("press/ENGLAND/1/map/")).status_code == 200
    assert successor.get(table.url("maps/2/")).status_code == 404
    assert former.get(table.url("maps/2/")).status_code == 200
    assert former.get(table.url("press/ENGLAND/1/map/")).status_code == 200
    # If the author deletes the message for themselves, the map is gone, too.
    england = table.client("ENGLAND")
    england.post(table.url("press/FRANCE/delete/"), {"number": "1"})
    assert england.get(table.url("press/FRANCE/1/map/")).status_code == 404


def test_bad_maps_are_refused_with_a_reason(table, talking):
    user_id = talking.user_id("FRANCE")

    def make(content):
        return make_map(slug=table.slug, user_id=user_id, content=content, now=talking.tick())

    good = table.content(table.move("PAR", "BUR"))
    for content, message in (
        ("x" * (64 * 1024 + 1), "at most 64 KB"),
        ("x" * 7_000, "longer than"),
        ("", "address"),
        (good[:-3], "incomplete|damaged|changed"),
        (f"AQ{good[2:6]}zz{good[8:]}", "another map|incomplete|damaged"),
        (table.content(steps=MAX_STEPS + 1), "for 6 phases"),
    ):
        with pytest.raises(BadMap, match=message):
            make(content)
    assert not ConferenceMap.objects.exists()
    refused = table.client("FRANCE").post(table.url("maps/save/"), {"board": "x" * 70_000})
    assert refused.status_code == 400
    assert b"Back to the board" in refused.content


@pytest.mark.parametrize(
    "wrong", [{"parent": "9"}, {"parent": "ENGLAND/9"}, {"parent": "x"}, {"to": "+"}]
)
def test_a_map_with_a_wrong_place_leads_back_to_the_board(table, wrong):
    france, content = table.client("FRANCE"), table.content(table.move("PAR", "BUR"))
    refused = france.post(table.url("maps/save/"), {"board": content, "next": "send", **wrong})
    assert refused.status_code == 404
    back = re.search(r'href="([^"]+)">Back to the board', refused.content.decode())[1]
    board = france.get(html.unescape(back))
    assert board.status_code == 200
    assert b"Your map shows 1 order" in board.content
    assert not ConferenceMap.objects.exists()


def test_a_map_has_at_most_250_orders(table):
    holds = tuple(Hold(unit) for unit in table.phase.position.units)
    state = replace(table.state, past=(holds * 11,), orders=(holds * 11)[:8])
    text = encode_state(state, table.board, table.map_hash)
    assert count_orders(state) == 250
    # Only orders for different units can be read back, so the count is checked by itself.
    with pytest.raises(BadMap):
        read_content(text, find_chart(table.map_hash), table.map_hash)


def test_there_are_40_maps_in_a_phase_and_a_double_click_makes_one(table):
    marks = [Mark(MarkKind.WASH, "red", "PAR")]
    assert table.make("FRANCE") == table.make("FRANCE") == 1
    while ConferenceMap.objects.count() < MAX_MAPS:
        odd = ConferenceMap.objects.count() % 2
        table.make("FRANCE", marks=marks[:odd])
    with pytest.raises(TooManyMessages, match="40 maps"):
        table.make("FRANCE", table.move("PAR", "BUR"))
    assert table.make("ITALY") == 1


def test_what_if_works_under_every_press_rule_and_reads_no_orders(table, talking):
    talking.agree(press="none")
    client = table.client("FRANCE")
    board = table.content(table.move("PAR", "BUR"))
    what_if = {"board": board, "do": "adjudicate"}
    client.post(table.url("maps/draw/"), what_if)
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(table.url("maps/draw/"), what_if)
    assert answer.status_code == 303
    assert len(queries) <= 4, [query["sql"][:200] for query in queries]
    with CaptureQueriesContext(connection) as queries:
        client.post(table.url("maps/draw/"), what_if, headers={"HX-Request": "true"})
    assert len(queries) <= 4, [query["sql"][:200] for query in queries]
    assert client.get(table.url("maps/draw/?view=setup")).status_code == 200
    page = client.get(answer.url).content.decode()
    assert "Results of Spring 1901" in page
    table.make("FRANCE", table.move("PAR", "BUR"), steps=2)
    with pytest.raises(NoSuchConversation):
        table.send("FRANCE", "ENGLAND", 1)
    assert b"?map=1" in client.get(table.url("maps/1/")).content


def test_sending_follows_the_table_of_who_may_speak(table, talking):
    talking.agree(press="rulebook")
    table.make("FRANCE", table.move("PAR", "BUR"))
    talking.now = talking.phase.due_at
    with pytest.raises(PressClosed):
        table.send("FRANCE", "ENGLAND", 1, "Late.")
    talking.agree(gray=True, press="full")
    with pytest.raises(BadText, match="only contain text"):
        table.send("FRANCE", "gray", 1)


def test_a_game_that_is_over_offers_no_draft_and_no_proposal(table):
    table.send("FRANCE", "ENGLAND", table.make("FRANCE", table.move("LON", "NTH")))
    england = table.client("ENGLAND")
    offers = ("/map/adopt/", "press/FRANCE/proposal/")
    page = england.get(table.url("press/FRANCE/")).content.decode()
    assert all(offer in page for offer in offers)
    table.talking.finish()
    page = england.get(table.url("press/FRANCE/")).content.decode()
    assert not any(offer in page for offer in offers)
    assert "maps/draw/?to=FRANCE" in page


def test_guests_make_no_maps(table):
    """Their games are deleted, which rows of press would prevent."""
    User.objects.filter(pk=table.talking.user_id("FRANCE")).update(guest=True)
    with pytest.raises(NotYourSeat, match="Sign up"):
        table.make("FRANCE", table.move("PAR", "BUR"))
