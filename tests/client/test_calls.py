"""Using the client: reading, ordering, talking, and refusals."""

import pytest
import time_machine
from django.utils import timezone
from tests.client.site import connect, connect_as
from tests.games.steps import due

from diplomaccloud.client import StrangeAnswer, problems
from diplomaccloud.client.json_values import read_value
from diplomaccloud.client.values import (
    MoveOrder,
    OrderClause,
    PeaceClause,
    ProposalGiven,
    ProposalTerms,
)


def test_a_game_is_read_as_typed_values(table):
    with connect_as(table, "alice") as client:
        me = client.get_me()
        assert (me.screen_name, me.games[0].id) == ("Alice", table.slug)
        game = client.get_game(table.slug)
        assert game.phase.name == "S1901M"
        assert game.phase.due_at.utcoffset() is not None
        assert {unit.unit for unit in game.board.units if unit.power == "TURKEY"} >= {"A SMY"}
        assert client.get_map(game.map)["board"]


def test_orders_are_saved_and_their_results_read(table):
    with connect_as(table, "alice") as client:
        legal = client.list_legal_orders(table.slug)
        saved = client.save_orders(
            table.slug, phase=legal.sequence, orders=["A VIE - GAL", "A VIE - PAR"], ready=True
        )
        assert saved.accepted == ("A VIE - GAL",)
        assert (saved.ready, saved.not_ready) == (False, "refused")
        (refused,) = saved.refused
        assert refused.text == "A VIE - PAR"
        assert "A VIE - GAL" in client.get_seat_text(table.slug)
        due(table)
        phase = client.get_phase(table.slug, "S1901M")
        assert "A VIE - GAL" in [result.order for result in phase.results if result.succeeded]


def test_terms_are_read_as_the_clauses_that_their_words_name(table):
    with connect_as(table, "alice", "read", "play", "press") as client:
        pair = ("AUSTRIA", "TURKEY")
        move = MoveOrder("move", ("A", "VIE", "AUSTRIA"), "GAL", via=False)
        clauses = (OrderClause("order", move), PeaceClause("peace", pair, "F1902"))
        offered = ProposalTerms(1, "S1901M", pair, ((*clauses, PeaceClause("peace", pair)),))
        client.send_message(table.slug, to=["TURKEY"], proposal=ProposalGiven(offered))
        (deal,) = client.list_deals(table.slug).deals
        assert deal.proposal.terms == offered


def test_a_clause_that_the_client_does_not_know_stays_as_it_came():
    strange = {"clause": "gift", "centers": 1}
    data = {"v": 1, "phase": "S1901M", "parties": [], "alternatives": [[strange]]}
    assert read_value(ProposalTerms, data).alternatives == ((strange,),)


def test_refusals_are_exceptions_of_their_kinds(table):
    with connect_as(table, "alice", "read") as client:
        with pytest.raises(problems.ScopeProblem) as refused:
            client.save_orders(table.slug, phase=1, orders=["A VIE - GAL"])
        assert refused.value.status == 403
        with pytest.raises(problems.NotFoundProblem):
            client.get_game("b" * 10)
        with pytest.raises(problems.InvalidProblem) as refused:
            client.get_game("not-a-game")
        assert refused.value.errors[0].field == "game"
    with connect_as(table, "alice") as client:
        with pytest.raises(problems.OrdersProblem) as refused:
            client.save_orders(table.slug, phase=1, orders=["A VIE - PAR"])
        assert refused.value.orders[0].text == "A VIE - PAR"
        with pytest.raises(problems.PhaseOverProblem):
            client.save_orders(table.slug, phase=7, orders=["A VIE - GAL"])
    with connect("dc_unknown") as client, pytest.raises(problems.BadTokenProblem):
        client.get_me()


def test_a_key_gives_two_calls_one_effect(table):
    with connect_as(table, "alice") as client:
        for _ in range(2):
            client.send_message(table.slug, to=["TURKEY"], body="Peace?", key="peace")
        found = list(client.iterate_messages(table.slug, with_="TURKEY"))
    assert [message.body for message in found] == ["Peace?"]


def test_lists_are_read_part_by_part(table):
    clock = time_machine.travel(timezone.now(), tick=False)
    with connect_as(table, "alice") as client, clock as moment:
        for number in range(60):
            if number == 30:
                moment.shift(120)  # a person sends at most 30 in a minute
            client.send_message(table.slug, to=["TURKEY"], body=str(number))
        part = client.list_messages(table.slug, with_="TURKEY", after=0)
        assert part.has_later
        found = list(client.iterate_messages(table.slug, with_="TURKEY"))
        assert [message.body for message in found] == [str(number) for number in range(60)]
        assert list(client.iterate_games(status="finished")) == []


def test_what_has_not_changed_is_not_sent_again(table):
    with connect_as(table, "alice") as client:
        game = client.get_game(table.slug)
        assert client.get_game(table.slug) is game
        due(table)
        assert client.get_game(table.slug).phase.name != game.phase.name


def test_an_address_that_is_no_api_is_named():
    with pytest.raises(ValueError, match="is not the address of a site"):
        connect_to("games.example")
    with connect() as client:
        client._exchange.base = "http://testserver"
        with pytest.raises(StrangeAnswer, match="http://testserver/"):
            client.list_games()


def connect_to(url):
    from diplomaccloud.client import Client

    return Client(url)
