"""The example Discord bot, with stand-ins for Discord's gateway and the site."""

import asyncio
import importlib.util
import json
from pathlib import Path

import discord
import httpx
import yarl
from aiohttp import WSMsgType, web
from judge.tests.effort import PATIENCE

from diplomaccloud.client import AsyncClient

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "discord_bot.py"
GAME, CHANNEL = "abcdefghjk", 42
ME = {"id": "7", "username": "herald", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {
    "id": "9",
    "name": "Herald",
    "description": "",
    "icon": None,
    "bot_public": False,
    "bot_require_code_grant": False,
    "owner": ME,
    "verify_key": "",
    "flags": 0,
}
BOARD = {"units": [], "dislodged": [], "centers": {}}
RESULT = {"power": "FRANCE", "order": "A PAR - BUR", "outcome": "moved", "succeeded": True}
PHASE = {
    "sequence": 1,
    "name": "S1901M",
    "title": "Spring 1901, Movement",
    "before": BOARD,
    "results": [{**RESULT, "implicit": False, "reason": "", "by": []}],
    "dislodged": [],
    "destroyed": [],
    "standoffs": [],
    "gained": {},
    "next": "F1901M",
    "after": BOARD,
}
EVENTS = [
    ("log.written", {}),
    ("phase.resolved", {"phase": "S1901M", "sequence": 1}),
    ("phase.opened", {"phase": "F1901M", "sequence": 2, "due_at": "2026-11-25T20:00:00+00:00"}),
]


def reply(value):
    """Return JSON as Discord sends it: without a character set."""
    return web.Response(body=json.dumps(value).encode(), content_type="application/json")


class Gateway:
    """The part of Discord's gateway that a bot needs to send messages."""

    def __init__(self):
        self.said, self.enough = [], asyncio.Event()

    def application(self):
        app = web.Application()
        app.router.add_get("/api/users/@me", self.answer(ME))
        app.router.add_get("/api/oauth2/applications/@me", self.answer(APPLICATION))
        app.router.add_post("/api/channels/{channel}/messages", self.take_message)
        app.router.add_get("/", self.talk)
        return app

    def answer(self, value):
        async def give(request):
            assert request.headers["Authorization"] == "Bot secret"
            return reply(value)

        return give

    async def take_message(self, request):
        assert request.match_info["channel"] == str(CHANNEL)
        body = await request.json()
        assert body["allowed_mentions"] == {"parse": []}
        self.said.append(body["content"])
        if len(self.said) == 2:
            self.enough.set()
        message = {"id": str(len(self.said)), "channel_id": str(CHANNEL), "author": ME, "type": 0}
        message |= {"content": body["content"], "timestamp": "2026-11-23T18:00:00+00:00"}
        message |= {name: [] for name in ("embeds", "attachments", "mentions", "mention_roles")}
        message |= {"edited_timestamp": None, "pinned": False, "mention_everyone": False}
        return reply(message | {"tts": False})

    async def talk(self, request):
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json(
            {"op": 10, "d": {"heartbeat_interval": 40_000}, "s": None, "t": None}
        )
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            if message.json()["op"] == 2:
                assert message.json()["d"]["token"] == "secret"
                ready = {"v": 10, "user": ME, "guilds": [], "session_id": "s"}
                ready |= {
                    "resume_gateway_url": "ws://127.0.0.1",
                    "application": {"id": "9", "flags": 0},
                }
                await socket.send_json({"op": 0, "d": ready, "s": 1, "t": "READY"})
            elif message.json()["op"] == 1:
                await socket.send_json({"op": 11, "d": None, "s": None, "t": None})
        return socket


async def answer_site(request):
    if "/phases/" in request.url.path:
        return httpx.Response(200, json=PHASE)
    if request.url.params["after"] != "now":
        await asyncio.Event().wait()  # no news
    at = "2026-11-23T18:00:00+00:00"
    events = [
        {"id": str(number), "type": kind, "at": at, "data": data}
        for number, (kind, data) in enumerate(EVENTS)
    ]
    return httpx.Response(200, json={"events": events, "next": "3", "more": False})


def test_it_tells_a_channel_what_happens(monkeypatch):
    spec = importlib.util.spec_from_file_location("discord_bot", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)

    async def run():
        gateway = Gateway()
        runner = web.AppRunner(gateway.application())
        await runner.setup()
        place = web.TCPSite(runner, "127.0.0.1", 0)
        await place.start()
        host = f"127.0.0.1:{runner.addresses[0][1]}"
        monkeypatch.setattr(discord.http.Route, "BASE", f"http://{host}/api")
        gateway_url = yarl.URL(f"ws://{host}/")
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway_url)
        transport = httpx.MockTransport(answer_site)
        async with (
            AsyncClient("https://games.example", transport=transport) as site,
            example.Herald(site, GAME, CHANNEL) as herald,
        ):
            running = asyncio.create_task(herald.start("secret"))
            enough = asyncio.create_task(gateway.enough.wait())
            await asyncio.wait(
                [running, enough], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED
            )
            if running.done():
                await running
            herald.following.cancel()
            await herald.close()
            await asyncio.wait([running], timeout=PATIENCE)
        await runner.cleanup()
        return gateway.said

    said = asyncio.run(run())
    assert said[0] == "**Spring 1901, Movement**\nFRANCE: A PAR - BUR: moved"
    assert said[1] == "Orders for F1901M are due at 2026-11-25T20:00:00+00:00."
