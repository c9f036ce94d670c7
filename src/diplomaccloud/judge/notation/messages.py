"""Why a text is not an order: the catalog of message keys, with an English text for each.

A `NotationError` carries its key and typed parameters, so that a program can word it in its own
way without reading English. `str()` gives the English text, which follows the text at fault and
a colon: `Line 2, F TRI-ABL: unknown province 'ABL'`.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from string import Formatter
from typing import Any, TypeAlias

from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.units import Unit

Parameter: TypeAlias = "str | int | Unit | UnitKind | Order | Phase | Sequence[str] | NotationError"
"""A place, name or text, a number, a unit, a kind of unit, an order, a phase, several names, or
the error inside a clause."""


class NotationKey(StrEnum):
    """The reasons for which a text cannot be read; the value is the stable key."""

    AMBIGUOUS_COUNTRY = "ambiguous-country"
    AMBIGUOUS_PROVINCE = "ambiguous-province"
    BUILD_KIND_MISSING = "build-kind-missing"
    BUILD_PLACE_MISSING = "build-place-missing"
    CANNOT_REACH = "cannot-reach"
    CANNOT_STAND = "cannot-stand"
    CHOICE_MISSING = "choice-missing"
    CLAUSE = "clause"
    COAST_MISSING = "coast-missing"
    CONDITION_CONTRADICTED = "condition-contradicted"
    CONDITION_REPEATED = "condition-repeated"
    CONDITION_UNKNOWN = "condition-unknown"
    CONVOY_PLACE_MISSING = "convoy-place-missing"
    EMPTY_ORDER = "empty-order"
    FOREIGN_ORDER = "foreign-order"
    FOREIGN_ORDERS = "foreign-orders"
    IMPASSABLE = "impassable"
    KIND_MISSING = "kind-missing"
    LINE_TOO_LONG = "line-too-long"
    MOVES_ONE_SPACE = "moves-one-space"
    NATIONALITY_MISSING = "nationality-missing"
    NOT_BEFORE_FALL = "not-before-fall"
    NOT_DISLODGED = "not-dislodged"
    NOT_FOR_ADJUSTMENTS = "not-for-adjustments"
    NOT_FOR_PHASE = "not-for-phase"
    NOT_HOME_CENTER = "not-home-center"
    NOT_YOUR_COUNTRY = "not-your-country"
    NOT_YOUR_UNIT = "not-your-unit"
    NO_ADJUSTMENT_ORDER = "no-adjustment-order"
    NO_DISLODGED_UNIT = "no-dislodged-unit"
    NO_MOVEMENT_ORDER = "no-movement-order"
    NO_RETREAT_ORDER = "no-retreat-order"
    NO_SUCH_COAST = "no-such-coast"
    NO_UNIT = "no-unit"
    NO_UNIT_OF_KIND = "no-unit-of-kind"
    NO_UNIT_OF_YOURS = "no-unit-of-yours"
    ORDER_TOO_LONG = "order-too-long"
    PROVINCE_MISSING = "province-missing"
    REMOVAL_WAIVED = "removal-waived"
    RETREAT_COAST_MISSING = "retreat-coast-missing"
    SHEETS_TOO_LONG = "sheets-too-long"
    SHEET_TOO_LONG = "sheet-too-long"
    STRANGE_CHARACTER = "strange-character"
    TEXT_TOO_LONG = "text-too-long"
    TOO_FEW_BUILDS = "too-few-builds"
    TOO_FEW_REMOVALS = "too-few-removals"
    TOO_MANY_BUILDS = "too-many-builds"
    TOO_MANY_CHOICES = "too-many-choices"
    TOO_MANY_CONDITIONS = "too-many-conditions"
    TOO_MANY_ORDERS = "too-many-orders"
    TRAILING_WORDS = "trailing-words"
    UNIT_KIND_MISSING = "unit-kind-missing"
    UNIT_MISSING = "unit-missing"
    UNKNOWN_ADJUSTMENT_ORDER = "unknown-adjustment-order"
    UNKNOWN_COAST = "unknown-coast"
    UNKNOWN_MOVEMENT_ORDER = "unknown-movement-order"
    UNKNOWN_NUMBER = "unknown-number"
    UNKNOWN_PROVINCE = "unknown-province"
    UNKNOWN_PROVINCE_ALIKE = "unknown-province-alike"
    UNKNOWN_RETREAT_ORDER = "unknown-retreat-order"
    WHICH_UNIT = "which-unit"
    WHICH_UNIT_OF_MANY = "which-unit-of-many"
    WORDS_BEFORE_ORDER = "words-before-order"


_K = NotationKey

TEMPLATES: dict[NotationKey, str] = {
    # The text as a whole.
    _K.EMPTY_ORDER: "the order is empty",
    _K.ORDER_TOO_LONG: "an order has at most {limit} characters; this one has {length}",
    _K.LINE_TOO_LONG: "a line of orders has at most {limit} characters; this one has {length}",
    _K.SHEET_TOO_LONG: "a sheet has at most {limit} characters; this one has {length}",
    _K.SHEETS_TOO_LONG: "sheets have at most {limit} characters for each power",
    _K.TOO_MANY_ORDERS: "a sheet has at most {limit} orders",
    _K.STRANGE_CHARACTER: "orders cannot contain the character {letter!r} ({name})",
    _K.TRAILING_WORDS: "{words!r} makes no sense after {before}",
    _K.WORDS_BEFORE_ORDER: "{words!r} is not an order, so what follows it was not read",
    _K.FOREIGN_ORDER: "this is an order for {country}, not for you",
    _K.FOREIGN_ORDERS: "these are orders for {country}, not for you",
    # Provinces and coasts.
    _K.PROVINCE_MISSING: "a province is missing at the end of the order",
    _K.UNKNOWN_PROVINCE: "unknown province {word!r}",
    _K.UNKNOWN_PROVINCE_ALIKE: "unknown province {word!r} (did you mean {codes:list}?)",
    _K.AMBIGUOUS_PROVINCE: "{text!r} is ambiguous: write {choices:or}",
    _K.IMPASSABLE: "{place} is impassable: no unit may enter it",
    _K.UNKNOWN_COAST: "unknown coast {word!r}",
    _K.COAST_MISSING: "which coast of {code}: write {choices:or}",
    _K.NO_SUCH_COAST: "{place} has no coast {coast} to go to",
    _K.CANNOT_STAND: "no {kind:kind} can stand in {code} ({place})",
    # Units.
    _K.UNIT_MISSING: "which unit?",
    _K.WHICH_UNIT: "which {kind:kind}? You have {units:and}",
    _K.WHICH_UNIT_OF_MANY: "which {kind:kind}? You have {units:list} and others",
    _K.NO_UNIT_OF_KIND: "which {kind:kind}? You have none",
    _K.NO_UNIT: "there is no unit in {code} ({place})",
    _K.NO_DISLODGED_UNIT: "there is no dislodged unit in {code} ({place})",
    _K.NOT_DISLODGED: "the unit in {code} was not dislodged and cannot retreat",
    _K.NOT_YOUR_UNIT: "{unit} is not yours: it belongs to {owner}",
    _K.KIND_MISSING: "specify army or fleet: {unit}",
    _K.NATIONALITY_MISSING: "specify the nationality of {unit}",
    _K.UNIT_KIND_MISSING: "write A for an army or F for a fleet before {text!r}",
    # Orders.
    _K.NO_MOVEMENT_ORDER: (
        "{unit}: no order follows. Write {unit} H, {unit} - …, {unit} S … or {unit} C …"
    ),
    _K.UNKNOWN_MOVEMENT_ORDER: (
        "{unit}: {words!r} is not an order. Write {unit} H, {unit} - …, {unit} S … or {unit} C …"
    ),
    _K.NO_RETREAT_ORDER: "{unit}: no order follows. Write {unit} R … or {unit} D",
    _K.UNKNOWN_RETREAT_ORDER: "{unit}: {words!r} is not an order. Write {unit} R … or {unit} D",
    _K.NO_ADJUSTMENT_ORDER: (
        "no order follows. Write A PAR B to build, A PAR D to disband, or WAIVE"
    ),
    _K.UNKNOWN_ADJUSTMENT_ORDER: (
        "{words!r} is not an order. Write A PAR B to build, A PAR D to disband, or WAIVE"
    ),
    _K.NOT_FOR_PHASE: "{unit}: {word!r} is not an order for {phase:title}",
    _K.NOT_FOR_ADJUSTMENTS: "{word!r} is not an order for {phase:title}",
    _K.MOVES_ONE_SPACE: "{unit} cannot go through {place}: a unit moves one space",
    _K.CONVOY_PLACE_MISSING: "where is {target} convoyed to? Write {unit} C {target} - …",
    _K.BUILD_PLACE_MISSING: "where is the unit to be built?",
    _K.BUILD_KIND_MISSING: "army or fleet? Write A {code} B or F {code} B",
    # Conditional orders.
    _K.CLAUSE: "{clause!r}: {error}",
    _K.TEXT_TOO_LONG: "conditional orders have at most {limit} characters",
    _K.TOO_MANY_CONDITIONS: "there are more than {limit} conditions",
    _K.TOO_MANY_CHOICES: "there are more than {limit} choices",
    _K.CONDITION_UNKNOWN: "write 'if MUN is dislodged: BER, KIE' or 'if two gained: A LON, F EDI'",
    _K.CONDITION_CONTRADICTED: (
        "units are built for centers gained and removed for centers lost, not the other way round"
    ),
    _K.CONDITION_REPEATED: "there is already a clause with this condition",
    _K.CHOICE_MISSING: "a choice is missing",
    _K.UNKNOWN_NUMBER: "{word!r} is not a number of builds or removals",
    _K.REMOVAL_WAIVED: "a removal cannot be waived",
    _K.NOT_YOUR_COUNTRY: "{name!r} is not one of your countries: write {countries:or}",
    _K.AMBIGUOUS_COUNTRY: "say for which country, as in '{country}: if …'",
    _K.NO_UNIT_OF_YOURS: "you have no unit in {place}",
    _K.CANNOT_REACH: "the {kind:kind} in {origin} cannot go to {place}",
    _K.RETREAT_COAST_MISSING: "say which coast of {place}, for example {example}",
    _K.NOT_BEFORE_FALL: "nothing is built or removed before Fall: write this in Fall",
    _K.NOT_HOME_CENTER: "{place} is not one of your home centers",
    _K.TOO_MANY_BUILDS: "no more than {limit} units can be built at once",
    _K.TOO_FEW_BUILDS: "name {count} units, or write waive for a build not taken",
    _K.TOO_FEW_REMOVALS: "name {count} units to remove",
}


class NotationError(ValueError):
    """Text that cannot be read: `key` and `parameters` say why, `str()` in English."""

    def __init__(self, key: NotationKey, **parameters: Parameter) -> None:
        super().__init__(key)
        self.key = key
        self.parameters = parameters

    def __str__(self) -> str:
        return _Words().vformat(TEMPLATES[self.key], (), self.parameters)


class _Words(Formatter):
    """Words each parameter as the spec in its field says: `{choices:or}`."""

    _SPECS: dict[str, Callable[[Any], str]] = {
        "kind": lambda kind: kind.word,
        "title": lambda phase: phase.title,
        "list": ", ".join,
        "or": lambda words: _join_words(words, "or"),
        "and": lambda words: _join_words(words, "and"),
        "": str,
    }

    def format_field(self, value: Any, format_spec: str) -> str:
        return self._SPECS[format_spec](value)


def _join_words(words: Sequence[str], last: str) -> str:
    """Return `words` as a list in prose: `A, B or C` when `last` is "or"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
