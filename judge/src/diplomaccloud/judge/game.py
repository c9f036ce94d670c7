"""A game played step by step: orders as text, results by unit, undo, and JSON.

This module decides nothing: `notation` reads orders, `legality` judges them, and `adjudicate`
resolves each phase. What they need is imported when it is first used, because that takes five
times as long as a first position. As JSON, a game is a version 1 record in one object, with the
orders given for the current phase; see `docs/library.md` and, for records, `docs/protocol.md`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, cast

from diplomaccloud.judge.board import Board, Power, ProvinceCode, find_power
from diplomaccloud.judge.checks import require_text
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import (
    Position,
    PositionError,
    require_arguments,
    starting_position,
)
from diplomaccloud.judge.rules import DEFAULT, RuleSet, find_rules
from diplomaccloud.judge.standard.europe import default_board
from diplomaccloud.judge.units import Unit

if TYPE_CHECKING:
    from diplomaccloud.judge.codec import Json, Node
    from diplomaccloud.judge.drawing.chart import Chart
    from diplomaccloud.judge.drawing.picture import Picture
    from diplomaccloud.judge.given_orders import GivenOrder, OrderReader
    from diplomaccloud.judge.orders import Order
    from diplomaccloud.judge.protocol.requests import Request
    from diplomaccloud.judge.results import Ending
    from diplomaccloud.judge.turn import Problem, Turn

MAX_PHASES = 10_000
"""The most phases of a game that is read."""


class Game:
    """A game on one board under one rule set: give orders, adjudicate, inspect, undo.

    `board` is the standard board unless given, or a map from `read_map`, on which pictures are
    drawn. `rules` is the name of an edition or a `RuleSet`. `position` is the starting position,
    as a value or as text for `parse_position`. `seed` is used where the rules draw lots. Raises
    `ValueError` for an unknown edition, and `PositionError` for a position that is impossible on
    the board.
    """

    def __init__(
        self,
        board: "Board | Chart | None" = None,
        rules: RuleSet | str = DEFAULT,
        *,
        position: Position | str | None = None,
        seed: str = "",
    ) -> None:
        self._chart, board = _split_map(board)
        self._board = default_board(board)
        self._rules = find_rules(rules)
        if isinstance(position, str):
            from diplomaccloud.judge.notation import parse_position

            position = parse_position(position, self._board)
        elif position is None:
            position = starting_position(self._board)
        require_arguments(self._board, position)
        require_text("seed", seed)
        if problems := position.problems(self._board):
            raise PositionError(problems)
        self._seed = seed
        self._turns: list[tuple[Turn, tuple[GivenOrder, ...]]] = []
        self._problems: tuple[Problem, ...] | None = None
        self._open_phase(position, [])

    def __repr__(self) -> str:
        return f"<Game {self.phase}, {len(self._turns)} turns>"

    def __str__(self) -> str:
        """Return the phase, and a line for each power: centers, units, dislodged units."""
        return self._position.summarize(self._board.power_info)

    # State.

    @property
    def board(self) -> Board:
        """The board."""
        return self._board

    @property
    def rules(self) -> RuleSet:
        """The rules."""
        return self._rules

    @property
    def seed(self) -> str:
        """The text that determines the outcome where the rules draw lots."""
        return self._seed

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    @property
    def phase(self) -> str:
        """The current phase, e.g. `S1901M`."""
        return str(self._position.phase)

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers of the board."""
        return tuple(info.power for info in self._board.powers)

    @property
    def powers_to_order(self) -> tuple[str, ...]:
        """The powers that have something to order in this phase, sorted."""
        from diplomaccloud.judge.adjudication import powers_to_order

        return tuple(sorted(powers_to_order(self._board, self._position)))

    @property
    def turns(self) -> "tuple[Turn, ...]":
        """The phases adjudicated so far."""
        return tuple(turn for turn, _ in self._turns)

    @property
    def units(self) -> Mapping[str, tuple[Unit, ...]]:
        """The units of every power, without dislodged units."""
        return {power: self._position.units_of(power) for power in self._board.power_info}

    @property
    def centers(self) -> Mapping[str, tuple[str, ...]]:
        """The centers that every power owns."""
        return {power: self._position.centers_of(power) for power in self._board.power_info}

    def unit_in(self, province: str) -> Unit | None:
        """Return the unit in `province`, e.g. `MUN`, ignoring dislodged units."""
        require_text("province", province)
        return self._position.unit_in(ProvinceCode(province.upper()))

    @property
    def ending(self) -> "Ending | None":
        """The winners and the reason once the game is won, else `None`."""
        return self._turns[-1][0].resolution.ending if self._turns else None

    # Orders.

    def order(
        self, power: str, orders: "str | Order | Iterable[str | Order]"
    ) -> "tuple[Problem, ...]":
        """Give orders of `power` for this phase, and return the problems with them.

        A text may contain any number of orders, which are read as in `parse_sheet`. A legal order
        replaces an earlier one for the same unit; any other order replaces nothing.
        Raises `ValueError` for an unknown power, for more than 2,000 texts and orders, or if the
        game is over, and `TypeError` for anything that is neither text nor an order.
        """
        self._require_open()
        key = self._find_power(power)
        listed = self._reader.read_listed(key, orders) if isinstance(orders, str) else None
        if listed is not None and (key, listed.province) not in self._ordered:
            # The same as below for one order, in a third of the time.
            self._given.append(listed)
            self._ordered.add((key, listed.province))
            return ()
        given = self._reader.read({key: _list_orders(orders)})
        ordered = {(key, entry.province) for entry in given if entry.meant is not None}
        moving = self._position.phase.stage is not Stage.ADJUSTMENTS
        if moving and len(ordered) == len(given) and self._ordered.isdisjoint(ordered):
            # Only legal orders, of units without another order; they change no problem.
            self._given += given
            self._ordered |= ordered
            return ()
        ordered.discard((key, None))
        self._set_given(
            [entry for entry in self._given if (entry.power, entry.province) not in ordered]
        )
        before = set(self.problems)
        self._set_given(self._given + given)
        return tuple(problem for problem in self.problems if problem not in before)

    def clear(self, power: str | None = None) -> None:
        """Withdraw the orders of `power` for this phase, or all orders."""
        key = None if power is None else self._find_power(power)
        self._set_given([entry for entry in self._given if key not in {None, entry.power}])

    @property
    def orders(self) -> Mapping[str, tuple[str, ...]]:
        """The orders of this phase that could be read, by power, as canonical text."""
        listed: dict[str, list[str]] = {}
        for entry in self._given:
            if entry.order is not None:
                listed.setdefault(entry.power, []).append(str(entry.order))
        return {power: tuple(texts) for power, texts in sorted(listed.items())}

    @property
    def problems(self) -> "tuple[Problem, ...]":
        """The orders of this phase that will not be followed, with the reasons."""
        if self._problems is None:
            self._problems = self._reader.find_problems(self._given, self._seed)
        return self._problems

    def legal_orders(self, power: str | None = None) -> Mapping[str, tuple[str, ...]]:
        """Return the legal orders of `power`, or of all powers, as text by unit.

        In Winter, builds are listed under the unit built, and `WAIVE` is listed separately. A power
        that has nothing to order gets no entries.
        """
        from diplomaccloud.judge.legality.legal_orders import legal_orders
        from diplomaccloud.judge.orders import Waive

        key = None if power is None else self._find_power(power)
        listed: dict[str, dict[str, None]] = {}
        for order in legal_orders(self._board, self._position, key, self._rules):
            unit = str(order) if isinstance(order, Waive) else str(order.unit)
            listed.setdefault(unit, {})[str(order)] = None
        return {unit: tuple(texts) for unit, texts in listed.items()}

    # Turns.

    def adjudicate(self) -> "Turn":
        """Adjudicate the phase with the orders given, go on to the next, and return the turn.

        A unit without an order holds, or is disbanded if it is dislodged; builds not ordered are
        waived. Raises `ValueError` if the game is over.
        """
        from diplomaccloud.judge.adjudication import adjudicate
        from diplomaccloud.judge.given_orders import list_unread
        from diplomaccloud.judge.turn import Turn

        self._require_open()
        given = sorted(self._given, key=lambda entry: entry.power)
        orders = tuple(entry.order for entry in given if entry.order is not None)
        resolution = adjudicate(self._board, self._position, orders, self._rules, seed=self._seed)
        turn = Turn(
            board=self._board,
            rules=self._rules,
            position=self._position,
            orders=orders,
            resolution=resolution,
            problems=self.problems
            and self._reader.find_problems(self._given, self._seed, resolution),
            seed=self._seed,
            unread=list_unread(self._given),
            chart=self._chart,
        )
        self._turns.append((turn, tuple(self._given)))
        self._open_phase(resolution.next, [])
        return turn

    def undo(self) -> "Turn":
        """Go back to the previous phase, with its orders, and return the turn that was undone.

        Raises `ValueError` if no phase has been adjudicated.
        """
        if not self._turns:
            raise ValueError(f"nothing to undo: no phase before {self.phase} was adjudicated")
        turn, given = self._turns.pop()
        self._open_phase(turn.position, list(given))
        return turn

    def copy(self) -> "Game":
        """Return an independent copy of the game."""
        made = object.__new__(Game)
        vars(made).update(vars(self), _turns=list(self._turns))
        made._set_given(list(self._given))
        return made

    # Pictures.

    def picture(
        self,
        *,
        orders: bool = True,
        width: int = 900,
        labels: str | None = None,
        dark: bool = False,
        patterns: bool = False,
    ) -> "Picture":
        """Return the position as a picture, with the orders given for this phase.

        Before any are given, it shows the orders of the last turn and which of them failed, unless
        `orders` is false. Dashed lines lead to the places that dislodged units may retreat to.
        `width` is in pixels. `labels` are `"names"`, `"codes"`, `"none"`, or, if not given, what
        fits. `patterns` are for people who cannot see colors. A board without a map is drawn as a
        diagram. Raises `ValueError` or `TypeError` for any other value.
        """
        from diplomaccloud.judge.drawing.picture import Style, draw_picture

        given = [entry.order for entry in self._given if entry.order and not entry.message]
        last = self._turns[-1][0].resolution if self._turns and orders and not given else None
        return draw_picture(
            self._chart or self._board,
            self._position,
            Style(width, labels, dark, patterns),
            orders=given if orders else (),
            resolution=last,
        )

    def map_text(self, columns: int = 100) -> str:
        """Return a map for a terminal: the codes of all provinces, and units below them.

        A unit is its kind and the first letters of its power, such as `A Fra`; `*` marks a
        dislodged one.
        """
        from diplomaccloud.judge.drawing.picture import write_map

        return write_map(self._chart or self._board, self._position, columns)

    def _repr_svg_(self) -> str:
        return self.picture()._repr_svg_()

    # JSON.

    def to_json(self) -> dict[str, object]:
        """Return the game as a JSON object, which is also a record that `replay` can check."""
        from diplomaccloud.judge.protocol.records import dump_record
        from diplomaccloud.judge.protocol.requests import position_to_request

        played = [(turn.position, turn.orders, turn.resolution) for turn in self.turns]
        lines = dump_record(self._board, self._rules, played, seed=self._seed)
        heading, *phases = (cast("Json", json.loads(line)) for line in lines)
        for phase, (_, given) in zip(phases, self._turns, strict=True):
            phase.update(_texts_to_json(given))
        now: Json = {
            **position_to_request(self._position),
            "orders": {power: list(texts) for power, texts in self.orders.items()},
            **_texts_to_json(self._given),
        }
        start = self._turns[0][0].position if self._turns else self._position
        attackers = {entry.unit.province: entry.by for entry in start.dislodged if entry.by}
        if attackers:
            # Only at the start of a game are they unknown from the previous phase.
            [*phases, now][0]["attackers"] = attackers
        return {**heading, "phases": phases, "now": now}

    @classmethod
    def from_json(cls, data: object, board: "Board | Chart | None" = None) -> "Game":
        """Return the game that `data` describes, which is an object or JSON as text or bytes.

        Every phase is adjudicated again. `data` has the board, but not how its map is drawn: pass
        the map again as `board` if pictures should follow it. Raises `CodecError` naming the part
        at fault, including when a phase does not lead to the next, and for another board.
        """
        from diplomaccloud.judge.codec import CodecError, Node
        from diplomaccloud.judge.protocol.answers import read_json
        from diplomaccloud.judge.protocol.records import require_record
        from diplomaccloud.judge.protocol.requests import RecordBoards, read_request

        chart, played = _split_map(board)
        if isinstance(data, str):
            data = data.encode(errors="surrogatepass")
        if isinstance(data, bytes | bytearray):
            try:
                data = read_json(bytes(data))
            except ValueError as error:
                raise CodecError(str(error)) from error
        node = Node(data)
        require_record(node)
        heading: Json = {key: node[key].value for key in ("map", "rules", "seed") if key in node}
        phases, now = node["phases"].items(most=MAX_PHASES), node["now"]
        boards = RecordBoards()
        game: Game | None = None
        for number, entry in enumerate([*phases, now]):
            with in_phase("now" if entry is now else f"phases[{number}]"):
                if not isinstance(entry.value, dict):
                    raise entry.error("not an object")
                request = read_request({**heading, **entry.value}, boards)
                if game is None:
                    start = read_attackers(entry, request.position)
                    game = Game(request.board, request.rules, position=start, seed=request.seed)
                    game._chart = chart
                game._restore_orders(request, entry)
                if entry is not now:
                    game.adjudicate()
                    game._require_next(entry)
        game = cast("Game", game)
        if played is not None and played != game.board:
            raise CodecError("map: the game was played on another board")
        return game

    def _restore_orders(self, request: "Request", entry: "Node") -> None:
        """Check that the game has reached this phase, and give its orders."""
        from diplomaccloud.judge.codec import CodecError
        from diplomaccloud.judge.protocol.requests import find_difference

        if find_difference(request.position, self._position):
            raise CodecError(
                f"phase: does not begin where the one before it ended, in {self.phase}"
            )
        try:
            give_orders(self, request.texts)
        except ValueError as error:
            raise CodecError(f"orders: {error}") from error
        restore_texts(self, entry)

    def _read_power(self, node: "Node") -> Power:
        name = node.text()
        try:
            return self._find_power(name)
        except ValueError as error:
            raise node.error(str(error)) from error

    def _require_next(self, entry: "Node") -> None:
        """Raise `CodecError` unless the game has reached the position after a stored phase."""
        from diplomaccloud.judge.codec import CodecError, read_phase
        from diplomaccloud.judge.protocol.requests import find_difference, read_position

        if "next" not in entry:
            return
        node = entry["next"]
        after = read_position(node, read_phase(node["phase"]), self._board)
        if find_difference(after, self._position):
            raise CodecError("next: the orders lead to another position")

    # Reading.

    def _require_open(self) -> None:
        if (ending := self.ending) is not None:
            raise ValueError(f"the game is over: {ending.reason} (undo() goes back one turn)")

    def _find_power(self, name: str) -> Power:
        """Return the power with this key or name; see `find_power`."""
        if isinstance(name, str) and name in self._board.power_info:
            return Power(name)
        return find_power(self._board, name)

    def _open_phase(self, position: Position, given: "list[GivenOrder]") -> None:
        """Go to this position, with the orders given for it so far."""
        self._position = position
        self._set_given(given)
        # A reader is for one position; it is made when the first order is read.
        vars(self).pop("_reader", None)

    def _set_given(self, given: "list[GivenOrder]") -> None:
        self._given = given
        self._ordered = {(entry.power, entry.province) for entry in given}
        self._problems = None if given else ()

    @cached_property
    def _reader(self) -> "OrderReader":
        from diplomaccloud.judge.given_orders import OrderReader

        return OrderReader(self._board, self._position, self._rules)


