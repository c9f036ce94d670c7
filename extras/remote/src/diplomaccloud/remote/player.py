"""Plays the games of a token with a bot: waits for events, sends orders, and survives errors."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.bots import Bot
from diplomaccloud.client import AsyncClient, ClientError, StrangeAnswer, problems
from diplomaccloud.client.lists import WAIT
from diplomaccloud.client.values import GameState, OwnSeat
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import VERSION, position_from_json
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, EDITIONS


def read_position(game: GameState) -> Position:
    """Return the position of a game; raise `ValueError` if it has not started."""
    if game.phase is None:
        raise ValueError(f"the game {game.id} has not started")
    board = game.board

    def read_unit(text: str, power: str) -> list[str]:
        kind, _, location = text.partition(" ")
        return [kind, location, power]

    return position_from_json(
        {
            "v": VERSION,
            "phase": game.phase.name,
            "units": [read_unit(unit.unit, unit.power) for unit in board.units],
            "centers": dict(board.centers),
            "dislodged": [
                {
                    "unit": read_unit(entry.unit, entry.power),
                    "by": entry.attacked_from,
                    "retreats": list(entry.retreats),
                }
                for entry in board.dislodged
            ],
        }
    )


T = TypeVar("T")
LOOK_FOR_GAMES: Final = 60.0
"""How often to look for new games, in seconds."""
LONGEST_PAUSE: Final = 300.0
_FINAL: Final = (
    problems.NoTokenProblem,
    problems.BadTokenProblem,
    problems.BannedProblem,
    problems.ScopeProblem,
    problems.OtherSeatProblem,
    problems.InvalidProblem,
)
"""Refusals that retrying cannot fix."""
_WAKING: Final = ("game.", "phase.", "seat.")
"""Prefixes of events after which there may be orders to send."""
_TOO_LATE: Final = (problems.PhaseOverProblem, problems.WrongMomentProblem)
_GONE: Final = (problems.NotFoundProblem, problems.CanceledProblem)


class RemotePlayer:
    """Plays with one bot for one token. `say` gets a line for each event.

    The player keeps no state: after a restart, it reads from the site what to do. With the same
    `seed`, it chooses the same orders.
    """

    def __init__(
        self, client: AsyncClient, bot: Bot, *, seed: str, say: Callable[[str], None]
    ) -> None:
        self._client, self._bot, self._seed, self._say = client, bot, seed, say
        self._boards: dict[str, Board] = {}
        self._asked: set[tuple[str, int]] = set()

    async def play(self, game: str = "") -> None:
        """Play one game to its end, or all games of the token until stopped.

        A token for one seat plays only that game. Raises `Problem` if the token doesn't allow it.
        """
        me = await self._persist(self._client.get_me, StrangeAnswer)
        only = game or me.seat or ""
        self._say(f"{me.screen_name} plays with {self._bot.name}.")
        if only:
            await self._persist(lambda: self._client.get_seat(only))
            await self._play_game(only)
            return
        async with asyncio.TaskGroup() as group:
            tasks: dict[str, asyncio.Task[None]] = {}
            while True:
                me = await self._persist(self._client.get_me)
                for my_game in me.games:
                    if my_game.plays and my_game.status != "finished" and my_game.id not in tasks:
                        tasks[my_game.id] = group.create_task(self._play_game(my_game.id))
                await asyncio.sleep(LOOK_FOR_GAMES)

    async def _play_game(self, game: str) -> None:
        try:
            state = await self._follow(game)
        except _GONE as error:
            self._say(f"{game}: {error.detail}")
        else:
            self._say(f"{game}: {state.ending.reason if state.ending else 'over'}")

    async def _follow(self, game: str) -> GameState:
        # Get the event position first, so that no event in between is missed.
        page = await self._persist(lambda: self._client.list_events(game, after="now"))
        state = await self._persist(lambda: self._act(game))
        while state.status != "finished":
            after = page.next
            page = await self._persist(
                lambda: self._client.list_events(game, after=after, wait=WAIT)  # noqa: B023
            )
            if any(event.type.startswith(_WAKING) for event in page.events):
                state = await self._persist(lambda: self._act(game))
        return state

    async def _act(self, game: str) -> GameState:
        """Send any orders that the seat owes, and return the state of the game."""
        state = await self._client.get_game(game)
        if state.status != "running":
            return state
        seat = await self._client.get_seat(game)
        phase = state.phase.sequence if state.phase else 0
        is_due = seat.must_order and not (seat.closed or seat.ready)
        # If a phase opened between the two answers, its event is still to come.
        if is_due and seat.sequence == phase and (game, phase) not in self._asked:
            board = await self._find_board(state)
            orders = await asyncio.to_thread(self._choose, board, state, seat)
            try:
                await self._order(game, seat, phase, orders)
                self._asked.add((game, phase))
            except _TOO_LATE as error:
                self._say(f"{game}: {seat.phase}: too late: {error.detail}")
        return state

    async def _order(self, game: str, seat: OwnSeat, phase: int, orders: list[str]) -> None:
        try:
            saved = await self._client.save_orders(
                game, phase=phase, orders=orders, ready=True, confirmed=True
            )
            refused, given, ready = saved.refused, saved.orders, saved.ready
        except problems.OrdersProblem as error:
            refused, given, ready = tuple(error.orders), (), False
        for order in refused:
            self._say(f"{game}: {seat.phase}: refused: {order.text}: {order.message}")
        if not ready:
            # The rules fill in for refused orders; don't keep the game waiting.
            await self._client.save_orders(game, phase=phase, ready=True, confirmed=True)
        self._say(
            f"{game}: {seat.phase}: {' '.join(seat.powers)}: {', '.join(given) or 'no orders'}"
        )

    def _choose(self, board: Board, state: GameState, seat: OwnSeat) -> list[str]:
        # Only to choose good orders: the site decides which are legal, by rules of any name.
        position, rules = read_position(state), EDITIONS.get(state.rules, DEFAULT)
        orders: list[Order] = []
        for power in map(Power, seat.powers):
            if power in powers_to_order(board, position):
                rng = random.Random(f"{self._seed}/{state.id}/{seat.sequence}/{power}")
                orders += self._bot.orders(board, position, power, rules, rng)
        return [str(order) for order in orders]

    async def _find_board(self, state: GameState) -> Board:
        if state.map not in self._boards:
            self._boards[state.map] = BoardLoader()(await self._client.get_map(state.map))
        return self._boards[state.map]

    async def _persist(self, ask: Callable[[], Awaitable[T]], *final: type[ClientError]) -> T:
        """Return the site's answer, retrying while it is down; raise errors that won't go away."""
        fatal: tuple[type[ClientError], ...] = (*_FINAL, *_GONE, *final)
        pause = 1.0
        while True:
            try:
                return await ask()
            except fatal:
                raise
            except ClientError as error:
                self._say(f"{error} Trying again in {pause:.0f} s.")
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
