"""Measure what deals are worth to searching bots: a pair, breakers, and stabs among seven.

    python benchmarks/treaties [pair|breaker|stabs] [--bot NAME] [--games N] [--until YEAR]

`pair` lets two neighbors make deals with each other, and compares their scores with those in the
same game without deals. `breaker` does the same with a pair in which one agrees to everything and
keeps nothing. `stabs` lets all seven make deals. Games are played on the standard board.
"""

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.arena import play_game
from diplomaccloud.bots.negotiation import Reply
from diplomaccloud.bots.pacts import find_pact
from diplomaccloud.bots.standings import estimate_mean
from diplomaccloud.bots.talks.diplomat import Diplomat, TalkAnswer
from diplomaccloud.bots.talks.press_table import PressFigures, PressTable, seat_diplomats
from diplomaccloud.bots.talks.views import View
from diplomaccloud.deals import Terms
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.europe import standard_board

EUROPE = standard_board()
PAIRS = (
    ("AUSTRIA", "ITALY"),
    ("FRANCE", "GERMANY"),
    ("RUSSIA", "TURKEY"),
    ("ENGLAND", "FRANCE"),
    ("AUSTRIA", "RUSSIA"),
    ("ENGLAND", "GERMANY"),
    ("AUSTRIA", "TURKEY"),
    ("FRANCE", "ITALY"),
    ("GERMANY", "RUSSIA"),
    ("AUSTRIA", "GERMANY"),
    ("ENGLAND", "RUSSIA"),
    ("ITALY", "TURKEY"),
)


class Breaker(Diplomat):
    """A bot that agrees to everything, trusts the others' promises, and keeps none of its own."""

    def reply(self, view: View, terms: Terms, seed: str) -> TalkAnswer:  # noqa: ARG002
        """Return an acceptance of the first alternative."""
        return TalkAnswer(Reply(accepts=True))

    def choose_orders(
        self, view: View, rules: RuleSet, seed: str
    ) -> tuple[tuple[Order, ...], Power | None]:
        """Return the best orders if the others keep all deals and this bot keeps none."""
        board, position, power = view.board, view.position, view.power
        pact = find_pact(board, position, power, (), broken=view.deals)
        orders = self.bot.orders(board, position, power, rules, random.Random(seed), pact=pact)
        return tuple(orders), None


def main() -> None:
    """Play and print one measurement."""
    parser = argparse.ArgumentParser(description="Measure what deals are worth.")
    parser.add_argument("what", choices=("pair", "breaker", "stabs"))
    parser.add_argument("--bot", default="search:300")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--until", type=int, default=1908)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", default="treaties")
    options = parser.parse_args()
    play = partial(_play_one, options.what, options.bot, options.until, options.seed)
    with ProcessPoolExecutor(options.processes) as pool:
        results = list(pool.map(play, range(options.games)))
    figures = sum((figures for _, figures in results), PressFigures())
    for number, role in enumerate(_name_roles(options.what)):
        print_mean(role, [gains[number] for gains, _ in results])
    print(figures)


def _name_roles(what: str) -> tuple[str, ...]:
    return {"pair": ("both",), "breaker": ("breaker", "victim"), "stabs": ()}[what]


def print_mean(role: str, gains: list[float]) -> None:
    """Print the mean gain of a role over all games, with its 95 % interval."""
    mean, low, _ = estimate_mean(gains, [1] * len(gains))
    print(f"{role}: {mean:+.3f} ± {mean - low:.3f} in {len(gains)} games")


def _play_one(
    what: str, bot: str, until: int, seed: str, number: int
) -> tuple[tuple[float, ...], PressFigures]:
    """Return each role's gain in a game, and the statistics of its deals."""
    bots = dict.fromkeys(EUROPE.power_info, find_bot(bot))
    play = partial(play_game, EUROPE, bots, seed=f"{seed}/{number // len(PAIRS)}", until=until)
    if what == "stabs":
        play = partial(play_game, EUROPE, bots, seed=f"{seed}/{number}", until=until)
        played = play(table=PressTable(EUROPE, seat_diplomats(bots)))
        return (), played.press or PressFigures()
    pair = [Power(name) for name in PAIRS[number % len(PAIRS)]]
    if what == "breaker" and number % 2:
        pair.reverse()
    diplomats = seat_diplomats({power: bots[power] for power in pair})
    if what == "breaker":
        diplomats[pair[0]] = Breaker(bots[pair[0]], diplomats[pair[0]].budget)
    silent, talking = play(), play(table=PressTable(EUROPE, diplomats))
    gains = [talking.score(power) - silent.score(power) for power in pair]
    figures = talking.press or PressFigures()
    return (tuple(gains) if what == "breaker" else (sum(gains) / 2,)), figures


if __name__ == "__main__":
    main()