def give_orders(game: Game, orders: "Mapping[str, Iterable[str]]") -> "list[Problem]":
    """Give the orders of powers that have none in this phase; return those that cannot be read.

    `Game.order` also says which of them are illegal, for which it adjudicates adjustments.
    Raises `ValueError` for an unknown power or if the game is over.
    """
    from diplomaccloud.judge.turn import Problem

    if orders:
        game._require_open()
    items: dict[Power, list[object]] = {}
    for power, texts in orders.items():
        items.setdefault(game._find_power(power), []).extend(_list_orders(texts))
    given = game._reader.read(items)
    game._set_given([*game._given, *given])
    return [
        Problem(entry.power, entry.text, entry.message, is_unread=True)
        for entry in given
        if entry.order is None
    ]


def restore_texts(game: Game, entry: "Node") -> None:
    """Add what `to_json` stores beside orders: their original texts, and those not read."""
    for node, written in entry["written"].entries() if "written" in entry else ():
        texts = {order.text(): text.text() for order, text in written.entries()}
        power = game._read_power(node)
        game._set_given(
            [
                replace(given, text=texts.get(str(given.order), given.text))
                if given.power == power and given.order is not None
                else given
                for given in game._given
            ]
        )
    for refused in entry["errors"].items() if "errors" in entry else ():
        text, message = refused["order"].text(), refused["message"].text()
        power = game._read_power(refused["power"])
        game._set_given([*game._given, game._reader.refuse(power, text, message)])


