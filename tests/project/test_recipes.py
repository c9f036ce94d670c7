"""The recipes of CONTRIBUTING.md: each is followed in a copy of the tree, and its commands pass.

A step with `told` is also left out, and then the commands must fail and say so.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = (
    "judge",
    "src",
    "extras",
    "tests",
    "docs",
    "scripts",
    "benchmarks",
    "deploy",
    "requirements",
)
SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Recipes\n")[2]
RECIPES = dict(re.findall(r"^\*\*(.+?)\.\*\* (.+?)(?=\n\n|\Z)", SECTION, re.MULTILINE | re.DOTALL))
"""The text of each recipe, by its title."""


@dataclass(frozen=True)
class Step:
    """A new file, or `text` after `after` (or `instead` of it) in a file that exists."""

    path: str
    text: str
    after: str = ""
    instead: str = ""
    told: str = ""

    def apply(self, source: str) -> str:
        if anchor := self.after or self.instead:
            assert source.count(anchor) == 1, (self.path, anchor)
            return source.replace(anchor, self.after + self.text)
        assert not source, self.path
        return self.text


JUDGE = "judge/src/diplomaccloud/judge"
BOTS, GAMES = (f"src/diplomaccloud/{name}" for name in ("bots", "games"))
SWITCH_ROW = """
    Row(
        "yours",
        "one of two builds is waived",
        winter("FRANCE: A SPA H", HOME, "FRANCE", "F BRE B", "WAIVE"),
        {False: "ASPA FBRE", True: "AMAR ASPA FBRE"},
    ),"""
SWITCH_PICTURE = """
    "yours": Switch(
        "Must all builds be used?",
        (Example("A build is waived.", "FRANCE: F BRE B, WAIVE", phase="W1901A", centers=HOME),),
    ),"""
CASE = '''
[[case]]
id = "6.D.36"
title = "Yours"
orders = """
Germany: A BER - PRU
"""
results = { "A BER" = "moved" }
'''
STAGE = '''"""The last stage."""

import numpy as np


def shuffle_palette(palette: tuple[str, ...], rng: np.random.Generator) -> tuple[str, ...]:
    """Return the colors in another order."""
    return tuple(palette[int(n)] for n in rng.permutation(len(palette)))
'''
ACTION = '''"""Waving to the other players."""

import datetime as dt

from diplomaccloud.games.table.lock import lock_game, require_open_phase, require_seat
from diplomaccloud.games.table.log import write_log
from diplomaccloud.games.table.transactions import atomic_with_retries


@atomic_with_retries
def yours(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Wave to the others; the log entry is also an event."""
    game = lock_game(slug)
    require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now, "You did not wave.")
    write_log(game=game, phase=phase, kind="yours", key="yours", text="Hello.", now=now, by=user_id)
'''
READ = '''"""Who has waved."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.table.read import Reader


@dataclass(frozen=True, slots=True)
class Wave:
    """A wave, which everyone who may see the game may see."""

    at: dt.datetime


def read_waves(reader: Reader) -> tuple[Wave, ...]:
    """Return the waves, newest first."""
    entries = reader.rows.game.log.filter(kind="yours").order_by("-pk")
    return tuple(Wave(entry.at) for entry in entries)
'''
PANEL = '''"""The panel with the waves."""

from django.http import HttpRequest

from diplomaccloud.games.table.panels import GamePanel
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.yours.read import read_waves


def present_panel(_request: HttpRequest, reader: Reader) -> GamePanel | None:
    """Return the panel; None in a game that has not started."""
    if reader.phase is None:
        return None
    view = {"waves": read_waves(reader), "game": reader.game, "phase": reader.phase.sequence}
    return GamePanel("yours", "Yours", "i-flag", "games/yours/_yours.html", view)
'''
FEATURE_VIEW = '''"""Waving, as a button of the panel."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from diplomaccloud.games.table.forms import PhaseForm
from diplomaccloud.games.table.views import game_login_required, redirect_with_message
from diplomaccloud.games.yours import actions


@game_login_required
@require_POST
def yours(request: HttpRequest, slug: str) -> HttpResponse:
    """Wave."""
    actions.yours(**PhaseForm.read(request).action(request, slug))
    return redirect_with_message(request, slug, "You have waved.")
