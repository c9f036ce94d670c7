"""The maps that come with a release: which are wanted, how one is made, and which are good enough.

For each number of players, the landforms take turns. A map that misses a bound is left out, and
the next one has another seed. So no map is made twice, even if the work is stopped at any time.
"""

import datetime as dt
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from diplomaccloud.atlas.chartfile import content_hash, dump_chart, load_chart
from diplomaccloud.atlas.landforms import Landform, find_named_faults, landform_of
from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.judge.cli.commands import write_atomically
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.overlay import render_thumbnail
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT
from diplomaccloud.judge.version import __version__
from diplomaccloud.maps.factory import NoMapError, make_fair_map
from diplomaccloud.maps.gallery_file import ShippedMap
from diplomaccloud.maps.measurement import (
    GamesFile,
    Measurement,
    choose_seed,
    list_batches,
    load_scale,
    plan_measurement,
    play_batch,
    summarize,
)
from diplomaccloud.maps.thumbnails import LARGE_WIDTH, SMALL_WIDTH, compress_thumbnails

WANTED: Final[Mapping[int, int]] = {
    7: 40,
    **dict.fromkeys((2, 3, 4, 5, 6), 8),
    **dict.fromkeys((8, 9, 10), 4),
    **dict.fromkeys((12, 15, 18, 21, 24, 27, 30, 34), 1),
}
"""How many maps to make, by number of players."""

MAX_RATIO: Final = 0.9
"""The largest spread of a map, compared with Europe's with the same bot."""

MAX_MEDIAN_RATIO: Final = 0.6
"""The largest median of these ratios over the maps for seven players."""

MIN_SHARE: Final = 0.5
"""The smallest mean share of a power, in equal shares."""

_PICTURE_QUALITY: Final = 30
"""The quality of pictures that come with a release: half the size of what the site draws."""

_LETTERS: Final = "abcdefgh"
"""One letter for each land on which test games look for a map."""

_PATIENCE: Final = 3
"""After this number of misses, a landform counts as if it had one more map: others get a turn."""


@dataclass(frozen=True, slots=True)
class Job:
    """The map to try next for a number of players and a landform; `number` starts at 1."""

    players: int
    landform: Landform
    number: int

    @property
    def kind(self) -> str:
        """The players and the landform, as tries are counted by."""
        return name_kind(self.players, self.landform)

    @property
    def name(self) -> str:
        """The name of the job's files and the start of its seeds."""
        return f"{self.kind} {self.number}"


