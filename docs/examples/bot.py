"""A complete bot that plays one game to the end. `python bot.py SITE TOKEN GAME`."""

import sys
from random import Random

from diplomaccloud.client import Client, problems
from diplomaccloud.client.values import GameState, LegalUnit


class Bot:
    """A bot that sends units to centers that it does not own, each to a different one."""

    def __init__(self, client: Client, game: str) -> None:
        self.client, self.game = client, game
        self.powers = client.get_seat(game).powers
        self.random = Random(game)

    def play(self) -> None:
        """Give orders whenever a phase opens, until the game is over."""
        newest = self.client.list_events(self.game, after="now").next
        self.order()
        for event in self.client.iterate_events(self.game, after=newest):
            if event.type == "phase.opened":
                self.order()
            elif event.type == "game.over":
                break
        ending = self.client.get_game(self.game).ending
        print(ending.reason if ending else "No result.")

    def order(self) -> None:
        """Give an order to each unit that needs one, and mark the seat as ready."""
        state = self.client.get_game(self.game)
        if state.status != "running":
            return
        legal = self.client.list_legal_orders(self.game)
        taken: set[str] = set()
        units = sorted(legal.units, key=lambda unit: unit.unit is None)  # a waived build comes last
        orders = [self.choose(unit, state, taken) for unit in units]
        try:
            # If there are more builds than are due, only the surplus is refused.
            saved = self.client.save_orders(self.game, phase=legal.sequence, orders=orders)
            self.client.save_orders(self.game, phase=legal.sequence, ready=True, confirmed=True)
        except (problems.PhaseOverProblem, problems.WrongMomentProblem):
            return  # the next event announces the next phase
        print(legal.phase, *saved.orders, sep="\n  ")

    def choose(self, unit: LegalUnit, state: GameState, taken: set[str]) -> str:
        """Return the most useful order, and remember the unit's destination."""

        def value(order: str) -> float:
            target = order.partition(" - ")[2].partition("/")[0].partition(" ")[0]
            is_prey = state.board.centers.get(target) not in self.powers
            goes = order.count(" - ") == 1 and order.split()[2] == "-"
            return 2 * goes * (is_prey - 3 * (target in taken)) + self.random.random()

        best = max(unit.orders, key=value)
        taken.add(best.partition(" - ")[2].partition("/")[0])
        return best


if __name__ == "__main__":
    with Client(sys.argv[1], sys.argv[2]) as site:
        Bot(site, sys.argv[3]).play()
