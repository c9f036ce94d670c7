"""`diplomaccloud schema`: prints the JSON Schema of a published format."""

import argparse
import sys
from typing import TYPE_CHECKING

from diplomaccloud.schemas import list_schemas, read_schema

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    schema = commands.add_parser("schema", help="print the JSON Schema of a format, or list them")
    schema.add_argument("name", nargs="?", help="a format, e.g. record (default: list all formats)")
    schema.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the schema, or the names of all formats."""
    if options.name is None:
        sys.stdout.write("".join(f"{name}\n" for name in list_schemas()))
    else:
        sys.stdout.write(read_schema(options.name))
    return 0
