"""Games as plain text that people read and edit: tags, then the orders of each phase.

    [Game "Danube 4"]
    [Rules "2000"]
    [Result "FRANCE"]

    S1901M
    FRANCE: A PAR - BUR, A MAR S A PAR - BUR, F BRE - MAO

Results are not written, because the judge can recompute them. See `docs/exchange.md`.
"""

import re
from collections.abc import Iterator, Sequence

from diplomaccloud.judge.board import find_power
from diplomaccloud.judge.exchange.reading import ExchangeError, Reading
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.notation import parse_position
from diplomaccloud.judge.orders import texts_by_power
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import PositionError, starting_position
from diplomaccloud.judge.rules import EDITIONS, find_rules
from diplomaccloud.judge.standard.europe import standard_board

_TAG = re.compile(r'\[(\w{1,20}) "((?:[^"\\]|\\.)*)"\]\s*')
_PHASE = re.compile(r"[SFW]\d{1,5}[MRA]")
_ORDERS = re.compile(r"([^:,()/-]{1,60}):(.*)")
_TAGS = ("Game", "Map", "Rules", "Seed", "Start", "Result")
UNFINISHED = "*"

_Line = tuple[int, str | ExchangeError]


def write_text_game(game: Game, name: str) -> Iterator[str]:
    """Yield the lines of a game; raise `ExchangeError` for other maps and custom switches."""
    if game.board != standard_board():
        raise ExchangeError("plain text can hold only games on the standard map")
    if EDITIONS.get(game.rules.name) != game.rules:
        raise ExchangeError("plain text holds only the rules of an edition")
    start = game.turns[0].position if game.turns else game.position
    ending = game.ending
    tags = {
        "Game": name,
        "Rules": game.rules.name,
        "Seed": game.seed,
        "Start": "" if start == starting_position(game.board) else start.to_text(),
        "Result": " ".join(ending.winners) if ending else UNFINISHED,
    }
    for key, value in tags.items():
        if value:
            text = re.sub(r'(["\\])', r"\\\1", value).replace("\n", "; ")
            yield f'[{key} "{text}"]'
    yield ""
    for turn in game.turns:
        yield turn.phase
        for power, texts in sorted(texts_by_power(turn.orders).items()):
            yield f"{power}: {', '.join(texts)}"
        yield ""


def read_text_game(reading: Reading, entries: Sequence[_Line]) -> None:
    """Read a game, whose `entries` are its lines with their numbers."""
    tags: dict[str, tuple[int, str]] = {}
    body: list[_Line] = []
    for number, line in entries:
        reading.at = number
        if isinstance(line, str) and line.startswith("["):
            _read_tag(tags, number, line)
            reading.name = tags.get("Game", (0, ""))[1]
        elif isinstance(line, ExchangeError) and not body:
            raise line
        else:
            body.append((number, line))
    _open_game(reading, tags)
    _read_phases(reading, body)
    _check_result(reading, tags)


def _read_tag(tags: dict[str, tuple[int, str]], number: int, line: str) -> None:
    match = _TAG.fullmatch(line)
    if match is None:
        raise ExchangeError('a tag is written as [Game "name"]')
    if match[1] not in _TAGS:
        raise ExchangeError(f"unknown tag {match[1]!r} (choose from: {', '.join(_TAGS)})")
    if match[1] in tags:
        raise ExchangeError(f"the tag {match[1]!r} appears twice")
    tags[match[1]] = number, re.sub(r"\\(.)", r"\1", match[2])


def _open_game(reading: Reading, tags: dict[str, tuple[int, str]]) -> None:
    reading.at, name = tags.get("Map", (reading.line, "standard"))
    if name != "standard":
        raise ExchangeError("plain text can hold only games on the standard map")
    reading.at, edition = tags.get("Rules", (reading.line, "2000"))
    rules = find_rules(edition)
    reading.at, text = tags.get("Start", (reading.line, ""))
    try:
        start = parse_position(text) if text else None
        reading.game = Game(rules=rules, position=start, seed=tags.get("Seed", (0, ""))[1])
    except PositionError as error:
        raise ExchangeError(f"Start: {error}") from error


def _read_phases(reading: Reading, lines: Sequence[_Line]) -> None:
    """Give the orders of each phase and adjudicate it."""
    game, orders, numbers = reading.game, dict[str, list[str]](), dict[str, int]()
    has_phase = False
    for number, line in (*lines, (0, "")):
        reading.at = number or reading.at
        if isinstance(line, ExchangeError):
            raise line
        is_phase = bool(_PHASE.fullmatch(line))
        if has_phase and (is_phase or not number):
            reading.give(orders, numbers)
            game.adjudicate()
            orders, numbers = {}, {}
        if is_phase:
            reading.require_phase(Phase.parse(line))
            has_phase = True
        elif number:
            match = _ORDERS.fullmatch(line)
            if not has_phase or match is None:
                raise ExchangeError("neither a phase nor the orders of a power")
            power = find_power(game.board, " ".join(match[1].upper().split()))
            if power in orders:
                raise ExchangeError(f"{power} has orders in line {numbers[power]}")
            orders[power], numbers[power] = [match[2]], number


def _check_result(reading: Reading, tags: dict[str, tuple[int, str]]) -> None:
    reading.at, result = tags.get("Result", (reading.line, UNFINISHED))
    ending = reading.game.ending
    winners = " ".join(ending.winners) if ending else UNFINISHED
    if result not in {winners, UNFINISHED}:
        reading.stop(f"the result is {winners}, not {result[:40]!r}", "rules")
