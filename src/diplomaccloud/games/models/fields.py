"""JSON columns whose attribute is a value of the judge or of the options."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import models
from django.db.models.query_utils import DeferredAttribute

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.results import Ending

if TYPE_CHECKING:
    from django.db.models import JSONField
else:

    class JSONField(models.JSONField):
        """Django's field, which accepts type arguments at run time too."""

        def __class_getitem__(cls, _):
            return cls


_Set = TypeVar("_Set")
_Get = TypeVar("_Get")


class _DecodedAttribute(DeferredAttribute):
    """The value of a `TypedJSONField`, decoded when it is first read and then remembered.

    The instance keeps the plain JSON under the field's name, so that a row whose value is not
    read is never decoded, and a row that is saved again is written as it was.
    """

    field: "TypedJSONField[Any, Any]"

    def __get__(self, instance: models.Model | None, cls: type | None = None) -> Any:
        if instance is None:
            return self
        data = instance.__dict__
        name, decoded = self.field.attname, self.field.decoded_name
        if decoded in data:
            return data[decoded]
        if name not in data:
            super().__get__(instance, cls)
        data[decoded] = self.field.decode_value(data[name])
        return data[decoded]

    def __set__(self, instance: models.Model, value: object) -> None:
        data = instance.__dict__
        data[self.field.attname] = self.field.get_prep_value(value)
        if _is_plain(value):
            data.pop(self.field.decoded_name, None)
        else:
            data[self.field.decoded_name] = value


class TypedJSONField(JSONField[_Set, _Get]):
    """A JSON column read with `decode` and written with `encode`.

    The database holds the same JSON as with Django's own field: migrations, lookups and
    `values_list` see no difference. Plain JSON may be assigned as well, and is stored unchanged.
    """

    descriptor_class = _DecodedAttribute

    def __init__(
        self,
        *,
        decode: Callable[[Any], object],
        encode: Callable[[Any], object],
        **options: Any,
    ) -> None:
        self._decode, self._encode = decode, encode
        super().__init__(**options)

    @property
    def decoded_name(self) -> str:
        """The name under which an instance remembers the decoded value."""
        return f"_{self.attname}_decoded"

    def decode_value(self, value: object) -> object:
        """Return the value that the JSON stands for; None stays None."""
        return None if value is None else self._decode(value)

    def get_prep_value(self, value: Any) -> Any:
        """Return the JSON to store."""
        if _is_plain(value):
            return super().get_prep_value(value)
        return self._encode(value)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: ARG002
        """Return the JSON of the row, without decoding it."""
        return self.value_from_object(model_instance)

    def value_from_object(self, obj: models.Model) -> Any:
        """Return the JSON of the row, without decoding it."""
        if self.attname not in obj.__dict__:
            getattr(obj, self.attname)
        return obj.__dict__[self.attname]

    def deconstruct(self) -> Any:
        """Return what a migration needs to know: a plain JSON column."""
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def clone(self) -> "TypedJSONField[_Set, _Get]":
        """Return a field of the same definition that is not bound to a model."""
        _, _, args, options = self.deconstruct()
        return type(self)(*args, decode=self._decode, encode=self._encode, **options)


def _is_plain(value: object) -> bool:
    """Return whether `value` is JSON or an SQL expression rather than a decoded value."""
    plain = value is None or isinstance(value, dict | list | str | int | float)
    return plain or hasattr(value, "resolve_expression")


def ending_to_json(ending: Ending) -> dict[str, object]:
    """Return the ending as it is stored with a game."""
    return {"v": 1, "winners": list(ending.winners), "reason": ending.reason}


def ending_from_json(value: dict[str, Any]) -> Ending:
    """Return the ending that `ending_to_json` wrote."""
    winners = tuple(Power(power) for power in value["winners"])
    return Ending(winners, value["reason"])
