"""`diplomaccloud mcp`: lets a language model play on a site, over the Model Context Protocol."""

import argparse
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import TOKEN, parse_port, require_token

if TYPE_CHECKING:
    from diplomaccloud.judge.cli import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    mcp = commands.add_parser(
        "mcp",
        help="let a language model play on a site",
        description="Offer tools to a language model over stdio, or with --port over HTTP at /mcp, "
        "where each caller must send a token.",
    )
    mcp.add_argument("--url", required=True, help="address of the site")
    mcp.add_argument("--token", default="", help=f"token for stdio (default: from {TOKEN})")
    mcp.add_argument("--host", default="127.0.0.1", help="with --port: address to listen on")
    mcp.add_argument("--port", type=parse_port, help="serve over HTTP on this port")
    mcp.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until the input is closed, or until stopped."""
    from diplomaccloud.mcp.tools import make_server  # noqa: PLC0415

    if options.port is not None:
        server = make_server(options.url)
        server.run("streamable-http", host=options.host, port=options.port, stateless_http=True)
        return 0
    make_server(options.url, require_token(options.token)).run("stdio")
    return 0
