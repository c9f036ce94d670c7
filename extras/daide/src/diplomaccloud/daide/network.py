"""DAIDE over TCP: a server for a table, and a client for a player."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final, ParamSpec, TypeVar

from diplomaccloud.daide.language import (
    ErrorCode,
    Frame,
    FrameError,
    FrameReader,
    FrameType,
    Vocabulary,
    read_message,
    require_initial,
    write_error,
    write_frame,
    write_initial,
    write_message,
)
from diplomaccloud.daide.player import Player
from diplomaccloud.daide.table import DaideTable, Outgoing, VisitorId

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
        table: DaideTable,
        representation: bytes,
        *,
        initial_time: float = INITIAL_TIME,
        executor: Executor | None = None,
    ) -> None:
        self._table, self._executor = table, executor
        self._representation, self._initial_time = representation, initial_time
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
            if ask := self._table.play.ask_bots():
                # Use a thread, so that clients are answered while the bots think.
                self._table.play.take_bots_orders(await asyncio.to_thread(ask))
            await self._call(self._table.tick, time.monotonic())
            if self._table.play.ask_bots():
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
                    number = await self._call(self._table.connect, time.monotonic())
                    self._writers[number] = writer
                    self._news.set()
                elif frame.type in {FrameType.FINAL, FrameType.ERROR}:
                    return
                else:
                    await self._receive(number, frame)
                # Wait for slow readers here, so that their answers don't pile up.
                await writer.drain()
                await asyncio.sleep(0)
                if writer.is_closing():
                    return

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
        return result

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


MAX_RETURNS: Final = 3
"""How many times a client reconnects after a lost connection."""
CONNECT_TIME: Final = 30.0
"""How many seconds a server has to accept a connection."""
LINGER: Final = 10.0
"""How many seconds after the end of the game a client waits for the server to dismiss it."""


async def play_on(player: Player, host: str, port: int) -> None:
    """Play to the end of the game on a server; reconnect if the connection breaks.

    Raises `OSError` if there is no server, if it does not speak DAIDE, or if it dismisses the
    client before the game is over.
    """
    for _ in range(1 + MAX_RETURNS):
        async with asyncio.timeout(CONNECT_TIME):
            reader, writer = await asyncio.open_connection(host, port)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        try:
            await _talk(player, reader, writer)
        except FrameError as error:
            writer.write(write_error(error.code))
            raise OSError(f"the server does not speak DAIDE: {error}") from error
        except ConnectionError:
            pass  # The loop reconnects.
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        if player.is_over or player.ending is not None:
            break
        if player.power is None:
            raise OSError(player.refusal or "the server closed the connection before the game")
    if player.refusal:
        raise OSError(player.refusal)


async def _talk(player: Player, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the server until the connection ends, while the bot thinks in parallel."""
    news = asyncio.Event()
    tasks = [
        asyncio.create_task(_listen(player, reader, writer, news)),
        asyncio.create_task(_think(player, writer, news)),
    ]
    try:
        # Only the first task ends on its own. If the bot fails, its error ends the game.
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _think(player: Player, writer: asyncio.StreamWriter, news: asyncio.Event) -> None:
    """Let the bot think in a thread whenever there is a new position."""
    while True:
        await news.wait()
        news.clear()
        while ask := player.ask_bot():
            for answer in player.give_orders(await asyncio.to_thread(ask)):
                writer.write(write_message(answer))


async def _listen(
    player: Player,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    news: asyncio.Event,
) -> None:
    frames, begun = FrameReader(), False
    writer.write(write_initial())
    while data := await _read(player, reader):
        for frame in frames.feed(data):
            if frame.type is FrameType.FINAL:
                return
            if frame.type is FrameType.ERROR:
                raise OSError(f"the server refused the client: error {frame.body.hex()}")
            if frame.type is FrameType.INITIAL:
                text = "a server must not send an initial message"
                raise FrameError(ErrorCode.INITIAL_BY_SERVER, text)
            if frame.type is FrameType.REPRESENTATION:
                answers = player.begin(Vocabulary.from_bytes(frame.body))
            elif begun:
                answers = player.receive(read_message(frame.body))
            else:
                text = "a server must name its tokens first"
                raise FrameError(ErrorCode.NOT_REPRESENTATION, text)
            begun = True
            for answer in answers:
                writer.write(write_message(answer))
            if player.is_over:
                writer.write(write_frame(FrameType.FINAL))
                return
        news.set()
        await writer.drain()
    if player.ending is not None:
        writer.write(write_frame(FrameType.FINAL))


async def _read(player: Player, reader: asyncio.StreamReader) -> bytes:
    """Return the next bytes from the server, or none if it stays silent after the game ends."""
    try:
        async with asyncio.timeout(None if player.ending is None else LINGER):
            return await reader.read(_CHUNK)
    except TimeoutError:
        return b""
