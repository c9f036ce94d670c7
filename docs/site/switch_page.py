"""Write the pages of switches: questions, values, and pictures of the judgments."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from html import escape
from pathlib import Path

from switch_examples import GROUPS
from switch_judgments import (
    BOARD,
    Judgment,
    Value,
    judge_example,
    list_values,
    province_of_order,
    require_differences,
)
from switch_parts import Example, Switch
from switch_pictures import THEMES, draw_board, draw_judgment, find_window

from diplomaccloud.judge.drawing.chart import Window
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, PEERS, RuleSet

RULES = Path(__file__).parents[1] / "rules.md"
FOLDER = "_static/switches"
"""The folder of the board pictures, from the top of the site."""

_MARKER = re.compile(r"<!-- switches: (.+?) -->")
_ROW = re.compile(r"^\| (?P<issue>[^|]*) \| `(?P<name>\w+)` \| (?P<cells>.*) \|$", re.MULTILINE)


class SwitchPages:
    """The text of the pages, and the board pictures that they show."""

    def __init__(self) -> None:
        self._boards: dict[Window, str] = {}
        self._number = 0
        self._rows = {row["name"]: row for row in _ROW.finditer(RULES.read_text(encoding="utf-8"))}

    def fill(self, text: str) -> str:
        """Return `text` with comment markers replaced by the table or the sections."""
        return _MARKER.sub(lambda match: self._write(match[1]), text)

    def _write(self, part: str) -> str:
        if part == "all":
            return "\n".join(self._write_tables())
        return "\n".join(self._write_sections(GROUPS[part]))

    def save_boards(self, folder: Path) -> None:
        """Write all board pictures that the page shows."""
        folder.mkdir(parents=True, exist_ok=True)
        for window, name in self._boards.items():
            for theme in THEMES:
                drawn = draw_board(window, theme)
                (folder / f"{name}-{theme}.svg").write_text(drawn, encoding="utf-8")

    def _write_tables(self) -> Iterator[str]:
        """Yield a table of the switches of each group; raise an error if one is missing."""
        listed = [name for group in GROUPS.values() for name in group]
        missing = {field.name for field in fields(RuleSet)} - {"name", *listed}
        if missing:
            raise LookupError(f"switches without a position: {', '.join(sorted(missing))}")
        for part, group in GROUPS.items():
            yield f"\n## [{part}](switches/{part.lower().replace(' ', '-')}.md)\n"
            yield "| question | switch | values, default first |\n|---|---|---|"
            for name, switch in group.items():
                values = " ".join(f"`{_format_value(value)}`" for value in list_values(name))
                link = f"[`{name}`](switches/{part.lower().replace(' ', '-')}.md#{name})"
                yield f"| {switch.question} | {link} | {values} |"

    def _write_sections(self, group: Mapping[str, Switch]) -> Iterator[str]:
        for name, switch in group.items():
            require_differences(name, switch)
            yield f"\n## `{name}`\n\n{switch.question}\n\n{self._describe(name)}\n"
            for example in switch.examples:
                yield self._draw_example(name, example)

    def _describe(self, name: str) -> str:
        """Return what `docs/rules.md` says about the switch, as a paragraph."""
        default = _format_value(getattr(DEFAULT, name))
        row = self._rows.get(name)
        if row is None or "|" not in row["cells"]:
            return f"*Default:* `{default}`."
        issue = row["issue"].split()[0]
        cells = [cell.strip() for cell in row["cells"].split(" | ")]
        if len(cells) != 3:
            return f"*Default:* `{default}`."
        choice, others, reason = cells
        return f"DATC {issue}. *Default:* {choice}. *Otherwise:* {others}. *Reason:* {reason}."

    def _draw_example(self, name: str, example: Example) -> str:
        judgments = judge_example(name, example)
        window = find_window(judgments)
        changed = _find_changes(judgments)
        panels = "".join(
            self._draw_panel(name, example, judgment, window, changed) for judgment in judgments
        )
        about = escape(example.about)
        return (
            f'<figure class="example" data-panels="{len(judgments)}">'
            f'<figcaption class="example__about">{about}</figcaption>'
            f'<div class="example__panels">{panels}</div></figure>\n'
        )

    def _draw_panel(
        self,
        name: str,
        example: Example,
        judgment: Judgment,
        window: Window,
        changed: Sequence[str],
    ) -> str:
        self._number += 1
        board = self._boards.setdefault(window, _name_board(window))
        words = " or ".join(map(_format_value, judgment.values))
        title = escape(f"{name}: {words}", quote=True)
        source = f"../{FOLDER}/{board}"
        images = "".join(
            f'<img class="only-{theme}" src="{source}-{theme}.svg" alt="" loading="lazy">'
            for theme in THEMES
        )
        drawn = draw_judgment(judgment, window, title, self._number, after=example.after)
        values = "".join(_write_value(name, value) for value in judgment.values)
        return (
            f'<div class="panel"><ul class="panel__values">{values}</ul>'
            f'<div class="map__sheet"><div class="map__base">{images}</div>{drawn}</div>'
            f'<ul class="panel__results">{"".join(_write_results(judgment, changed))}</ul></div>'
        )


def _name_board(window: Window) -> str:
    return hashlib.sha256(repr(window).encode()).hexdigest()[:12]


def _format_value(value: Value) -> str:
    return str(value.value if isinstance(value, Enum) else value)


def _write_value(name: str, value: Value) -> str:
    """Return a value as "default" or with the editions that use it."""
    if value == getattr(DEFAULT, name):
        note = "default"
    else:
        names = [n for n, rules in EDITIONS.items() if getattr(rules, name) == value]
        note = ", ".join(sorted(names, key=lambda n: (n in PEERS, n)))
    small = f" <small>{escape(note)}</small>" if note else ""
    return f"<li><code>{escape(_format_value(value))}</code>{small}</li>"


def _find_changes(judgments: Sequence[Judgment]) -> tuple[str, ...]:
    """Return the keys of the facts that differ between judgments."""
    facts: Sequence[Mapping[str, str]] = [judgment.facts for judgment in judgments]
    keys = dict.fromkeys(key for each in facts for key in each)
    return tuple(key for key in keys if len({each.get(key) for each in facts}) > 1)


def _write_results(judgment: Judgment, changed: Sequence[str]) -> Iterator[str]:
    """Yield the results that the switch changes, each as a list item."""
    for result in judgment.resolution.results:
        if province_of_order(result.order) in changed:
            yield _write_result(result)
    for entry in judgment.resolution.dislodged:
        if f"{entry.unit} retreats" in changed:
            places = ", ".join(entry.retreats) or "nowhere"
            yield f"<li>{_write_code(str(entry.unit))} is dislodged. It may go to {places}.</li>"
    if "ending" in changed:
        ending = judgment.resolution.ending
        names = [BOARD.power_info[p].name for p in ending.winners] if ending else []
        yield f"<li>{' and '.join(names)} wins.</li>" if names else "<li>The game continues.</li>"


def _write_result(result: OrderResult) -> str:
    tone = "good" if result.succeeded else "bad"
    power = BOARD.power_info[power_of(result.order)].name
    return (
        f'<li><span class="panel__power">{power}</span> {_write_code(str(result.order))} '
        f'<b class="{tone}">{result.outcome}</b> <span>{escape(result.why)}</span></li>'
    )


def _write_code(text: str) -> str:
    return f"<code>{escape(text)}</code>"
