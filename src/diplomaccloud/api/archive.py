"""The public press of a finished game, and consents to open conversations."""

from typing import Annotated

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query
from pydantic import Field, StrictInt

from diplomaccloud.api.addresses import GameId, Members, With, WithAddress, read_address
from diplomaccloud.api.answers import ApiAnswer, Given, Text
from diplomaccloud.api.auth import OPEN, PRESS
from diplomaccloud.api.conversations import MessageState
from diplomaccloud.api.operations import Area, act_on, read_game, read_press
from diplomaccloud.press.chronicle.read import ChronicleReader
from diplomaccloud.press.openings import actions as openings_actions
from diplomaccloud.press.openings.read import read_openings
from diplomaccloud.press.table.errors import NoSuchConversation


class OpeningState(ApiAnswer):
    """One of your conversations; `agreed` and `open` are numbers of its messages."""

    members: WithAddress
    count: int
    agreed: int = Field(description="The last message that you agreed to open.")
    open: int = Field(description="The last message that everyone can read.")


class OpeningList(ApiAnswer):
    """Your conversations that can be opened now that the game is over."""

    conversations: list[OpeningState]


class ConsentGiven(Given):
    """A conversation, and the last message that you agree to open."""

    members: Members
    number: Annotated[StrictInt, Field(ge=0, le=10**9)]


class ConsentsGiven(Given):
    """The conversations that you agree to open."""

    conversations: Annotated[list[ConsentGiven], Field(min_length=1, max_length=500)]


class ChapterState(ApiAnswer):
    """A chapter: `before`, `after`, or the number of a phase; `undone` if it was rolled back."""

    name: str
    phase: Text | None
    processed: bool
    undone: bool


class ChapterList(ApiAnswer):
    """The chapters of a finished game, in order."""

    chapters: list[ChapterState]


class OpenMessageState(ApiAnswer):
    """A public message, and the members of its conversation."""

    kind: str
    powers: list[str]
    message: MessageState


class ChapterMessages(ApiAnswer):
    """A page of the messages of a chapter, oldest first."""

    messages: list[OpenMessageState]
    has_more: bool


Chapter = Annotated[str, Field(pattern="^(before|after|[1-9][0-9]{0,5})$")]
_Page = Annotated[int, Query(ge=1, le=10_000)]
area = Area("archive", OPEN)


@area.reads("/games/{game}/chronicle", ChapterList)
def list_chapters(request: HttpRequest, game: GameId) -> object:
    """List the chapters of a finished game; 409 if the game is not over."""
    return {"chapters": ChronicleReader(read_game(request, game)).chapters}


@area.reads("/games/{game}/chronicle/{chapter}", ChapterMessages)
def list_open_messages(
    request: HttpRequest,
    game: GameId,
    chapter: Chapter,
    page: _Page = 1,
    country: Annotated[str, Query(max_length=40)] = "",
) -> object:
    """List the public messages of a chapter; `?country=TURKEY` limits them to one country."""
    chronicle = ChronicleReader(read_game(request, game))
    name = chronicle.chapter(chapter).name
    return chronicle.read_messages(name, country=country, page=page, with_attachments=True)


@area.reads("/games/{game}/seat/opening", OpeningList, guard=PRESS)
def list_openings(request: HttpRequest, game: GameId) -> object:
    """List your conversations that can be opened. Consents stay secret until all have agreed."""
    return _list_openings(request, game)


@area.writes("POST /games/{game}/seat/opening", OpeningList, guard=PRESS)
def agree_to_open(request: HttpRequest, game: GameId, given: ConsentsGiven) -> object:
    """Agree to open conversations, up to these messages, to everyone who may see the game."""
    to = {read_address(row.members): row.number for row in given.conversations}
    openings_actions.agree_to_open(**act_on(request, game), to=to, now=timezone.now())
    return _list_openings(request, game)


@area.writes("DELETE /games/{game}/seat/opening", OpeningList, guard=PRESS)
def withdraw_consent(request: HttpRequest, game: GameId, members: With) -> object:
    """Withdraw your consent to open the conversation `?with=`; 409 once it is open."""
    openings_actions.withdraw_consent(**act_on(request, game), to=read_address(members))
    return _list_openings(request, game)


def _list_openings(request: HttpRequest, game: str) -> object:
    press = read_press(request, game)
    if not press.may_write:
        raise NoSuchConversation
    return {"conversations": read_openings(press)}
