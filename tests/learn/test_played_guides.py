"""Guides that lead through something are played: what is bold there is on the pages, too."""

import html
import re
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.steps import due, game, phase, save
from tests.press.conftest import talking  # noqa: F401 - a fixture
from tests.press.moderation.test_reports import INSULT

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import suspend_game
from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.press.moderation.models import Case, Decision

pytestmark = [pytest.mark.django_db, pytest.mark.long]

DOCS = Path(__file__).parents[2] / "docs"
_SCRIPTS = re.compile(r"<(script|style|svg)\b.*?</\1>", re.DOTALL)
_TAGS = re.compile(r"<[^>]*>")
REASON = "A good reason."


class Reader(Browser):
    """A browser that remembers every text that it has shown, between two tags."""

    def __init__(self, client=None, seen=None):
        super().__init__(client)
        self.seen = set() if seen is None else seen

    @property
    def text(self):
        """The page's source."""
        source = super().text
        for piece in _TAGS.split(_SCRIPTS.sub("", source)):
            self.seen.add(" ".join(html.unescape(piece).split()))
        return source

    def look(self, path):
        """Open a page and read it."""
        self.open(path)
        assert self.shown.status_code == 200, path
        return self.text

    def press(self, action, **values):
        """Send a form of the page, and read the next one."""
        status = self.send(action, **values)
        assert status in (200, 302, 303), (action, status)
        return self.text

    def answer(self, **values):
        """Send the page's own form to the page itself, and read the next one."""
        self._answer = self.client.post(self.shown.request["PATH_INFO"], values)
        assert self._answer.status_code == 303
        return self.text


class Guide:
    """A guide by its sections; each is played once, and its words in bold are found there."""

    def __init__(self, name):
        text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
        self.sections = dict(zip(parts[1::2], parts[2::2], strict=True))
        assert 600 <= len(text.split()) <= 1200

    def finish(self, title, *readers):
        """Compare a section with what its readers have seen, and forget both."""
        seen = set().union(*(reader.seen for reader in readers))
        bold = re.findall(r"\*\*(.+?)\*\*", self.sections.pop(title), re.DOTALL)
        named = {" ".join(word.split()) for word in bold if not word.endswith(".")}
        assert named - seen == set(), title
        for reader in readers:
            reader.seen.clear()

    def close(self, *titles):
        """Check that every section was played, apart from `titles`, which name nothing."""
        assert set(self.sections) == set(titles)
        assert not [title for title in titles if "**" in self.sections[title]]


def work(table, charlie):
    charlie.look(table.url("rules/"))
    assert 'id="master-powers"' in charlie.text
    charlie.look(table.url("master/"))


def extend(table, charlie):
    before = phase().due_at
    charlie.look(table.url("master/"))
    charlie.press("/master/time/", where={"question": "extend"}, reason=REASON)
    assert phase().due_at > before


def pause(table, charlie):
    charlie.look(table.url("master/"))
    charlie.press("/master/time/", where={"question": "pause"}, reason=REASON)
    save(table, "alice", "A VIE - GAL")  # players can still order
    charlie.look(table.url("master/"))
    charlie.press("/master/time/", where={"question": "resume"}, reason=REASON)
    assert LogEntry.objects.order_by("-pk")[0].kind == "resumed"


def preview(table, charlie):
    charlie.look(table.url("master/"))
    charlie.press("/master/preview/", reason=REASON)
    assert "A VIE - GAL" in charlie.text
    assert phase().sequence == 1


def end_phase(table, charlie):
    charlie.look(table.url("master/"))
    charlie.press("/master/end-phase/", reason=REASON)
    assert phase().sequence == 2


def reprimand(table, charlie):
    charlie.look(table.url("master/"))
    charlie.press("/master/reprimand/", power="TURKEY", reason=REASON)
    assert REASON in charlie.look(table.url("log/"))


def replace(table, charlie):
    charlie.look(table.url("master/"))
    removal = table.url("master/remove/")
    charlie.press("/master/reprimand/", to=removal, power="TURKEY", reason=REASON)
    assert Seat.objects.get(power="TURKEY").user is None
    charlie.look(table.url("master/"))
    charlie.press("/bot/", reason=REASON)
    assert Seat.objects.get(power="TURKEY").bot


def roll(table, charlie):
    charlie.look(table.url("master/"))
    charlie.press("/master/roll-back/", reason=REASON)
    assert (phase().sequence, str(phase().position.phase)) == (3, "S1901M")
    charlie.look(table.url("master/"))
    charlie.press("/master/roll-forward/", reason=REASON)
    assert str(phase().position.phase) == "F1901M"


def resume(table, charlie):
    suspend_game(game_id=table.game_id, reason="a fault", now=timezone.now())
    charlie.look(table.url("master/"))
    charlie.press("/master/resume/", reason=REASON)
    assert game().suspended_reason == ""


