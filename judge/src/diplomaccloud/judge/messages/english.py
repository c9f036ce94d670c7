"""Fills the parameters of messages into the sentences of the catalog."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from string import Formatter
from typing import Any, NamedTuple

from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.geography import COASTS, FAR, NAMELESS, Geography
from diplomaccloud.judge.messages.catalog import MESSAGES, Plural
from diplomaccloud.judge.messages.values import (
    Message,
    OwnUnit,
    Parameter,
    Parameters,
    Place,
    PowerName,
    UnitDistance,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.units import Unit

UNIT_FORMS = {
    "": "the {kind} in {place}",
    "or": "the {kind} in {place}",
    "attacker": "{power}’s {kind} from {place}",
    "own": "its own {kind} from {place}",
    "owned": "{power}’s {kind}",
    "place": "{place}",
    "power": "{power}",
    "kind": "{kind}",
    "text": "{text}",
}
"""The forms of a unit; `text` is its form in orders, `A PAR`."""

COAST_FORMS = frozenset({"coast", "coasts"})
"""The forms of a place that name only its coast; `coasts` joins several with "or"."""

QUOTED = "quoted"
"""The form of text in quotation marks."""

COUNT_FORMS = {
    "centers": ("{number} center", "{number} centers"),
    "units": ("{number} unit", "{number} units"),
    "pieces": ("{number} piece", "{number} pieces"),
    "steps": ("{number} step", "{number} steps"),
}
"""The forms of a counted noun: singular and plural."""

DISTANCE = "{unit} ({steps})"
NO_ROUTE = "no route"
"""The form of a unit with its distance in civil disorder, and the distance if no route leads
home."""


class Slot(NamedTuple):
    """The place of a parameter in a sentence: its value and its form."""

    value: Parameter
    form: str


class Sentence:
    """An English message, rendered when first read; it equals its text and is pickled as text."""

    __slots__ = ("_message", "_names", "_text")

    def __init__(self, message: Message, names: Geography) -> None:
        self._message = message
        self._names = names
        self._text: str | None = None

    @property
    def message(self) -> Message:
        """The message as a key and parameters."""
        return self._message

    def with_names(self, names: Geography) -> "Sentence":
        """Return the sentence with the names of places and powers in `names`."""
        return Sentence(self.message, names)

    def __str__(self) -> str:
        text = self._text
        if text is None:
            text = self._text = render_message(self.message, self._names)
        return text

    def __repr__(self) -> str:
        return repr(str(self))

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, str | Sentence) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


def render_message(message: Message, names: Geography) -> str:
    """Return a message as one or more English sentences."""
    values = message.parameters
    template = _choose_template(message.key, values)
    sentence = ""
    for text, name, form in template:
        sentence += text
        if name is not None:
            value = values[name]
            render = _RENDER.get(type(value))
            sentence += str(value) if render is None else render(value, form, names)
    # Most sentences start with text from the catalog, which is already capitalized.
    return sentence if template[0][0] else capitalize(sentence)


def write_sentence(key: str, **parameters: int | str) -> str:
    """Return the sentence of a message whose parameters don't need a board's names."""
    return "".join(
        text if name is None else f"{text}{render_value(parameters[name], form, NAMELESS)}"
        for text, name, form in _choose_template(key, parameters)
    )


def split_message(message: Message) -> Iterator[str | Slot]:
    """Yield the pieces of a message's sentence: text, and slots for its parameters.

    The caller must capitalize the first piece.
    """
    values = message.parameters
    for text, name, form in _choose_template(message.key, values):
        if text:
            yield text
        if name is not None:
            yield Slot(values[name], form)


Template = tuple[tuple[str, str | None, str], ...]
"""The texts in a sentence, each with the name and the form of the parameter that follows it."""


def parse_template(template: str) -> Template:
    """Return the parts of a sentence in the catalog."""
    return tuple((text, name, form or "") for text, name, form, _ in Formatter().parse(template))


_TEMPLATES: dict[str, Template] = {
    key: parse_template(template)
    for key, template in MESSAGES.items()
    if not isinstance(template, Plural)
}
_PLURALS: dict[str, tuple[str, Template, Template]] = {
    key: (plural.parameter, parse_template(plural.one), parse_template(plural.other))
    for key, plural in MESSAGES.items()
    if isinstance(plural, Plural)
}


def _choose_template(key: str, values: Mapping[str, Parameter]) -> Template:
    template = _TEMPLATES.get(key)
    if template is not None:
        return template
    parameter, singular, plural = _PLURALS[key]
    value = values[parameter]
    number = len(value) if isinstance(value, tuple) else value
    return singular if number == 1 else plural


def render_value(value: Parameter, form: str, names: Geography) -> str:
    """Return a parameter as text, in one of the catalog's forms."""
    render = _RENDER.get(type(value))
    return str(value) if render is None else render(value, form, names)


