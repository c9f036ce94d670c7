"""The actions of a scripted player, for Locust, which `benchmarks/load` starts."""

import itertools
import json
import os
from pathlib import Path

from benchmarks.real_server import CSRF
from locust import HttpUser, constant, task

SETTINGS = json.loads(Path(os.environ["LOAD_PLAYERS"]).read_text("utf-8"))
PLAYERS = enumerate(SETTINGS["players"])
PAGES = ("game_page", "game_page", "home", "lobby")


class Player(HttpUser):
    """A person with a browser who looks at pages and saves orders."""

    wait_time = constant(SETTINGS["pause"])

    def on_start(self) -> None:
        """Take the next player's cookies, game and orders."""
        number, player = next(PLAYERS)
        self.game, self.orders = player["game"], player["orders"]
        self.headers = {"Cookie": player["cookie"]}
        kinds = {"pages": PAGES, "saves": ("save",)}.get(SETTINGS["only"], (*PAGES, "save"))
        # Players start with different actions.
        start = number % len(kinds)
        self.steps = itertools.cycle(kinds[start:] + kinds[:start])

    @task
    def act(self) -> None:
        """Perform the next action."""
        getattr(self, next(self.steps))()

    def home(self) -> None:
        """Look at the games that wait for this player."""
        self.client.get("/", headers=self.headers, name="home")

    def lobby(self) -> None:
        """Look for another game."""
        self.client.get("/games/", headers=self.headers, name="lobby")

    def game_page(self) -> None:
        """Look at the board."""
        self.client.get(self.game, headers=self.headers, name="game")

    def save(self) -> None:
        """Save the orders of the open phase."""
        self.client.post(
            f"{self.game}orders/",
            data={"phase": "1", "order": self.orders},
            headers=self.headers | {"X-CSRFToken": CSRF},
            allow_redirects=False,
            name="save",
        )
