"""The survey as a table: our medians beside the targets and the standard board's own figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.atlas.survey import Measured, broken_rules, medians
from diplomaccloud.atlas.targets import BOARD_TARGETS


@dataclass(frozen=True, slots=True)
class Target:
    """A measure with the figure of 2009's generator and the range wanted for 7 players."""

    name: str
    title: str
    of_2009: float | None
    least: float | None
    most: float | None

    def is_met(self, value: float) -> bool:
        """Return whether `value` lies in the range wanted."""
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )

    @property
    def wanted(self) -> str:
        """The range in words."""
        if self.least is not None and self.most is not None:
            return f"{self.least:g}–{self.most:g}"
        return f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}"


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
"""As in the specification of maps; self-play has a table of its own, `map table --selfplay`."""


def table(maps: Sequence[Measured], standard: Mapping[str, float]) -> str:
    """Return the survey as lines of text."""
    seven = [one for one in maps if one.players == 7]
    return "\n".join([*_constraints(maps), "", *_targets(seven, standard), "", *_others(maps)])


def as_json(maps: Sequence[Measured], standard: Mapping[str, float]) -> dict[str, object]:
    """Return the survey as JSON values."""
    return {
        "standard": dict(standard),
        "targets": {one.name: [one.least, one.most] for one in TARGETS},
        "players": {
            str(players): {
                "maps": len(some),
                "broken": broken_rules(some),
                "medians": medians(some),
                "seconds": _seconds(some),
            }
            for players, some in _by_players(maps).items()
        },
    }


def _by_players(maps: Sequence[Measured]) -> dict[int, list[Measured]]:
    numbers = sorted({one.players for one in maps})
    return {number: [one for one in maps if one.players == number] for number in numbers}


def _seconds(maps: Sequence[Measured]) -> list[float]:
    """Return the median time and the 95th of a hundred."""
    times = sorted(one.seconds for one in maps if not one.failure)
    return [times[int(len(times) * part)] for part in (0.5, 0.95)] if times else []


def _constraints(maps: Sequence[Measured]) -> list[str]:
    lines = [
        f"{'players':>7}  {'maps':>5}  {'sound':>7}  {'s p50':>6}  {'s p95':>6}  per 1,000 maps"
    ]
    for players, some in _by_players(maps).items():
        sound = sum(not one.faults and not one.failure for one in some)
        broken = ", ".join(
            f"{name}: {1000 * count / len(some):g}" for name, count in broken_rules(some).items()
        )
        half, slow = (f"{value:.2f}" for value in _seconds(some) or (0.0, 0.0))
        lines.append(
            f"{players:>7}  {len(some):>5}  {sound / len(some):>7.1%}  {half:>6}  {slow:>6}  "
            f"{broken or 'none broken'}"
        )
    return lines


def _targets(maps: Sequence[Measured], standard: Mapping[str, float]) -> list[str]:
    ours = medians(maps)
    lines = [
        f"{'medians, 7 players':<36}{'2009':>8}{'standard':>10}{'target':>12}{'ours':>9}",
    ]
    known = {one.name for one in TARGETS}
    for one in TARGETS:
        value = ours.get(one.name)
        met = "" if value is None or one.is_met(value) else "  missed"
        lines.append(
            f"{one.title:<36}{_shown(one.of_2009):>8}{_shown(standard.get(one.name)):>10}"
            f"{one.wanted:>12}{_shown(value):>9}{met}"
        )
    for name in sorted(set(ours) - known):
        lines.append(
            f"{name:<36}{'–':>8}{_shown(standard.get(name)):>10}{'–':>12}{_shown(ours[name]):>9}"
        )
    return lines


def _others(maps: Sequence[Measured]) -> list[str]:
    by_players = {players: medians(some) for players, some in _by_players(maps).items()}
    lines = [f"{'medians by players':<36}" + "".join(f"{n:>7}" for n in by_players)]
    for one in TARGETS:
        cells = "".join(f"{_shown(some.get(one.name)):>7}" for some in by_players.values())
        lines.append(f"{one.title:<36}{cells}")
    return lines


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
