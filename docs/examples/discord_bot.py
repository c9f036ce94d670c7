"""A Discord bot that posts a game's news to a channel.

`python discord_bot.py SITE GAME CHANNEL`; the tokens are in DIPLOMACCLOUD_TOKEN and DISCORD_TOKEN.
"""

import asyncio
import os
import sys

import discord

from diplomaccloud.client import AsyncClient
from diplomaccloud.client.values import EventState


class Herald(discord.Client):
    """A client that follows one game and posts to one channel."""

    def __init__(self, site: AsyncClient, game: str, channel: int) -> None:
        super().__init__(intents=discord.Intents.none())
        self.site, self.game, self.channel = site, game, channel

    async def setup_hook(self) -> None:
        """Start following the game."""
        self.following = asyncio.create_task(self.follow())

    async def follow(self) -> None:
        """Post each event until the game is over; then leave."""
        await self.wait_until_ready()
        channel = self.get_partial_messageable(self.channel)
        async for event in self.site.iterate_events(self.game):
            text = await self.describe(event)
            if text:
                await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
            if event.type == "game.over":
                break
        await self.close()

    async def describe(self, event: EventState) -> str:
        """Return the text to post about an event, or an empty string."""
        if event.type == "phase.resolved":
            phase = await self.site.get_phase(self.game, str(event.data["sequence"]))
            lines = [f"{found.power}: {found.order}: {found.outcome}" for found in phase.results]
            return "\n".join([f"**{phase.title}**", *lines])[:2000]
        if event.type == "phase.opened":
            return f"Orders for {event.data['phase']} are due at {event.data['due_at']}."
        if event.type == "game.over":
            ending = (await self.site.get_game(self.game)).ending
            return f"**The game is over.** {ending.reason if ending else ''}"
        return ""


async def main(url: str, game: str, channel: str) -> None:
    """Connect to the site and to Discord, and follow the game."""
    token = os.environ.get("DIPLOMACCLOUD_TOKEN", "")
    async with AsyncClient(url, token) as site, Herald(site, game, int(channel)) as herald:
        await herald.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
