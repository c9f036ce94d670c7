"""Simulated seasons of rated games: how well the ratings find the true order, and who can cheat.

Skills and the strengths of powers are drawn from normal distributions. A game draws its winners by
the weight e^(skill + power): 35% of games are solos, the others draws of two to four.

    python -m benchmarks.ratings
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import exp
from statistics import fmean

from scipy.stats import spearmanr

from diplomaccloud.ratings import Rating, Seat, find_places, rate_game

PEOPLE, GAMES, SEEDS, MIN_PEOPLE = 70, 20, 10, 4
SKILL, STRENGTH, SOLOS, SEATS = 0.6, 0.35, 0.35, 7


@dataclass
class Site:
    """People with true skills, powers with true strengths, and the ratings of both."""

    rng: random.Random
    count: int = PEOPLE
    skills: dict[int, float] = field(default_factory=dict)
    strengths: list[float] = field(default_factory=list)
    people: dict[int, Rating] = field(default_factory=dict)
    powers: dict[int, Rating] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.skills = {person: self.rng.gauss(0, SKILL) for person in range(self.count)}
        self.strengths = [self.rng.gauss(0, STRENGTH) for _ in range(SEATS)]

    def draw_winners(self, seated: Sequence[int]) -> list[int]:
        """Return the seats that win a game, drawn by weight."""
        number = 1 if self.rng.random() < SOLOS else self.rng.randint(2, 4)
        weights = {
            seat: exp(self.skills[person] + self.strengths[seat])
            for seat, person in enumerate(seated)
        }
        winners: list[int] = []
        for _ in range(number):
            rest = [seat for seat in weights if seat not in winners]
            winners += self.rng.choices(rest, [weights[seat] for seat in rest])
        return winners

    def rate(
        self,
        seated: Sequence[int],
        winners: Iterable[int],
        left: Iterable[int] = (),
        late: Iterable[int] = (),
    ) -> None:
        """Rate a game; `left` and `late` are seats whose people left or came later."""
        won, gone = set(winners), set(left)
        seats = range(len(seated))
        places = find_places(
            [1 if seat in won else 2 for seat in seats], [seat in gone for seat in seats]
        )
        rated = [
            Seat(person, seat, place, only_up=seat in set(late))
            for seat, (person, place) in enumerate(zip(seated, places, strict=True))
        ]
        people, powers = rate_game(rated, self.people, self.powers)
        self.people.update(people)
        self.powers.update(powers)

    def play(self, games: int, leaves: Callable[[int], bool] = lambda _: False) -> None:
        """Play until everybody has had that number of games; `leaves` says who leaves a game."""
        for _ in range(games):
            order = self.rng.sample(range(self.count), self.count)
            for start in range(0, self.count, SEATS):
                seated = order[start : start + SEATS]
                gone = [seat for seat, person in enumerate(seated) if leaves(person)]
                winners = [seat for seat in self.draw_winners(seated) if seat not in gone]
                self.rate(seated, winners, gone)

    def measure(self) -> float:
        """Return Spearman's correlation of the ratings with the true skills."""
        found = [self.people.get(person, Rating()).mu for person in self.skills]
        return float(spearmanr(list(self.skills.values()), found).statistic)

    def points(self, person: int) -> int:
        """Return a person's rating in points."""
        return self.people.get(person, Rating()).points


def run_seasons(games: int) -> list[float]:
    """Return the agreement with the truth of seasons with different seeds."""
    agreements = []
    for seed in range(SEEDS):
        site = Site(random.Random(seed))
        site.play(games)
        agreements.append(site.measure())
    return agreements


def collude(accounts: int, games: int) -> float:
    """Return the mean points of average people whose other accounts play for them.

    In each game, their seat has the chances of all their accounts, and the other accounts never
    win; the remaining seats have people who know nothing of it.
    """
    found = []
    for seed in range(SEEDS):
        site = Site(random.Random(seed))
        site.play(GAMES)
        hero = site.count
        puppets = list(range(hero + 1, hero + accounts))
        for _ in range(games):
            strangers = site.rng.sample(range(PEOPLE), SEATS - accounts)
            seated = [hero, *puppets, *strangers]
            for person in (hero, *puppets):
                site.skills[person] = 0.0
            winners = site.draw_winners(seated)
            site.rate(seated, {0 if seat < accounts else seat for seat in winners})
        found.append(site.points(hero))
    return fmean(found)


def farm_alone(accounts: int, games: int) -> int:
    """Return the points of a person who wins against own accounts alone, with bots beside them."""
    site = Site(random.Random(1))
    for _ in range(games):
        if accounts >= MIN_PEOPLE:
            site.rate(range(accounts), [0])
    return site.points(0)


def _leaves(rng: random.Random, person: int) -> bool:
    return person < 10 and rng.random() < 1 / 3


def compare_leavers() -> tuple[float, float]:
    """Return the mean points of people who leave every third game, and of all others."""
    leavers, others = [], []
    for seed in range(SEEDS):
        site = Site(random.Random(seed))
        site.play(GAMES, leaves=partial(_leaves, site.rng))
        leavers += [site.points(person) for person in range(10)]
        others += [site.points(person) for person in range(10, PEOPLE)]
    return fmean(leavers), fmean(others)


def take_over(games: int) -> tuple[int, int]:
    """Return the points of an average person after only taking over seats, and their wins."""
    site = Site(random.Random(1))
    site.play(GAMES)
    hero, wins = site.count, 0
    site.skills[hero] = 0.0
    for _ in range(games):
        seated = site.rng.sample(range(PEOPLE), SEATS)
        last = [*seated[1:], hero]
        winners = site.draw_winners([hero, *seated[1:]])
        wins += 0 in winners
        # The person who left is last; the seat's new player has the seat's result.
        site.rate([*last, seated[0]], [6 if seat == 0 else seat - 1 for seat in winners], [7], [6])
    return site.points(hero), wins


def annul(seed: int = 1) -> float:
    """Return how far, in points, annulling a tenth of the games moves the ratings at most."""
    games: list[tuple[list[int], list[int]]] = []
    site = Site(random.Random(seed))
    for _ in range(PEOPLE * GAMES // SEATS):
        seated = site.rng.sample(range(PEOPLE), SEATS)
        games.append((seated, site.draw_winners(seated)))
        site.rate(*games[-1])
    before = {person: site.points(person) for person in range(PEOPLE)}
    site.people, site.powers = {}, {}
    for number, game in enumerate(games):
        if number % 10:
            site.rate(*game)
    return max(abs(before[person] - site.points(person)) for person in range(PEOPLE))


def main() -> None:
    """Print the figures."""
    for games in (GAMES, 2 * GAMES):
        found = run_seasons(games)
        print(f"{games} games each: {fmean(found):.3f} mean, {min(found):.3f} to {max(found):.3f}")
    for accounts in (1, 2, 5):
        alone, among = farm_alone(accounts, GAMES), collude(accounts, GAMES)
        print(f"{accounts} accounts, {GAMES} games: {among:.0f} points among others, {alone} alone")
    leavers, others = compare_leavers()
    print(f"leave every third game: {leavers:.0f} points, others {others:.0f}")
    points, wins = take_over(20)
    print(f"20 seats taken over, {wins} won or drawn: {points} points")
    print(f"a tenth of the games annulled: at most {annul():.0f} points")


if __name__ == "__main__":
    main()
