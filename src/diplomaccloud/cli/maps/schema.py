"""`diplomaccloud map schema`: print the JSON Schema of map files."""

import argparse
import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands


def add(commands: "Commands") -> None:
    """Add the command."""
    schema = commands.add_parser("schema", help="print the JSON Schema of map files")
    schema.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the schema."""
    from diplomaccloud.atlas.validation import json_schema  # noqa: PLC0415

    del options
    sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
    return 0