def name_kind(players: int, landform: Landform) -> str:
    """Return the name under which the tries for a number of players and a landform are counted."""
    return f"{players} {landform}"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a job: a map, or the reason why there is none."""

    job: Job
    made: ShippedMap | None
    reason: str = ""


def list_landforms(players: int) -> tuple[Landform, ...]:
    """Return the landforms of maps for this many players; none if no such map can be made."""
    from diplomaccloud.atlas.generator.land_plans import PLANS  # noqa: PLC0415
    from diplomaccloud.atlas.generator.landform_bounds import bounds_of  # noqa: PLC0415
    from diplomaccloud.atlas.generator.pipeline import PLAYERS  # noqa: PLC0415

    if players not in PLAYERS:
        return ()
    return tuple(form for form in PLANS if players in bounds_of(form).drawn_for)


@dataclass
class Collection:
    """The maps made up to now, and the number of tries for each kind."""

    maps: list[ShippedMap]
    tries: dict[str, int]
    wanted: Mapping[int, int] = field(default_factory=lambda: WANTED)

    def select(self, players: int) -> list[ShippedMap]:
        """Return the maps for this many players."""
        return [each for each in self.maps if len(each.measurement.powers) == players]

    def choose_jobs(self) -> list[Job]:
        """Return a job for each map that is missing, the emptiest numbers of players first.

        If none is missing, but the median is too large, the jobs are for maps to replace the worst.
        """
        return list(self._yield_jobs())

    def count_excess(self, players: int) -> int:
        """Return how many maps must become more even for a small enough median."""
        if players != len(load_scale().powers):
            return 0
        ratios = self.list_ratios(players)
        return max(0, sum(ratio > MAX_MEDIAN_RATIO for ratio in ratios) - len(ratios) // 2)

    def _yield_jobs(self) -> Iterator[Job]:
        kept = Counter(_find_kind(each) for each in self.maps)
        tries = Counter(self.tries)
        count = {players: len(self.select(players)) for players in self.wanted}
        for players, wanted in self.wanted.items():
            if count[players] >= wanted:
                count[players] = wanted - self.count_excess(players)
        uses: Counter[Landform] = Counter()
        for kind, number in kept.items():
            uses[Landform(kind.partition(" ")[2])] += number
        while True:
            lacking = {
                players: (count[players] / wanted, -wanted)
                for players, wanted in self.wanted.items()
                if count[players] < wanted and list_landforms(players)
            }
            if not lacking:
                return
            players = min(lacking, key=lacking.__getitem__)

            def turn(landform: Landform, players: int = players) -> tuple[int, int]:
                kind = name_kind(players, landform)
                return kept[kind] + (tries[kind] - kept[kind]) // _PATIENCE, uses[landform]

            landform = min(list_landforms(players), key=turn)
            kind = name_kind(players, landform)
            tries[kind] += 1
            yield Job(players, landform, tries[kind])
            # As if it will be good enough.
            kept[kind] += 1
            uses[landform] += 1
            count[players] += 1

    def add(self, result: Result) -> str:
        """Count the job as tried and keep its map if it meets the bounds; return why not.

        The map is added to the end; if there are enough already, it replaces the worst.
        """
        self.tries[result.job.kind] = max(result.job.number, self.tries.get(result.job.kind, 0))
        if result.made is None:
            return result.reason
        if reason := "; ".join(find_misses(result.made.measurement)):
            return reason
        if len(self.select(result.job.players)) >= self.wanted[result.job.players]:
            worst = self._find_worst(result.job)
            if measure_ratio(worst.measurement) <= measure_ratio(result.made.measurement):
                return "no map that it could replace has a larger spread"
            self.maps.remove(worst)
        self.maps.append(result.made)
        return ""

    def _find_worst(self, job: Job) -> ShippedMap:
        """Return the map that a new one may replace, so that no landform loses its only map."""
        maps = self.select(job.players)
        kinds = Counter(map(_find_kind, maps))
        kinds[job.kind] += 1
        spare = [each for each in maps if kinds[_find_kind(each)] > 1]
        return max(spare or maps, key=lambda each: measure_ratio(each.measurement))

    def describe(self) -> list[str]:
        """Return a line for each number of players: its maps and what it misses."""
        return [self._describe_players(players) for players in sorted(self.wanted)]

    def _describe_players(self, players: int) -> str:
        wanted, ratios = self.wanted[players], self.list_ratios(players)
        line = f"{players:2} players: {len(ratios)} of {wanted} maps"
        if ratios:
            line += (
                f", spread {min(ratios):.2f} to {max(ratios):.2f} of Europe's,"
                f" median {median(ratios):.2f}"
            )
        forms = {_find_kind(each).partition(" ")[2] for each in self.select(players)}
        misses = []
        if not list_landforms(players):
            misses.append("the generator makes no such map")
        elif len(ratios) < wanted:
            misses.append(f"{wanted - len(ratios)} missing")
        if players == len(load_scale().powers) and ratios and median(ratios) > MAX_MEDIAN_RATIO:
            misses.append(f"the median is above {MAX_MEDIAN_RATIO}")
        landforms = list_landforms(players)
        unused = [landform for landform in landforms if landform not in forms]
        if unused and len(landforms) <= wanted:
            misses.append(f"without {', '.join(unused)}")
        return f"{line}; {'; '.join(misses)}" if misses else line

    def list_ratios(self, players: int) -> list[float]:
        """Return the spread of each map, compared with Europe's with the same bot."""
        return [measure_ratio(each.measurement) for each in self.select(players)]


