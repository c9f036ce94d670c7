import pytest
from tests.api.calls import Program, token_of

from diplomaccloud.api.tokens import Scope


@pytest.fixture
def program(table):
    """A function that returns a program for one of the cast, with a token for some scopes."""

    def make(name, *scopes, **more):
        if name == "nobody":
            return Program()
        return Program(token_of(table.user_id(name), *scopes, **more))

    return make


@pytest.fixture
def tokens(table):
    """Tokens of Alice and Bob for their seats."""
    scopes = Scope.READ, Scope.PLAY
    return [
        token_of(person, *scopes, slug=table.slug, name=name)
        for name, person in (("alice", table.alice), ("bob", table.bob))
    ]
