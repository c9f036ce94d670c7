"""A server on a real socket, and guests who send whatever a test wants."""

import asyncio
import contextlib
from itertools import count

from diplomaccloud.bots import BOTS
from diplomaccloud.daide.board import words_of
from diplomaccloud.daide.language import (
    FrameReader,
    FrameType,
    read_message,
    read_text,
    write_initial,
    write_message,
    write_text,
)
from diplomaccloud.daide.network import Server
from diplomaccloud.daide.play import Settings
from diplomaccloud.daide.player import Player
from diplomaccloud.daide.table import Course

HOST = "127.0.0.1"


def make_course(board, clients, bots=("greedy",), *, linger=0.0, **settings):
    passcodes = count(101)
    return Course(
        words_of(board),
        [BOTS[name] for name in bots],
        Settings(**settings),
        clients=clients,
        seed="sockets",
        choose_passcode=lambda: next(passcodes),
        linger=linger,
    )


@contextlib.asynccontextmanager
async def serving(course, **options):
    """Run a server, and yield its port and the task that ends with the game."""
    port = asyncio.get_running_loop().create_future()
    server = Server(course, course.play.words.vocabulary.to_bytes(), **options)
    task = asyncio.create_task(server.serve(HOST, 0, on_ready=port.set_result))
    try:
        yield await port, task
    finally:
        if error := await stop(task):
            raise error


async def stop(task):
    """Cancel the task and return its error, if it had one before."""
    task.cancel()
    (end,) = await asyncio.gather(task, return_exceptions=True)
    return end if isinstance(end, Exception) else None


def make_player(bot="greedy", seed="1"):
    return Player(BOTS[bot], version="1", seed=seed)


class Guest:
    """A connection that says what the test wants."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer
        self._frames, self._waiting = FrameReader(), []

    @classmethod
    async def come(cls, port, first=None):
        guest = cls(*await asyncio.open_connection(HOST, port))
        await guest.send(write_initial() if first is None else first)
        return guest

    async def send(self, data):
        self._writer.write(data)
        await self._writer.drain()

    async def say(self, text):
        await self.send(write_message(read_text(text)))

    async def hear(self):
        """Return the next frame as a text: `RM`, `FM`, an error as `EM 5`, or `end`."""
        while not self._waiting:
            try:
                data = await self._reader.read(65_536)
            except ConnectionError:
                return "end"
            if not data:
                return "end"
            self._waiting += self._frames.feed(data)
        frame = self._waiting.pop(0)
        if frame.type is FrameType.DIPLOMACY:
            return write_text(read_message(frame.body))
        if frame.type is FrameType.ERROR:
            return f"EM {int.from_bytes(frame.body, 'big')}"
        return {FrameType.REPRESENTATION: "RM", FrameType.FINAL: "FM"}[frame.type]

    async def hear_until(self, beginning):
        while not (heard := await self.hear()).startswith(beginning):
            assert heard != "end"
        return heard

    def leave(self):
        self._writer.transport.abort()


def run(play):
    asyncio.run(asyncio.wait_for(play, 300))


async def join(port, name="guest"):
    """Return a guest that plays, once the game has begun."""
    guest = await Guest.come(port)
    await guest.say(f"NME ('{name}') ('1')")
    await guest.hear_until("MAP")
    await guest.say("YES (MAP ('standard'))")
    await guest.hear_until("NOW")
    return guest