def _find_kind(made: ShippedMap) -> str:
    landform = landform_of(json.loads(made.text)["maker"])
    if landform is None:
        raise ValueError(f"the map {made.hash[:8]} has no landform")
    return name_kind(len(made.measurement.powers), landform)


def measure_ratio(found: Measurement) -> float:
    """Return the spread with the strongest bot, compared with Europe's with the same bot."""
    europe = load_scale().find_row(found.strongest.bot)
    if europe is None:
        raise ValueError(f"{found.strongest.bot} has not played on Europe")
    return found.strongest.spread.value / europe.spread.value


def find_misses(found: Measurement) -> Iterator[str]:
    """Yield each bound that a map does not meet, as a clause."""
    if not found.is_complete:
        yield "some games are missing"
    if (ratio := measure_ratio(found)) > MAX_RATIO:
        yield f"its spread is {ratio:.2f} of Europe's, above {MAX_RATIO}"
    smallest = min(share.value for share in found.strongest.shares) * len(found.powers)
    if smallest < MIN_SHARE:
        yield f"a power has {smallest:.2f} of an equal share, below {MIN_SHARE}"


def make_batch_map(task: tuple[Job, Path]) -> Result:
    """Make and measure the map of a job; its files in the folder let a later run continue.

    Takes minutes. A job that is done already takes a second.
    """
    job, folder = task
    try:
        chart = _choose_chart(job, folder / f"{job.name}.json")
    except NoMapError as error:
        return Result(job, None, str(error))
    faults = list(itertools.chain(find_named_faults(chart), _find_broken_constraints(chart)))
    if faults:
        return Result(job, None, "; ".join(faults))
    found = _measure(chart, folder / f"{job.name}.games")
    made = ShippedMap(dump_chart(chart), found, renderer_version(), draw_shipped_pictures(chart))
    return Result(job, made)


def _choose_chart(job: Job, path: Path) -> Chart:
    """Return the most even map of the job's lands, which the file at `path` keeps."""
    if path.exists():
        return load_chart(path.read_bytes())
    seeds = [f"shipped {job.name}{letter}" for letter in _LETTERS]
    chart = make_fair_map(seeds, job.players, landform=str(job.landform))
    write_atomically(path, dump_chart(chart).encode())
    return chart


def _measure(chart: Chart, path: Path) -> Measurement:
    """Return the whole measurement of a map; the file at `path` keeps its finished games."""
    key, board = content_hash(chart), chart.board
    seed, powers = choose_seed(key), tuple(board.power_info)
    plan = plan_measurement(len(powers))
    with GamesFile(path, key, seed, len(powers)) as file:
        for batch in list_batches(board, plan, file.games, seed=seed):
            for counts in play_batch(batch):
                file.add(batch.bot, counts)
        games = {bot: file.games[bot][:wanted] for bot, wanted in plan}
    today = dt.datetime.now(dt.UTC).date()
    return summarize(key, powers, games, seed=seed, engine=__version__, date=today)


def _find_broken_constraints(chart: Chart) -> Sequence[str]:
    from diplomaccloud.atlas.generator.constraints import find_faults  # noqa: PLC0415

    return [str(fault) for fault in find_faults(chart)]


def draw_shipped_pictures(chart: Chart) -> dict[str, bytes]:
    """Return the pictures that a map comes with, by the names that `pictures` gives them."""
    sizes = [(SMALL_WIDTH, _PICTURE_QUALITY)]
    return {
        f"{name}-small": compress_thumbnails(render_thumbnail(chart, LARGE_WIDTH, theme), sizes)[0]
        for name, theme in (("light", LIGHT), ("dark", NIGHT))
    }


def redraw_outdated(maps: Iterable[ShippedMap]) -> Iterator[ShippedMap]:
    """Yield the maps with pictures as this version draws them."""
    for each in maps:
        if each.renderer == renderer_version():
            yield each
        else:
            pictures = draw_shipped_pictures(load_chart(each.text))
            yield ShippedMap(each.text, each.measurement, renderer_version(), pictures)
