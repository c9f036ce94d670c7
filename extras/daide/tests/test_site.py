"""DAIDE clients in seats of a game on the site, message by message."""

import datetime as dt

from django.db import DatabaseError
from django.utils import timezone
from extras.daide.tests.clients import Clients
from tests.games.steps import due

from diplomaccloud.api.models import Token
from diplomaccloud.daide.site import play
from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.master.rollback import roll_back
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow, Submission
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.games.votes.wording import Question

UNITS = "(AUS AMY BUD) (AUS AMY VIE) (AUS FLT TRI)"
HOLDS = "((AUS AMY BUD) HLD) ((AUS AMY VIE) HLD) ((AUS FLT TRI) HLD)"


def orders_of(table, name):
    reader = Reader(table.slug, Viewer(table.user_id(name)))
    return sorted(map(str, reader.live_draft.orders))


def is_ready(table, power):
    found = Submission.objects.filter(seat__power=power).exclude(ready_at=None)
    return found.filter(phase=Game.objects.get().newest_phase()).exists()


def test_clients_take_the_open_seats_in_their_sequence(clients):
    alice, heard = clients.enter()
    assert heard[0] == "HLO (AUS) (103) ((LVL 0) (MTL 8191) (RTL 8191) (BTL 8191))"
    assert heard[1].startswith("SCO (AUS BUD TRI VIE)")
    assert heard[2].startswith("NOW (SPR 1901) (")
    assert heard[3] == "TME (8191)"
    _, heard = clients.enter()
    assert heard[0].startswith("HLO (TUR) (104)")
    assert clients.enter() == (None, ["REJ (NME ('us') ('1'))"])
    assert clients.ask(alice, "SND (TUR) (PRP (DRW))") == ["HUH (ERR SND (TUR) (PRP (DRW)))"]


def test_orders_are_saved_on_the_site_and_a_complete_set_is_ready(clients, table):
    alice, _ = clients.enter()
    assert clients.ask(alice, "MIS") == [f"MIS {UNITS}"]
    good, bad = "(AUS AMY VIE) MTO GAL", "(AUS AMY BUD) MTO PAR"
    heard = clients.ask(alice, f"SUB ({good}) ({bad})")
    assert heard == [
        f"THX ({good}) (MBV)",
        f"THX ({bad}) (FAR)",
        "MIS (AUS AMY BUD) (AUS FLT TRI)",
    ]
    assert orders_of(table, "alice") == ["A VIE - GAL"]
    assert not is_ready(table, "AUSTRIA")
    rest = "((AUS AMY BUD) SUP (AUS AMY VIE) MTO GAL) ((AUS FLT TRI) HLD)"
    assert all(text.endswith("(MBV)") for text in clients.ask(alice, f"SUB {rest}"))
    assert orders_of(table, "alice") == ["A BUD S A VIE - GAL", "A VIE - GAL", "F TRI H"]
    assert is_ready(table, "AUSTRIA")
    late = clients.ask(alice, "SUB (FAL 1901) ((AUS AMY VIE) HLD)")
    assert late == ["THX ((AUS AMY VIE) HLD) (NRS)"]
    foreign = "(TUR FLT ANK) HLD"
    assert clients.ask(alice, f"SUB ({foreign})")[0] == f"THX ({foreign}) (NYU)"
    assert "A VIE - GAL" in orders_of(table, "alice")
    assert not OrderRow.objects.filter(draft__seat__power="TURKEY").exists()


def test_orders_are_taken_back(clients, table):
    alice, _ = clients.enter()
    clients.ask(alice, f"SUB {HOLDS}")
    taken = "NOT (SUB ((AUS AMY VIE) HLD))"
    assert clients.ask(alice, taken) == [f"YES ({taken})"]
    assert not is_ready(table, "AUSTRIA")
    assert clients.ask(alice, "MIS") == ["MIS (AUS AMY VIE)"]
    assert clients.ask(alice, taken) == [f"REJ ({taken})"]
    assert clients.ask(alice, "SUB ((AUS AMY VIE) HLD)") == ["THX ((AUS AMY VIE) HLD) (MBV)"]
    assert is_ready(table, "AUSTRIA")
    assert clients.ask(alice, "NOT (SUB)") == ["YES (NOT (SUB))"]
    assert clients.ask(alice, "MIS") == [f"MIS {UNITS}"]