def ask(table, charlie):
    Game.objects.update(master_id=table.charlie)
    Seat.objects.filter(power="ITALY").update(bot="", user=table.charlie)
    Seat.objects.filter(power="TURKEY").update(bot="", user=table.bob)
    charlie.look(table.url("master/"))
    charlie.press("/master/time/", where={"question": "extend"}, reason=REASON)
    assert Vote.objects.get().open
    charlie.look(table.url("master/"))


MASTERS_WORK = {
    "Where you work": work,
    "More time": extend,
    "A pause": pause,
    "Look before the turn is processed": preview,
    "End a phase early": end_phase,
    "A word with a player": reprimand,
    "Replace a player": replace,
    "Back, and forward again": roll,
    "A suspended game": resume,
    "If you play, too": ask,
}


def test_the_guide_for_game_masters(table):
    guide, charlie = Guide("game-masters"), Reader(table.client("charlie"))
    for title, act in MASTERS_WORK.items():
        act(table, charlie)
        guide.finish(title, charlie)
    guide.close()


def test_the_guide_for_moderators(talking):  # noqa: F811
    for name in ("Mina", "Mo"):
        User.objects.create(username=name, moderator=True)
    Game.objects.update(master=None)
    talking.send("ITALY", "FRANCE", INSULT)

    def log_in(who):
        client = Client()
        client.force_login(User.objects.get(pk=talking.user_id(who)))
        return Reader(client)

    guide = Guide("first-case")
    france, italy = log_in("FRANCE"), log_in("ITALY")
    conversation = f"/games/{talking.slug}/press/ITALY/"
    assert f"{conversation}1/report/" in france.look(conversation)
    france.look(f"{conversation}1/report/")
    france.answer(grounds="abuse", note="Please help.")
    france.look("/reports/")
    guide.finish("The report", france)

    case = Case.objects.get()
    first = log_in(case.assigned_to.username)
    second = log_in("Mo" if case.assigned_to.username == "Mina" else "Mina")
    page = f"/moderation/{case.key}/"
    assert page in first.look("/moderation/")
    first.look(page)
    first.press("/take/")
    first.look(page)
    guide.finish("Take the case", first)

    first.look(page)
    assert INSULT in first.text
    guide.finish("Read the evidence", first)

    first.press("/inspect/", what="conversation", reason=REASON)
    assert INSULT in first.text
    guide.finish("More than the evidence", first)

    first.look(page)
    first.press("/decide/", outcome="limited", days="3", reason=REASON)
    assert REASON in italy.look("/reports/")
    assert talking.name_of("FRANCE") not in italy.text
    france.look("/reports/")
    guide.finish("Decide", first, france)

    italy.look("/reports/")
    italy.look(f"/reports/{case.key}/appeal/")
    italy.answer(text="It was a joke.")
    assert page in second.look("/moderation/")
    second.look(page)
    second.press("/take/")
    offered = {
        value
        for form in second.forms("/decide/")
        for one in form.controls
        if one.name == "outcome"
        for value in one.offered
    }
    assert offered == {"none", "warning", "limited"}
    second.press("/decide/", outcome="warning", reason="It was one word.")
    assert "is limited until" not in italy.look("/reports/")
    assert list(Decision.objects.order_by("pk").values_list("outcome", flat=True)) == [
        "limited",
        "warning",
    ]
    guide.finish("The appeal", italy, second)

    assert REASON in first.look("/moderation/log/")
    guide.finish("What stays", first)
    guide.close()


def test_the_guide_for_the_first_week(forming):
    guide, reader = Guide("first-week"), Reader()
    reader.look("/learn/")
    reader.look(re.search(r'href="(/learn/[a-z-]+/1/)"', reader.text)[1])
    guide.finish("Day 1: the lessons", reader)

    reader.look("/learn/first-game/")
    reader.press("/first-game/start/", country="FRANCE")
    assert "Spring 1901" in reader.text
    reader.look("/learn/")
    guide.finish("Day 2: a game with a coach", reader)

    reader.look("/")
    reader.look("/games/quick/?map=standard&choose=1")
    reader.press("/games/quick/")
    assert '<form id="orders"' in reader.text
    guide.finish("Day 3: against bots", reader)

    reader.look("/games/")
    reader.look("/accounts/signup/")
    reader.press("/accounts/signup/", username="Dora", password1="correct horse 7", website="")
    dora = User.objects.get(username="Dora")
    reader.look("/games/")
    reader.look("/notices/settings/")
    assert "Rules" in reader.look(forming.url())
    reader.press("/join/")
    assert Seat.objects.filter(game=forming.game_id, user=dora).exists()
    reader.press("/ready-to-start/", button=("ready", "1"))
    guide.finish("Day 4: a game with people", reader)

    start_game(slug=forming.slug, user_id=forming.alice, now=timezone.now())
    advance(game_id=forming.game_id, owner="test", now=timezone.now())
    reader.look(forming.url())
    reader.look(forming.url("press/"))
    guide.finish("Day 5: letters", reader)

    reader.look(forming.url())
    guide.finish("Day 6: when life comes between", reader)

    due(forming)
    reader.look(forming.url("phases/1/"))
    guide.finish("Day 7: look back", reader)
    guide.close()
