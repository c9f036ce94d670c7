"""Tallies: short results of finished arena games, with the powers' bots and the ending."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from diplomaccloud.bots.arena import Played
from diplomaccloud.bots.scores import score_centers
from diplomaccloud.bots.talks.press_table import PressFigures
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec.reader import Json, Node


@dataclass(frozen=True, slots=True)
class Tally:
    """A finished game: each power's bot and final centers, and the winner, if any.

    `press` has the press statistics, if the bots negotiated.
    """

    map: str
    bots: Mapping[Power, str]
    centers: Mapping[Power, int]
    winner: Power | None
    phases: int
    press: PressFigures | None = None

    def score(self, power: Power) -> float:
        """Return the sum-of-squares score of `power`, from 0 to 1."""
        return score_centers(self.centers, self.winner, power)


def read_tally(played: Played, map_name: str) -> Tally:
    """Return the tally of a game played on the map with this name."""
    centers = {power: len(played.final.centers_of(power)) for power in played.bots}
    return Tally(map_name, played.bots, centers, played.winner, played.phases, played.press)


def tally_to_json(tally: Tally) -> Json:
    """Return the tally as JSON values."""
    seats = [[power, bot, tally.centers[power]] for power, bot in tally.bots.items()]
    return {
        "map": tally.map,
        "seats": seats,
        "winner": tally.winner,
        "phases": tally.phases,
        **({} if tally.press is None else {"press": asdict(tally.press)}),
    }


def tally_from_json(data: object) -> Tally:
    """Return the tally that `tally_to_json` wrote; raise `CodecError` for anything else."""
    node = Node(data)
    bots: dict[Power, str] = {}
    centers: dict[Power, int] = {}
    for seat in node["seats"].items():
        name, bot, count = seat.items(3)
        power = Power(name.word())
        bots[power], centers[power] = bot.line(), count.integer(0, 1000)
    if not bots:
        raise node["seats"].error("a game without powers")
    winner = None if node["winner"].is_null() else Power(node["winner"].word())
    if winner is not None and winner not in bots:
        raise node["winner"].error("not one of the powers")
    press = _read_figures(node["press"]) if "press" in node else None
    return Tally(node["map"].text(), bots, centers, winner, node["phases"].integer(0), press)


def _read_figures(node: Node) -> PressFigures:
    return PressFigures(**{each.name: node[each.name].integer(0) for each in fields(PressFigures)})
