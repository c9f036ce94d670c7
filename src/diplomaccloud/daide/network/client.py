"""Connects a player to a server over TCP."""

import asyncio
import contextlib
import socket
from typing import Final

from diplomaccloud.daide.language.errors import ErrorCode, FrameError
from diplomaccloud.daide.language.frames import (
    Frame,
    FrameReader,
    FrameType,
    read_message,
    write_error,
    write_frame,
    write_initial,
    write_message,
)
from diplomaccloud.daide.language.vocabulary import Vocabulary
from diplomaccloud.daide.player.player import Player

MAX_RETURNS: Final = 3
"""How many times a client reconnects after a lost connection."""
CONNECT_TIME: Final = 30.0
"""How many seconds a server has to accept a connection."""
LINGER: Final = 10.0
"""How many seconds after the end of the game a client waits for the server to dismiss it."""
_CHUNK: Final = 65_536


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
    frames = FrameReader()
    writer.write(write_initial())
    begun = False
    while data := await _read(player, reader):
        for frame in frames.feed(data):
            if frame.type is FrameType.FINAL:
                return
            if frame.type is FrameType.ERROR:
                raise OSError(f"the server refused the client: error {frame.body.hex()}")
            begun = _receive(player, frame, writer, begun=begun)
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


def _receive(player: Player, frame: Frame, writer: asyncio.StreamWriter, *, begun: bool) -> bool:
    """Answer one frame; return whether the server has named its tokens."""
    if frame.type is FrameType.INITIAL:
        raise FrameError(ErrorCode.INITIAL_BY_SERVER, "a server must not send an initial message")
    if frame.type is FrameType.REPRESENTATION:
        answers = player.begin(Vocabulary.from_bytes(frame.body))
    elif not begun:
        raise FrameError(ErrorCode.NOT_REPRESENTATION, "a server must name its tokens first")
    else:
        answers = player.receive(read_message(frame.body))
    for answer in answers:
        writer.write(write_message(answer))
    return True
