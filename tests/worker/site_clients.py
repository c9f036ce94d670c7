"""People on a site whose processes die, and the answers they got, for comparison with its rows."""

import http.client
import json
import random
import threading
import time

from tests.worker.separate_site import wait_until

from diplomaccloud.bots import BOTS
from diplomaccloud.judge.board import Power

ANSWER_SECONDS = 20


class Server:
    """A server in its own process, which can be killed and restarted.

    It is `slow` before and after each transaction, in seconds, and writes its port to files whose
    names begin with `path`.
    """

    def __init__(self, site, path, slow):
        self._site, self._path, self._slow, self._number = site, path, slow, 0

    def start(self):
        self._number += 1
        file = self._path.with_name(f"{self._path.name}-{self._number}")
        self.pid = self._site.start("server", self._slow, str(file))
        wait_until(lambda: file.exists() and file.read_text())
        self.port = int(file.read_text())

    def kill(self):
        self._site.kill(self.pid)

    def call(self, method, path, token, body=None, key=""):
        """Return the status, the headers and the body; None if the server was killed first."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, f"/api/v1{path}", content, headers)
            answer = connection.getresponse()
            text = answer.read()
            return (answer.status, dict(answer.headers), json.loads(text)) if text else None
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


class Reader(threading.Thread):
    """Follows the events of a game, on another server when one ends, and notes their ids."""

    def __init__(self, ports, slug, user_id, token):
        super().__init__(daemon=True)
        self.slug, self.user_id = slug, user_id
        self._ports, self._token = ports, token
        self.ids, self.breaks = [], 0
        self.over = threading.Event()

    def run(self):
        rng = random.Random(self.slug)
        while not self.over.is_set():
            try:
                self._follow(rng.choice(self._ports))
            except (OSError, http.client.HTTPException):
                self.breaks += 1
                time.sleep(0.2)

    def _follow(self, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
        last = self.ids[-1] if self.ids else "0"
        headers = {
            "Accept": "text/event-stream",
            "Authorization": f"Bearer {self._token}",
            "Last-Event-ID": last,
        }
        connection.request("GET", f"/api/v1/games/{self.slug}/events", headers=headers)
        answer = connection.getresponse()
        if answer.status != http.client.OK:
            raise http.client.HTTPException(answer.status)
        while not self.over.is_set():
            line = answer.readline()
            if not line:
                raise http.client.HTTPException("ended")
            if line.startswith(b"id: "):
                self.ids.append(line.removeprefix(b"id: ").decode().strip())
        connection.close()


class Saver(threading.Thread):
    """Saves orders for a seat again and again, and records which ones the site confirmed."""

    def __init__(self, ports, seat, token):
        super().__init__(daemon=True)
        self.seat, self._ports, self._token = seat, ports, token
        game = seat.game
        self._board, self._rules = game.board, game.rules
        self._position = game.newest_phase().position
        self.acts = []
        self.over = threading.Event()

    def run(self):
        rng = random.Random(self.seat.pk)
        bot = BOTS["random"]
        while not self.over.is_set():
            orders = bot.orders(
                self._board, self._position, Power(self.seat.power), self._rules, rng
            )
            text = sorted(map(str, orders))
            status = self._save(rng.choice(self._ports), text)
            self.acts.append((status, None, text))
            if status == http.client.CONFLICT:
                return
            time.sleep(rng.uniform(0.2, 1))

    def _save(self, port, text):
        """Return the status of the answer; None if there was none, so that nobody knows."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
            connection.request(
                "PUT",
                f"/api/v1/games/{self.seat.game.slug}/seat/orders",
                json.dumps({"phase": 1, "orders": text}),
                {
                    "Authorization": f"Bearer {self._token}",
                    "Content-Type": "application/json",
                },
            )
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