'''
PANEL_TEMPLATE = """<p>Waves: {{ panel.waves|length }}</p>
<form method="post" action="{% url 'games:yours' panel.game.slug %}">
  {% csrf_token %}
  <input type="hidden" name="phase" value="{{ panel.phase }}">
  <button class="button">Wave</button>
</form>
"""
FEATURE_TEST = """import pytest
from django.utils import timezone

from diplomaccloud.games.yours.actions import yours


@pytest.mark.parametrize("name", ["alice", "bob", "charlie"])
def test_yours(cast, name):
    yours(slug=cast.slug, user_id=cast.alice, sequence=1, now=timezone.now())
    (panel,) = [
        panel
        for panel in cast.client(name).get(cast.url()).context["panels"]
        if panel.key == "yours"
    ]
    assert len(panel.view["waves"]) == 1


@pytest.mark.parametrize(("name", "status"), [("alice", 303), ("charlie", 403)])
def test_yours_by_a_form(cast, name, status):
    assert cast.client(name).post(cast.url("yours/"), {"phase": 1}).status_code == status
"""
VOTE_ACT = """@carries_out(Question.YOURS)
def _end_yours(decision: Decision) -> None:
    ending = Ending.of((), "canceled")
    text = f"The game ends as yours, by {decision.decided_by}."
    write_log(
        game=decision.game,
        phase=decision.phase,
        kind="ended",
        key=decision.key,
        text=text,
        now=decision.now,
    )
    finish_game(decision.game, ending, decision.now)


"""
VOTE_TEST = """from tests.games.steps import ballot, call_vote, game


def test_yours(cast):
    ballot(cast, "bob", call_vote(cast, "alice", "yours"))
    assert game().status == "finished"
"""
PRESS_ROW = """
    Press.YOURS: {OPEN: (YES, YES, YES), CLOSED: (LATER, YES, YES), OVER: (YES, YES, YES)},"""
VIEW = '''@require_safe
def yours(request: HttpRequest, slug: str) -> HttpResponse:
    """Show your page."""
    return show_page(request, read_game(request, slug), "games/votes/yours.html")


'''
TEMPLATE = """{% extends "games/base.html" %}
{% block title %}Yours · {{ view.header.world }}{% endblock %}
{% block content %}
  {% include "games/page/_header.html" with tab="yours" %}
{% endblock %}
"""
PAGE_TEST = """import pytest


@pytest.mark.parametrize("name", ["alice", "bob", "charlie"])
def test_yours(cast, name):
    assert cast.client(name).get(cast.url("yours/")).status_code == 200
"""
PLAYERS = (ROOT / BOTS / "player.py").read_text("utf-8")
HOLD_BOT = PLAYERS[PLAYERS.index("class HoldBot:") : PLAYERS.index("\n\nclass RandomBot:")]
BOT = f'''"""Your bot."""

import random
from collections.abc import Sequence

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Disband, Hold, Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet


