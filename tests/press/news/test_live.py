"""Live streams tell only the people concerned that their press has changed."""

from tests.press.people import public

from diplomaccloud.games.page.read import read_live
from diplomaccloud.press.conversations.actions import publish_gray
from diplomaccloud.press.news.read import EVERYONE, select_changes
from diplomaccloud.press.table.rules import QUARTER


def read(talking, *people):
    """Return the numbers of people and of everyone in the game."""
    keys = {who: EVERYONE if who == "everyone" else talking.user_id(who) for who in people}
    pairs = [(key, talking.game_id) for key in keys.values()]
    own = read_live(list(select_changes(pairs))).own_numbers
    return tuple(own.get((keys[who], talking.game_id), 0) for who in people)


def test_messages_concern_their_readers_and_those_to_everyone_the_watchers(talking):
    people = ("FRANCE", "ENGLAND", "ITALY", "everyone")
    talking.send("FRANCE", "ENGLAND")
    assert read(talking, *people) == (1, 1, 0, 0)
    public(talking, "FRANCE")
    assert read(talking, *people) == (2, 2, 1, 1)
    talking.mark("ENGLAND", "FRANCE", 1)
    assert read(talking, *people)[3] == 1


def test_gray_messages_concern_watchers_once_they_are_published(talking):
    talking.agree(gray=True)
    talking.send("FRANCE", "gray")
    assert read(talking, "everyone") == (0,)
    publish_gray(now=talking.now + QUARTER)
    assert read(talking, "everyone") == (1,)


def test_the_numbers_take_one_query_however_many_people_ask(talking, django_assert_num_queries):
    public(talking, "FRANCE")
    powers = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    people = [*map(talking.user_id, powers), *range(10**6, 10**6 + 2000)]
    pairs = [(user, game) for user in people for game in (0, talking.game_id)]
    with django_assert_num_queries(1):
        own = read_live(list(select_changes(pairs))).own_numbers
    assert len(own) > 7
