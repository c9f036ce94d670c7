"""The survey as a table: our medians, the targets, and the standard board's values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.atlas.survey import MapResult, count_broken_rules, find_medians
from diplomaccloud.atlas.targets import BOARD_TARGETS


@dataclass(frozen=True, slots=True)
class Target:
    """A measurement, its value in the generator of 2009, and its target range for 7 players."""

    name: str
    title: str
    of_2009: float | None
    minimum: float | None
    maximum: float | None

    def is_met(self, value: float) -> bool:
        """Return whether `value` is in the target range."""
        return (self.minimum is None or value >= self.minimum) and (
            self.maximum is None or value <= self.maximum
        )

    @property
    def range_text(self) -> str:
        """The range in words."""
        if self.minimum is not None and self.maximum is not None:
            return f"{self.minimum:g}–{self.maximum:g}"
        return f"≥ {self.minimum:g}" if self.minimum is not None else f"≤ {self.maximum:g}"


TARGETS = (
    Target(
        "cv_neutrals_two_moves",
        "CV neutrals within 2 moves",
        0.31,
        None,
        BOARD_TARGETS["neutrals_two_moves"],
    ),
    Target("cv_neutral_share", "CV share of neutrals", 0.41, None, BOARD_TARGETS["neutral_share"]),
    Target(
        "cv_moves_to_threaten",
        "CV moves to threaten a home",
        0.25,
        None,
        BOARD_TARGETS["moves_to_threaten"],
    ),
    Target(
        "cv_distance_to_win",
        "CV sum of distances to the winning number of centers",
        0.19,
        None,
        BOARD_TARGETS["distance_to_win"],
    ),
    Target(
        "cv_enemy_homes_three_moves",
        "CV enemy homes within 3",
        0.35,
        None,
        BOARD_TARGETS["enemy_homes_three_moves"],
    ),
    Target("cv_voronoi_share", "CV Voronoi share", 0.19, None, BOARD_TARGETS["voronoi_share"]),
    Target("cv_frontier", "CV frontier length", 0.28, None, BOARD_TARGETS["frontier"]),
    Target("cv_land_area", "CV land area", 0.97, 0.08, 0.25),
    Target("full_names", "share of full names on the map", 0.0, 0.98, None),
    Target("colour_difference", "least color difference (ΔE76)", None, 30, None),
)
"""From the specification of maps; self-play has its own table, `map table --selfplay`."""


def build_table(maps: Sequence[MapResult], standard: Mapping[str, float]) -> str:
    """Return the survey as lines of text."""
    seven = [result for result in maps if result.players == 7]
    return "\n".join([*_constraints(maps), "", *_targets(seven, standard), "", *_others(maps)])


def build_json(maps: Sequence[MapResult], standard: Mapping[str, float]) -> dict[str, object]:
    """Return the survey as JSON values."""
    return {
        "standard": dict(standard),
        "targets": {target.name: [target.minimum, target.maximum] for target in TARGETS},
        "players": {
            str(players): {
                "maps": len(group),
                "broken": count_broken_rules(group),
                "medians": find_medians(group),
                "seconds": _seconds(group),
            }
            for players, group in _by_players(maps).items()
        },
    }


def _by_players(maps: Sequence[MapResult]) -> dict[int, list[MapResult]]:
    numbers = sorted({result.players for result in maps})
    return {number: [result for result in maps if result.players == number] for number in numbers}


def _seconds(maps: Sequence[MapResult]) -> list[float]:
    """Return the median and the 95th percentile of the time."""
    times = sorted(result.seconds for result in maps if not result.failure)
    return [times[int(len(times) * part)] for part in (0.5, 0.95)] if times else []


def _constraints(maps: Sequence[MapResult]) -> list[str]:
    lines = [
        f"{'players':>7}  {'maps':>5}  {'sound':>7}  {'s p50':>6}  {'s p95':>6}  per 1,000 maps"
    ]
    for players, group in _by_players(maps).items():
        sound = sum(not result.faults and not result.failure for result in group)
        broken = ", ".join(
            f"{name}: {1000 * count / len(group):g}"
            for name, count in count_broken_rules(group).items()
        )
        half, slow = (f"{value:.2f}" for value in _seconds(group) or (0.0, 0.0))
        lines.append(
            f"{players:>7}  {len(group):>5}  {sound / len(group):>7.1%}  {half:>6}  {slow:>6}  "
            f"{broken or 'none broken'}"
        )
    return lines


def _targets(maps: Sequence[MapResult], standard: Mapping[str, float]) -> list[str]:
    medians = find_medians(maps)
    lines = [
        f"{'medians, 7 players':<36}{'2009':>8}{'standard':>10}{'target':>12}{'ours':>9}",
    ]
    known = {target.name for target in TARGETS}
    for target in TARGETS:
        value = medians.get(target.name)
        met = "" if value is None or target.is_met(value) else "  missed"
        lines.append(
            f"{target.title:<36}{_format(target.of_2009):>8}{_format(standard.get(target.name)):>10}"
            f"{target.range_text:>12}{_format(value):>9}{met}"
        )
    for name in sorted(set(medians) - known):
        lines.append(
            f"{name:<36}{'–':>8}{_format(standard.get(name)):>10}{'–':>12}{_format(medians[name]):>9}"
        )
    return lines


def _others(maps: Sequence[MapResult]) -> list[str]:
    by_players = {players: find_medians(group) for players, group in _by_players(maps).items()}
    lines = [f"{'medians by players':<36}" + "".join(f"{n:>7}" for n in by_players)]
    for target in TARGETS:
        cells = "".join(f"{_format(group.get(target.name)):>7}" for group in by_players.values())
        lines.append(f"{target.title:<36}{cells}")
    return lines


def _format(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
