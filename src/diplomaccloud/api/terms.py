"""The terms of proposals, as programs write and read them: a class for each clause and order.

The classes check the shape, and `deals` whether the terms make sense on the board.
"""

from functools import partial
from typing import Annotated, Any, Final, Literal

from pydantic import (
    Field,
    StrictBool,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import InitErrorDetails

from diplomaccloud.api.answers import Given
from diplomaccloud.deals import MAX_ALTERNATIVES, MAX_CLAUSES
from diplomaccloud.judge.board import MAX_POWERS


def _describe_fault(field: str, fault: Any) -> InitErrorDetails:
    """Return a fault with its place in the JSON, where the word in `field` chose the class."""
    place = fault["loc"][1:]
    if not fault["loc"] and fault["type"] in ("union_tag_invalid", "union_tag_not_found"):
        place = (field,)
    return InitErrorDetails(
        type=fault["type"], loc=place, input=fault["input"], ctx=fault.get("ctx", {})
    )


def _read_variant(value: object, read: ValidatorFunctionWrapHandler, *, field: str) -> object:
    # Pydantic puts the word into the place of each fault, as if it were a field.
    try:
        return read(value)
    except ValidationError as error:
        faults = [_describe_fault(field, fault) for fault in error.errors(include_url=False)]
        raise ValidationError.from_exception_data(error.title, faults) from error


def _told_by(field: str) -> tuple[Any, WrapValidator]:
    """Return the marks of a union whose members differ by the word in a field."""
    return Field(discriminator=field), WrapValidator(partial(_read_variant, field=field))


_KIND: Final = Field(description="Which clause this is: the word that tells clauses apart.")
_VERB: Final = Field(description="Which order this is: the word that tells orders apart.")
_Code = Annotated[str, Field(min_length=1, max_length=64)]
_Unit = Annotated[
    list[_Code],
    Field(
        min_length=3,
        max_length=3,
        description="The unit, as its kind (`A` or `F`), its location and its power: "
        '`["A", "PAR", "FRANCE"]`.',
    ),
]
_Target = Annotated[_Unit, Field(description="The other unit, written like `unit`.")]
_To = Annotated[
    _Code, Field(description="The province to enter, with a coast if it needs one: `STP/NC`.")
]
_Powers = Annotated[list[_Code], Field(max_length=MAX_POWERS)]
_Allies = Annotated[
    _Powers,
    Field(min_length=2, description="The parties that the clause binds, at least two."),
]
_Until = Annotated[
    str | None,
    Field(
        pattern="^[SFW][0-9]{1,5}$",
        exclude_if=lambda end: end is None,
        description="The last season in which the clause binds, such as `F1903`. If it is missing "
        "or null, the clause binds until the end of the game.",
    ),
]


class HoldOrder(Given):
    """The unit holds."""

    order: Annotated[Literal["hold"], _VERB]
    unit: _Unit


class MoveOrder(Given):
    """The unit moves."""

    order: Annotated[Literal["move"], _VERB]
    unit: _Unit
    to: _To
    via: StrictBool = Field(description="Whether the army insists on a convoy.")
    path: list[_Code] | None = Field(
        None,
        exclude_if=lambda path: path is None,
        max_length=1_000,
        description="The sea provinces of the convoy, from first to last. If it is missing or "
        "null, the army takes any route.",
    )


class SupportHoldOrder(Given):
    """The unit supports another that doesn't move."""

    order: Annotated[Literal["support-hold"], _VERB]
    unit: _Unit
    target: _Target


class SupportMoveOrder(Given):
    """The unit supports the move of another."""

    order: Annotated[Literal["support-move"], _VERB]
    unit: _Unit
    target: _Target
    to: _To


class ConvoyOrder(Given):
    """The fleet convoys an army."""

    order: Annotated[Literal["convoy"], _VERB]
    unit: _Unit
    target: _Target
    to: _To


class RetreatOrder(Given):
    """The dislodged unit retreats."""

    order: Annotated[Literal["retreat"], _VERB]
    unit: _Unit
    to: _To


class BuildOrder(Given):
    """The power builds the unit."""

    order: Annotated[Literal["build"], _VERB]
    unit: _Unit


class DisbandOrder(Given):
    """The unit disbands."""

    order: Annotated[Literal["disband"], _VERB]
    unit: _Unit


_Order = Annotated[
    HoldOrder
    | MoveOrder
    | SupportHoldOrder
    | SupportMoveOrder
    | ConvoyOrder
    | RetreatOrder
    | BuildOrder
    | DisbandOrder,
    *_told_by("order"),
]


class OrderClause(Given):
    """A promise to give this order in the phase of the terms."""

    clause: Annotated[Literal["order"], _KIND]
    order: _Order = Field(description="The order, for a unit of one of the parties.")


class NotOrderClause(Given):
    """A promise not to give this order in the phase of the terms."""

    clause: Annotated[Literal["not-order"], _KIND]
    order: _Order = Field(description="The order, for a unit of one of the parties.")


class ZoneClause(Given):
    """A demilitarized zone: units inside leave with their first move, and none may enter.

    No unit of the powers may move, support, convoy or retreat into the zone, or be built there.
    """

    clause: Annotated[Literal["dmz"], _KIND]
    powers: _Powers = Field(
        min_length=1, description="The parties that the clause binds, at least one."
    )
    provinces: list[_Code] = Field(
        min_length=1, max_length=20_000, description="The provinces of the zone, without coasts."
    )
    until: _Until = None


class PeaceClause(Given):
    """Peace: none of the powers moves into the units or centers of another, or helps to."""

    clause: Annotated[Literal["peace"], _KIND]
    powers: _Allies
    until: _Until = None


class AllianceClause(Given):
    """An alliance against others. The ledger judges only the peace among its members."""

    clause: Annotated[Literal["alliance"], _KIND]
    powers: _Allies
    against: _Powers = Field(min_length=1, description="The powers that the alliance is against.")


class DrawClause(Given):
    """Each of the powers votes for a draw if the others do."""

    clause: Annotated[Literal["draw"], _KIND]
    powers: _Allies


Clause = Annotated[
    OrderClause | NotOrderClause | ZoneClause | PeaceClause | AllianceClause | DrawClause,
    *_told_by("clause"),
]


class ProposalTerms(Given):
    """What a proposal offers: clauses, and which powers they are for."""

    v: Literal[1] = Field(description="The version of this format.")
    phase: str = Field(
        pattern="^([SF][0-9]{1,5}[MR]|W[0-9]{1,5}A)$",
        examples=["S1901M"],
        description="The phase in which the proposal is made, such as `S1901M`. Promised orders "
        "are for this phase, and the other clauses bind from then on.",
    )
    parties: list[_Code] = Field(
        min_length=2,
        max_length=MAX_POWERS,
        description="All powers that the proposal is for, yours included. They are the members "
        "of the conversation, or any powers in a message to everyone.",
    )
    alternatives: list[Annotated[list[Clause], Field(min_length=1, max_length=MAX_CLAUSES)]] = (
        Field(
            min_length=1,
            max_length=MAX_ALTERNATIVES,
            description="Lists of clauses. With several lists, the other party accepts one of "
            "them; only a proposal between two powers can have several. All lists together have "
            f"at most {MAX_CLAUSES} clauses.",
        )
    )
