"""The one way in which a map's fairness is measured: two hundred games of a fast bot.

Everything follows from the map: the seeds of the games are its hash.
"""

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.bots import BOTS
from diplomaccloud.bots.selfplay import SelfPlay, self_play

BOT = "greedy"
GAMES = 200


def measure(chart: Chart, *, games: int = GAMES) -> SelfPlay:
    """Return what `games` games on `chart` show; takes some seconds of a processor."""
    return self_play(chart.board, BOTS[BOT], games=games, seed=content_hash(chart))
