"""`diplomaccloud bot play`: lets one of our bots play on a site through its API."""

import argparse
import asyncio
import secrets
from functools import partial
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import TOKEN, require_token

if TYPE_CHECKING:
    from diplomaccloud.judge.cli import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    bot = commands.add_parser("bot", help="let a bot play on a site")
    acts = bot.add_subparsers(required=True, metavar="ACT")
    play = acts.add_parser(
        "play",
        help="play a token's games until stopped",
        description="Play a token's games until stopped, or with --game or a token for one seat, "
        "play one game to its end. You can stop and restart it at any time.",
    )
    play.add_argument("--url", required=True, help="address of the site")
    play.add_argument(
        "--token", default="", help=f"token that may read and play (default: from {TOKEN})"
    )
    play.add_argument("--bot", default="level:3", help="name of the bot (default: level:3)")
    play.add_argument("--game", default="", help="play only this game, to its end")
    play.add_argument("--seed", help="any text; it determines the orders (default: random)")
    play.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play until stopped, or until the chosen game is over."""
    from diplomaccloud.bots import find_bot  # noqa: PLC0415
    from diplomaccloud.client import AsyncClient, ClientError, Retries  # noqa: PLC0415
    from diplomaccloud.remote.player import RemotePlayer  # noqa: PLC0415

    token, bot = require_token(options.token), find_bot(options.bot)
    seed, say = options.seed or secrets.token_hex(8), partial(print, flush=True)

    async def play() -> None:
        # The player retries on its own, and reports it.
        async with AsyncClient(options.url, token, retries=Retries(most=2)) as client:
            await RemotePlayer(client, bot, seed=seed, say=say).play(options.game)

    try:
        asyncio.run(play())
    except* ClientError as errors:
        raise ValueError(str(errors.exceptions[0])) from None
    return 0
