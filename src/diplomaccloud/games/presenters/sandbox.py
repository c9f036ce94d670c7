"""The sandbox address of a phase of a game."""

from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.sandbox.engine import SandboxError, open_position
from diplomaccloud.sandbox.site_links import sandbox_url


def build_sandbox_url(reader: GameReader, sequence: int | None) -> str:
    """Return the address of a processed phase with its orders, or of the current position.

    The current position has no orders, not even the viewer's own, because people share addresses.
    Raises `NoSuchGame` if there is no such phase.
    """
    position: Position = reader.position
    orders: tuple[Order, ...] = ()
    if sequence is not None:
        processed = reader.read_phase(sequence)[0].processed
        position = processed.position
        orders = tuple(r.order for r in processed.resolution.results if not r.implicit)
    board = reader.chart.board
    try:
        state = open_position(board, position, orders, reader.game.rules.name)
        return sandbox_url(reader.game.map_hash, board, state)
    except SandboxError as error:
        raise WrongMoment(f"The sandbox cannot show this position. {error}") from error
