"""Negotiations among bots in memory: deals are made, kept or broken, and judged as on the site."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from operator import add
from typing import Final

from diplomaccloud.bots.levels import LevelBot, VariedBot
from diplomaccloud.bots.pacts import Deal
from diplomaccloud.bots.player import Bot, score_centers
from diplomaccloud.bots.search import SearchBot
from diplomaccloud.bots.talks.diplomat import MOST_MESSAGES, Diplomat
from diplomaccloud.bots.talks.views import TEMPERS, Entry, Temper, View
from diplomaccloud.deals import DealVerdict, PhaseFacts, Terms, judge_terms, list_agreed
from diplomaccloud.entry.votes import players_left
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet

YEARS_TO_PAY: Final = 3
"""The number of years after which a stab must have raised the score."""


@dataclass(frozen=True, slots=True)
class PressFigures:
    """The press statistics of a table.

    `promises` has one for each power, clause and phase, and `breaches` is how many of them were
    broken. `stabs` counts decisions to break deals, `paid` those that raised the bot's score, and
    `judged` those for which that is known: three more years or a victory followed.
    """

    messages: int = 0
    proposals: int = 0
    deals: int = 0
    broken: int = 0
    promises: int = 0
    breaches: int = 0
    stabs: int = 0
    judged: int = 0
    paid: int = 0

    def __add__(self, other: "PressFigures") -> "PressFigures":
        """Return the sum of both."""
        return PressFigures(*map(add, astuple(self), astuple(other)))


def seat_diplomats(bots: Mapping[Power, Bot]) -> dict[Power, Diplomat]:
    """Return the diplomats of the powers whose bots negotiate."""
    return {power: d for power, bot in bots.items() if (d := find_diplomat(bot)) is not None}


def find_diplomat(bot: Bot) -> Diplomat | None:
    """Return a bot's diplomat, or None if the bot does not negotiate.

    A bot that does not look ahead always keeps its word.
    """
    if isinstance(bot, VariedBot):
        diplomat = find_diplomat(bot.bot)
        return diplomat and Diplomat(bot, diplomat.budget, diplomat.temper)
    if isinstance(bot, SearchBot):
        return Diplomat(bot, bot.budget)
    if isinstance(bot, LevelBot):
        temper = TEMPERS[bot.character] if bot.level.budget else Temper(price=None)
        return Diplomat(bot, bot.level.budget, temper)
    return None


class PressTable:
    """The negotiations in one game among bots; bots without a diplomat are silent."""

    def __init__(self, board: Board, diplomats: Mapping[Power, Diplomat]) -> None:
        self.board, self.diplomats = board, diplomats
        self.deals: list[Deal] = []
        self.ledger: list[Entry] = []
        self.figures = PressFigures()
        self._stabs: list[tuple[Power, Position]] = []
        self._springs: dict[int, Position] = {}
        self._explained: set[tuple[Power, frozenset[Power]]] = set()
        self._waiting: set[Power] = set()

    def _count(self, **more: int) -> None:
        self.figures += PressFigures(**more)

    def view(self, position: Position, power: Power) -> View:
        """Return a power's view of the game."""
        remaining = set(players_left(position))
        return View(
            self.board,
            position,
            power,
            tuple(deal for deal in self.deals if power in deal[0].parties),
            tuple(entry for entry in self.ledger if power in entry.parties),
            frozenset(self.diplomats.keys() & remaining) - {power},
            self.diplomats[power].temper,
        )

    def talk(self, position: Position, seed: str) -> None:
        """Let all bots negotiate before they order; answers come at once."""
        speakers = sorted(self.diplomats.keys() & set(players_left(position)))
        random.Random(f"{seed}/talk").shuffle(speakers)
        sent, self._explained = dict.fromkeys(speakers, 0), set()
        for number, power in enumerate(speakers):
            self._waiting = set(speakers[number + 1 :])
            view, limit = self.view(position, power), MOST_MESSAGES - sent[power]
            for message in self.diplomats[power].open_talk(view, f"{seed}/{power}", limit):
                sent[power] += 1
                if message.terms is not None:
                    self._offer(position, message.to, message.terms, seed, sent)
        self._count(messages=sum(sent.values()))

    def _offer(
        self, position: Position, to: Power, terms: Terms, seed: str, sent: dict[Power, int]
    ) -> None:
        view = self.view(position, to)
        answer = self.diplomats[to].reply(view, terms, f"{seed}/{to}/{terms.parties}")
        refusal = to, frozenset(terms.parties)
        # A bot whose turn is still to come reserves a message, so refusals don't silence it.
        most = MOST_MESSAGES - (to in self._waiting)
        if answer.phrase and refusal not in self._explained and sent[to] < most:
            self._explained.add(refusal)
            sent[to] += 1
        self._count(proposals=1, deals=int(answer.reply.accepts))
        if answer.reply.accepts:
            self.deals.append((terms, answer.reply.alternative))

    def choose_orders(
        self, position: Position, power: Power, rules: RuleSet, seed: str
    ) -> Sequence[Order]:
        """Return the orders of a power that negotiates."""
        orders, victim = self.diplomats[power].choose_orders(
            self.view(position, power), rules, f"{seed}/{power}"
        )
        if victim is not None:
            self._stabs.append((power, position))
            self._count(stabs=1)
        return orders

    def judge(self, position: Position, orders: Sequence[Order]) -> None:
        """Judge all deals by the orders of a phase, and drop the deals that are over."""
        if position.phase == Phase.first(position.phase.year):
            self._springs[position.phase.year] = position
        facts = PhaseFacts(
            self.board,
            position,
            orders,
            gone=frozenset(set(self.board.power_info) - set(players_left(position))),
            agreed=list_agreed(self.deals, position.phase),
        )
        lasting = []
        for deal in self.deals:
            judgment = judge_terms(*deal, facts)
            if judgment.findings:
                self.ledger.append(Entry(position.phase, deal[0].parties, judgment.breakers))
            verdicts = [finding.verdict for finding in judgment.findings]
            self._count(
                promises=len(verdicts) - verdicts.count(DealVerdict.MOOT),
                breaches=verdicts.count(DealVerdict.BROKEN),
                broken=int(bool(judgment.breakers)),
            )
            if not judgment.final:
                lasting.append(deal)
        self.deals = lasting

    def close(self, final: Position, winner: Power | None) -> PressFigures:
        """Return the statistics of the game, including how the stabs turned out."""
        for power, before in self._stabs:
            after = self._springs.get(before.phase.year + YEARS_TO_PAY + 1)
            if after is None and winner is None:
                continue
            score = _score(after or final, power, winner if after is None else None)
            self._count(judged=1, paid=int(score > _score(before, power, None)))
        return self.figures


def _score(position: Position, power: Power, winner: Power | None) -> float:
    counts = {each: len(position.centers_of(each)) for each in position.centers.values()}
    return score_centers(counts | {power: len(position.centers_of(power))}, winner, power)
