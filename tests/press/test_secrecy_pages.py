"""One matrix of secrecy over what the site sends: pages, exports, streams, notices, Slack, logs.

Everyone but those who have the secrets must get the same bytes, with the same headers, from as many
queries, whether there are secrets or not: see `matrix`. Roles, places, moments and kinds of games
take turns: each role asks for the places that reveal most and for half of the others once, and each
place is asked for at every moment in both kinds. With `--times 2` each role asks for all places,
with `--times 16` at every moment.
"""

import itertools
import re

import pytest
from judge.tests.effort import examples
from tests.press.matrix import (
    MOMENTS,
    PLAYING_MASTER,
    SECRET,
    VISITOR,
    Matrix,
    address_of,
    compare,
)

from diplomaccloud.games.hall.read import _cards as hall_cards
from diplomaccloud.notices.kinds import Channel
from diplomaccloud.press.moderation.models import Case

OUTSIDERS = (
    *("rival", "predecessor", "eliminated", "playing moderator", PLAYING_MASTER, "successor"),
    *("stranger", VISITOR),
)
JUDGES = ("master", "moderator")
WORLDS = {
    "silence": (*OUTSIDERS, *JUDGES),
    "secrets": (*JUDGES, "author"),
    "everything": (*OUTSIDERS, "author"),
}
"""Who reads in which world. Each role reads in two, which it must not tell apart."""
ROLES = (*OUTSIDERS, *JUDGES, "author")
NAMES = ("named", "anonymous")
CELLS = tuple(itertools.product(NAMES, MOMENTS))
PART, JSON = {"HX-Request": "true"}, {"Accept": "application/json"}
PARTS = (
    *("press/everyone/", "press/gray/", "press/notes/", "press/game-master/"),
    *("press/ENGLAND/", "press/ENGLAND+FRANCE/", "press/GERMANY/", "press/ITALY/"),
)
"""Pages of which a script asks for a part: it takes less time, and has all that could differ."""
OF_GAME = (
    *("state/", "log/", "maps/", "maps/1/", "press/ledger/", "press/look/", "master/"),
    *("press/FRANCE/1/report/", "press/FRANCE/2/map/picture.svg", "press/FRANCE/3/proposal/"),
    *("press/FRANCE/4/document/", "press/ITALY/3/proposal/", "press/new/", "press/ENGLAND/"),
    *("record-and-receipts.jsonl", "press/opening/", "chronicle/", "chronicle/1/"),
)
CALLS = (
    *("phases", "seat", "seat?format=text", "seat/legal", "seat/conversations", "events"),
    *(f"seat/messages?with={to}" for to in ("everyone", "gray", "notes", "game-master")),
    *(f"seat/messages?with={to}" for to in ("ENGLAND", "ENGLAND,FRANCE", "FRANCE", "ITALY")),
    *("seat/deals", "seat/maps", "seat/map?number=1", "seat/map?with=FRANCE&number=2"),
    *("seat/map/picture?with=FRANCE&number=2", "seat/opening", "seat/record", "seat/hint"),
    *("chronicle", "chronicle/1", "log", "centers", "statistics", "receipts", "waiting-room"),
)
"""What a program asks about a game."""
CALLS_OF_SITE = (
    *("me", "me/conversations", "me/sent", "me/search?q=burgundy", "me/export", "me/choices"),
    *("me/reports", "me/notices", "me/destinations", "games", "people"),
)
"""What a program asks about everything else."""
OF_SITE = (
    *("/", "/messages/sent/", "/messages/search/?q=burgundy"),
    *("/messages/settings/", "/moderation/", "/moderation/log/", "/reports/"),
    "/account/export/",
)
MESSAGE = {"body": "Hello.", "key": "0" * 32}
FORMS = (
    *(("press/send/", {"to": to, **MESSAGE}) for to in ("ENGLAND", "FRANCE", "everyone")),
    ("press/FRANCE/read/", {"up_to": "1"}),
    ("press/FRANCE/1/report/", {"grounds": "abuse"}),
    ("press/FRANCE/2/map/adopt/", {}),
    ("press/FRANCE/3/proposal/answer/", {"answer": "accept"}),
    ("press/FRANCE/4/document/sign/", {"digest": "0" * 64}),
)
"""What a person could send to learn whether something exists."""


def list_places(matrix, role):
    """Return the requests to make: addresses, headers and forms, the most revealing ones first."""
    game = f"/games/{matrix.slug}/"
    calendar = f"/notices/calendar/{matrix.calendars.get(role, 'none')}.ics"
    first = (
        *((url, {}, None) for url in (game, "/messages/", "/notices/")),
        (f"{game}press/", PART, None),
    )
    others = (
        (calendar, {}, None),
        *((f"{game}{rest}", {}, None) for rest in OF_GAME),
        *((url, {}, None) for url in OF_SITE),
        *((f"{game}{rest}", PART, None) for rest in PARTS),
        *((f"{game}{rest}", JSON, form) for rest, form in FORMS),
        *list_calls(matrix, role),
    )
    return first, others


