"""The runs of `benchmarks/publish`, a line of JSON each, and how two of them compare."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

WORSE = 0.10
"""From which share on a change for the worse is named."""
RATIO = "×"
"""The unit of a figure that was compared with another in the same run."""
ANYWHERE = {RATIO, "kB"}
"""Units of figures that do not depend on the processor."""


class DamagedHistory(Exception):
    """A line cannot be read; the message names it."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement."""

    name: str
    value: float
    unit: str
    is_better_higher: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and self.value > 0):
            raise ValueError(f"{self.name!r} must be more than 0, and is {self.value!r}")


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one part, and in how many seconds."""

    seconds: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """What was measured, when and on what; `kernel` is compiled or Python."""

    at: str
    commit: str
    is_clean: bool
    is_busy: bool
    processor: str
    cores: int
    python: str
    kernel: str
    parts: dict[str, Measured]

    @property
    def is_published(self) -> bool:
        """Whether the document shows the run, and later runs are compared with it."""
        return self.is_clean and not self.is_busy


@dataclass(frozen=True, slots=True)
class Change:
    """A figure of a part, and what it was before, if it was measured."""

    part: str
    figure: Figure
    before: Figure | None
    is_comparable: bool

    @property
    def share(self) -> float | None:
        """By which share of the earlier value the figure has grown, if both can be compared."""
        if self.before is None or not self.is_comparable:
            return None
        return round(self.figure.value / self.before.value - 1, 9)

    @property
    def is_worse(self) -> bool:
        """Whether it got so much worse that it is named."""
        growth = self.share or 0.0
        return (-growth if self.figure.is_better_higher else growth) >= WORSE


def read_runs(path: Path) -> list[Run]:
    """Return the runs of a file, the oldest first; raise `DamagedHistory` at a bad line."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    runs = []
    for number, line in enumerate(lines, start=1):
        try:
            runs.append(_read_run(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            raise DamagedHistory(
                f"line {number} of {path.name} cannot be read ({type(problem).__name__}: {problem})"
            ) from problem
    return runs


def append_run(path: Path, run: Run) -> None:
    """Add a line for the run."""
    known = path.read_text("utf-8").rstrip("\n") if path.exists() else ""
    line = json.dumps(asdict(run), ensure_ascii=False)
    replace_file(path, f"{known}\n{line}\n".lstrip("\n"))


def replace_file(path: Path, text: str) -> None:
    """Write a file whole, or, on a full disk, leave it as it is."""
    draft = path.with_name(f"{path.name}.new")
    try:
        draft.write_text(text, "utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def find_base(runs: Sequence[Run], part: str, run: Run) -> Run | None:
    """Return the run with which a part is compared: the newest of `runs` on the same processor.

    If there is none, it is the newest on another one. Both have used the same kind of kernel.
    """
    known = [
        each
        for each in reversed(runs)
        if each.is_published and part in each.parts and each.kernel == run.kernel
    ]
    return next((each for each in known if _is_same_machine(each, run)), next(iter(known), None))


def list_changes(run: Run, runs: Sequence[Run]) -> Iterator[Change]:
    """Yield each figure of a run beside that of an earlier one; a busy machine's has none."""
    for part, measured in run.parts.items():
        base = None if run.is_busy else find_base(runs, part, run)
        before = {_kind_of(each): each for each in base.parts[part].figures} if base else {}
        is_same = base is not None and _is_same_machine(base, run)
        for figure in measured.figures:
            found = before.get(_kind_of(figure))
            yield Change(part, figure, found, is_same or figure.unit in ANYWHERE)


def _kind_of(figure: Figure) -> tuple[str, str, bool]:
    return figure.name, figure.unit, figure.is_better_higher


def _is_same_machine(one: Run, other: Run) -> bool:
    return (one.processor, one.cores) == (other.processor, other.cores)


def _read_run(fields: dict[str, Any]) -> Run:
    parts = {
        name: Measured(int(each["seconds"]), tuple(Figure(**figure) for figure in each["figures"]))
        for name, each in fields.pop("parts").items()
    }
    run = Run(**fields, parts=parts)
    for name, kind in Run.__annotations__.items():
        value = getattr(run, name)
        if name != "parts" and type(value) is not kind:
            raise ValueError(f"{name} is {value!r}")
    return run
