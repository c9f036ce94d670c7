"""JSON columns that are read and written as values of the judge or of the options.

Django loads the plain JSON into a separate attribute (`position_json`). The value is decoded when
it is first read, and kept on the instance: a list of 300 phases must not decode 300 positions. Two
instances of a row decode twice, so actions pass the same instance along. Stored words that are
older than the names in the code (`motion`, `aside`) stay as they are, so that old games remain
readable.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import models

from diplomaccloud.games.table.errors import DamagedData
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.results import Ending

if TYPE_CHECKING:
    from django.db.models import JSONField
else:

    class JSONField(models.JSONField):
        """Django's field, which also accepts type arguments at run time."""

        def __class_getitem__(cls, _):
            return cls


_Set = TypeVar("_Set")
_Get = TypeVar("_Get")


class _DecodedAttribute:
    """The value of a `TypedJSONField`, decoded when it is first read.

    The instance then keeps it under the field's name, where Python finds it without calling this
    descriptor again.
    """

    def __init__(self, field: "TypedJSONField[Any, Any]") -> None:
        self.field = field

    def __get__(self, instance: models.Model | None, _: type | None = None) -> Any:
        if instance is None:
            return self
        data, field = instance.__dict__, self.field
        plain = getattr(instance, field.attname)
        value = field.decode_value(plain)
        data[field.name] = data[f"_{field.name}_read"] = value
        return value


class TypedJSONField(JSONField[_Set, _Get]):
    """A JSON column read with `decode` and written with `encode`.

    The database holds the same JSON as with Django's own field, so migrations, lookups and
    `values_list` work as usual. An instance of a `TypedModel` holds the plain JSON as
    `<name>_json`: a value that is never read is never decoded, and is saved again unchanged. A
    value assigned to a deferred column is saved only with `update_fields`. The mypy plugin knows
    only the attribute with the plain JSON, so calls that create a row with a decoded value need a
    `type: ignore`.
    """

    def __init__(
        self,
        *,
        decode: Callable[[Any], object],
        encode: Callable[[Any], object],
        **options: Any,
    ) -> None:
        self._decode, self._encode = decode, encode
        super().__init__(**options)

    def get_attname_column(self) -> tuple[str, str]:
        """Return the names of the attribute with the plain JSON and of the column."""
        return f"{self.name}_json", self.db_column or self.name

    def contribute_to_class(
        self, cls: type[models.Model], name: str, private_only: bool = False
    ) -> None:
        """Add the attribute with the decoded value to the model."""
        super().contribute_to_class(cls, name, private_only)
        setattr(cls, name, _DecodedAttribute(self))

    def decode_value(self, value: object) -> object:
        """Return the decoded value; None stays None. Raises `DamagedData` if decoding fails."""
        if value is None:
            return None
        try:
            return self._decode(value)
        except Exception as error:
            why = f"{self.name} cannot be decoded: {type(error).__name__}: {error}"
            raise DamagedData(why) from error

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Return the JSON to store; plain JSON and SQL expressions are stored unchanged."""
        return super().get_db_prep_save(self._to_json(value), connection)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: ARG002
        """Return the value assigned to the row, or its JSON without decoding it."""
        data = model_instance.__dict__
        if self.name in data and data[self.name] is not data.get(f"_{self.name}_read", self):
            return data[self.name]
        return getattr(model_instance, self.attname)

    def value_from_object(self, obj: models.Model) -> Any:
        """Return the JSON of the row, without decoding it."""
        return self._to_json(self.pre_save(obj, add=False))

    def _to_json(self, value: Any) -> Any:
        plain = value is None or isinstance(value, dict | list | str | int | float)
        return value if plain or hasattr(value, "resolve_expression") else self._encode(value)

    def deconstruct(self) -> Any:
        """Return the definition for migrations: a plain JSON column."""
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def clone(self) -> "TypedJSONField[_Set, _Get]":
        """Return a field with the same definition that is not bound to a model."""
        _, _, args, options = self.deconstruct()
        return type(self)(*args, decode=self._decode, encode=self._encode, **options)


class TypedModel(models.Model):
    """A model with columns of `TypedJSONField`."""

    class Meta:
        abstract = True

    def refresh_from_db(
        self,
        using: str | None = None,
        fields: Iterable[str] | None = None,
        from_queryset: "models.QuerySet[Any] | None" = None,
    ) -> None:
        """Read the row again, and discard all decoded and derived values."""
        again = None if fields is None else set(fields)
        super().refresh_from_db(using, again, from_queryset)
        stale = [
            field.name
            for field in self._meta.concrete_fields
            if isinstance(field, TypedJSONField)
            and (again is None or again.intersection((field.name, field.attname)))
        ]
        if again is None:
            model = type(self)
            stale += [
                name
                for name in self.__dict__
                if isinstance(getattr(model, name, None), cached_property)
            ]
        for name in stale:
            self.__dict__.pop(name, None)


def ending_to_json(ending: Ending) -> dict[str, object]:
    """Return the ending as the JSON that is stored with a game."""
    return {"v": 1, "winners": list(ending.winners), "reason": ending.reason}


def ending_from_json(value: dict[str, Any]) -> Ending:
    """Return the ending that `ending_to_json` wrote."""
    winners = tuple(Power(power) for power in value["winners"])
    return Ending(winners, value["reason"])
