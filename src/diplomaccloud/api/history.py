"""The past of a game: log, centers, statistics, receipts, the record, and why orders failed."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Query
from pydantic import BeforeValidator, Field

from diplomaccloud.api.addresses import GameId
from diplomaccloud.api.answers import JSON, LINES, PNG, ApiAnswer, Text
from diplomaccloud.api.auth import OPEN, READ
from diplomaccloud.api.operations import Area, read_game
from diplomaccloud.api.problems import no_such
from diplomaccloud.games.record import read as record
from diplomaccloud.games.record.views import send_lines
from diplomaccloud.games.results.read import explain_order as results_explain_order
from diplomaccloud.games.results.read import read_log
from diplomaccloud.games.seats.read import has_played
from diplomaccloud.games.statistics.actions import store_tallies
from diplomaccloud.games.statistics.read import read_owners, read_tally
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.maps.pictures import load_position_picture

PhaseSequence = Annotated[int, Field(ge=1, le=999_999)]
_Place = Annotated[int, Field(ge=0, le=9_999)]
_Page = Annotated[int, Query(ge=1, le=100_000)]
_Phase = Annotated[int | None, Query(ge=1, le=999_999)]
area = Area("history", OPEN)


class LogLineState(ApiAnswer):
    """A line of the public log; `by` is null for the site, and blank if the name is hidden."""

    at: dt.datetime
    kind: str
    phase: Text | None
    text: str
    reason: str
    by: Annotated[str | None, BeforeValidator(lambda actor: actor and actor.name)]


class LogState(ApiAnswer):
    """A page of the log, the newest line first."""

    lines: list[LogLineState]
    page: int = Field(validation_alias="number")
    pages: int


@area.reads("/games/{game}/log", LogState)
def get_log(request: HttpRequest, game: GameId, page: _Page = 1) -> object:
    """Return a page of the public log: deadlines, votes, and game master actions."""
    return read_log(read_game(request, game), page)


class CentersState(ApiAnswer):
    """Who owned which center after each year."""

    years: Mapping[int, Mapping[str, str]]


@area.reads("/games/{game}/centers", CentersState)
def get_centers(request: HttpRequest, game: GameId) -> object:
    """Return who owned which center after each year."""
    return {"years": read_owners(read_game(request, game))}


class DeedsState(ApiAnswer):
    """Counts of a power's actions over all processed phases."""

    moves: int
    moved: int
    supports: int
    given: int
    convoys: int
    built: int
    dislodged: int
    lost: int


class HelpState(ApiAnswer):
    """How many supports and convoys one power gave another."""

    giver: str
    taker: str
    count: int


class StabState(ApiAnswer):
    """An attack on a power soon after help between the two."""

    phase: Text
    by: str
    against: str
    where: str
    took_center: bool


class StatisticsState(ApiAnswer):
    """Statistics of the powers: orders, help for each other, and stabs."""

    deeds: Mapping[str, DeedsState]
    help: list[HelpState]
    stabs: list[StabState]


@area.reads("/games/{game}/statistics", StatisticsState)
def get_statistics(request: HttpRequest, game: GameId) -> object:
    """Return statistics of the powers: orders, help for each other, and stabs."""
    figures = read_tally(read_game(request, game))
    if figures.uncounted:
        store_tallies(slug=game, tallies=figures.uncounted)
    tally = figures.total
    helped = [
        HelpState(giver=giver, taker=taker, count=count)
        for (giver, taker), count in sorted(tally.helped.items())
    ]
    return {"deeds": tally.deeds, "help": helped, "stabs": tally.stabs}


class WhyState(ApiAnswer):
    """Why an order had its result; `explanation` is formatted as `trees` in `docs/protocol.md`."""

    order: Text
    outcome: str
    reason: str
    explanation: dict[str, Any] | None


@area.reads("/games/{game}/phases/{phase}/why/{number}", WhyState)
def explain_order(
    request: HttpRequest, game: GameId, phase: PhaseSequence, number: _Place
) -> object:
    """Explain the result `number`, counted from 0, of a processed phase."""
    reader = read_game(request, game)
    try:
        explained = results_explain_order(reader, phase, number)
    except NoSuchGame as error:
        raise no_such(f"This game has no result {number} of a processed phase {phase}.") from error
    result, why = explained.results[number], explained.explanation
    return WhyState.of(
        order=result.order,
        outcome=result.outcome,
        reason=result.why,
        explanation=why and why.to_json(),
    )


class ReceiptState(ApiAnswer):
    """A country's orders at a lock. `text` and `salt` are blank unless you may read them."""

    country: str
    powers: list[str]
    part: str
    digest: str
    at: dt.datetime
    open: bool
    salt: str
    text: str


class SaveState(ApiAnswer):
    """A signed receipt for orders you saved."""

    phase: Text
    at: dt.datetime
    digest: str
    text: str
    salt: str
    key: str
    signature: str


class ReceiptsState(ApiAnswer):
    """The receipts of a locked phase, and your own save receipts."""

    sequence: int | None
    receipts: list[ReceiptState]
    saves: list[SaveState] = Field(
        description="Your save receipts from the locked phase and the open one."
    )


@area.reads("/games/{game}/receipts", ReceiptsState)
def get_receipts(request: HttpRequest, game: GameId, phase: _Phase = None) -> object:
    """Return the receipts of the latest locked phase, or of `?phase=`, and your save receipts."""
    reader = read_game(request, game)
    try:
        locked = record.read_receipts(reader, phase)
    except NoSuchGame as error:
        raise no_such(f"This game has no locked phase {phase}.") from error
    receipts = [
        ReceiptState.of(
            country=reader.countries[row.seat][0],
            powers=reader.countries[row.seat][1],
            part=row.part,
            digest=row.digest,
            at=row.issued_at,
            open=row.open,
            salt=row.salt,
            text=row.text,
        )
        for row in locked.receipts
    ]
    numbers = [locked.shown, reader.phase.sequence if reader.phase else None]
    saves = record.read_saves(reader, *{number for number in numbers if number is not None})
    return {"sequence": locked.shown, "receipts": receipts, "saves": saves}


@area.reads("/games/{game}/record", LINES)
def get_record(request: HttpRequest, game: GameId) -> StreamingHttpResponse:
    """Return the record of a game for `diplomaccloud replay`. It is the same for everyone."""
    return send_lines(request, record.dump_record(read_game(request, game)), f"{game}.jsonl")


@area.reads("/games/{game}/seat/record", LINES, guard=READ)
def get_own_record(request: HttpRequest, game: GameId) -> StreamingHttpResponse:
    """Return the record of a game with your own receipts."""
    reader = read_game(request, game)
    if record.read_record_end(reader) is None or not has_played(reader):
        raise NoSuchGame
    lines = record.dump_record(reader, with_receipts=True)
    return send_lines(request, lines, f"{game}-receipts.jsonl")


@area.reads("/games/{game}/picture", PNG)
def get_game_picture(request: HttpRequest, game: GameId) -> object:
    """Return a picture of the public board."""
    reader = read_game(request, game)
    body = load_position_picture(reader.game.map_hash, reader.chart, reader.position)
    return HttpResponse(body, content_type=PNG.media_type)


@area.reads("/keys", dict)
def get_keys(request: HttpRequest) -> object:  # noqa: ARG001
    """Return the public keys with which the site signs seals and receipts."""
    return HttpResponse(record.read_keys(), content_type=JSON)
