"""The record of an arena game: without times or signatures, and with secrets derived from the seed.

These secrets are not secret: they make a game of bots repeatable and its record complete.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from diplomaccloud.bots.arena import phase_seed
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.record import lines
from diplomaccloud.record.chain import Body, hash_text, make_lines
from diplomaccloud.record.commitments import Purpose, commit, orders_text, salted_digest

Played = tuple[Position, Sequence[Order], Resolution]
"""A phase that was played: the position, the orders, and the resolution."""


def dump_arena_game(
    board: Board,
    rules: RuleSet,
    phases: Iterable[Played],
    *,
    name: str,
    seed: str,
    bots: Mapping[Power, str],
    until: int,
    talkers: Collection[Power] = (),
) -> Iterator[str]:
    """Yield the lines of a game's record, without line endings.

    `bots` holds the bot's name for each power of the board; `until` is the last year. The promises
    of `talkers` are not in the record.
    """
    writer = _Writer(board, rules, name, seed, bots, talkers=talkers)
    last = None
    for last in make_lines(writer.write_bodies(phases, until)):
        yield last.text
    if last is not None:
        seal = lines.seal_line(game=name, lines=last.number, head=last.hash)
        yield from (line.text for line in make_lines([seal], after=last))


class _Writer:
    """Writes the line bodies of one game; seats are the powers in board order."""

    def __init__(
        self,
        board: Board,
        rules: RuleSet,
        name: str,
        seed: str,
        bots: Mapping[Power, str],
        *,
        talkers: Collection[Power],
    ) -> None:
        self._board, self._rules, self._name, self._seed = board, rules, name, seed
        self._bots, self._talkers = bots, talkers
        self._powers = dict(enumerate(board.power_info, start=1))

    def write_bodies(self, phases: Iterable[Played], until: int) -> Iterator[Body]:
        yield lines.game_line(
            game=self._name,
            board=self._board,
            rules=self._rules,
            setup="",
            seats=len(self._powers),
            commits={},
            options={"last_year": until},
            source=lines.Source.ARENA,
        )
        drawn = [lines.DrawnSeat((power,), self._bots[power]) for power in self._powers.values()]
        yield lines.draw_line(secret="", seats=drawn)
        resolution = None
        for sequence, (position, orders, resolution) in enumerate(phases, start=1):
            yield from self._write_phase(sequence, position, orders, resolution)
        if resolution is not None and resolution.ending is not None:
            yield lines.end_line(ending=resolution.ending)

    def _write_phase(
        self, sequence: int, position: Position, orders: Sequence[Order], resolution: Resolution
    ) -> Iterator[Body]:
        secret = phase_seed(self._seed, position.phase)
        ordering = powers_to_order(self._board, position)
        seats = {seat: power for seat, power in self._powers.items() if power in ordering}
        salts = {seat: hash_text(f"{secret}/{power}/salt") for seat, power in seats.items()}
        texts: dict[Power, list[str]] = {}
        for order in orders:
            texts.setdefault(power_of(order), []).append(str(order))
        yield lines.open_line(
            sequence=sequence,
            branch=0,
            position=position,
            commits={
                purpose.value: commit(purpose, secret) for purpose in (Purpose.JUDGE, Purpose.BOTS)
            },
        )
        yield lines.lock_line(
            sequence=sequence,
            seats=[
                lines.LockedSeat(
                    seat,
                    salted_digest(
                        salts[seat],
                        orders_text(
                            game=self._name,
                            sequence=sequence,
                            phase=str(position.phase),
                            seat=seat,
                            powers=(power,),
                            orders=texts,
                        ),
                    ),
                )
                for seat, power in seats.items()
            ],
        )
        yield lines.resolve_line(
            sequence=sequence,
            board=self._board,
            rules=self._rules,
            position=position,
            orders=orders,
            resolution=resolution,
            salts=salts,
            secrets={Purpose.JUDGE.value: secret, Purpose.BOTS.value: secret},
            bots={seat: self._bots[power] for seat, power in seats.items()},
            promised={seat for seat, power in seats.items() if power in self._talkers},
        )