def list_calls(matrix, role):
    """Return the calls of the API that a program of this role can make."""
    token = matrix.tokens.get(role)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    game = f"/api/v1/games/{matrix.slug}"
    site = (f"/api/v1/{rest}" for rest in CALLS_OF_SITE)
    urls = (*site, game, *(f"{game}/{rest}" for rest in CALLS))
    return [(url, headers, None) for url in urls]


def take_turn(places, turn, turns):
    """Return the places whose turn it is."""
    return [
        place for number, place in enumerate(places) if (number + turn) % turns < examples.times
    ]


def read(matrix, names, moment, role):
    """Return what a role gets at a moment, by request."""
    cell, role_number = CELLS.index((names, moment)), ROLES.index(role)
    first, others = list_places(matrix, role)
    asked = [
        *take_turn(first, cell + role_number, len(CELLS)),
        *take_turn(others, cell + role_number * len(CELLS), 2 * len(CELLS)),
    ]
    found = {}
    for url, headers, form in asked:
        with matrix.part_of(role):
            # Who has seen a card before is no secret, and differs between the worlds.
            hall_cards.clear()
            place = (url, *headers, *(form or {}).values())
            found[place] = matrix.ask(role, url, headers, form)
    with matrix.part_of(role):
        found["data"] = matrix.read_data(role)
    found["live"] = matrix.listen(role)
    found["slack"] = matrix.write_by_slack(role)
    return {(names, moment, role, place): value for place, value in found.items()}


@pytest.mark.long
@pytest.mark.parametrize("names", NAMES)
def test_everyone_else_gets_the_same(talking, monkeypatch, names):
    matrix, found = Matrix(talking, anonymous=names == "anonymous"), {}
    # So that the first reader does not read the chart.
    matrix.ask(VISITOR, f"/games/{matrix.slug}/")
    for world, roles in WORLDS.items():
        with matrix.world(world, monkeypatch) as sent:
            check_insiders(world, sent)
            found[world] = read_notices(sent, roles)
            for moment in MOMENTS:
                with matrix.moment(moment, monkeypatch):
                    for role in roles:
                        found[world] |= read(matrix, names, moment, role)
    differences = []
    for first, second in itertools.combinations(found.values(), 2):
        both = [place for place in first if place in second]
        differences += compare(first, second, both)
    assert not differences, "\n".join(map(str, differences))


def read_notices(sent, roles):
    """Return what each role was sent, by channel."""
    return {
        ("sent", role, channel): [
            *sent.get(address_of(role, channel), ()),
            *sent.get(f"https://{address_of(role, channel)}", ()),
        ]
        for role in roles
        for channel in Channel
    }


def check_insiders(world, sent):
    """Check that the secrets go where they must: otherwise the matrix would show nothing."""
    got = {address for address, texts in sent.items() if SECRET.encode() in b"".join(texts)}
    roles = {re.sub(r"https://|@.*", "", address) for address in got}
    expected = {"silence": set(), "secrets": {"author"}, "everything": {"author", "master"}}
    assert roles == expected[world]


def test_what_is_not_yours_is_the_same_404_whether_it_exists_or_not(talking, monkeypatch):
    """A forged number, an address of others, a case: real and invented ones look alike."""
    matrix = Matrix(talking, anonymous=False)
    game = f"/games/{matrix.slug}/"
    with matrix.world("everything", monkeypatch):
        key = Case.objects.get(message__send__author=matrix.people["author"]).key
        pairs = [
            (f"/moderation/{key}/", "/moderation/000000000000/"),
            (f"/reports/{key}/appeal/", "/reports/000000000000/appeal/"),
            (f"{game}maps/draw/?parent=2", f"{game}maps/draw/?parent=99"),
            *(
                (f"{game}press/FRANCE/{number}/{what}/", f"{game}press/FRANCE/99/{what}/")
                for number, what in enumerate(("report", "map", "proposal", "document"), start=3)
            ),
        ]
        for role, (real, invented) in itertools.product(("playing moderator", "stranger"), pairs):
            status, content, *others = matrix.ask(role, real)
            assert status in (302, 404), (role, real)
            found = [status, content.replace(path_of(real), path_of(invented)), *others]
            expected = matrix.ask(role, invented)
            assert str(found).replace(real, invented) == str([*expected]), (role, real)


def path_of(url):
    return url.partition("?")[0].encode()