def read_map(content: str | bytes) -> "Chart":
    """Return the map in the text of a map file: a board with its drawing.

    Pass it to `Game`, or its `board` to functions. Raises `CodecError`, which names the first part
    at fault, for anything else.
    """
    from diplomaccloud.judge.drawing import map_file

    return map_file.read_map(content)


def _split_map(world: "Board | Chart | None") -> "tuple[Chart | None, Board | None]":
    """Return the map, if `world` is one, and the board."""
    if world is None or isinstance(world, Board):
        return None, world
    from diplomaccloud.judge.drawing.chart import Chart

    return (world, world.board) if isinstance(world, Chart) else (None, world)


def _list_orders(orders: "str | Order | Iterable[str | Order]") -> list[object]:
    """Return the items of `orders`, which may be a single item."""
    if isinstance(orders, Mapping | bytes | bytearray):
        hint = "; its values() may be a list" if isinstance(orders, Mapping) else ""
        kind = type(orders).__name__
        raise TypeError(f"orders: expected text, an order or a list, not {kind}{hint}")
    if isinstance(orders, str) or not isinstance(orders, Iterable):
        return [orders]
    from diplomaccloud.judge.given_orders import MAX_ORDERS

    listed: list[object] = list(islice(orders, MAX_ORDERS + 1))
    if len(listed) > MAX_ORDERS:
        raise ValueError(f"orders: more than {MAX_ORDERS} in one call")
    return listed


