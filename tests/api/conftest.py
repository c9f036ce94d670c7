import pytest
from tests.api.calls import Program, token_of


@pytest.fixture
def program(table):
    """A function that returns a program of one of the cast, with a token for some scopes."""

    def make(name, *scopes, **more):
        if name == "nobody":
            return Program()
        return Program(token_of(table.user_id(name), *scopes, **more))

    return make
