"""`diplomaccloud daide`: serves a game to programs that speak DAIDE, or plays on such a server."""

import argparse
import asyncio
import secrets
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import find_map, parse_natural, parse_positive
from diplomaccloud.cli.open_site import add_data_option, open_site

if TYPE_CHECKING:
    from diplomaccloud.bots import Bot
    from diplomaccloud.daide.player import Player
    from diplomaccloud.daide.table import DaideTable
    from diplomaccloud.judge.cli import Commands

_YEARS = 50
"""How many years a game can last before it is a draw, unless `--until` is given."""


def add(commands: "Commands") -> None:
    """Add the command."""
    daide = commands.add_parser(
        "daide",
        help="serve a game to programs that speak DAIDE, or play on such a server",
        description="Serve a game to programs that speak DAIDE; with --connect, play on a server.",
    )
    daide.add_argument("--map", default="standard", help="standard, FILE.json or seed:TEXT")
    daide.add_argument(
        "--players", type=int, default=7, help="number of powers on a map made from a seed"
    )
    daide.add_argument(
        "--bots",
        default="greedy",
        help="names separated by commas; bots take the other seats in turn, or with --connect each "
        "is a client",
    )
    daide.add_argument("--host", default="127.0.0.1", help="address to listen on")
    daide.add_argument("--port", type=int, default=16713, help="port; 0 picks a free one")
    daide.add_argument(
        "--clients", type=parse_positive, default=1, help="how many clients the game waits for"
    )
    daide.add_argument(
        "--level",
        type=parse_natural,
        help="level of press, 0 to 30 (default: 0, or with --game the highest the game allows)",
    )
    for name, default in (("movement", 300), ("retreat", 120), ("build", 120)):
        daide.add_argument(
            f"--{name}-time",
            type=parse_natural,
            default=default,
            metavar="SECONDS",
            help=f"time for a {name} phase, 0 for no limit (default: {default})",
        )
    daide.add_argument(
        "--stop-clock",
        action="store_true",
        help="pause if a power that owes orders is disconnected",
    )
    daide.add_argument(
        "--any-orders", action="store_true", help="accept illegal orders; their units hold"
    )
    daide.add_argument("--until", type=parse_positive, help="last year; then the game is a draw")
    daide.add_argument("--seed", help="any text; it determines seats and bots (default: random)")
    daide.add_argument(
        "--connect", metavar="HOST:PORT", help="play with the bots on the server at this address"
    )
    daide.add_argument(
        "--game",
        metavar="ID",
        help="open seats of a running game on the site; its identifier is in its address",
    )
    daide.add_argument(
        "--tokens",
        metavar="FILE",
        help="with --game: a file with a seat token on each line; - is standard input",
    )
    daide.add_argument(
        "--by-token",
        action="store_true",
        help="with --game: each client sends its seat token as its version",
    )
    add_data_option(daide)
    daide.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve a game, or play on a server, until the game is over."""
    from diplomaccloud.bots import find_bot  # noqa: PLC0415

    if options.tokens and not options.game:
        raise ValueError("--tokens requires --game, which names a game on the site")
    if options.game:
        return _serve_site(options)
    bots = [find_bot(name) for name in options.bots.split(",")]
    seed = options.seed or secrets.token_hex(8)
    return _play(options, bots, seed) if options.connect else _serve(options, bots, seed)


def _serve(options: argparse.Namespace, bots: "list[Bot]", seed: str) -> int:
    from diplomaccloud.daide.board import words_of  # noqa: PLC0415
    from diplomaccloud.daide.language import MAX_NUMBER  # noqa: PLC0415
    from diplomaccloud.daide.network import Server  # noqa: PLC0415
    from diplomaccloud.daide.play import Settings  # noqa: PLC0415
    from diplomaccloud.daide.table import Course  # noqa: PLC0415

    _require_port(options.port)
    words = words_of(find_map(options.map, options.players).board)
    settings = Settings(
        level=options.level or 0,
        movement_time=options.movement_time or None,
        retreat_time=options.retreat_time or None,
        build_time=options.build_time or None,
        stops_on_disconnection=options.stop_clock,
        accepts_any_orders=options.any_orders,
        until=options.until or words.board.first_year + _YEARS,
    )
    course = Course(
        words,
        bots,
        settings,
        clients=options.clients,
        seed=seed,
        choose_passcode=lambda: 1 + secrets.randbelow(MAX_NUMBER),
    )
    server = Server(course, words.vocabulary.to_bytes())
    wanted = f"{options.clients} client" + ("s" if options.clients > 1 else "")
    show = partial(_show_address, options.host, wanted)
    asyncio.run(server.serve(options.host, options.port, on_ready=show))
    sys.stdout.write(_describe(course))
    return 0


def _require_port(port: int) -> None:
    if not 0 <= port < 65536:
        raise ValueError(f"--port {port}: must be from 0 to 65535")


def _show_address(host: str, wanted: str, port: int) -> None:
    sys.stdout.write(f"Listening on {host}:{port} for {wanted}.\n")
    sys.stdout.flush()


def _serve_site(options: argparse.Namespace) -> int:
    if options.tokens is None:
        raise ValueError("--game requires --tokens: players open their seats with seat tokens")
    _require_port(options.port)
    lines = sys.stdin if options.tokens == "-" else Path(options.tokens).read_text().splitlines()
    tokens = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    open_site(options.data)
    from diplomaccloud.daide.messages import MAX_LEVEL  # noqa: PLC0415
    from diplomaccloud.daide.site.meeting import serve_game  # noqa: PLC0415

    wanted = f"{len(tokens)} seat" + ("s" if len(tokens) > 1 else "")
    meeting = serve_game(
        options.game,
        tokens,
        by_token=options.by_token,
        level=MAX_LEVEL if options.level is None else options.level,
        host=options.host,
        port=options.port,
        on_ready=partial(_show_address, options.host, wanted),
    )
    sys.stdout.write(_describe(meeting))
    return 0


def _describe(table: "DaideTable") -> str:
    """Return how the game ended, with the centers and the player of each power."""
    from diplomaccloud.daide.language import write_text  # noqa: PLC0415

    play, players, ending = table.play, table.list_players(), "The game was abandoned"
    if play.ending is not None:
        ending = write_text(play.ending, play.words.vocabulary)
    lines = [f"{ending}, before {play.position.phase}."]
    for power in play.words.powers:
        name = players.get(power, ("nobody", ""))[0]
        lines.append(f"{power}: {len(play.position.centers_of(power))} ({name})")
    return "\n".join(lines) + "\n"


def _play(options: argparse.Namespace, bots: "list[Bot]", seed: str) -> int:
    from diplomaccloud.daide.network import play_on  # noqa: PLC0415
    from diplomaccloud.daide.player import Player  # noqa: PLC0415
    from diplomaccloud.version import __version__  # noqa: PLC0415

    host, _, port = options.connect.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"--connect {options.connect!r}: write HOST:PORT, as in localhost:16713")
    version = __version__.replace(".", "_")
    players = [
        Player(bot, version=version, seed=f"{seed}/{number}") for number, bot in enumerate(bots)
    ]

    async def play_all() -> None:
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(play_on(player, host.strip("[]"), int(port)))

    try:
        asyncio.run(play_all())
    except* OSError as errors:
        raise errors.exceptions[0] from None
    for player in players:
        sys.stdout.write(_describe_player(player))
    return 0


def _describe_player(player: "Player") -> str:
    from diplomaccloud.daide.language import write_text  # noqa: PLC0415

    if player.words is None or player.power is None or player.position is None:
        return "The game did not start.\n"
    vocabulary = player.words.vocabulary
    ending = write_text(player.ending, vocabulary) if player.ending else "no result"
    return f"{player.power}: {len(player.position.centers_of(player.power))}, {ending}\n"