def test_what_the_player_orders_on_the_page_counts_here_too(clients, table):
    alice, _ = clients.enter()
    clients.ask(alice, "SUB ((AUS AMY VIE) MTO GAL)")
    save_orders(
        slug=table.slug,
        user_id=table.alice,
        sequence=1,
        choices=["A BUD - SER"],
        sheet="",
        now=timezone.now(),
    )
    heard = clients.ask(alice, "SUB ((AUS FLT TRI) MTO ALB)")
    assert heard == ["THX ((AUS FLT TRI) MTO ALB) (MBV)"]
    assert orders_of(table, "alice") == ["A BUD - SER", "A VIE - GAL", "F TRI - ALB"]
    assert is_ready(table, "AUSTRIA")


def test_a_client_that_is_not_ready_is_waited_for(clients, table):
    alice, _ = clients.enter()
    assert clients.ask(alice, "NOT (GOF)") == ["YES (NOT (GOF))"]
    clients.ask(alice, f"SUB {HOLDS}")
    assert not is_ready(table, "AUSTRIA")
    assert clients.ask(alice, "GOF") == ["YES (GOF)"]
    assert is_ready(table, "AUSTRIA")
    assert clients.ask(alice, "NOT (GOF)") == ["YES (NOT (GOF))"]
    assert not is_ready(table, "AUSTRIA")


def test_news_of_the_site_reach_everybody(clients, table):
    alice, _ = clients.enter()
    bob, _ = clients.enter()
    watcher, heard = clients.enter("OBS")
    assert heard[0].startswith("HLO (UNO) (0)")
    assert clients.wait() == {}
    clients.ask(alice, "SUB ((AUS AMY VIE) MTO GAL)")
    clients.ask(bob, "SUB ((TUR FLT ANK) MTO BLA)")
    assert clients.wait() == {}
    due(table)
    heard = clients.wait()
    assert heard[alice] == heard[bob] == heard[watcher]
    assert "ORD (SPR 1901) ((AUS AMY VIE) MTO GAL) (SUC)" in heard[alice]
    assert heard[alice][-2].startswith("NOW (FAL 1901)")
    assert clients.ask(watcher, "ORD") == heard[alice][:-2]
    assert clients.ask(alice, "HST (SPR 1901)")[-1].startswith("NOW (FAL 1901)")
    assert clients.ask(alice, "SUB (SPR 1901) ((AUS AMY GAL) HLD)")[0].endswith("(NRS)")
    due(table)
    assert any(text.startswith("SCO") for text in clients.wait()[alice])


def test_an_order_that_comes_with_the_deadline_is_late(clients, table):
    alice, _ = clients.enter()
    due(table)
    heard = clients.ask(alice, "SUB ((AUS AMY VIE) MTO GAL)")
    assert heard[0] == "THX ((AUS AMY VIE) MTO GAL) (NRS)"


def test_a_deadline_that_moves_is_told(clients, table):
    alice, _ = clients.enter()

    def ask_master(question, length=None):
        change_time(
            slug=table.slug,
            user_id=table.charlie,
            sequence=1,
            question=question,
            length=length,
            reason="a test",
            key=question.value,
            now=timezone.now(),
        )
        return clients.wait(20)[alice]

    assert ask_master(Question.EXTEND, dt.timedelta(hours=1)) == ["TME (8191)"]
    assert ask_master(Question.PAUSE) == ["NOT (TME)"]
    assert clients.ask(alice, "TME") == ["REJ (TME)"]
    assert ask_master(Question.RESUME) == ["TME (8191)"]


def test_a_draw_is_a_vote_with_the_orders(clients, table):
    alice, _ = clients.enter()
    bob, _ = clients.enter()
    assert clients.ask(alice, "DRW") == ["YES (DRW)"]
    assert clients.ask(bob, "DRW") == ["YES (DRW)"]
    assert clients.ask(bob, "NOT (DRW)") == ["YES (NOT (DRW))"]
    votes = Submission.objects.exclude(draw_vote="").values_list("seat__power", "draw_vote")
    assert list(votes) == [("AUSTRIA", "draw")]
    clients.ask(bob, "DRW")
    due(table)
    heard = clients.wait()[alice]
    assert "DRW" in heard
    summary = next(text for text in heard if text.startswith("SMR"))
    assert "(AUS ('Alice') ('site') 3)" in summary
    assert clients.ask(alice, "DRW") == ["REJ (DRW)"]
    clients.wait()
    assert clients.wait(3)[alice] == ["OFF"]
    assert clients.table.is_over