def _texts_to_json(given: "Iterable[GivenOrder]") -> "Json":
    """Return the details that canonical orders leave out, in the form of a record.

    `written` has the original texts of orders where they differ from the canonical ones, by power
    and canonical text. `errors` has the orders that could not be read.
    """
    written: dict[str, dict[str, str]] = {}
    errors: list[dict[str, str]] = []
    for entry in given:
        if entry.order is None:
            message = {"power": entry.power, "order": entry.text, "message": entry.message}
            errors.append(message)
        elif entry.text != str(entry.order):
            written.setdefault(entry.power, {})[str(entry.order)] = entry.text
    texts: Json = {}
    if written:
        texts["written"] = written
    if errors:
        texts["errors"] = errors
    return texts


@contextmanager
def in_phase(path: str) -> Iterator[None]:
    """Give errors about a phase their path in the game."""
    from diplomaccloud.judge.codec import CodecError

    try:
        yield
    except CodecError as error:
        # Paths of the parts of a phase start at the phase; parts of a list have no path.
        message = str(error)
        raise CodecError(message if message.startswith(path) else f"{path}.{message}") from error
    except ValueError as error:
        raise CodecError(f"{path}: {error}") from error


def read_attackers(entry: "Node", position: Position) -> Position:
    """Return `position` with the origins of dislodged units' attackers, where they are stored."""
    if "attackers" not in entry:
        return position
    came = {place.word(): source.word() for place, source in entry["attackers"].entries()}
    dislodged = tuple(
        replace(unit, by=ProvinceCode(came.get(unit.unit.province, "")))
        for unit in position.dislodged
    )
    return replace(position, dislodged=dislodged)
