"""Writing conditional orders on the pages of a game."""

from tests.games.steps import due, phase, save


def ahead(cast, who="alice", *, headers=None, **data):
    data = {"phase": phase().sequence, "ahead": "", "was": ""} | data
    return cast.client(who).post(cast.url("conditional-orders/"), data, headers=headers or {})


def to_fall(cast):
    save(cast, "alice", "A BUD - SER")
    save(cast, "bob", "A CON - BUL")
    due(cast)
    return cast
