"""`diplomaccloud map`: make, check, measure and transfer maps; one module per command."""

from typing import TYPE_CHECKING

from diplomaccloud.cli.maps import make, schema, table, transfer, validate

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the commands."""
    maps = commands.add_parser("map", help="make, check, measure and transfer maps")
    subcommands = maps.add_subparsers(required=True, metavar="COMMAND")
    for command in (make, validate, table, transfer, schema):
        command.add(subcommands)
