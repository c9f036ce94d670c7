"""The base class of all refusals by the site."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, TypeVar

from diplomaccloud.client.errors import ClientError
from diplomaccloud.client.json_values import read_value
from diplomaccloud.client.values import FieldFault, OrderAnswer

URN: Final = "urn:diplomaccloud:problem:"
T = TypeVar("T")


class Problem(ClientError):
    """The site refused the call, and nothing was changed. Each kind has a class in `problems`.

    `detail` explains the refusal to people; `document` is the whole answer.
    """

    kind: ClassVar[str] = ""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.type = str(document.get("type", ""))
        self.status = int(document.get("status", 0))
        self.title, self.detail = str(document.get("title", "")), str(document.get("detail", ""))
        super().__init__(f"{self.title} ({self.status}): {self.detail}")

    @property
    def errors(self) -> Sequence[FieldFault]:
        """The fields that are wrong."""
        return _read(FieldFault, self.document.get("errors", []))

    @property
    def orders(self) -> Sequence[OrderAnswer]:
        """The orders that were refused."""
        return _read(OrderAnswer, self.document.get("orders", []))


def _read(kind: type[T], data: object) -> Sequence[T]:
    values: Sequence[T] = read_value(tuple[kind, ...], data)  # type: ignore[valid-type]
    return values
