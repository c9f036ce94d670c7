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

from diplomaccloud.judge.exchange.steps import ExchangeError, give_orders, require_phase
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.notation import parse_position
from diplomaccloud.judge.orders import texts_by_power
from diplomaccloud.judge.position import Position, PositionError, starting_position
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board

_TAG = re.compile(r'\[(\w{1,20}) "((?:[^"\\]|\\.)*)"\]\s*')
_PHASE = re.compile(r"[SFW]\d{1,5}[MRA]")
_ORDERS = re.compile(r"([^:,()/-]{1,60}):(.*)")
_TAGS = ("Game", "Map", "Rules", "Seed", "Start", "Result")
UNFINISHED = "*"

_Line = tuple[int, str]


def write_text_game(game: Game, name: str) -> Iterator[str]:
    """Yield the lines of a game; raise `ExchangeError` for other maps and custom switches."""
    if game.board != standard_board():
        raise ExchangeError(
            f"{name or 'the game'}: plain text can hold only games on the standard map"
        )
    if EDITIONS.get(game.rules.name) != game.rules:
        raise ExchangeError(f"{name or 'the game'}: plain text holds only the rules of an edition")
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


def read_text_games(text: str) -> Iterator[tuple[str, Game]]:
    """Yield the games in `text`; raise `ExchangeError` naming the line at fault."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise ExchangeError("there is no game in the text")
    games: list[list[_Line]] = []
    is_tag = False
    for line in lines:
        is_tag_before, is_tag = is_tag, line[1].startswith("[")
        if not games or (is_tag and not is_tag_before):
            games.append([])
        games[-1].append(line)
    yield from map(_read_game, games)


def _read_game(lines: Sequence[_Line]) -> tuple[str, Game]:
    tags: dict[str, tuple[int, str]] = {}
    body: list[_Line] = []
    for number, line in lines:
        if not line.startswith("["):
            body.append((number, line))
            continue
        match = _TAG.fullmatch(line)
        if match is None:
            raise ExchangeError(f'line {number}: a tag is written as [Game "name"]')
        if match[1] not in _TAGS:
            known = ", ".join(_TAGS)
            raise ExchangeError(f"line {number}: unknown tag {match[1]!r} (choose from: {known})")
        if match[1] in tags:
            raise ExchangeError(f"line {number}: the tag {match[1]!r} appears twice")
        tags[match[1]] = number, re.sub(r"\\(.)", r"\1", match[2])
    game = _open_game(tags)
    _read_phases(game, body)
    _check_result(game, tags)
    return tags.get("Game", (0, ""))[1], game


def _open_game(tags: dict[str, tuple[int, str]]) -> Game:
    number, name = tags.get("Map", (0, "standard"))
    if name != "standard":
        raise ExchangeError(f"line {number}: plain text can hold only games on the standard map")
    number, edition = tags.get("Rules", (0, "2000"))
    if edition not in EDITIONS:
        known = ", ".join(EDITIONS)
        raise ExchangeError(
            f"line {number}: there is no edition {edition[:20]!r} (choose from: {known})"
        )
    start: Position | None = None
    number, text = tags.get("Start", (0, ""))
    try:
        start = parse_position(text) if text else None
        return Game(rules=edition, position=start, seed=tags.get("Seed", (0, ""))[1])
    except PositionError as error:
        raise ExchangeError(f"line {number}: Start: {error}") from error


def _read_phases(game: Game, lines: Sequence[_Line]) -> None:
    """Give the orders of each phase and adjudicate it."""
    ordered: dict[str, int] | None = None
    for number, line in lines:
        if _PHASE.fullmatch(line):
            if ordered is not None:
                game.adjudicate()
            require_phase(game, line, f"line {number}")
            ordered = {}
            continue
        match = _ORDERS.fullmatch(line)
        if ordered is None or match is None:
            raise ExchangeError(f"line {number}: neither a phase nor the orders of a power")
        power = " ".join(match[1].upper().split())
        if power in ordered:
            raise ExchangeError(f"line {number}: {power} has orders in line {ordered[power]}")
        ordered[power] = number
        give_orders(game, {power: [match[2]]}, f"line {number}")
    if ordered is not None:
        game.adjudicate()


def _check_result(game: Game, tags: dict[str, tuple[int, str]]) -> None:
    number, result = tags.get("Result", (0, UNFINISHED))
    winners = " ".join(game.ending.winners) if game.ending else UNFINISHED
    if result not in {winners, UNFINISHED}:
        raise ExchangeError(f"line {number}: the result is {winners}, not {result[:40]!r}")
