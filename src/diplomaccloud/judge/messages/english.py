"""Puts the parameters of messages into the sentences of the catalog."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from string import Formatter
from typing import NamedTuple, TypeVar

from diplomaccloud.judge.geography import FAR, Geography
from diplomaccloud.judge.messages.catalog import (
    COUNT_FORMS,
    DISTANCE,
    MESSAGES,
    NO_ROUTE,
    UNIT_FORMS,
    Plural,
)
from diplomaccloud.judge.messages.values import (
    Message,
    OwnUnit,
    Parameter,
    Place,
    PowerName,
    UnitDistance,
)
from diplomaccloud.judge.units import Unit

_T = TypeVar("_T")


class Slot(NamedTuple):
    """The place of a parameter in a sentence: its value, and the form in which it is named."""

    value: Parameter
    form: str


def render_message(message: Message, names: Geography) -> str:
    """Return the English sentence of a message, or its sentences."""
    return capitalize(_join(split_message(message), names))


def split_message(message: Message) -> Iterator[str | Slot]:
    """Yield the pieces of a message's sentence: text, and the slots of its parameters.

    The first piece begins the sentence and is to be capitalized.
    """
    values = dict(message.parameters)
    template = MESSAGES[message.key]
    if isinstance(template, Plural):
        is_one = _count(values[template.parameter]) == 1
        template = template.one if is_one else template.other
    for text, name, form in parse_template(template):
        if text:
            yield text
        if name is not None:
            yield Slot(values[name], form)


def _count(value: Parameter) -> int:
    return len(value) if isinstance(value, tuple) else value if isinstance(value, int) else 1


@cache
def parse_template(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return the texts of a sentence, each with the name and form of the parameter after it."""
    return tuple((text, name, form or "") for text, name, form, _ in Formatter().parse(template))


def render_value(value: Parameter, form: str, names: Geography) -> str:
    """Return how a parameter is named in a sentence, in one of the catalog's forms."""
    match value:
        case Unit():
            text = _name_unit(value, form, names)
        case Place():
            text = names.the(value.location)
        case int():
            text = count_things(value, form)
        case tuple():
            text = _join(separate(value, form), names)
        case PowerName():
            text = names.power(value.power)
        case OwnUnit():
            text = _name_unit(value.unit, "own", names)
        case UnitDistance():
            steps = NO_ROUTE if value.steps >= FAR else count_things(value.steps, "steps")
            text = DISTANCE.format(unit=_name_unit(value.unit, "", names), steps=steps)
        case Message():
            text = render_message(value, names)
        case _:
            text = str(value)
    return text


def _join(pieces: Iterable[str | Slot], names: Geography) -> str:
    return "".join(
        [
            piece if isinstance(piece, str) else render_value(piece.value, piece.form, names)
            for piece in pieces
        ]
    )


def separate(values: Sequence[Parameter], form: str) -> Iterator[str | Slot]:
    """Yield slots for the values of a list, and between them what separates them."""
    if values and isinstance(values[0], Message):
        separator = last = " "
    else:
        separator, last = ", ", " or " if form == "or" else " and "
    for number, value in enumerate(values):
        if number:
            yield last if number == len(values) - 1 else separator
        yield Slot(value, form)


def count_things(number: int, form: str) -> str:
    """Return a number, with the things that are counted if `form` says which."""
    if form not in COUNT_FORMS:
        return str(number)
    one, several = COUNT_FORMS[form]
    return (one if number == 1 else several).format(number=number)


def _name_unit(unit: Unit, form: str, names: Geography) -> str:
    return UNIT_FORMS[form].format(
        kind=unit.kind.word, place=names.the(unit.province), power=names.power(unit.power)
    )


def capitalize(text: str) -> str:
    """Return `text` with a capital letter first."""
    return text[:1].upper() + text[1:]
