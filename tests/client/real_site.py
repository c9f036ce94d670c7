"""A real web server on its own database, and people with tokens on it."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

from judge.tests.effort import PATIENCE
from tests.api.calls import token_of
from tests.ports import hold_port
from tests.worker.separate_site import ROOT

from diplomaccloud.accounts.models import User
from diplomaccloud.client import Client
from diplomaccloud.project.play import build_web_command


class RealSite:
    """A site at `url` with tokens of alice and bob; it can be stopped and started again."""

    def __init__(self, database, place):
        self.place, self.host, self.port = place, "127.0.0.1", hold_port()
        self.url, self.python = f"http://127.0.0.1:{self.port}", sys.executable
        self.environment = os.environ | {
            "DIPLOMACCLOUD_DATABASE_URL": database,
            "DIPLOMACCLOUD_DATA": str(place),
            "DIPLOMACCLOUD_SECRET_KEY": "x",
            "DIPLOMACCLOUD_LOG_LEVEL": "CRITICAL",
            "DIPLOMACCLOUD_ALLOWED_HOSTS": "127.0.0.1",
            "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
            "PYTHONPATH": str(ROOT / "src"),
        }
        self.process = None
        people = {name: User.objects.create_user(name) for name in ("alice", "bob")}
        self.tokens = {name: token_of(user.pk) for name, user in people.items()}

    def start(self, **more):
        """Start it, and return when it answers."""
        command = build_web_command(self.host, self.port)[2:]
        self.process = self.run(*command, cwd=self.place, **more)
        end = time.monotonic() + PATIENCE
        while not self.answers():
            assert time.monotonic() < end, "the site never answered"
            time.sleep(0.1)

    def run(self, *arguments, **more):
        """Return a process of Python for this site."""
        command = [self.python, "-P", *arguments]
        return subprocess.Popen(command, env=self.environment, **more)

    def answers(self):
        """Return whether it answers."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/games"):  # noqa: S310 our own server
                return True
        except (urllib.error.URLError, ConnectionError):
            return False

    def stop(self):
        """Stop it."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE)
            self.process = None

    def client(self, name="alice"):
        """Return a client of a person."""
        return Client(self.url, self.tokens[name])

    def start_game(self, *others, last_year=1902):
        """Return a running game of alice and others with bots, until a year."""
        ends = {"centers": None, "last_year": last_year, "turns": None, "date": None}
        options = {"ends": {**ends, "measure": "centers"}}
        with self.client() as alice:
            game = alice.create_game(world="Trial", preset="daily", options=options).id
            for name in others:
                with self.client(name) as client:
                    client.take_seat(game)
            return alice.start_game(game, bot="greedy").id

    def read_game(self, game):
        """Return a game, and its processed phases."""
        with self.client() as client:
            return client.get_game(game), client.list_phases(game).phases


@contextmanager
def serving(database, place):
    """Yield a site that runs."""
    site = RealSite(database, place)
    try:
        site.start()
        yield site
    finally:
        site.stop()
