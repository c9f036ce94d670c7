"""Write the tables of settings in docs/operations.md, and the example files in deploy.

Run it with the Python of the checks after a change of `project/variables.py` or an extra's
settings: `.venv/bin/python scripts/settings_docs.py`.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from diplomaccloud.project import variables
from diplomaccloud.project.environment import Setting, quote_value
from diplomaccloud.project.extras import list_extras

ROOT = Path(__file__).resolve().parents[1]
_BEGIN, _END = "<!-- settings of {}: written by scripts/settings_docs.py -->", "<!-- end -->"
SYSTEMD = """\
# Settings of the site: copy to /etc/diplomaccloud.env and let only root read it (chmod 600).
# Remove the # in front of a line to use it. docs/operations.md says more about each setting.
"""
CONTAINER = """\
# Settings of the site in compose.yaml. DATABASE_PASSWORD is read from the shell or from a file .env
# beside compose.yaml. Remove the # in front of a line to use it. docs/operations.md says more about
# each setting.
"""
OWNER = """\
# Only for a site on a database server: copy to /etc/diplomaccloud-owner.env and let only root read
# it (chmod 600). Only the commands that need the owner of the tables use it; the site itself logs
# in with the address in diplomaccloud.env, as a role that cannot change history.
"""
BEHIND_PROXY = (
    variables.ALLOWED_HOSTS,
    variables.TRUSTED_ORIGINS,
    variables.HTTPS,
    variables.PROXIES,
)
"""What almost every site with its own name sets."""
OF_OWNER = (variables.OWNER_DATABASE_URL,)
"""What has a file of its own, since not every process may read it."""
SET_BY_CONTAINER = (variables.DATA, variables.DATABASE_URL, variables.CACHE_URL, variables.DEBUG)
"""What the image and compose.yaml set, or what has no place in a container."""


def write_table(settings: Iterable[Setting[Any]]) -> str:
    """Return the table of settings as Markdown."""
    rows = ["| variable | value | meaning |", "|---|---|---|"]
    for setting in settings:
        names = " or ".join(f"`{name}`" for name in (setting.variable, setting.alias) if name)
        value = setting.kind.label
        if setting.default:
            value += f"; `{setting.default}` by default"
        if setting.is_secret:
            value += "; secret"
        meaning = setting.meaning
        if setting.section:
            title = setting.section.replace("-", " ")
            meaning += f" See [{title}](#{setting.section})."
        rows.append(f"| {names} | {value} | {meaning} |")
    return "\n".join(rows)


def write_example(
    head: str, chosen: Sequence[Setting[Any]], left_out: Sequence[Setting[Any]] = ()
) -> str:
    """Return a file of settings: the chosen ones, and behind a # all others."""
    settings = [setting for setting in variables.SETTINGS if setting not in left_out]
    blocks = [head]
    for setting in sorted(settings, key=lambda setting: setting not in chosen):
        sign = "" if setting in chosen else "#"
        line = f"{sign}{setting.variable}={quote_value(setting.example)}"
        blocks.append(f"# {setting.meaning}\n{line}\n")
    return "\n".join(blocks)


def write_page(page: str) -> str:
    """Return docs/operations.md with its tables written again."""
    groups = {"the site": variables.SETTINGS}
    groups |= {extra.label: extra.settings for extra in list_extras() if extra.settings}
    for name, settings in groups.items():
        begin = _BEGIN.format(name)
        pattern = f"{re.escape(begin)}.*?{re.escape(_END)}"
        table = f"{begin}\n\n{write_table(settings)}\n\n{_END}"
        page, count = re.subn(pattern, table.replace("\\", "\\\\"), page, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"docs/operations.md must have one line {begin} and one {_END}")
    return page


def write_files() -> dict[Path, str]:
    """Return the text of each file."""
    page = ROOT / "docs" / "operations.md"
    served = (variables.DATA, *BEHIND_PROXY, variables.EMAIL_URL, variables.EMAIL_FROM)
    return {
        page: write_page(page.read_text("utf-8")),
        ROOT / "deploy/systemd/diplomaccloud.env": write_example(
            SYSTEMD, served, (variables.DEBUG, *OF_OWNER)
        ),
        ROOT / "deploy/systemd/diplomaccloud-owner.env": write_example(
            OWNER, OF_OWNER, [one for one in variables.SETTINGS if one not in OF_OWNER]
        ),
        ROOT / "deploy/container/site.env": write_example(
            CONTAINER, BEHIND_PROXY, (*SET_BY_CONTAINER, *OF_OWNER)
        ),
    }


if __name__ == "__main__":
    for path, text in write_files().items():
        path.write_text(text, "utf-8")
