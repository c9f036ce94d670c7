"""The import contracts hold, and a planted breach of each is found."""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TREES = (ROOT, ROOT / "judge", *ROOT.glob("extras/*"))
SOURCES = [str((tree / "src").relative_to(ROOT)) for tree in TREES]
LINT = Path(sys.executable).with_name("lint-imports")
BREACHES = [
    ("judge/units.py", "django", "No framework and no network"),
    ("atlas/setups.py", "socket", "No framework and no network"),
    ("judge/orders.py", "numpy", "nothing but the standard library"),
    ("judge/board.py", "diplomaccloud.judge.units", "Inside the judge"),
    ("judge/units.py", "diplomaccloud.bots.player", "one way"),
    ("deals/terms.py", "diplomaccloud.deals.ledger", "Inside the deals"),
    ("deals/terms.py", "diplomaccloud.bots.player", "one way"),
    ("deals/breaches.py", "django", "No framework and no network"),
    ("sandbox/engine.py", "django", "No framework and no network"),
    ("sandbox/engine.py", "diplomaccloud.sandbox.address", "Inside the sandbox"),
    ("sandbox/situation.py", "diplomaccloud.sandbox.page", "Inside the sandbox"),
    ("sandbox/explanation.py", "diplomaccloud.games.table.errors", "one way"),
    ("record/chain.py", "sqlite3", "No framework and no network"),
    ("record/chain.py", "diplomaccloud.record.lines", "Inside the record"),
    ("bots/player.py", "diplomaccloud.record.chain", "one way"),
    ("games/page/views.py", "diplomaccloud.games.table.models", "know no rows"),
    ("games/votes/page.py", "diplomaccloud.games.votes.models", "know no rows"),
    ("pages/views.py", "diplomaccloud.games.table.log_models", "Rows of games"),
    ("notices/outbox.py", "diplomaccloud.notices.consumer", "Inside notices"),
    ("press/table/addresses.py", "diplomaccloud.notices.kinds", "one way"),
    ("games/results/read.py", "diplomaccloud.games.results.page", "What reads games"),
    ("games/table/read.py", "diplomaccloud.games.votes.read", "features stand on the table"),
    ("games/votes/views.py", "diplomaccloud.games.page.page", "features stand on the table"),
    ("games/votes/read.py", "diplomaccloud.games.orders.read", "imports no other feature"),
    ("games/table/read.py", "diplomaccloud.games.table.log", "What reads games"),
    ("games/results/actions.py", "diplomaccloud.games.results.read", "What changes games"),
    ("games/page/views.py", "diplomaccloud.press.table.addresses", "one way"),
    ("games/results/page.py", "diplomaccloud.games.table.log", "Pages of games change"),
    ("games/seats/forms.py", "diplomaccloud.games.seats.actions", "Forms of games read"),
    ("games/results/read.py", "diplomaccloud.press.table.rules", "one way"),
    ("api/tokens.py", "diplomaccloud.api.auth", "Inside the API"),
    ("api/votes.py", "diplomaccloud.api.orders", "Inside the API"),
    ("press/urls.py", "diplomaccloud.api.tokens", "one way"),
    ("mcp/tools.py", "diplomaccloud.mcp.command", "Inside the tools for language"),
    ("remote/player.py", "diplomaccloud.remote.command", "Inside the bots on other"),
    ("daide/player.py", "diplomaccloud.games.table.errors", "Extras that play without the site"),
    ("daide/table.py", "diplomaccloud.daide.site.play", "Inside DAIDE"),
    ("daide/site/play.py", "diplomaccloud.daide.site.press", "The site part of DAIDE"),
    ("slack/links.py", "diplomaccloud.slack.commands", "Inside Slack"),
    ("ladder/ratings.py", "diplomaccloud.ladder.views", "Inside the ladder"),
    ("project/urls.py", "diplomaccloud.slack.views", "one way"),
    ("client/call.py", "pydantic", "The client needs httpx"),
    ("client/retries.py", "diplomaccloud.judge.units", "one way"),
    ("client/values.py", "diplomaccloud.client.client", "Inside the client"),
    ("press/table/rules.py", "diplomaccloud.press.conversations.read", "The rooms of press"),
    ("press/maps/read.py", "diplomaccloud.press.page.page", "The rooms of press"),
    ("press/maps/content.py", "diplomaccloud.press.documents.read", "The rooms of press"),
    ("press/chronicle/read.py", "diplomaccloud.press.proposals.read", "Features of press"),
    ("press/reports/read.py", "diplomaccloud.press.inbox.read", "Features of press"),
    ("press/openings/page.py", "diplomaccloud.press.openings.views", "Inside a room of press"),
    ("press/personal/actions.py", "diplomaccloud.press.personal.read", "Inside a room of press"),
    ("press/table/text.py", "diplomaccloud.press.table.rules", "Inside the table of press"),
    ("press/table/state.py", "diplomaccloud.press.table.periods", "Inside the table of press"),
    (
        "press/conversations/views.py",
        "diplomaccloud.press.table.models",
        "Pages of press touch no rows",
    ),
    ("press/page/forms.py", "diplomaccloud.games.models", "Pages of press touch no rows"),
    ("press/ledger/page.py", "diplomaccloud.press.proposals.actions", "Pages and reads of press"),
    ("press/news/read.py", "diplomaccloud.press.table.actions", "Pages and reads of press"),
    (
        "press/maps/actions.py",
        "diplomaccloud.press.conversations.page",
        "Reads and actions of press",
    ),
    ("press/ledger/actions.py", "diplomaccloud.press.proposals.read", "Actions of press read"),
    ("worker/worker.py", "diplomaccloud.press.models", "Rows of press"),
    ("press/table/wording.py", "diplomaccloud.press.table.models", "Rows of press"),
]


