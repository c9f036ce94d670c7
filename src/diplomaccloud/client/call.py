"""API calls as values, so that one description of each call serves both clients."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload
from urllib.parse import quote

P = ParamSpec("P")
T = TypeVar("T")
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request to send, and the type of its answer. Query and body values of None are not sent.

    `key` is None for calls that change nothing.
    """

    method: str
    path: str
    answer: type[T]
    query: Mapping[str, object] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None

    @property
    def reads(self) -> bool:
        """Whether the call only reads."""
        return self.method == "GET"


def fill(path: str, *parts: object) -> str:
    """Return a path with each `{}` replaced by a part, which may contain any character."""
    return path.format(*(quote(str(part), safe="") for part in parts))


@dataclass(frozen=True, slots=True)
class Pages(Generic[T, Item]):
    """A paged list: the call for the first page, and how to find a page's items and next page."""

    first: Call[T]
    items: Callable[[T], Sequence[Item]]
    find_next: Callable[[T], Call[T] | None]


class Sender:
    """A client whose calls block until the answer arrives."""

    def send(self, call: Call[T]) -> T:
        """Return the answer to a call."""
        raise NotImplementedError

    def iterate(self, pages: Pages[T, Item]) -> Iterator[Item]:
        """Yield the items of all parts of a list; each part is read when it is needed."""
        following: Call[T] | None = pages.first
        while following is not None:
            part = self.send(following)
            yield from pages.items(part)
            following = pages.find_next(part)


class AsyncSender:
    """A client whose calls are awaited."""

    async def send(self, call: Call[T]) -> T:
        """Return the answer to a call."""
        raise NotImplementedError

    async def iterate(self, pages: Pages[T, Item]) -> AsyncIterator[Item]:
        """Yield the items of all parts of a list; each part is read when it is needed."""
        following: Call[T] | None = pages.first
        while following is not None:
            part = await self.send(following)
            for item in pages.items(part):
                yield item
            following = pages.find_next(part)


class operation(Generic[P, T]):  # noqa: N801 a decorator
    """Turns a function that describes a call into a method of both clients."""

    def __init__(self, describe: Callable[Concatenate[Any, P], Call[T]]) -> None:
        self.describe, self.__doc__ = describe, describe.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> "operation[P, T]": ...
    @overload
    def __get__(self, client: Sender, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncSender, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Sender | AsyncSender | None, owner: type) -> object:
        if client is None:
            return self

        def send(*args: P.args, **kwargs: P.kwargs) -> object:
            return client.send(self.describe(client, *args, **kwargs))

        send.__doc__ = self.__doc__
        return send


class paged(Generic[P, T, Item]):  # noqa: N801 a decorator
    """Turns a function that describes a paged list into an iterator of both clients."""

    def __init__(self, describe: Callable[Concatenate[Any, P], Pages[T, Item]]) -> None:
        self.describe, self.__doc__ = describe, describe.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> "paged[P, T, Item]": ...
    @overload
    def __get__(self, client: Sender, owner: type) -> Callable[P, Iterator[Item]]: ...
    @overload
    def __get__(self, client: AsyncSender, owner: type) -> Callable[P, AsyncIterator[Item]]: ...
    def __get__(self, client: Sender | AsyncSender | None, owner: type) -> object:
        if client is None:
            return self

        def iterate(*args: P.args, **kwargs: P.kwargs) -> object:
            return client.iterate(self.describe(client, *args, **kwargs))

        iterate.__doc__ = self.__doc__
        return iterate
