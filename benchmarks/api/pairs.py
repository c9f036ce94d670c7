"""A site with some of everything, and each API call with the page that shows the same."""

import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings
from django.test import Client
from django.utils import timezone
from judge.tests.scenes import random_orders
from tests.api.calls import Program, token_of
from tests.games.large_games import begin, write

from diplomaccloud.accounts.models import User
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.phases import Stage
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.press.table import actions as limits
from diplomaccloud.sandbox.address import encode_state
from diplomaccloud.sandbox.engine import open_position

PAST = 12
MESSAGES = 50
DEALS = 6
GAMES = 20
FILES = ("map", "record", "own record", "keys", "export")
POWERS = ["ENGLAND", "FRANCE"]


@dataclass
class Pair:
    """A call, and the page that shows the same.

    A file has the same bytes in both, so there is no page to compare it with.
    """

    name: str
    page_name: str
    call: Callable[[], object]
    page: Callable[[], object]
    is_file: bool = False


class Scene:
    """A person's program and browser, in a game with a past, messages and deals."""

    def __init__(self) -> None:
        settings.ALLOWED_HOSTS = ["testserver"]
        for name in ("MAX_A_MINUTE", "MAX_AN_HOUR"):
            setattr(limits, name, 10**6)
        people = [User.objects.create(username=f"person{seat}").pk for seat in range(7)]
        self.game = begin(people, 1, now=timezone.now())
        holders = {seat.power: seat.user_id for seat in Seat.objects.filter(game=self.game)}
        self.program, self.partner = (Program(token_of(holders[power])) for power in POWERS)
        self.browser = Client()
        self.browser.force_login(User.objects.get(pk=holders["ENGLAND"] or 0))
        for number in range(2, GAMES):
            begin(people, number, now=timezone.now())
        self.forming = self._ask("POST", "/games", {"world": "Tea", "preset": "daily"})["id"]
        self._deal()
        self._play()
        self._talk()

    def _ask(self, method: str, path: str, body: object, *, partner: bool = False):
        answer = (self.partner if partner else self.program).call(method, path, body)
        assert answer.status_code < 300, (path, answer.content)
        return answer.json()

    def _deal(self) -> None:
        """Make deals, most of which will be judged after phases."""
        path = f"/games/{self.game.slug}/seat"
        clause = {"clause": "peace", "powers": POWERS}
        for number in range(DEALS):
            terms = {"v": 1, "phase": "S1901M", "parties": POWERS, "alternatives": [[clause]]}
            proposal = {"to": ["FRANCE"], "proposal": {"terms": terms}}
            (sent,) = self._ask("POST", f"{path}/messages", proposal)["sent"]
            if number:
                answer = {"with": "ENGLAND", "number": sent["number"], "answer": "accept"}
                self._ask("POST", f"{path}/proposals/answer", answer, partner=True)

    def _play(self) -> None:
        """Play several phases in which everyone orders at random and is ready."""
        done = 0
        while done < PAST or self.game.newest_phase().position.phase.stage is not Stage.MOVEMENT:
            done += 1
            seats = Seat.objects.filter(game=self.game)
            if self.game.newest_phase().position.phase.stage is Stage.MOVEMENT:
                write(self.game, seats, now=timezone.now())
            sequence = self.game.newest_phase().sequence
            for seat in seats:
                slug = {"slug": self.game.slug, "user_id": seat.user_id}
                with suppress(Refused):  # a seat with nothing to order counts as ready
                    set_ready(**slug, sequence=sequence, now=timezone.now())
            advance(game_id=self.game.pk, owner="measure", now=timezone.now)
        self.phase = self.game.newest_phase()
        assert self.phase.position.phase.stage is Stage.MOVEMENT
        posted = write(self.game, Seat.objects.filter(game=self.game), now=timezone.now())
        self.orders = next(texts for seat, texts in posted.items() if seat.power == "ENGLAND")

    def _talk(self) -> None:
        path = f"/games/{self.game.slug}/seat/messages"
        for number in range(MESSAGES):
            sender, reader = POWERS[number % 2], POWERS[1 - number % 2]
            to = [reader] if number % 3 else ["everyone"]
            body = {"to": to, "body": f"Word {number} about Belgium."}
            self._ask("POST", path, body, partner=sender == "FRANCE")


def make_pairs() -> Iterator[Pair]:
    """Yield each call with its page."""
    scene = Scene()
    yield from _list_reads(scene)
    yield from _list_writes(scene)


