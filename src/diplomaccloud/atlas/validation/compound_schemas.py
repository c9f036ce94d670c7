"""Schemas made of other schemas: nullable values, lists, tuples, coordinates and objects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.atlas.validation.faults import Faults, join_path, quote_text
from diplomaccloud.atlas.validation.schemas import (
    INVALID,
    Number,
    Schema,
    Text,
    are_within,
    describe_type,
)
from diplomaccloud.judge.codec.reader import Json

_MAX_LISTED_KEYS = 20
"""How many unknown or repeated keys of an object are listed."""


class RepeatedKeys(dict[str, object]):
    """A JSON object with repeated keys, which are listed in `keys_repeated`."""

    keys_repeated: tuple[str, ...] = ()


@dataclass(frozen=True)
class Nullable(Schema):
    """Null, or a value of `schema`."""

    schema: Schema

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the value, or `None`."""
        return None if value is None else self.schema.read(value, path, faults)

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {"anyOf": [{"type": "null"}, self.schema.describe()]}


@dataclass(frozen=True)
class ListOf(Schema):
    """A list of `min_items` to `max_items` items; invalid items become `None`."""

    item: Schema
    max_items: int = 0
    min_items: int = 0

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the list."""
        if not isinstance(value, list):
            faults.add(path, f"is {describe_type(value)}, not a list")
        elif len(value) > self.max_items:
            faults.add(path, f"has {len(value)} items; the maximum is {self.max_items}")
        elif len(value) < self.min_items:
            faults.add(path, f"has {len(value)} items; the minimum is {self.min_items}")
        elif self.item.accepts_all(value):
            return value
        else:
            items = (self.item.read(item, f"{path}[{i}]", faults) for i, item in enumerate(value))
            return [None if item is INVALID else item for item in items]
        return INVALID

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "items": self.item.describe(),
            "minItems": self.min_items,
            "maxItems": self.max_items,
        }


@dataclass(frozen=True)
class Tuple(Schema):
    """A list with exactly these items, each with its own schema."""

    schemas: Sequence[Schema] = ()

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the list; it is invalid if one of its items is."""
        if not isinstance(value, list):
            faults.add(path, f"is {describe_type(value)}, not a list")
            return INVALID
        if len(value) != len(self.schemas):
            faults.add(path, f"has {len(value)} items instead of {len(self.schemas)}")
            return INVALID
        items = [
            schema.read(item, f"{path}[{i}]", faults)
            for i, (schema, item) in enumerate(zip(self.schemas, value, strict=True))
        ]
        return INVALID if INVALID in items else items

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "prefixItems": [schema.describe() for schema in self.schemas],
            "items": False,
            "minItems": len(self.schemas),
        }


@dataclass(frozen=True)
class Points(Schema):
    """A flat list of coordinates, x and y alternating, of `min_points` to `max_points` points."""

    max_coordinate: float = 0
    min_points: int = 2
    max_points: int = 4_000

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the coordinates as floats; the list is invalid if one of them is."""
        if not isinstance(value, list):
            faults.add(path, f"is {describe_type(value)}, not a list")
        elif len(value) % 2 or not 2 * self.min_points <= len(value) <= 2 * self.max_points:
            faults.add(
                path,
                f"has {len(value)} numbers instead of two for each of {self.min_points} to"
                f" {self.max_points} points",
            )
        elif set(map(type, value)) <= {int, float} and are_within(
            value, -self.max_coordinate, self.max_coordinate
        ):
            return [*map(float, value)]
        else:
            schema = Number(-self.max_coordinate, self.max_coordinate)
            numbers = [
                schema.read(number, f"{path}[{i}]", faults) for i, number in enumerate(value)
            ]
            return INVALID if INVALID in numbers else numbers
        return INVALID

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "items": Number(-self.max_coordinate, self.max_coordinate).describe(),
            "minItems": 2 * self.min_points,
            "maxItems": 2 * self.max_points,
        }


@dataclass(frozen=True)
class MapOf(Schema):
    """An object of up to `max_items` members with any keys; invalid members are left out."""

    key: Text
    value: Schema
    max_items: int = 0

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the object."""
        if not isinstance(value, dict):
            faults.add(path, f"is {describe_type(value)}, not an object")
            return INVALID
        if len(value) > self.max_items:
            faults.add(path, f"has {len(value)} members; the maximum is {self.max_items}")
            return INVALID
        _find_repeated(value, path, faults)
        members: Json = {}
        for key, raw in value.items():
            valid_key = self.key.read(key, f"{path}: key {quote_text(key)}", faults)
            member = self.value.read(raw, join_path(path, key), faults)
            if valid_key is not INVALID and member is not INVALID:
                members[key] = member
        return members

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "object",
            "propertyNames": self.key.describe(),
            "additionalProperties": self.value.describe(),
            "maxProperties": self.max_items,
        }


@dataclass(frozen=True)
class Member:
    """A member of an object: its schema, and what happens without a valid value.

    With `has_default`, an invalid or missing member becomes `default` and the rest of the object
    can still be used; without, the whole object is invalid.
    """

    schema: Schema
    optional: bool = False
    has_default: bool = False
    default: object = None


@dataclass(frozen=True)
class Object(Schema):
    """An object with these members and no others."""

    members: Mapping[str, Member]

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the object."""
        if not isinstance(value, dict):
            faults.add(path, f"is {describe_type(value)}, not an object")
            return INVALID
        _find_repeated(value, path, faults)
        for key in sorted(set(value) - set(self.members))[:_MAX_LISTED_KEYS]:
            faults.add(join_path(path, key), "is not a member of this format")
        members: Json = {}
        for key, member in self.members.items():
            member_path = join_path(path, key)
            if key in value:
                item = member.schema.read(value[key], member_path, faults)
            else:
                item = INVALID
                if not member.optional:
                    faults.add(member_path, "is missing")
            if item is INVALID and not (member.has_default or member.optional):
                members = {**members, key: INVALID}
            else:
                members[key] = member.default if item is INVALID else item
        return INVALID if INVALID in members.values() else members

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "object",
            "properties": {key: member.schema.describe() for key, member in self.members.items()},
            "required": [key for key, member in self.members.items() if not member.optional],
            "additionalProperties": False,
        }


def _find_repeated(value: Mapping[str, object], path: str, faults: Faults) -> None:
    if isinstance(value, RepeatedKeys):
        for key in value.keys_repeated[:_MAX_LISTED_KEYS]:
            faults.add(path, f"has the member {quote_text(key)} more than once")
