"""The rules of Diplomacy: frozen values, no clock, standard library only.

Start with `Game`: give it orders as text, adjudicate, and look at the results. Programs that
search use the lower-level functions: `parse_order`, `legal_orders`, `adjudicate`, and `batch` for
thousands of positions in one call. `docs/library.md` has examples of everything.

The names in `__all__` and in `batch.__all__` are stable, and so are the order classes in `orders`.
All other modules in this package are private: they serve the site, the bots and the tests, and may
change with any version. Each name is imported when it is first used.

`legality` decides which orders are legal and what they mean, `movement` resolves moves under any
rule set, `kernel` does so fast for the usual ones, `messages` and `reasons` explain results,
`notation` reads text, `codec` reads and writes JSON, `protocol` serves other programs, and
`standard` has the map of Europe with its setups.
"""

TYPE_CHECKING = False  # Importing `typing` takes longer than importing everything here.

if TYPE_CHECKING:
    from diplomaccloud.judge import batch, orders
    from diplomaccloud.judge.adjudication import adjudicate
    from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
    from diplomaccloud.judge.codec.reader import CodecError
    from diplomaccloud.judge.game import Game
    from diplomaccloud.judge.legality.legal_orders import legal_orders, why_illegal
    from diplomaccloud.judge.notation import (
        NotationError,
        parse_order,
        parse_sheet,
        to_daide,
        to_webdiplomacy,
    )
    from diplomaccloud.judge.orders import Order
    from diplomaccloud.judge.phases import Phase
    from diplomaccloud.judge.position import Dislodged, Position, starting_position
    from diplomaccloud.judge.position_problems import PositionError
    from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
    from diplomaccloud.judge.rules import EDITIONS, RuleSet
    from diplomaccloud.judge.standard.europe import standard_board
    from diplomaccloud.judge.turn import Problem, Turn, UnitResult
    from diplomaccloud.judge.units import Unit

__all__ = [
    "EDITIONS",
    "Board",
    "CodecError",
    "Dislodged",
    "Game",
    "Location",
    "NotationError",
    "Order",
    "OrderResult",
    "Outcome",
    "Phase",
    "Position",
    "PositionError",
    "Power",
    "Problem",
    "ProvinceCode",
    "Resolution",
    "RuleSet",
    "Turn",
    "Unit",
    "UnitKind",
    "UnitResult",
    "adjudicate",
    "batch",
    "legal_orders",
    "orders",
    "parse_order",
    "parse_sheet",
    "standard_board",
    "starting_position",
    "to_daide",
    "to_webdiplomacy",
    "why_illegal",
]

_MODULES = {
    "EDITIONS": "rules",
    "Board": "board",
    "CodecError": "codec.reader",
    "Dislodged": "position",
    "Game": "game",
    "Location": "board",
    "NotationError": "notation",
    "Order": "orders",
    "OrderResult": "results",
    "Outcome": "results",
    "Phase": "phases",
    "Position": "position",
    "PositionError": "position_problems",
    "Power": "board",
    "Problem": "turn",
    "ProvinceCode": "board",
    "Resolution": "results",
    "RuleSet": "rules",
    "Turn": "turn",
    "Unit": "units",
    "UnitKind": "board",
    "UnitResult": "turn",
    "adjudicate": "adjudication",
    "batch": "batch",
    "legal_orders": "legality.legal_orders",
    "orders": "orders",
    "parse_order": "notation",
    "parse_sheet": "notation",
    "standard_board": "standard.europe",
    "starting_position": "position",
    "to_daide": "notation",
    "to_webdiplomacy": "notation",
    "why_illegal": "legality.legal_orders",
}
"""The module of each public name; `batch` and `orders` are modules themselves."""

if not TYPE_CHECKING:  # Otherwise, type checkers would accept misspelled names.

    def __getattr__(name: str) -> object:
        """Import and return a public name, so that programs load only what they use."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415

        value: object = import_module(f"{__name__}.{_MODULES[name]}")
        if name != _MODULES[name]:
            value = getattr(value, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
