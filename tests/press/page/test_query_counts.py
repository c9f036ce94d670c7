"""The number of queries of each press page, none of which may read a whole table."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from tests.press.deals import answer, order, peace, process, propose, terms
from tests.press.documents.test_documents import TEXT, show, sign
from tests.press.people import new_key, public
from tests.scenes import scene

from diplomaccloud.press.conversations.actions import send_message
from diplomaccloud.press.maps.actions import MapAttachment, make_map
from diplomaccloud.press.table.addresses import parse_address
from diplomaccloud.sandbox.address import encode_state
from diplomaccloud.sandbox.engine import open_position

PART = {"HX-Request": "true"}
LISTED = {**PART, "HX-Target": "mail"}
FRAME = 12
"""The most for any page, with the session and the person."""
CARRIED = 3
"""Besides, for messages that carry maps, proposals and documents."""
GROWING = (
    *("press_message", "press_send", "press_conversation", "press_membership"),
    *("press_proposal", "press_proposalanswer", "press_ledgerentry", "press_documentcopy"),
    "press_document",
    *("press_signature", "press_conferencemap", "press_sentmap", "press_hiddenmessage"),
    *("press_seatmute", "press_block", "press_pressversion", "press_waitingmessage"),
    *("press_report", "press_openingconsent", "press_openconversation", "press_pressevent"),
    *("notices_notice", "notices_delivery", "games_seat", "games_tenure", "games_phase"),
    *("games_logentry", "games_event", "games_submission"),
)
"""The tables of which no page may read all rows."""
PAGES = {
    "press/": FRAME,
    "press/new/": FRAME,
    "press/FRANCE/": FRAME + CARRIED,
    "press/ITALY/": FRAME,
    "press/RUSSIA/": FRAME,
    "press/everyone/": FRAME,
    "press/notes/": FRAME,
    "press/game-master/": FRAME,
    "press/ledger/": FRAME,
    "press/FRANCE/proposal/": FRAME,
    "press/FRANCE/proposal/?counter=3": FRAME,
    "press/FRANCE/document/": FRAME,
    "press/FRANCE/4/document/change/": FRAME,
    "maps/": FRAME,
    "maps/1/": FRAME,
    "press/FRANCE/5/map/": FRAME,
    "press/FRANCE/5/map/picture.svg": FRAME,
    "maps/draw/": 4,
    "press/FRANCE/1/report/": FRAME + 1,
}
PARTS = {
    "press/": 6,
    "press/ITALY/": 6,
    "press/ITALY/?after=0": 6,
    "press/FRANCE/?after=0": 6 + CARRIED + 3,
    "press/FRANCE/3/proposal/": 8,
    "press/FRANCE/4/document/": 8,
}
ELSEWHERE = {
    "/messages/": 8,
    "/messages/sent/": 8,
    "/messages/search/?q=plan": 10,
    "/messages/search/?q=draft": 10,
    "/messages/settings/": 8,
    "/messages/with/Bruno/": 10,
    "/reports/": 8,
    "/notices/": 8,
    "/notices/settings/": 8,
}


@pytest.fixture
@scene
def busy(talking):
    """England has conversations of every kind, with everything that a message can carry."""
    talking.send("FRANCE", "ENGLAND", "A plan.")
    public(talking, "ITALY")
    talking.send("ITALY", "ENGLAND")
    talking.send("ENGLAND", "notes")
    talking.send("ENGLAND", "game-master")
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    answer(talking, "ENGLAND", "FRANCE", number)
    order(talking, "ENGLAND", "F LON - ENG")
    process(talking)
    phase = str(talking.phase.judge_phase)
    propose(talking, "FRANCE", "ENGLAND", terms([peace()], phase=phase))
    document = show(talking, "ENGLAND", "FRANCE", text="A draft.")
    assert (number, document) == (2, 4)
    draw(talking, "ENGLAND", "FRANCE")
    sign(talking, "FRANCE", "ENGLAND", show(talking, "ENGLAND", "FRANCE", text=TEXT))
    return talking


def draw(talking, who, to):
    """Save a map, and send it."""
    game, phase = talking.game, talking.phase
    state = open_position(phase.board, phase.position, (), game.rules.name)
    number = make_map(
        slug=talking.slug,
        user_id=talking.user_id(who),
        content=encode_state(state, phase.board, game.chart.content_hash),
        parent=None,
        now=talking.tick(),
    )
    send_message(
        slug=talking.slug,
        user_id=talking.user_id(who),
        to=parse_address(to),
        body="",
        key=new_key(),
        now=talking.tick(),
        attachment=MapAttachment(number),
    )


def ask(client, path, headers):
    """Return the statements of a page that was asked for before."""
    client.get(path, headers=headers)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(path, headers=headers)
    assert answer.status_code == 200, (path, answer.status_code)
    b"".join(answer) if answer.streaming else answer.content
    return [query["sql"] for query in captured if "SAVEPOINT" not in query["sql"]]


def list_pages(talking):
    """Yield the address, headers and budget of every page."""
    url = f"/games/{talking.slug}/"
    yield from ((f"{url}{rest}", {}, most) for rest, most in PAGES.items())
    yield from ((f"{url}{rest}", PART, most) for rest, most in PARTS.items())
    yield f"{url}press/ITALY/?after=0", LISTED, FRAME
    yield from ((path, {}, most) for path, most in ELSEWHERE.items())


def find_scans(statement):
    """Return SQLite's plans that would read a whole growing table; empty if there are none."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
        steps = [row[3] for row in cursor.fetchall()]
    tables = {alias: table for table, alias in re.findall(r'"(\w+)" ([TUVW]\d+)', statement)}
    scans = [step for step in steps if step.startswith("SCAN ") and "USING" not in step]
    return [step for step in scans if tables.get(name := step.split()[1], name) in GROWING]


@pytest.mark.long
def test_each_page_asks_a_few_times_and_scans_nothing(busy, client_of):
    client = client_of("ENGLAND")
    missed = []
    for path, headers, most in list_pages(busy):
        asked = ask(client, path, headers)
        if len(asked) > most:
            missed.append(f"{path} {headers}: {len(asked)} > {most}")
            missed += [f"    {sql[:160]}" for sql in asked]
        if connection.vendor == "sqlite":
            selects = [sql for sql in asked if sql.startswith("SELECT")]
            missed += [f"{path}: {scan}" for sql in selects for scan in find_scans(sql)]
    assert not missed, "\n".join(missed)
