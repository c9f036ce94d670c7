"""How DAIDE clients get a seat: with a token, or with the passcode of an earlier visit."""

import pytest
from extras.daide.tests.clients import Clients
from tests.api.calls import token_of

from diplomaccloud.api.tokens import Scope
from diplomaccloud.daide.table import MAX_WRONG_FOR_SEAT

UNITS = "(AUS AMY BUD) (AUS AMY VIE) (AUS FLT TRI)"
TOKENS = {
    "no token": (lambda table: [], "no token was given"),
    "rubbish": (lambda table: ["dc_rubbish"], "token 1 opens no seat"),
    "for all games": (lambda table: [token_of(table.alice)], "token 1 opens no seat"),
    "for reading": (
        lambda table: [token_of(table.alice, Scope.READ, slug=table.slug)],
        "token 1 opens no seat",
    ),
    "twice": (
        lambda table: [
            token_of(table.alice, Scope.PLAY, slug=table.slug, name=name) for name in "ab"
        ],
        "token 2 is for a seat that another token already opens",
    ),
}


@pytest.mark.parametrize(("make", "fault"), TOKENS.values(), ids=TOKENS)
def test_tokens_that_open_no_seat_are_refused(table, make, fault):
    with pytest.raises(ValueError, match=fault):
        Clients(table, *make(table))


def test_a_token_as_version_opens_its_seat(clients, tokens):
    _, heard = clients.enter(f"NME ('us') ('{tokens[1]}')")
    assert heard[0].startswith("HLO (TUR)")
    assert clients.enter(f"NME ('us') ('{tokens[1]}')")[0] is None
    _, heard = clients.enter()
    assert heard[0].startswith("HLO (AUS)")


def test_where_tokens_are_asked_for_nobody_gets_a_seat_without_one(table, tokens):
    clients = Clients(table, *tokens, by_token=True)
    assert clients.enter()[0] is None
    thief = clients.table.connect(0.0)
    for _ in range(3):
        clients.ask(thief, "NME ('us') ('dc_wrong')")
    assert clients.closed == {thief}
    assert clients.enter(f"NME ('us') ('{tokens[0]}')")[0]


def test_a_client_comes_back_with_its_passcode_until_somebody_guesses(clients):
    alice, _ = clients.enter()
    clients.table.disconnect(alice, clients.now)
    number = clients.table.connect(clients.now)
    assert clients.ask(number, "IAM (AUS) (103)") == ["YES (IAM (AUS) (103))"]
    assert clients.ask(number, "MIS") == [f"MIS {UNITS}"]
    clients.table.disconnect(number, clients.now)
    for _ in range(MAX_WRONG_FOR_SEAT):
        clients.ask(clients.table.connect(clients.now), "IAM (AUS) (7)")
    number = clients.table.connect(clients.now)
    for passcode in range(101, 120):
        said = f"IAM (AUS) ({passcode})"
        assert clients.ask(number, said) == [f"REJ ({said})"]
    assert clients.closed.isdisjoint({number})
    _, heard = clients.enter()
    passcode = int(heard[0].split("(")[2].rstrip(") "))
    clients.table.disconnect(number + 1, clients.now)
    number = clients.table.connect(clients.now)
    assert clients.ask(number, f"IAM (AUS) ({passcode})")[0].startswith("YES")


def test_no_passcode_is_right_before_a_client_has_had_the_seat(clients):
    number = clients.table.connect(clients.now)
    for said in ("IAM (AUS) (101)", "IAM (TUR) (102)"):
        assert clients.ask(number, said) == [f"REJ ({said})"]
