"""Honest records of games on a small simulated site, made only from values."""

import datetime as dt
import hashlib
import random

from diplomaccloud.bots import BOTS
from diplomaccloud.bots.levels import vary
from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.record import lines
from diplomaccloud.record.chain import make_lines
from diplomaccloud.record.commitments import (
    bot_seed,
    commit,
    commit_places,
    draw_powers,
    judge_seed,
    orders_text,
    salted_digest,
    sealed_text,
)
from diplomaccloud.record.signatures import SigningKey
from diplomaccloud.setups import flip_coin, setups

KEY = SigningKey("11" * 32)
START = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)


def secret_of(*parts):
    """Return a secret that no test needs to guess."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()


class Table:
    """A game and the bodies of its record; people play seats with the orders of the hold bot."""

    def __init__(
        self, name="danube", *, bots=None, hidden=False, setup="", rules="2000", reserved=()
    ):
        self.name, self.setup, self.rules = name, setups().get(setup), EDITIONS[rules]
        self.board = self.setup.board if self.setup else standard_board()
        self.position = self.setup.position if self.setup else starting_position(self.board)
        players = self.setup.players if self.setup else [(p.power,) for p in self.board.powers]
        self.bots, self.hidden, self.now = dict(bots or {}), hidden, START
        self.sequence, self.branch, self.top_branch = 0, 0, 0
        self.bodies, self.receipts, self.secrets = [], [], {}
        self.typed, self.sealed, self.texts, self.played = {}, {}, {}, {}
        self.disorder, self.opened = {}, {}
        draw, self.coin = secret_of(name, "draw"), secret_of(name, "coin", 0)
        self.shown = {purpose: secret_of(name, purpose) for purpose in ("seats", "characters")}
        self.add(
            lines.game_line,
            game=name,
            board=self.board,
            rules=self.rules,
            setup=setup,
            seats=len(players),
            commits={
                "draw": commit("draw", draw),
                "coin": commit("coin", self.coin),
                **{purpose: commit(purpose, secret) for purpose, secret in self.shown.items()},
            },
            places=commit_places(self.shown["seats"], len(players)),
            options={"ends": {"last_year": 1905}},
            hidden_bots=hidden,
            reserved=reserved,
        )
        drawn = draw_powers(draw, [powers[0] for powers in players], len(players))
        # The last seats have the reserved powers, and the others are drawn.
        drawn = [*(power for power in drawn if power not in reserved), *reserved]
        free = len(players) - len(reserved)
        whole = {powers[0]: tuple(powers) for powers in players}
        self.powers = {seat: whole[power] for seat, power in enumerate(drawn, start=1)}
        seats = [
            lines.DrawnSeat(
                powers, None if hidden else self.bots.get(seat, ""), reserved=seat > free
            )
            for seat, powers in self.powers.items()
        ]
        self.add(
            lines.draw_line,
            secret=draw,
            seats=seats,
            secrets=None if hidden else {"seats": self.shown["seats"]},
        )

    def add(self, make, **parts):
        self.now += dt.timedelta(hours=1)
        self.bodies.append(make(**parts, at=self.now))

    def open(self, **parts):
        self.sequence += 1
        self.opened[self.sequence] = self.position
        self.typed = {}
        for purpose in ("judge", "bots"):
            self.secrets[self.sequence, purpose] = secret_of(self.name, self.sequence, purpose)
        self.add(
            lines.open_line,
            sequence=self.sequence,
            branch=self.branch,
            position=self.position,
            disorder=self.disorder,
            due_at=self.now + dt.timedelta(days=1),
            commits={
                purpose: commit(purpose, self.secrets[self.sequence, purpose])
                for purpose in ("judge", "bots")
            },
            **parts,
        )

    def text_of(self, seat, orders):
        by_power = {}
        for order in orders:
            by_power.setdefault(power_of(order), []).append(str(order))
        return orders_text(
            game=self.name,
            sequence=self.sequence,
            phase=str(self.position.phase),
            seat=seat,
            powers=self.powers[seat],
            orders=by_power,
        )

    def save(self, seat, bot="random"):
        """Save orders of a person, who takes them from a bot of another secret."""
        self.now += dt.timedelta(minutes=7)
        orders = self.bot_orders(seat, bot, secret_of("person", self.now))
        salt = secret_of("salt", seat, self.now)
        receipt = lines.Receipt(
            self.name,
            str(self.position.phase),
            self.sequence,
            seat,
            self.now,
            salt,
            self.text_of(seat, orders),
        )
        self.receipts.append(receipt)
        self.typed[seat] = salt, orders
        return receipt

    def bot_orders(self, seat, bot, secret):
        orders = []
        for power in self.powers[seat]:
            rng = random.Random(bot_seed(secret, power))
            player = vary(BOTS[bot]) if self.branch > 0 else BOTS[bot]
            orders += player.orders(self.board, self.position, power, self.rules, rng)
        return orders

    def lock(self):
        ordering = powers_to_order(self.board, self.position) - set(self.disorder)
        self.seats = [s for s, powers in self.powers.items() if ordering.intersection(powers)]
        bots_secret = self.secrets[self.sequence, "bots"]
        for seat in self.seats:
            if seat in self.bots:
                orders = self.bot_orders(seat, self.bots[seat], bots_secret)
                self.typed[seat] = secret_of("salt", self.sequence, seat), orders
            elif seat not in self.typed:
                self.typed[seat] = secret_of("salt", self.sequence, seat), []
        private = {
            seat: lines.Sealed(
                seat,
                secret_of("sealed", self.sequence, seat),
                sealed_text(
                    game=self.name,
                    sequence=self.sequence,
                    phase=str(self.position.phase),
                    seat=seat,
                    conditional={self.powers[seat][0]: "if 1 gained: A PAR"} if seat == 2 else {},
                    draw_vote="draw" if seat == 3 else "",
                ),
            )
            for seat in self.powers
        }
        self.sealed[self.sequence] = list(private.values())
        locked = [
            lines.LockedSeat(
                seat,
                salted_digest(self.typed[seat][0], self.text_of(seat, self.typed[seat][1]))
                if seat in self.seats
                else None,
                salted_digest(private[seat].salt, private[seat].text),
            )
            for seat in self.powers
        ]
        self.add(lines.lock_line, sequence=self.sequence, seats=locked)

    def resolve(self):
        orders = [order for seat in self.seats for order in self.typed[seat][1]]
        secrets = {p: self.secrets[self.sequence, p] for p in ("judge", "bots")}
        seed = judge_seed(secrets["judge"])
        resolution = adjudicate(self.board, self.position, orders, self.rules, seed=seed)
        bots = {seat: bot for seat, bot in self.bots.items() if seat in self.seats}
        self.played[self.sequence] = self.position, bots
        if self.hidden:
            del secrets["bots"]
        self.add(
            lines.resolve_line,
            sequence=self.sequence,
            board=self.board,
            rules=self.rules,
            position=self.position,
            orders=orders,
            resolution=resolution,
            salts={seat: self.typed[seat][0] for seat in self.seats},
            secrets=secrets,
            bots=None if self.hidden else bots,
            written={power_of(order): {str(order): f"my {order}"} for order in orders[:1]},
        )
        self.position = resolution.next

    def lock_and_resolve(self, sequence):
        """Finish a phase that was opened before the last one."""
        last, self.sequence = self.sequence, sequence
        self.position = self.opened[sequence]
        self.lock()
        self.resolve()
        self.sequence = last

    def play(self, phases=1, *, save=()):
        for _ in range(phases):
            self.open()
            for seat in save:
                self.save(seat)
            self.lock()
            self.resolve()

    def roll_back(self, to, *, new_coin=False, **opened):
        """Go back to phase `to` and open it again, with another coin if the old one is known."""
        self.top_branch += 1
        self.branch = self.top_branch
        self.position = self.played[to][0]
        commits = None
        if new_coin:
            self.coin = secret_of(self.name, "coin", self.branch)
            commits = {"coin": commit("coin", self.coin)}
        self.add(lines.rollback_line, forward=False, branch=self.branch, to=to, commits=commits)
        self.open(**opened)

    def roll_forward(self, to, branch):
        """Undo the last rollback: continue in phase `to` of the old branch."""
        self.branch = branch
        self.add(lines.rollback_line, forward=True, branch=branch, to=to)

    def end(self, reason="Time was up.", **secrets):
        for sequence in self.played:
            self.add(
                lines.reveal_line,
                sequence=sequence,
                sealed=self.sealed[sequence],
                bots_secret=self.secrets[sequence, "bots"] if self.hidden else None,
                bots=lines.list_bots(self.played[sequence][1]) if self.hidden else None,
            )
        ending = Ending(("FRANCE",), reason)
        opened = {"coin": self.coin, **self.shown, **secrets}
        self.add(lines.end_line, ending=ending, secrets=opened)

    def chain(self):
        return list(make_lines(self.bodies))

    def record(self, *, reader=None, key=KEY):
        """Return the download as bytes; with the receipts of the seat `reader`."""
        chain = self.chain()
        last = chain[-1]
        own = [receipt for receipt in self.receipts if receipt.seat == reader]
        after = [
            lines.seal_line(game=self.name, lines=last.number, head=last.hash, key=key),
            *(
                lines.receipt_line(
                    receipt=receipt,
                    key_id=key.key_id,
                    public=key.public,
                    signature=receipt.sign(key),
                    number=number,
                    total=len(own),
                )
                for number, receipt in enumerate(own, start=1)
            ),
        ]
        listed = [*chain, *make_lines(after, after=last)]
        return "".join(f"{line.text}\n" for line in listed).encode()


def eventful_game():
    """Return a game with replacements, votes, a rollback, a pause and bots."""
    table = Table(bots={1: "greedy", 4: "hold"})
    table.play(2, save=(2, 2, 3))
    table.open()
    table.save(2)
    table.add(lines.seat_line, seat=3, change=lines.SeatChange.RESIGNED, bot="")
    table.add(
        lines.log_line,
        entry="paused",
        text="The game was paused.",
        by="master",
        reason="Holidays",
    )
    table.add(lines.seat_line, seat=3, change=lines.SeatChange.TAKEN, bot="")
    table.save(3)
    table.add(lines.vote_line, vote=1, question="draw", state="opened", seat=2)
    table.add(lines.vote_line, vote=1, question="draw", state="refused", ballots={2: True})
    table.lock()
    table.resolve()
    table.roll_back(2)
    table.add(lines.log_line, entry="rolled back", text="Rolled back.", by="master", sequence=4)
    table.save(2)
    table.lock()
    table.resolve()
    table.add(lines.seat_line, seat=5, change=lines.SeatChange.REMOVED, bot="")
    table.add(lines.seat_line, seat=5, change=lines.SeatChange.BOT, bot="greedy")
    table.bots[5] = "greedy"
    table.play(2, save=(2,))
    table.end()
    return table


def hidden_game():
    """Return a game that hides which seats are bots until it ends."""
    table = Table("hidden", bots={2: "greedy", 6: "random"}, hidden=True)
    table.play(3, save=(1,))
    table.end()
    return table


def coin_game():
    """Return a game of two players of 1914, played twice until after Italy joined."""
    table = Table("coin", setup="2000-2", bots={1: "greedy"})
    small, powers = table.board, dict(table.powers)
    _play_until_italy_joins(table)
    table.board, table.powers = small, powers
    table.roll_back(2, new_coin=True, board=small)
    table.lock()
    table.resolve()
    _play_until_italy_joins(table)
    table.end()
    return table


def _play_until_italy_joins(table):
    coin = table.setup.coin
    while table.position.phase.order < coin.joins.order:
        table.play()
    winner = table.setup.players[flip_coin(table.coin, 2)]
    seat = next(seat for seat, powers in table.powers.items() if powers == winner)
    table.add(lines.coin_line, secret=table.coin, power=coin.power, seat=seat)
    table.powers = {**table.powers, seat: (*winner, coin.power)}
    table.board = table.setup.board_at(table.position.phase)
    table.open(board=table.board)
    table.save(2)
    table.lock()
    table.resolve()


def hesitant_game():
    """Return a game that goes back and forward, even twice, and even after its end."""
    table = Table("hesitant", bots={1: "greedy"})
    table.play(2)
    table.open()
    opened = table.sequence
    table.roll_back(2)
    table.roll_back(1)
    table.roll_forward(to=4, branch=1)
    table.roll_forward(to=opened, branch=0)
    table.lock_and_resolve(opened)
    table.add(lines.end_line, ending=Ending(("FRANCE",), "Time was up."), secrets=table.shown)
    table.roll_back(1)
    table.roll_forward(to=opened, branch=0)
    table.roll_back(2)
    table.lock()
    table.resolve()
    table.end()
    return table