# The same few hundred units appear in phase after phase.
@lru_cache(maxsize=4096)
def _render_unit(unit: Unit, form: str, names: Geography) -> str:
    return UNIT_FORMS[form].format(
        kind=unit.kind.word,
        place=names.the(unit.province),
        power=names.power(unit.power),
        text=unit,
    )


def _render_place(place: Place, form: str, names: Geography) -> str:
    if form in COAST_FORMS:
        coast = place.location.partition("/")[2]
        return COASTS.get(coast, f"coast {coast.lower()}")
    return names.phrases.get(place.location, place.location)


def _render_text(text: str, form: str, _: Geography) -> str:
    return repr(text) if form == QUOTED else text


def _render_distance(distance: UnitDistance, form: str, names: Geography) -> str:
    steps = NO_ROUTE if distance.steps >= FAR else count_things(distance.steps, "steps")
    return DISTANCE.format(unit=_render_unit(distance.unit, form, names), steps=steps)


def _render_list(values: Parameters, form: str, names: Geography) -> str:
    texts = [render_value(value, form, names) for value in values]
    if len(texts) < 2:
        return "".join(texts)
    separator, last = _find_separators(values, form)
    return separator.join(texts[:-1]) + last + texts[-1]


_RENDER: Mapping[type, Callable[[Any, str, Geography], str]] = {
    Unit: _render_unit,
    Place: _render_place,
    UnitKind: lambda kind, _, __: kind.word,
    Phase: lambda phase, _, __: phase.title,
    str: _render_text,
    PowerName: lambda name, _, names: names.power(name.power),
    OwnUnit: lambda own, _, names: _render_unit(own.unit, "own", names),
    UnitDistance: _render_distance,
    Message: lambda message, _, names: render_message(message, names),
    int: lambda number, form, _: count_things(number, form),
    tuple: _render_list,
}
"""How each type of parameter is rendered; orders as they are written."""


def separate(values: Parameters, form: str) -> Iterator[str | Slot]:
    """Yield slots for the values of a list, with separators between them."""
    separator, last = _find_separators(values, form)
    for number, value in enumerate(values):
        if number:
            yield last if number == len(values) - 1 else separator
        yield Slot(value, form)


def _find_separators(values: Parameters, form: str) -> tuple[str, str]:
    """Return the separator for the values of a list, and the one before the last value."""
    if isinstance(values[0], Message):
        return " ", " "
    if form == "list":
        return ", ", ", "
    return ", ", " or " if form in {"or", "coasts"} else " and "


def count_things(number: int, form: str) -> str:
    """Return a number, with the noun that it counts if `form` has one."""
    if form not in COUNT_FORMS:
        return str(number)
    singular, plural = COUNT_FORMS[form]
    return (singular if number == 1 else plural).format(number=number)


def capitalize(text: str) -> str:
    """Return `text` with its first letter capitalized."""
    return text[:1].upper() + text[1:]
