"""`diplomaccloud map make`: make a map from a seed, as a picture or a file."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import show_progress_during, write_atomically

if TYPE_CHECKING:
    from diplomaccloud.atlas.chart import Chart
    from diplomaccloud.cli.common import Commands

_EXTENSIONS = (".svg", ".png", ".json")
_WIDTH = 1600


def add(commands: "Commands") -> None:
    """Add the command."""
    make = commands.add_parser("make", help="make a map from a seed")
    make.add_argument(
        "--seed", required=True, help="any text; the same text always makes the same map"
    )
    make.add_argument("--players", type=int, default=7, help="2 to 10")
    make.add_argument("--provinces", type=int, help="number of provinces, including seas")
    make.add_argument("--sea", type=float, default=0.25, help="share of seas, 0.17 to 0.32")
    make.add_argument(
        "--certify",
        action="store_true",
        help="choose homes and centers with test games, and print how fair the map is (a minute)",
    )
    make.add_argument("--night", action="store_true", help="use dark colors")
    make.add_argument("-o", "--output", type=Path, required=True, help="FILE.svg, .png or .json")
    make.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Make the map and write it."""
    check_output(options.output)
    if not options.seed.strip():
        raise ValueError("--seed must not be empty; enter any text")
    chart = _make_fair_map(options) if options.certify else _make_map(options)
    with show_progress_during("drawing the map"):
        write_map(chart, options.output, night=options.night)
    if options.certify:
        _print_certificate(chart)
    return 0


def check_output(output: Path) -> None:
    """Raise `ValueError` before a map is made if it cannot be written to `output`."""
    extension = output.suffix
    if extension not in _EXTENSIONS:
        raise ValueError(
            f"cannot write {extension or 'a file without extension'}: use .svg, .png or .json"
        )
    if not output.parent.is_dir():
        raise ValueError(f"there is no folder {str(output.parent)!r}")
    if output.is_dir():
        raise ValueError(f"{str(output)!r} is a folder")
    # The new file is first written next to an existing one and then replaces it.
    if not all(os.access(path, os.W_OK) for path in (output.parent, output) if path.exists()):
        raise ValueError(f"{str(output)!r} is not writable")


def _make_map(options: argparse.Namespace) -> "Chart":
    from diplomaccloud.atlas.generator import make_chart  # noqa: PLC0415
    from diplomaccloud.atlas.generator.pipeline import GenerationError  # noqa: PLC0415

    try:
        with show_progress_during("making the map") as stage:
            return make_chart(
                options.seed,
                options.players,
                provinces=options.provinces,
                sea=options.sea,
                progress=stage,
            )
    except GenerationError as error:
        raise ValueError(str(error)) from error


def _make_fair_map(options: argparse.Namespace) -> "Chart":
    """Return the map on the same land with the fairest homes and centers in test games."""
    from diplomaccloud.maps.factory import make_fair_map  # noqa: PLC0415

    with show_progress_during("playing test games") as stage:
        return make_fair_map(
            [options.seed],
            options.players,
            provinces=options.provinces,
            sea=options.sea,
            progress=stage,
        )


def _print_certificate(chart: "Chart") -> None:
    """Measure how fair `chart` is in new games, and print the result."""
    from diplomaccloud.maps.fairness import CLASSIC_SPREAD, MAX_FAIR_SPREAD, describe_fairness  # noqa: PLC0415
    from diplomaccloud.maps.measurement import measure_fairness  # noqa: PLC0415

    with show_progress_during("measuring fairness"):
        fairness = describe_fairness(chart, measure_fairness(chart))
    width = max(len(bar.name) for bar in fairness.bars)
    lines = [
        fairness.sentence,
        *(f"  {bar.name:{width}}  {bar.share:4.1f} %" for bar in fairness.bars),
        f"In {fairness.games} games the shares vary by {fairness.spread:.2f}"
        f" (± {fairness.error:.2f}). Up to {MAX_FAIR_SPREAD} is fair;"
        f" the classic map has {CLASSIC_SPREAD}.",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def write_map(chart: "Chart", output: Path, *, night: bool = False) -> None:
    """Write `chart` to `output`, as a picture of the starting position or as a map file."""
    from diplomaccloud.atlas.chartfile import dump_chart  # noqa: PLC0415
    from diplomaccloud.atlas.render import LIGHT, NIGHT, render_map, render_png  # noqa: PLC0415

    if output.suffix == ".json":
        write_atomically(output, dump_chart(chart).encode())
        return
    svg = render_map(chart, theme=NIGHT if night else LIGHT)
    write_atomically(output, svg.encode() if output.suffix == ".svg" else render_png(svg, _WIDTH))
