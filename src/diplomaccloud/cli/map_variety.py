"""`diplomaccloud map table --variety`: measures how different the maps of a set look."""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import parse_positive, show_progress
from diplomaccloud.judge.cli.commands import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

    from diplomaccloud.atlas.variety import Form


def add_options(table: argparse.ArgumentParser) -> None:
    """Add the options for variety to the parser of `map table`."""
    table.add_argument(
        "--variety",
        type=parse_positive,
        nargs="?",
        const=100,
        metavar="N",
        help="instead, print how far each of N maps for 7 players (default: 100) is from the map"
        " most like it; with --keep FOLDER, save the map files, and read those that are there",
    )
    table.add_argument(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="with --variety: compare with the map files in this folder",
    )


def run(options: argparse.Namespace) -> int:
    """Print the distances between new maps; with `--against`, compare them with other maps'."""
    from diplomaccloud.atlas.variety import (  # noqa: PLC0415
        MIN_MAPS,
        build_table,
        measure_variety,
    )

    if options.variety < MIN_MAPS:
        raise ValueError(f"--variety: {options.variety} is less than {MIN_MAPS} maps")
    sets = [] if options.against is None else [_read_forms(options.against)]
    forms = []
    for form in _make_forms(options):
        forms.append(form)
        show_progress(f"{len(forms)} of {options.variety} maps")
    show_progress("")
    ours, *others = measure_variety(forms, *sets)
    theirs = others[0] if others else None
    if options.json:
        result = {"ours": ours.to_json()} | ({"against": theirs.to_json()} if theirs else {})
        sys.stdout.write(json.dumps(result, indent=2) + "\n")
    else:
        sys.stdout.write(build_table(ours, theirs) + "\n")
    return 0


def _make_forms(options: argparse.Namespace) -> "Iterator[Form]":
    """Yield the forms of new maps in the order of their seeds."""
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    make, numbers = partial(_make_form, options.keep), range(options.variety)
    if options.jobs == 1:
        yield from map(make, numbers)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(make, numbers)


def _make_form(keep: Path | None, number: int) -> "Form":
    """Return the form of a map that is made or, if it is in the folder `keep`, read."""
    from diplomaccloud.atlas.chartfile import dump_chart  # noqa: PLC0415
    from diplomaccloud.atlas.generator.pipeline import make_chart  # noqa: PLC0415
    from diplomaccloud.atlas.variety import measure_form  # noqa: PLC0415

    seed = f"survey {number}"
    path = None if keep is None else keep / f"{seed}.json"
    if path is not None and path.exists():
        return _read_form(path)
    chart = make_chart(seed)
    if path is not None:
        write_atomically(path, dump_chart(chart).encode())
    return measure_form(seed, chart)


def _read_forms(folder: Path) -> "list[Form]":
    """Return the forms of the map files in `folder`; raise `ValueError` if they are too few."""
    from diplomaccloud.atlas.variety import MIN_MAPS  # noqa: PLC0415

    if not folder.is_dir():
        raise ValueError(f"there is no folder {str(folder)!r}")
    paths = sorted(folder.glob("*.json"))
    if len(paths) < MIN_MAPS:
        raise ValueError(
            f"{str(folder)!r} holds {len(paths)} map files (*.json), less than {MIN_MAPS}"
        )
    return [_read_form(path) for path in paths]


def _read_form(path: Path) -> "Form":
    from diplomaccloud.atlas.chartfile import ChartError, load_chart  # noqa: PLC0415
    from diplomaccloud.atlas.variety import measure_form  # noqa: PLC0415

    try:
        return measure_form(path.stem, load_chart(path.read_bytes()))
    except ChartError as error:
        raise ValueError(f"{path}: {error}") from error
