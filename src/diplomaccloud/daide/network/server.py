"""Serves one game over TCP until it is over."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final, ParamSpec, TypeVar

from diplomaccloud.daide.language.errors import ErrorCode, FrameError
from diplomaccloud.daide.language.frames import (
    Frame,
    FrameReader,
    FrameType,
    read_message,
    require_initial,
    write_error,
    write_frame,
    write_message,
)
from diplomaccloud.daide.table.room import Outgoing
from diplomaccloud.daide.table.table import Table
from diplomaccloud.daide.table.visitors import VisitorId

INITIAL_TIME: Final = 30.0
"""How many seconds a client has to send its initial message."""
MAX_CONNECTIONS: Final = 64
MAX_WAITING: Final = 4_000_000
"""The most unread bytes that a client may have before its connection is cut."""
_CHUNK: Final = 65_536
_P = ParamSpec("_P")
_R = TypeVar("_R")


class Server:
    """A table with its connections.

    A table that blocks, for example on a database, needs an `executor` with one thread; it is then
    called only in that thread.
    """

    def __init__(
        self,
        table: Table,
        representation: bytes,
        *,
        initial_time: float = INITIAL_TIME,
        executor: Executor | None = None,
    ) -> None:
        self._table = table
        self._executor = executor
        self._representation = representation
        self._initial_time = initial_time
        self._writers: dict[VisitorId, asyncio.StreamWriter] = {}
        self._open: set[asyncio.StreamWriter] = set()
        self._news = asyncio.Event()

    async def serve(self, host: str, port: int, *, on_ready: Callable[[int], object]) -> None:
        """Play the game to its end; call `on_ready` with the port once clients can connect."""
        server = await asyncio.start_server(self._connect, host, port)
        async with server:
            on_ready(server.sockets[0].getsockname()[1])
            await self._run()
            await asyncio.gather(*map(_close, self._open))

    async def _run(self) -> None:
        while not self._table.is_over:
            self._news.clear()
            if ask := self._table.ask_bots():
                # Use a thread, so that clients are answered while the bots think.
                self._table.take_bots_orders(await asyncio.to_thread(ask))
            await self._call(self._table.tick, time.monotonic())
            if self._table.ask_bots():
                continue
            now = time.monotonic()
            due = await self._call(self._table.next_time, now)
            if due is not None and due <= now:
                await asyncio.sleep(0)
                continue
            with contextlib.suppress(TimeoutError):
                # Unlike `wait_for`, this never swallows a cancellation that arrives with the news.
                async with asyncio.timeout(None if due is None else due - now):
                    await self._news.wait()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client until either side ends the connection."""
        if len(self._open) >= MAX_CONNECTIONS:
            await _close(writer)
            return
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._open.add(writer)
        try:
            await self._talk(reader, writer)
        except FrameError as error:
            writer.write(write_error(error.code))
        except OSError:
            pass  # The client has disconnected.
        finally:
            self._open.discard(writer)
            await self._forget(writer)
            await _close(writer)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        frames = FrameReader()
        number: VisitorId | None = None
        loop = asyncio.get_running_loop()
        due = loop.time() + self._initial_time
        while True:
            try:
                async with asyncio.timeout_at(due if number is None else None):
                    data = await reader.read(_CHUNK)
            except TimeoutError:
                raise FrameError(ErrorCode.TIMER, "no initial message came") from None
            if not data:
                return
            for frame in frames.feed(data):
                if number is None:
                    require_initial(frame)
                    writer.write(write_frame(FrameType.REPRESENTATION, self._representation))
                    number = await self._connect_writer(writer)
                elif frame.type in {FrameType.FINAL, FrameType.ERROR}:
                    return
                else:
                    await self._receive(number, frame)
                # Wait for slow readers here, so that their answers don't pile up.
                await writer.drain()
                await asyncio.sleep(0)
                if writer.is_closing():
                    return

    async def _connect_writer(self, writer: asyncio.StreamWriter) -> VisitorId:
        number = await self._call(self._table.connect, time.monotonic())
        self._writers[number] = writer
        self._news.set()
        return number

    async def _receive(self, number: VisitorId, frame: Frame) -> None:
        if frame.type is FrameType.INITIAL:
            raise FrameError(ErrorCode.SECOND_INITIAL, "the initial message was sent twice")
        if frame.type is FrameType.REPRESENTATION:
            raise FrameError(ErrorCode.REPRESENTATION_BY_CLIENT, "only a server may name tokens")
        message = read_message(frame.body)
        if number in self._writers:
            await self._call(self._table.receive, number, message, time.monotonic())
            self._news.set()

    async def _call(self, act: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Call a method of the table, send its messages, and return its result."""

        def work() -> tuple[_R, list[Outgoing]]:
            return act(*args, **kwargs), self._table.take_outbox()

        if self._executor is None:
            result, outgoing = work()
        else:
            loop = asyncio.get_running_loop()
            result, outgoing = await loop.run_in_executor(self._executor, work)
        await self._send(outgoing)
        return result

    async def _send(self, outgoing: list[Outgoing]) -> None:
        for number, message in outgoing:
            writer = self._writers.get(number)
            if writer is None or writer.is_closing():
                continue
            if message is None:
                writer.write(write_frame(FrameType.FINAL))
                await self._forget(writer)
                writer.close()
            elif writer.transport.get_write_buffer_size() > MAX_WAITING:
                writer.transport.abort()
            else:
                writer.write(write_message(message))

    async def _forget(self, writer: asyncio.StreamWriter) -> None:
        for number in [number for number, each in self._writers.items() if each is writer]:
            del self._writers[number]
            await self._call(self._table.disconnect, number, time.monotonic())
            self._news.set()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        async with asyncio.timeout(1):
            await writer.wait_closed()
    except TimeoutError:
        # The client has stopped reading and would never take the rest.
        writer.transport.abort()
    except OSError:
        pass
