"""Web servers and workers leave large libraries to processes that end soon after their work."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import timezone
from tests.games.steps import save

from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.maps.mapmaker_process import MapMakerProcess
from diplomaccloud.worker import rounds

HEAVY = ("numpy", "scipy", "shapely", "typst", "PIL", "resvg_py")
ROOT = Path(__file__).parents[2]
VISIT = """
import json, sys
import pytest
from diplomaccloud.maps.picture_worker import PICTURE_WORKER

PICTURE_WORKER.is_used = True
heavy, *tests = sys.argv[1:]
status = pytest.main(["-q", "-p", "no:cacheprovider", "-n", "0", *tests])
sys.stderr.write(json.dumps([name for name in heavy.split() if name in sys.modules]))
sys.exit(status)
"""


@pytest.mark.long
def test_every_round_finds_work(table, monkeypatch):
    monkeypatch.setattr(MapMakerProcess, "do", lambda *_: False)
    save(table, "alice", "A VIE - GAL")
    now = timezone.now()
    Phase.objects.filter(game=table.game_id).update(opens_at=now, due_at=now, adjudicate_at=now)
    done = {name: kind.task.call() for name, kind in rounds.ROUNDS.items()}
    assert all(done[name] for name in ("clock", "maps", "pictures")), done


@pytest.mark.long
@pytest.mark.one_database
def test_no_page_and_no_task_loads_large_libraries():
    tests = [
        "tests/project/test_every_page.py::test_every_url_can_be_read",
        "tests/project/test_every_page.py::test_every_url_can_be_sent_to",
        f"{Path(__file__).relative_to(ROOT)}::test_every_round_finds_work",
    ]
    done = subprocess.run(
        [sys.executable, "-c", VISIT, " ".join(HEAVY), *tests],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stderr.splitlines()[-1]) == []