def test_names_of_an_anonymous_game_are_told_at_its_end_only(table, agree, tokens):
    agree(anonymous=True)
    clients = Clients(table, *tokens)
    assert all(not name for name, _ in clients.table.list_players().values() if name != "hold")


def test_nobody_watches_a_game_that_is_not_public(table, agree, tokens):
    agree(watch="players")
    clients = Clients(table, *tokens)
    assert clients.enter("OBS") == (None, ["REJ (OBS)"])


def test_who_is_connected_stays_unknown(clients):
    alice, _ = clients.enter()
    bob, _ = clients.enter()
    clients.table.disconnect(bob, clients.now)
    assert clients.wait() == {}
    again, heard = clients.enter()
    assert heard[0].startswith("HLO (TUR)")
    assert clients.wait() == {}
    assert again
    assert alice


def test_clients_cannot_talk_past_the_rules_of_the_site(clients):
    alice, _ = clients.enter()
    clients.enter()
    stranger = clients.table.connect(clients.now)
    for number in (alice, stranger):
        said = "ADM ('Alice') ('Support me')"
        assert clients.ask(number, said) == [f"REJ ({said})"]


def test_a_token_that_is_revoked_ends_its_seat(clients, table):
    alice, _ = clients.enter()
    bob, _ = clients.enter()
    Token.objects.filter(user=table.alice).delete()
    said = "SUB ((AUS AMY VIE) MTO GAL)"
    assert clients.ask(alice, said) == [f"REJ ({said})"]
    assert orders_of(table, "alice") == []
    assert clients.wait(20) == {alice: ["OFF"]}
    assert clients.closed == {alice}
    Token.objects.all().delete()
    assert clients.wait(20)[bob][-1] == "OFF"
    assert clients.table.is_over


def test_a_player_who_leaves_takes_the_seat_along(clients, table):
    alice, _ = clients.enter()
    resign(slug=table.slug, user_id=table.alice, now=timezone.now())
    assert "OFF" in clients.wait(20)[alice]


def test_news_that_could_not_be_read_is_told_later(clients, table, monkeypatch):
    def fail(_reader):
        raise DatabaseError

    alice, _ = clients.enter()
    clients.enter()
    due(table)
    with monkeypatch.context() as patch:
        patch.setattr(play, "read_ending", fail)
        assert clients.wait() == {}
    heard = [text.split("(")[0].strip() for text in clients.wait()[alice]]
    assert heard[0] == "ORD"
    assert heard[-2:] == ["NOW", "TME"]


def test_a_game_that_was_rolled_back_goes_on_from_there(clients, table):
    alice, _ = clients.enter()
    clients.enter()
    due(table)
    clients.wait()
    roll_back(
        slug=table.slug,
        user_id=table.charlie,
        sequence=2,
        to=1,
        reason="a test",
        now=timezone.now(),
    )
    heard = clients.wait()[alice]
    assert [text.split("(")[0].strip() for text in heard] == ["SCO", "NOW", "TME"]
    assert heard[1].startswith("NOW (SPR 1901)")
    assert clients.ask(alice, "HST") == ["REJ (HST)"]
    assert clients.ask(alice, f"SUB {HOLDS}")[0].endswith("(MBV)")


def test_noise_changes_nothing(clients, table):
    alice, _ = clients.enter()
    for text in ("SUB ((AUS AMY PAR) HLD)", "SUB (AUS WVE)", "NOT (SUB ((AUS AMY VIE) HLD))"):
        assert clients.ask(alice, text)
    for text in ("TME (8191)", "TME (60)", "NOT (TME)", "SMR", "SVE ('a')", "MDF", "HST"):
        assert clients.ask(alice, text)
    assert orders_of(table, "alice") == []
