"""Writes `docs/figures.md` from the runs."""

from collections.abc import Mapping, Sequence

from benchmarks.figures.history import Change, Run, find_base, list_changes
from benchmarks.figures.parts import Part

HEAD = """# Figures

<!-- Written by `benchmarks/publish`. Do not edit. -->

How fast the site, the judge and the maps are, and how much memory the site needs.
`benchmarks/publish` measures this on a quiet machine, and names each figure that got
10% worse than in the run before.

A figure in × is a multiple of something else that was measured in the same minutes, such as an
empty page, so that it means the same on every machine, as does a size in kB. Times, speeds and
memory are only compared on the same processor. Less is better unless a line says otherwise.
"""
EMPTY = """
Nothing has been measured yet. Run `benchmarks/publish` on a quiet machine, and commit this page
with `benchmarks/figures.jsonl`.
"""


def write_document(runs: Sequence[Run], parts: Mapping[str, Part]) -> str:
    """Return the text of the page: for each part, its newest figures and those before."""
    published = [run for run in runs if run.is_published]
    sections = [_write_section(published, name, part) for name, part in parts.items()]
    return HEAD + ("".join(sections) if published else EMPTY)


def _write_section(runs: Sequence[Run], name: str, part: Part) -> str:
    newest = max((at for at, run in enumerate(runs) if name in run.parts), default=None)
    if newest is None:
        return f"\n## {part.title}\n\n{part.about} It has not been measured yet.\n"
    run, earlier = runs[newest], runs[:newest]
    base = find_base(earlier, name, run)
    since = f" The run before: {_describe(base)}." if base else ""
    changes = [change for change in list_changes(run, earlier) if change.part == name]
    rows = "".join(map(_write_row, changes))
    return (
        f"\n## {part.title}\n\n{part.about}\n\nThis run: {_describe(run)}.{since}\n\n"
        f"| figure | unit | this run | the run before | change |\n|---|---|--:|--:|--:|\n{rows}"
    )


def _describe(run: Run) -> str:
    cores = f"{run.cores} core" + ("s" if run.cores > 1 else "")
    return (
        f"{run.at[:10]}, commit `{run.commit[:10]}`, {run.processor} with {cores}, Python"
        f" {run.python}, {run.kernel} kernel"
    )


def _write_row(change: Change) -> str:
    figure, before = change.figure, change.before
    name = figure.name + (" (more is better)" if figure.is_better_higher else "")
    known = "" if before is None else write_value(before.value)
    cells = (name, figure.unit, write_value(figure.value), known, write_change(change))
    return f"| {' | '.join(cells)} |\n"


def write_value(value: float) -> str:
    """Return the value with three digits."""
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 4
    return f"{value:,.{decimals}f}"


def write_change(change: Change) -> str:
    """Return a change in percent, in bold if it is named; nothing if it cannot be compared."""
    if change.share is None:
        return ""
    text = f"{100 * change.share:+.0f}%".replace("-", "−")
    return f"**{text}, worse**" if change.is_worse else text


def describe_change(change: Change) -> str:
    """Return a line about a change: part, figure, both values and the percentage."""
    figure = change.figure
    values = [write_value(each.value) for each in (change.before, figure) if each]
    share = "" if change.share is None else f" ({100 * change.share:+.0f}%)"
    return f"{change.part}, {figure.name}: {' → '.join(values)} {figure.unit}{share}"
