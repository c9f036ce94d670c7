"""`diplomaccloud map make`: a map from a seed, as a picture or a file."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from diplomaccloud.cli.common import show_progress_during, write_atomically

if TYPE_CHECKING:
    from diplomaccloud.atlas.chart import Chart
    from diplomaccloud.cli.common import Commands

_ENDINGS = (".svg", ".png", ".json")
_WIDTH = 1600


def add(commands: "Commands") -> None:
    """Add the command."""
    make = commands.add_parser("make", help="make a map from a seed")
    make.add_argument("--seed", required=True, help="any text; the same text makes the same map")
    make.add_argument("--players", type=int, default=7, help="2 to 10")
    make.add_argument("--provinces", type=int, help="number of spaces, seas included")
    make.add_argument("--sea", type=float, default=0.25, help="share of seas, 0.17 to 0.32")
    make.add_argument(
        "--certify",
        action="store_true",
        help="choose homes and centers by play, in about a minute, and print how the powers fare",
    )
    make.add_argument("--night", action="store_true", help="draw it in dark colors")
    make.add_argument("-o", "--output", type=Path, required=True, help="FILE.svg, .png or .json")
    make.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Make the map and write it."""
    check_output(options.output)
    if not options.seed.strip():
        raise ValueError("seed: is empty, as in a map that was drawn by hand: type something")
    chart = _chosen(options) if options.certify else _made(options)
    with show_progress_during("drawing it"):
        write_map(chart, options.output, night=options.night)
    if options.certify:
        _print_certificate(chart)
    return 0


def check_output(output: Path) -> None:
    """Raise `ValueError` if no map can be written to `output`, before one is made."""
    ending = output.suffix
    if ending not in _ENDINGS:
        raise ValueError(f"cannot write {ending or 'a file without ending'}: use .svg, .png, .json")
    if not output.parent.is_dir():
        raise ValueError(f"there is no folder {str(output.parent)!r}")
    if output.is_dir():
        raise ValueError(f"{str(output)!r} is a folder")
    # Beside a file that is there the new one is written, before it takes its place.
    if not all(os.access(one, os.W_OK) for one in (output.parent, output) if one.exists()):
        raise ValueError(f"{str(output)!r} may not be written")


def _made(options: argparse.Namespace) -> "Chart":
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


def _chosen(options: argparse.Namespace) -> "Chart":
    """Return the map on the same land whose homes and centers play finds the fairest."""
    from diplomaccloud.maps.factory import make_fair_map  # noqa: PLC0415

    with show_progress_during("choosing by play") as stage:
        return make_fair_map(
            [options.seed],
            options.players,
            provinces=options.provinces,
            sea=options.sea,
            progress=stage,
        )


def _print_certificate(chart: "Chart") -> None:
    """Print what games that nothing was chosen by show of `chart`."""
    from diplomaccloud.maps.fairness import CLASSIC_SPREAD, MAX_FAIR_SPREAD, describe_fairness  # noqa: PLC0415
    from diplomaccloud.maps.measurement import measure_fairness  # noqa: PLC0415

    with show_progress_during("measuring it"):
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
    """Write `chart` to `output`: a picture of the starting position, or its file."""
    from diplomaccloud.atlas.chartfile import dump_chart  # noqa: PLC0415
    from diplomaccloud.atlas.render import LIGHT, NIGHT, render_map, render_png  # noqa: PLC0415

    if output.suffix == ".json":
        write_atomically(output, dump_chart(chart).encode())
        return
    svg = render_map(chart, theme=NIGHT if night else LIGHT)
    write_atomically(output, svg.encode() if output.suffix == ".svg" else render_png(svg, _WIDTH))
