"""Builds values of frozen classes with slots in a fraction of the time that calling them takes."""

from typing import Any

from . import native


class Builder:
    """Builds values of one class from all their fields in order, without `__post_init__`."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.fields = native.find_fields(kind)

    def __call__(self, *values: object) -> Any:
        """Return the value with these fields; raise `TypeError` if there are not as many."""
        if len(values) != len(self.fields):
            raise TypeError(f"{self.kind.__name__} has {len(self.fields)} fields")
        return native.set_fields(self.kind, self.fields, values)
