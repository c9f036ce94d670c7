"""Lists of games and people need few queries, however many games there are."""

from dataclasses import replace

import pytest
from django.utils import timezone
from tests.games.steps import asked, call_vote, due, over_budget
from tests.scenes import scene

from diplomaccloud.accounts.models import User
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.lobby.actions import invite, join_game, start_game
from diplomaccloud.games.lobby.read import ListQuery, Status, list_games
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.visibility.read import Viewer

PAGES = {
    "/": 18,  # two of them for the numbers of new messages and notices in the header
    "/games/": 14,
    "/people/": 14,
    "/people/?order=login": 14,
    "/people/alice/": 14,
}


@pytest.fixture
@scene
def site(cast, plan):
    """Games of every kind: finished, forming, with a vacant seat, with an invitation."""
    now = timezone.now()
    call_vote(cast, "alice", "pause")
    due(cast)
    for number in range(30):
        slug = f"{number:010d}".replace("0", "b").replace("1", "c")
        maker = (cast.alice, cast.bob, cast.charlie)[number % 3]
        create_game(
            plan=replace(plan, world=f"World {number}"),
            creator_id=maker,
            now=now,
            slug=slug,
            code="letmein222",
            seed=f"site {number}",
        )
        if number % 5 == 0 and maker != cast.alice:
            invite(slug=slug, user_id=maker, name="alice", now=now)
        if number % 4:
            join_game(slug=slug, user_id=User.objects.create(username=slug).pk, now=now)
            start_game(slug=slug, user_id=maker, now=now)
        if number % 4 == 2:
            resign(slug=slug, user_id=maker, now=now)
    return cast


def test_no_page_asks_more_than_its_number_or_counts_rows(site):
    counting = {}
    for who in ("nobody", "alice"):
        client = site.client(who)

        def visit(address, client=client, who=who):
            client.get(address)
            queries = [text.replace("`", '"') for text in asked(lambda: client.get(address))]
            counting[who, address] = [text for text in queries if "COUNT(" in text]
            return queries

        assert not over_budget(PAGES, {url: len(visit(url)) for url in PAGES}), who
    for (who, address), queries in counting.items():
        assert len(queries) == (who == "alice"), (who, address, queries)
        # The person is read with the number of new notices, counted up to a limit; nothing else.
        for query in queries:
            assert 'FROM "accounts_user" WHERE "accounts_user"."id" = ' in query
            assert query.count("COUNT(") == query.count("LIMIT 100) counted")
            assert 'FROM "notices_notice"' in query


def test_the_lists_lead_to_every_game_once(site):
    viewer, seen = Viewer(None), []
    query = ListQuery((Status.RUNNING,), size=4, yours=False, vacant=False)
    while True:
        listed = list_games(viewer, query).others[Status.RUNNING]
        seen += [game.slug for game in listed.games]
        if listed.older is None:
            break
        query = replace(query, before=listed.older)
    running = Game.objects.filter(status="running").order_by("-pk")
    assert seen == list(running.values_list("slug", flat=True))


def test_older_games_have_a_page_of_their_own(site):
    newest = Game.objects.filter(status="running").order_by("-pk").first()
    page = site.client("nobody").get(f"/games/?status=running&before={newest.pk}")
    lobby = page.context["lobby"]
    assert (page.context["only"], lobby.others.keys(), lobby.yours) == ("running", {"running"}, ())
    assert newest.slug not in [game.slug for game in lobby.others["running"].games]
    assert page.content.decode().count('<h2 class="ruled"') == 1


@pytest.mark.parametrize(
    "query", ["?page=3", "?status=running", "?status=x&before=1", "?before=-1"]
)
def test_other_queries_show_the_whole_lobby(site, query):
    context = site.client("nobody").get(f"/games/{query}").context
    assert (context["only"], len(context["lobby"].others["running"].games)) == ("", 8)


def test_unfinished_games_come_first_and_finished_ones_are_few(site):
    yours = site.client("alice").get("/").context["lobby"].yours
    mine = Seat.objects.filter(user=site.alice, finished_at=None).count()
    invited = Game.objects.filter(invitations__user=site.alice, status="forming").count()
    assert len([game for game in yours if game.status != "finished"]) == mine + invited
