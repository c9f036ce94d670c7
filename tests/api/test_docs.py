"""The public guide: its calls work in order, its bot plays, and its table is complete."""

import io
import json
import random
import re
import shlex
import urllib.error
from pathlib import Path

import pytest
from tests.api.calls import Program, token_of
from tests.games.steps import due

from diplomaccloud.api import events, limits, problems
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow, Phase, Submission
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.orders import Build
from diplomaccloud.project.admission import Crowd, Gate

PAGE = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text("utf-8")


def run_call(text, names):
    """Send what a line with curl would send; return the answer."""
    for name, value in names.items():
        text = text.replace(f"${name}", value)
    words, headers, method, body, path = iter(shlex.split(text)[1:]), {}, "GET", None, ""
    for word in words:
        match word:
            case "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            case "-X":
                method = next(words)
            case "-d":
                body = json.loads(next(words))
            case "-L":
                continue
            case _:
                path = word
    headers.pop("Content-Type", None)
    answer = Program().call(method, path.removeprefix("/api/v1"), body, **headers)
    if answer.status_code == 307:
        address = answer.headers["Location"].removeprefix("/api/v1")
        answer = Program().call(method, address, body, **headers)
    return answer


def test_the_guide_states_each_limit(settings):
    rows = re.findall(r"^\| `([a-z-]+)` \| ([0-9,]+) ", PAGE, re.MULTILINE)
    stated = {name: int(number.replace(",", "")) for name, number in rows}
    known = [*vars(limits).values(), events.find_stream_limit()]
    quotas = {one.name: one.quota for one in known if isinstance(one, limits.Limit)}
    crowds = [one for one in vars(Gate()).values() if isinstance(one, Crowd)]
    quotas |= {crowd.limit.name: crowd.limit.quota for crowd in crowds}
    del quotas["probes"]
    assert stated == quotas


def test_each_call_of_the_guide_works(table):
    # In a private game, each call needs the token.
    Game.objects.update(private=True)
    scopes = "read", "play", "create"
    names = {"TOKEN": token_of(table.alice, *scopes), "SITE": "", "GAME": table.slug}
    calls = re.findall(r"^ +(curl .*)$", PAGE, re.MULTILINE)
    assert len(calls) == 8
    for call in calls[1:6]:
        assert run_call(call, names).status_code in (200, 304), call
    due(table)
    assert run_call(calls[6], names).json()["name"] == "S1901M"
    # Without a server that keeps it open, the stream is an answer like any other.
    assert run_call(calls[7], names).json()["events"] == []
    assert run_call(calls[0], names).json()["status"] == "running"


class GuideBot:
    """The bot of the guide, whose requests the test can lose or see."""

    def __init__(self, monkeypatch):
        code = PAGE.partition("This is a whole bot")[2].partition("\n## ")[0]
        lines = [line[4:] for line in code.splitlines() if line.startswith("    ") or not line]
        self.code, self.monkeypatch = "\n".join(lines), monkeypatch
        self.sent, self.lost = [], 0
        monkeypatch.setattr("urllib.request.urlopen", self.open_url)
        monkeypatch.setattr("time.sleep", lambda _: None)

    def open_url(self, request, timeout):
        path = request.full_url.removeprefix("https://games.example/api/v1")
        text = request.headers["Authorization"].removeprefix("Bearer ")
        key = request.headers.get("Idempotency-key", "")
        self.sent.append((request.method, path, request.data, key))
        answer = Program(text).call(request.method, path, raw=request.data, key=key)
        if answer.status_code >= 400:
            body = io.BytesIO(answer.content)
            raise urllib.error.HTTPError(path, answer.status_code, "", {}, body)
        if request.method == "PUT" and self.lost:
            self.lost -= 1
            raise urllib.error.URLError("the connection was lost")
        return io.BytesIO(answer.content)

    def start(self, token):
        """Return the names that the bot defines when it starts with this token."""
        self.monkeypatch.setenv("SITE", "https://games.example")
        self.monkeypatch.setenv("TOKEN", token)
        names = {"__name__": "bot"}
        exec(self.code, names)  # noqa: S102 our own text
        return names


@pytest.fixture
def bot(monkeypatch):
    return GuideBot(monkeypatch)


def test_the_bot_of_the_guide_is_short(bot):
    assert len(bot.code.strip().splitlines()) <= 72


@pytest.mark.long
def test_the_bot_of_the_guide_plays(table, bot, capsys):
    random.seed(1)  # it chooses at random
    tokens = [token_of(table.user_id(name), "read", "play") for name in ("alice", "bob")]
    for _ in range(12):
        for token in tokens:
            bot.start(token)["play_once"]()
    assert Phase.objects.exclude(processed_at=None).count() >= 4
    # It captures centers and builds all that are due, and nothing is ever refused.
    winter = Phase.objects.filter(name="W1901A").first()
    assert winter is not None
    assert winter.processed_at is not None
    after = Game.objects.get().newest_phase().position
    for power in ("AUSTRIA", "TURKEY"):
        owed = adjustments_owed(winter.board, winter.position, power)
        rows = OrderRow.objects.filter(draft__phase=winter, draft__seat__power=power)
        assert sum(isinstance(row.canonical, Build) for row in rows) == owed
    # They may take centers from each other.
    assert sum(power in {"AUSTRIA", "TURKEY"} for power in after.centers.values()) > 7
    assert "Refused" not in capsys.readouterr().out


def test_the_bot_of_the_guide_starts_again_in_the_same_phase(table, bot):
    token = token_of(table.alice, "read", "play")
    bot.start(token)["play_once"]()
    Submission.objects.update(ready_at=None)
    names = bot.start(token)
    # It would choose otherwise now.
    names["choose"] = lambda game, legal: ["A VIE H"]
    names["play_once"]()
    assert Submission.objects.filter(seat__user=table.alice).exclude(ready_at=None).exists()


def test_the_bot_of_the_guide_sends_a_lost_request_again(table, bot):
    bot.lost = 2
    bot.start(token_of(table.alice, "read", "play"))["play_once"]()
    puts = [request for request in bot.sent if request[0] == "PUT"]
    assert len(puts) == 3
    assert len(set(puts)) == 1
    assert Event.objects.filter(kind="saved", seat__user=table.alice).count() == 1


def test_the_bot_of_the_guide_survives_a_phase_that_is_over(table, bot, capsys):
    names = bot.start(token_of(table.alice, "read", "play"))
    choose = names["choose"]

    def wait_too_long(game, legal):
        due(table)
        return choose(game, legal)

    names["choose"] = wait_too_long
    names["play_once"]()
    assert "urn:diplomaccloud:problem:phase-over" in capsys.readouterr().out
    names["choose"] = choose
    names["play_once"]()
    assert OrderRow.objects.filter(draft__phase__sequence=2, draft__seat__power="AUSTRIA").exists()


def test_the_guide_lists_every_problem_and_every_operation(client):
    for kind in problems.KINDS:
        assert f"`{kind}`" in PAGE
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path, operations in paths.items():
        short = path.removeprefix("/api/v1").partition("{")[0]
        for method in operations:
            assert re.search(rf"`([A-Z]+`, `)?{method.upper()}(`, `[A-Z]+)? {short}", PAGE), path
