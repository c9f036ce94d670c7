"""Forms made of other forms: null or a value, lists, rows, coordinates and objects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.atlas.validation.faults import Faults, below, quoted
from diplomaccloud.atlas.validation.schemas import BROKEN, Form, Number, Text, are_within, kind_of
from diplomaccloud.judge.codec.reader import Json


class RepeatedKeys(dict[str, object]):
    """An object in whose text a key was written more than once; `keys_repeated` says which."""

    keys_repeated: tuple[str, ...] = ()


@dataclass(frozen=True)
class Maybe(Form):
    """Null, or a value of `form`."""

    form: Form

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the value, or None."""
        return None if value is None else self.form.read(value, path, found)

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {"anyOf": [{"type": "null"}, self.form.schema()]}


@dataclass(frozen=True)
class Listed(Form):
    """A list of `least` to `most` members; faulty ones become None: each keeps its place."""

    item: Form
    most: int = 0
    least: int = 0

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the list."""
        if not isinstance(value, list):
            found.add(path, f"is {kind_of(value)}, not a list")
        elif len(value) > self.most:
            found.add(path, f"has {len(value)} members where {self.most} are allowed")
        elif len(value) < self.least:
            found.add(path, f"has {len(value)} members where {self.least} are needed")
        elif self.item.takes_all(value):
            return value
        else:
            read = (self.item.read(one, f"{path}[{i}]", found) for i, one in enumerate(value))
            return [None if one is BROKEN else one for one in read]
        return BROKEN

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "items": self.item.schema(),
            "minItems": self.least,
            "maxItems": self.most,
        }


@dataclass(frozen=True)
class Row(Form):
    """A list of exactly these members, each of its own form."""

    forms: Sequence[Form] = ()

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the list; it is broken if one of its members is."""
        if not isinstance(value, list):
            found.add(path, f"is {kind_of(value)}, not a list")
            return BROKEN
        if len(value) != len(self.forms):
            found.add(path, f"has {len(value)} members, not {len(self.forms)}")
            return BROKEN
        read = [
            form.read(one, f"{path}[{i}]", found)
            for i, (form, one) in enumerate(zip(self.forms, value, strict=True))
        ]
        return BROKEN if BROKEN in read else read

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "prefixItems": [form.schema() for form in self.forms],
            "items": False,
            "minItems": len(self.forms),
        }


@dataclass(frozen=True)
class Points(Form):
    """A flat list of coordinates, x and y in turn, of `least` points or more."""

    largest: float = 0
    least: int = 2
    most: int = 4_000

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the coordinates as floats; the list is broken if one of them is."""
        if not isinstance(value, list):
            found.add(path, f"is {kind_of(value)}, not a list")
        elif len(value) % 2 or not 2 * self.least <= len(value) <= 2 * self.most:
            found.add(
                path,
                f"has {len(value)} numbers, not two for each of {self.least} to {self.most} points",
            )
        elif set(map(type, value)) <= {int, float} and are_within(
            value, -self.largest, self.largest
        ):
            return [*map(float, value)]
        else:
            form = Number(-self.largest, self.largest)
            read = [form.read(one, f"{path}[{i}]", found) for i, one in enumerate(value)]
            return BROKEN if BROKEN in read else read
        return BROKEN

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "items": Number(-self.largest, self.largest).schema(),
            "minItems": 2 * self.least,
            "maxItems": 2 * self.most,
        }


@dataclass(frozen=True)
class Entries(Form):
    """An object of up to `most` members with free keys; faulty members are left out."""

    key: Text
    value: Form
    most: int = 0

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the object."""
        if not isinstance(value, dict):
            found.add(path, f"is {kind_of(value)}, not an object")
            return BROKEN
        if len(value) > self.most:
            found.add(path, f"has {len(value)} members where {self.most} are allowed")
            return BROKEN
        _find_repeated(value, path, found)
        read: Json = {}
        for key, one in value.items():
            known = self.key.read(key, f"{path}: key {quoted(key)}", found)
            member = self.value.read(one, below(path, key), found)
            if known is not BROKEN and member is not BROKEN:
                read[key] = member
        return read

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "object",
            "propertyNames": self.key.schema(),
            "additionalProperties": self.value.schema(),
            "maxProperties": self.most,
        }


@dataclass(frozen=True)
class Member:
    """A member of a record: its form, whether it may be left out, and what stands in for it.

    With `has_spare`, a faulty or missing member becomes `spare`, and the record is still of
    use; without, the record is broken.
    """

    form: Form
    optional: bool = False
    has_spare: bool = False
    spare: object = None


@dataclass(frozen=True)
class Record(Form):
    """An object with these members and no others."""

    members: Mapping[str, Member]

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the object."""
        if not isinstance(value, dict):
            found.add(path, f"is {kind_of(value)}, not an object")
            return BROKEN
        _find_repeated(value, path, found)
        for key in sorted(set(value) - set(self.members))[:20]:
            found.add(below(path, key), "is no member of this format")
        read: Json = {}
        for key, member in self.members.items():
            here = below(path, key)
            if key in value:
                one = member.form.read(value[key], here, found)
            else:
                one = BROKEN
                if not member.optional:
                    found.add(here, "is missing")
            if one is BROKEN and not (member.has_spare or member.optional):
                read = {**read, key: BROKEN}
            else:
                read[key] = member.spare if one is BROKEN else one
        return BROKEN if BROKEN in read.values() else read

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "object",
            "properties": {key: member.form.schema() for key, member in self.members.items()},
            "required": [key for key, member in self.members.items() if not member.optional],
            "additionalProperties": False,
        }


def _find_repeated(value: Mapping[str, object], path: str, found: Faults) -> None:
    if isinstance(value, RepeatedKeys):
        for key in value.keys_repeated[:20]:
            found.add(path, f"has the member {quoted(key)} more than once")
