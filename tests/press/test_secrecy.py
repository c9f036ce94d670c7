"""One matrix of secrecy: every read of press by everyone, in named and anonymous games.

France and England talk; Germany wrote to England and then left the seat to Sam. Everyone else must
find exactly what they would find if nobody had written: the same values from as many queries.
"""

import datetime as dt
from itertools import combinations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from tests.games.steps import remove_centers, remove_units
from tests.press.deals import answer, peace, propose, terms
from tests.press.documents.test_documents import show
from tests.press.people import POWERS

from diplomaccloud.accounts.models import User
from diplomaccloud.games.page.read import read_live
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.inbox.read import (
    SearchHit,
    SentEntry,
    count_unread,
    export,
    read_inbox,
    read_sent,
    search,
)
from diplomaccloud.press.news.read import Arrival, select_changes
from diplomaccloud.press.proposals.read import read_deals
from diplomaccloud.press.table.addresses import (
    EVERYONE,
    GAME_MASTER,
    GRAY,
    NOTES,
    TABLE,
    parse_address,
    seats_address,
)
from diplomaccloud.press.table.read import (
    Author,
    ConversationFacts,
    MemberFacts,
    MessageFacts,
    Summary,
)

MOMENTS = ("before", "during", "after")
SECRET = "Burgundy by surprise"
ADDRESSES = [
    *(EVERYONE, GRAY, NOTES, TABLE, GAME_MASTER),
    *(seats_address(group) for size in (1, 2) for group in combinations(POWERS, size)),
    parse_address("NOWHERE"),
]


def every_read(talking, user_id, now):
    """Return what a viewer finds by every read, as one text, and how many queries that took."""
    viewer = Viewer(user_id)
    with CaptureQueriesContext(connection) as captured:
        reader = PressReader(talking.slug, viewer, now=now)
        on_page = PressReader.on_page(Reader(talking.slug, viewer), now=now)
        found = [
            *(
                reader.state,
                reader.unread,
                reader.conversations,
                reader.addressees,
                read_deals(reader),
            ),
            *(on_page.unread, on_page.conversations),
            *(read_one(reader, address) for address in ADDRESSES),
            count_unread(viewer),
            search(viewer, "burgundy"),
            list(export(viewer)),
            read_live(list(select_changes([(user_id or 0, talking.game_id), (user_id or 0, 0)]))),
        ]
        if user_id is not None:
            found += [read_inbox(viewer), read_sent(viewer)]
    return "\n".join(map(repr, found)), len(captured)


def read_one(reader, address):
    try:
        return reader.conversation(address)
    except Refused as error:
        return type(error).__name__, error.status, str(error)


@pytest.fixture
def stage(talking):
    """A function that sets the scene for a moment and returns people by role, and the time."""

    def begin(moment, anonymous, *, master_plays):
        talking.agree(press="rulebook", anonymous=anonymous, writing=300)
        roles = {role: talking.user_id(power) for role, power in SEATS.items()}
        if master_plays:
            Game.objects.update(master=roles["rival"])
        remove_units("TURKEY")
        remove_centers("TURKEY")
        return {**roles, **{role: talking.user_id(name) for role, name in OTHERS.items()}}

    return begin


SEATS = {
    "owner": "FRANCE",
    "partner": "ENGLAND",
    "rival": "ITALY",
    "predecessor": "GERMANY",
    "eliminated": "TURKEY",
}
OTHERS = {"master": "Morgan", "stranger": "Sam"}


def close(talking, moment):
    """Move the game to the moment and return the time of the reads."""
    if moment == "after":
        talking.finish()
    return talking.phase.due_at - (dt.timedelta(minutes=1) if moment == "during" else DAY / 2)


DAY = dt.timedelta(days=1)


@pytest.mark.parametrize("master_plays", [False, True], ids=["", "master plays"])
@pytest.mark.parametrize("anonymous", [False, True], ids=["named", "anonymous"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_what_others_write_changes_nothing_for_the_rest(
    talking, stage, moment, anonymous, master_plays
):
    people = stage(moment, anonymous, master_plays=master_plays)
    outsiders = {**people, "nobody": None}
    del outsiders["owner"], outsiders["partner"]
    talking.resign("GERMANY")
    talking.take("Sam", "GERMANY")
    quiet = close(talking, moment)
    before = {role: every_read(talking, user, quiet) for role, user in outsiders.items()}
    talking.send("FRANCE", "ENGLAND", SECRET, now=talking.now)
    talking.send("ENGLAND", "FRANCE", SECRET, now=talking.now)
    talking.send("FRANCE", NOTES, SECRET, now=talking.now)
    talking.send("FRANCE", "ENGLAND+RUSSIA", SECRET, now=talking.now)
    if moment != "after":
        # The game must be in progress to make deals.
        number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]), now=talking.now)
        answer(talking, "ENGLAND", "FRANCE", number, now=talking.now)
        show(talking, "FRANCE", "ENGLAND", text=SECRET)
    for role, user in outsiders.items():
        text, queries = every_read(talking, user, quiet)
        assert SECRET not in text, role
        assert (text, queries) == before[role], role
    for role in ("owner", "partner"):
        assert SECRET in every_read(talking, people[role], quiet)[0]


@pytest.mark.parametrize("anonymous", [False, True], ids=["named", "anonymous"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_seats_that_change_hands_reveal_what_the_rules_say(talking, stage, moment, anonymous):
    people = stage(moment, anonymous, master_plays=False)
    talking.send("GERMANY", "ENGLAND", SECRET)
    talking.send("GERMANY", NOTES, f"{SECRET}, noted")
    talking.send("GERMANY", GAME_MASTER, f"{SECRET}, asked")
    talking.resign("GERMANY")
    talking.take("Sam", "GERMANY")
    talking.send("ENGLAND", "GERMANY", "Only now")
    now = close(talking, moment)
    texts = {role: every_read(talking, user, now)[0] for role, user in people.items()}
    assert {role for role, text in texts.items() if SECRET in text} == {
        *("partner", "predecessor", "stranger", "master")
    }
    assert {role for role, text in texts.items() if f"{SECRET}, noted" in text} == {"predecessor"}
    asked = {role for role, text in texts.items() if f"{SECRET}, asked" in text}
    assert asked == {"predecessor", "master"}
    assert {role for role, text in texts.items() if "Only now" in text} == {"partner", "stranger"}
    names = set(User.objects.values_list("username", flat=True))
    for role, text in texts.items():
        shown = {name for name in names if f"'{name}'" in text}
        if anonymous and moment != "after":
            assert shown == set(), role


def test_rows_and_their_keys_stay_inside(talking):
    from django.db.models import Model, QuerySet

    talking.send("FRANCE", "ENGLAND", SECRET)
    reader = talking.reader("FRANCE")
    for name in dir(type(reader)):
        if not name.startswith("_") and isinstance(
            getattr(type(reader), name), property | type(type(reader).unread)
        ):
            value = getattr(reader, name)
            assert not isinstance(value, Model | QuerySet), name
    facts = {
        field
        for kind in (
            *(Summary, ConversationFacts, MessageFacts),
            *(MemberFacts, Author, SentEntry, SearchHit, Arrival),
        )
        for field in kind.__dataclass_fields__
    }
    assert not {field for field in facts if field in ("id", "pk") or field.endswith("_id")}