{HOLD_BOT}'''
BOT = BOT.replace("HoldBot", "YourBot").replace('name = "hold"', 'name = "yours"')

STEPS = {
    "Add a public name to the judge": [
        Step(
            f"{JUDGE}/public.py",
            "\nfrom diplomaccloud.judge.phases import Stage as Stage",
            after="from diplomaccloud.judge.phases import Phase as Phase",
        ),
        Step(
            "docs/library.md",
            "\n| `Stage` | a stage |",
            after="| `UnitKind` | `UnitKind.ARMY` or `UnitKind.FLEET`, the `kind` of a unit |",
            told="docs/library.md: Stage",
        ),
        Step(
            "docs/api.md",
            "\n\n.. autoclass:: diplomaccloud.judge.Stage",
            after=".. autoclass:: diplomaccloud.judge.Power",
            told="docs/api.md: Stage",
        ),
        Step(
            "docs/examples/every_name.py",
            "\n    print(phase.stage is judge.Stage.MOVEMENT)",
            after="    phase: judge.Phase = position.phase",
            told="docs/examples/every_name.py: Stage",
        ),
    ],
    "Add a rule switch": [
        Step(
            f"{JUDGE}/rules.py",
            '\n    yours: bool = False\n    """4.D.7: builds cannot be waived."""',
            after='"""4.D.7: if false, a power that orders any build gets armies for the missing '
            'builds."""',
        ),
        Step(
            f"{JUDGE}/adjustments.py",
            "    if (rules.yours or not rules.may_waive) and orders:",
            instead="    if not rules.may_waive and orders:",
        ),
        Step(f"{JUDGE}/kernel/supported_rules.py", '\n    "yours",', after='\n    "may_waive",'),
        Step(
            "judge/tests/switches/choosing.py",
            SWITCH_ROW,
            after='{True: "ASPA FBRE", False: "AMAR ASPA FBRE"},\n    ),',
            told="AssertionError: yours",
        ),
        Step(
            "docs/rules.md",
            "| 4.D.7 all builds | `yours` | no | yes | none |\n",
            after="the 2000 and 2023 rulebooks |\n",
            told="docs/rules.md: yours",
        ),
        Step(
            "docs/site/order_examples.py",
            SWITCH_PICTURE,
            after="CHOOSING = {",
            told="docs/site: yours",
        ),
        Step(
            "src/diplomaccloud/record/record.schema.json",
            '\n        "yours": {"type": "boolean"},',
            after='"may_waive": {\n          "type": "boolean"\n        },',
            told="test_the_record_knows_every_switch",
        ),
    ],
    "Add a page to the documentation": [
        Step("docs/yours.md", "# Yours\n\n```python\n>>> 1 + 1\n2\n>>> 1\n1\n>>> 2\n2\n\n```\n"),
        Step("docs/index.md", "\nyours", after="\nnotation", told="yours"),
        Step(
            "tests/project/test_pages_of_docs.py",
            '\n    "yours",',
            after="\nPAGES = (",
            told="test_the_examples_of_every_page_are_tested",
        ),
    ],
    "Add a DATC case": [
        Step("judge/tests/datc/6.d.toml", CASE, after='"A ARM" = "moved"\n"A SMY" = "given"\n'),
        Step("judge/tests/test_datc.py", '"D": 36', instead='"D": 35', told="6.D.36"),
        Step(
            "judge/tests/datc/words.txt",
            "6.D.36: A BER succeeds\n",
            after="A ARM succeeds; A SMY given\n",
            told="6.D.36",
        ),
    ],
    "Add a map stage": [
        Step("src/diplomaccloud/atlas/generator/yours.py", STAGE),
        Step(
            "src/diplomaccloud/atlas/generator/pipeline.py",
            "\nfrom diplomaccloud.atlas.generator.yours import shuffle_palette",
            after="from diplomaccloud.atlas.generator.random_streams import random_stream",
        ),
        Step(
            "src/diplomaccloud/atlas/generator/pipeline.py",
            '\n    palette = shuffle_palette(palette, random_stream(spec.key, "yours"))',
            after='    palette = choose_palette(spec.players, random_stream(spec.key, "colours"))',
        ),
        Step(
            "src/diplomaccloud/atlas/generator/assembly.py",
            'VERSION = "generator 11"',
            instead='VERSION = "generator 10"',
        ),
    ],
    "Add a feature to a game": [
        Step(f"{GAMES}/yours/__init__.py", '"""Waving."""\n'),
        Step(f"{GAMES}/yours/actions.py", ACTION),
        Step(f"{GAMES}/yours/read.py", READ),
        Step(f"{GAMES}/yours/page.py", PANEL),
        Step(f"{GAMES}/yours/views.py", FEATURE_VIEW),
        Step(f"{GAMES}/templates/games/yours/_yours.html", PANEL_TEMPLATE),
        Step(
            f"{GAMES}/urls.py",
            "\nfrom diplomaccloud.games.yours import views as yours",
            after="\nfrom diplomaccloud.games.votes import views as votes",
        ),
        Step(
            f"{GAMES}/urls.py",
            '\n    path("<game:slug>/yours/", yours.yours, name="yours"),',
            after='    path("<game:slug>/", page.detail, name="detail"),',
        ),
        Step(
            "src/diplomaccloud/project/settings.py",
            '\n    "diplomaccloud.games.yours.page.present_panel",',
            after='    "diplomaccloud.press.chronicle.views.present_panel",',
        ),
        Step("pyproject.toml", " : yours", after=": statistics : turn : votes", told="yours"),
        Step(
            "pyproject.toml",
            '\n    "diplomaccloud.games.yours",',
            after='\n    "diplomaccloud.games.votes",',
        ),
        Step(
            "tests/games/table/test_lock_order.py",
            '\n    "yours": player,',
            after='    "resign": person,',
            told="'yours'",
        ),
        Step("tests/games/yours/test_yours.py", FEATURE_TEST),
    ],
    "Add a vote": [
        Step(f"{GAMES}/votes/wording.py", '\n    YOURS = "yours"', after='    CANCEL = "cancel"'),
        Step(
            f"{GAMES}/votes/wording.py",
            "Question.CONCEDE, Question.CANCEL, Question.YOURS)",
            instead="Question.CONCEDE, Question.CANCEL)",
        ),
        Step(
            f"{GAMES}/votes/wording.py",
            '\n    Question.YOURS: "End the game as yours",',
            after='    Question.CANCEL: "Cancel the game",',
            told="yours: sentence",
        ),
        Step(
            f"{GAMES}/votes/page.py",
            '\n    Question.YOURS: "End the game as yours",',
            after='    Question.CANCEL: "Cancel the game without a winner",',
            told="yours: label",
        ),
        Step(
            f"{GAMES}/votes/actions.py",
            VOTE_ACT + "def find_unwilling(",
            instead="def find_unwilling(",
            told="yours: act",
        ),
        Step(
            "src/diplomaccloud/api/votes.py",
            '"cancel", "yours", "extend"',
            instead='"cancel", "extend"',
            told="yours: API",
        ),
        Step("tests/games/votes/test_yours.py", VOTE_TEST),
    ],
    "Add a rule of press": [
        Step(
            f"{GAMES}/table/options.py", '\n    YOURS = "yours"', after='    RULEBOOK = "rulebook"'
        ),
        Step(
            "src/diplomaccloud/press/table/rules.py",
            "\n    Press.YOURS: {Moment.OPEN: _ALL, Moment.CLOSED: _PUBLIC, Moment.OVER: _ALL},",
            after="    Press.RULEBOOK: {Moment.OPEN: _ALL, Moment.CLOSED: _NONE, "
            "Moment.OVER: _ALL},",
            told="yours: table",
        ),
        Step(
            f"{GAMES}/creation/forms.py",
            '\n            Press.YOURS: "Yours: during other phases only to everyone",',
            after='            Press.NONE: "None",',
            told="yours: choice",
        ),
        Step(
            f"{GAMES}/creation/page.py",
            '\n    Press.YOURS: "During retreats and builds, players may write only to everyone.",',
            after='    Press.NONE: "Players may not write to each other.",',
            told="yours: sentence",
        ),
        Step(
            "docs/http-api.md",
            "`rulebook`, `yours` or `none`",
            instead="`rulebook` or `none`",
            told="yours: docs/http-api.md",
        ),
        Step(
            "tests/press/table/test_rules.py",
            PRESS_ROW,
            after="    Press.RULEBOOK: {OPEN: (YES, YES, YES), CLOSED: (LATER, LATER, LATER), "
            "OVER: (YES, YES, YES)},",
        ),
    ],
    "Add a page": [
        Step(
            f"{GAMES}/votes/views.py",
            "import require_POST, require_safe",
            instead="import require_POST",
        ),
        Step(
            f"{GAMES}/votes/views.py",
            VIEW + "def _describe_result(",
            instead="def _describe_result(",
        ),
        Step(
            f"{GAMES}/urls.py",
            '\n    path("<game:slug>/yours/", votes.yours, name="yours"),',
            after='    path("<game:slug>/", page.detail, name="detail"),',
        ),
        Step(f"{GAMES}/templates/games/votes/yours.html", TEMPLATE),
        Step("tests/games/votes/test_yours.py", PAGE_TEST),
    ],
    "Add a bot": [
        Step(f"{BOTS}/yours.py", BOT),
        Step(
            f"{BOTS}/__init__.py",
            "\nfrom diplomaccloud.bots.yours import YourBot",
            after="from diplomaccloud.bots.search import SearchBot",
        ),
        Step(
            f"{BOTS}/__init__.py",
            "HoldBot(), YourBot())",
            instead="HoldBot())",
        ),
        Step(
            f"{BOTS}/negotiation.py",
            '\n    "yours": reply_holding,',
            after='    "hold": reply_holding,',
            told="test_every_bot_answers_proposals",
        ),
        Step(
            "docs/http-api.md",
            "`random`, `hold` or `yours`.",
            instead="`random` or `hold`.",
            told="test_the_guide_names_every_bot",
        ),
    ],
    "Change how a bot plays": [
        Step(f"{BOTS}/greedy.py", "\n# The same as before.\n", after="import random"),
    ],
    "Add a setting": [
        Step(
            "src/diplomaccloud/project/settings.py",
            "\nYOURS = variables.YOURS.read()",
            after="DEBUG = variables.DEBUG.read()",
        ),
        Step(
            "src/diplomaccloud/project/variables.py",
            'YOURS: Final = Setting("YOURS", FLAG, "1 for yours.", "1", "0")\n',
            after='_URL: Final = "URL"\n',
            told="YOURS",
        ),
    ],
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the tree that is a repository of its own, with the environment of this one."""
    if not shutil.which("git"):
        pytest.skip("git is missing")
    tree = tmp_path_factory.mktemp("tree")
    for name in COPIED:
        shutil.copytree(
            ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":  # the file that makes a worktree of another
            shutil.copy2(path, tree)
    (tree / ".venv").mkdir()
    for path in Path(sys.prefix).iterdir():
        if path.name != ".diplomaccloud":
            (tree / ".venv" / path.name).symlink_to(path)
    stamp = "(VENV / '.diplomaccloud').write_text(_fingerprint('check'))"
    code = f"from environment import VENV, _fingerprint; {stamp}"
    subprocess.run([sys.executable, "-c", code], cwd=tree / "scripts", check=True)
    run_git(tree, "init -q -b main")
    run_git(tree, "add -A")
    run_git(tree, "-c user.name=A -c user.email=a@games.example commit -q -m A")
    return tree


@contextmanager
def followed(tree, steps):
    """Take the steps in the tree, and undo them and whatever the commands wrote."""
    for step in steps:
        path = tree / step.path
        path.parent.mkdir(exist_ok=True)
        path.write_text(step.apply(path.read_text("utf-8") if path.exists() else ""), "utf-8")
    try:
        yield
    finally:
        run_git(tree, "reset -q --hard")
        run_git(tree, "clean -q -f -d")


def run_git(tree, arguments):
    """Run Git in the tree, and never in the repository around the tests."""
    folder = [f"--git-dir={tree / '.git'}", f"--work-tree={tree}"]
    subprocess.run(["git", *folder, *arguments.split()], cwd=tree, check=True)


def find_commands(title):
    """Return the commands behind "Run" in a recipe."""
    text = " ".join(RECIPES[title].split())
    sentences = re.findall(r"Run ((?:`[^`]+`|[^`.])+)\.", text)
    spans = re.findall(r"`([^`]+)`", " ".join(sentences))
    return [span for span in spans if span.startswith((".venv/bin/", "./check ", "scripts/"))]


def run(tree, title):
    """Run the commands of a recipe; return those that fail, and all output."""
    ours = ("PYTEST_", "PYTHON", "DJANGO_", "DIPLOMACCLOUD_", "DATABASE_URL", "GIT_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    path = os.pathsep.join([str(tree / ".venv" / "bin"), os.environ["PATH"]])
    sources = [tree / "src", tree / "judge" / "src", *tree.glob("extras/*/src")]
    failed, output = [], ""
    for command in find_commands(title):
        done = subprocess.run(
            shlex.split(command),
            cwd=tree,
            env=kept | {"PYTHONPATH": ":".join(map(str, sources)), "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        failed += [command] * bool(done.returncode)
        output += done.stdout
    return failed, output


def test_every_recipe_is_followed_and_has_a_command():
    assert list(STEPS) == list(RECIPES)
    assert [title for title in RECIPES if not find_commands(title)] == []


@pytest.mark.long
@pytest.mark.parametrize("title", [title for title in STEPS if title != "Add a map stage"])
def test_a_recipe_can_be_followed_and_a_step_left_out_is_told(tree, title):
    steps = STEPS[title]
    with followed(tree, steps):
        failed, output = run(tree, title)
        assert failed == [], output
    if told := [step.told for step in steps if step.told]:
        with followed(tree, [step for step in steps if not step.told]):
            failed, output = run(tree, title)
        assert failed
        assert [text for text in told if text not in output] == [], output


@pytest.mark.long
def test_the_hashes_that_a_map_stage_needs_are_printed(tree):
    title = "Add a map stage"
    with followed(tree, STEPS[title]):
        failed, output = run(tree, title)
        assert failed
        path = tree / "tests" / "atlas" / "test_generator.py"
        text = path.read_text("utf-8")
        for old, new in re.findall(r"- (\w{64})\nE +\+ (\w{64})\n", output):
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
        failed, output = run(tree, title)
        assert failed == [], output
