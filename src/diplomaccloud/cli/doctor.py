"""`diplomaccloud doctor`: checks a site and suggests fixes."""

import argparse
import json
import sys
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING

from diplomaccloud.cli.manage import enter_site

if TYPE_CHECKING:
    from diplomaccloud.cli.common import Commands

_MARKS = ("ok", "ATTENTION", "WRONG")


def add(commands: "Commands") -> None:
    """Add the command."""
    doctor = commands.add_parser(
        "doctor",
        help="check a site, and suggest fixes",
        description="Check the settings, the database, the machine and the services of a site. "
        "The exit status is 0 if all is well, 1 if something needs attention, and 2 if something "
        "is wrong.",
    )
    doctor.add_argument("--url", help="also visit the site at this address, and check its headers")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the findings; return the level of the worst one."""
    enter_site(needs_site=True)
    from diplomaccloud.project import doctor as site  # noqa: PLC0415

    findings = list(
        chain(
            site.check_settings(),
            site.check_files(),
            site.check_limits(),
            site.check_database(),
            site.check_services(),
            site.check_mail(),
            site.check_visit(options.url) if options.url else (),
        )
    )
    if options.json:
        rows = [asdict(finding) | {"level": finding.level.name.lower()} for finding in findings]
        sys.stdout.write(f"{json.dumps(rows, indent=1)}\n")
    else:
        for finding in findings:
            mark = _MARKS[finding.level]
            sys.stdout.write(f"{mark:<10}{finding.part}: {finding.what}\n")
            if finding.fix:
                sys.stdout.write(f"{'':<10}{finding.fix}\n")
    return max(finding.level for finding in findings)