def find_source(file):
    """Return the path of a module in a checkout."""
    paths = [f"{source}/diplomaccloud/{file}" for source in SOURCES]
    return next(path for path in paths if (ROOT / path).exists())


@pytest.fixture(scope="module")
def broken_contracts(tmp_path_factory):
    """What is reported of a copy with every breach: the text under each broken contract's name."""
    tree = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", tree)
    ignored = shutil.ignore_patterns("*.pyc", "static", "fonts")
    for source in SOURCES:
        shutil.copytree(ROOT / source, tree / source, ignore=ignored)
    for file, imported, _ in BREACHES:
        with (tree / find_source(file)).open("a") as module:
            module.write(f"\nimport {imported}\n")
    # Without `site`, which would add this checkout to the folders of the package.
    paths = [*(tree / source for source in SOURCES), sysconfig.get_path("purelib")]
    done = subprocess.run(
        [sys.executable, "-S", str(LINT), "--no-cache", "--config", str(tree / "pyproject.toml")],
        cwd=tree / "src",
        env={"PYTHONPATH": ":".join(map(str, paths))},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    _, _, report = done.stdout.partition("Broken contracts")
    return re.split(r"\n(?=[^\n]+\n-{3,}\n)", report)


@pytest.mark.parametrize(("file", "imported", "contract"), BREACHES)
def test_a_planted_import_breaks_its_contract(broken_contracts, file, imported, contract):
    importer = "diplomaccloud." + file.removesuffix(".py").replace("/", ".")
    (section,) = [text for text in broken_contracts if contract in text.splitlines()[0]]
    assert re.search(rf"{re.escape(f'{importer} -> {imported}')}\b", section)


def test_only_modules_that_read_use_the_rows_of_a_reader():
    """Every other module gets values: a row could show what a viewer must not see."""
    readers = re.compile(r"\breader\.rows\b|\bReader\([^()]*\)\.rows\b")
    package = ROOT / "src" / "diplomaccloud"
    modules = [
        path for area in ("games", "press", "api") for path in (package / area).rglob("*.py")
    ]
    uses = {path for path in modules if readers.search(path.read_text())}
    assert {path.name for path in uses} == {"read.py"}


@pytest.mark.parametrize("app", ["games", "press"])
def test_templates_scripts_and_styles_stand_in_folders_of_rooms(app):
    package = ROOT / "src" / "diplomaccloud" / app
    rooms = {path.name for path in package.iterdir() if any(path.glob("*.py"))}
    for folder in (package / "templates" / app, package / "static" / app):
        stray = {path.name for path in folder.iterdir()} - rooms
        assert stray <= {"base.html", "table.html"}