def _list_reads(scene: Scene) -> Iterator[Pair]:
    game, chart = f"/games/{scene.game.slug}/", f"/maps/{standard_hash()}/"
    of_game = f"/games/{scene.game.slug}"
    for name, path, page in (
        ("me", "/me", "/"),
        ("map", f"/maps/{standard_hash()}", f"{chart}map.json"),
        ("maps", "/maps", "/maps/"),
        ("card", f"/maps/{standard_hash()}/card", chart),
        ("games", "/games", "/games/"),
        ("game", of_game, game),
        ("phases", f"{of_game}/phases", f"{game}phases/1/"),
        ("phase", f"{of_game}/phases/1", f"{game}phases/1/"),
        ("why", f"{of_game}/phases/1/why/0", f"{game}phases/1/why/0/"),
        ("events", f"{of_game}/events", game),
        ("events, newest", f"{of_game}/events?after=now", game),
        ("log", f"{of_game}/log", f"{game}log/"),
        ("centers", f"{of_game}/centers", f"{game}centers/"),
        ("statistics", f"{of_game}/statistics", f"{game}statistics/"),
        ("record", f"{of_game}/record", f"{game}record.jsonl"),
        ("own record", f"{of_game}/seat/record", f"{game}record-and-receipts.jsonl"),
        ("receipts", f"{of_game}/receipts", f"{game}receipts/"),
        ("keys", "/keys", "/keys.json"),
        ("seat", f"{of_game}/seat", game),
        ("seat as text", f"{of_game}/seat?format=text", game),
        ("legal", f"{of_game}/seat/legal", game),
        ("legal rows", f"{of_game}/seat/legal?format=rows", game),
        ("waiting room", f"/games/{scene.forming}/waiting-room", f"/games/{scene.forming}/"),
        ("conversations", f"{of_game}/seat/conversations", f"{game}press/"),
        ("messages", f"{of_game}/seat/messages?with=FRANCE", f"{game}press/FRANCE/"),
        ("public messages", f"{of_game}/seat/messages?with=everyone", f"{game}press/everyone/"),
        ("deals", f"{of_game}/seat/deals", f"{game}press/ledger/"),
        ("conference maps", f"{of_game}/seat/maps", f"{game}maps/"),
        ("inbox", "/me/conversations", "/messages/"),
        ("sent", "/me/sent", "/messages/sent/"),
        ("search", "/me/search?q=belgium", "/messages/search/?q=belgium"),
        ("export", "/me/export", "/messages/export/"),
        ("choices", "/me/choices", "/messages/settings/"),
        ("reports", "/me/reports", "/reports/"),
        ("people", "/people", "/people/"),
        ("person", "/people/person1", "/people/person1/"),
        ("notices", "/me/notices", "/notices/"),
        ("notice settings", "/me/notice-settings", "/notices/settings/"),
        ("destinations", "/me/destinations", "/notices/settings/"),
        ("webhooks", "/me/webhooks", "/notices/settings/"),
    ):
        is_file = name in FILES
        call, show = _ask(scene.program, "GET", path), _visit(scene.browser, page)
        yield Pair(name, page.replace(standard_hash(), "…"), call, show, is_file)


def _list_writes(scene: Scene) -> Iterator[Pair]:
    of_game, sequence = f"/games/{scene.game.slug}", scene.phase.sequence
    body = {"phase": sequence, "orders": scene.orders}
    form = {"phase": sequence, "order": scene.orders}
    yield Pair(
        "save orders",
        "orders/",
        _ask(scene.program, "PUT", f"{of_game}/seat/orders", body),
        _post(scene.browser, f"{of_game}/orders/", form),
    )
    body = {"to": ["FRANCE"], "body": "Still friends?"}
    form = {"to": "FRANCE", "mode": "apart", "body": "Still friends?"}
    yield Pair(
        "send a message",
        "press/send/",
        _ask(scene.program, "POST", f"{of_game}/seat/messages", body),
        _post(scene.browser, f"{of_game}/press/send/", form, keyed=True),
    )
    orders = random_orders(scene.phase.board, scene.phase.position, random.Random(1))
    state = open_position(scene.phase.board, scene.phase.position, orders, scene.game.rules.name)
    board = encode_state(state, scene.phase.board, scene.game.chart.content_hash)
    yield Pair(
        "what-if",
        "maps/draw/",
        _ask(scene.program, "POST", f"{of_game}/seat/what-if", {"board": board}),
        _post(scene.browser, f"{of_game}/maps/draw/", {"board": board, "do": "adjudicate"}),
    )


def _ask(program: Program, method: str, path: str, body: object = None):
    def work() -> None:
        _read(program.call(method, path, body), path)

    return work


def _visit(browser: Client, path: str):
    return lambda: _read(browser.get(path), path)


def _post(browser: Client, path: str, form: dict[str, object], *, keyed: bool = False):
    def work() -> None:
        keys = {"key": secrets.token_hex(16)} if keyed else {}
        # The page that a browser shows after the form is part of the cost.
        _read(browser.post(path, {**form, **keys}, follow=True), path)

    return work


def _read(answer, path: str) -> None:
    """Read the whole response."""
    assert answer.status_code in (200, 303), (path, answer.status_code, answer.content[:500])
    if answer.streaming:
        for _ in answer.streaming_content:
            pass
