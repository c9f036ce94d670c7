"""Measuring a map's fairness in 200 games that a fast bot plays against itself.

The result depends on the map alone: the seeds of the games are its hash.
"""

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.bots import BOTS
from diplomaccloud.bots.selfplay import SelfPlay, self_play

BOT = "greedy"
GAMES = 200


def measure_fairness(chart: Chart, *, games: int = GAMES) -> SelfPlay:
    """Return the result of `games` games on `chart`; takes a few seconds of CPU time."""
    return self_play(chart.board, BOTS[BOT], games=games, seed=content_hash(chart))
