"""Log files of several processes: no line is lost, and the space is bounded."""

import json
import logging
import os
import subprocess
import sys
from collections import Counter
from contextlib import suppress

import pytest

from diplomaccloud.project.logs import COMMAND, OLD_FILES, logging_settings, make_file_handler

PROCESSES = 4
LINES = 1_000
FILL = "x" * 2000
"""So that each process writes 2 MB."""
WRITER = f"""
import logging, sys
from pathlib import Path
from diplomaccloud.project.logs import make_file_handler

handler = make_file_handler(Path(sys.argv[1]), int(sys.argv[2]))
for number in range({LINES}):
    text = f"{{sys.argv[3]}} {{number}} {FILL}"
    handler.handle(logging.makeLogRecord({{"msg": text}}))
"""


def write_together(path, most_bytes):
    """Let several processes write, and return how often each line was found."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, path, str(most_bytes), str(number)])
        for number in range(PROCESSES)
    ]
    assert [writer.wait() for writer in writers] == [0] * PROCESSES
    found = Counter()
    for file in path.parent.glob(f"{path.name}*"):
        for line in file.read_text().splitlines():
            writer, number, fill = line.split()
            assert fill == FILL
            found[int(writer), int(number)] += 1
    return found


def test_several_processes_lose_no_line_while_they_rotate(tmp_path):
    total = PROCESSES * LINES * (len(FILL) + 8)
    found = write_together(tmp_path / "web.log", total * 11 // 10)
    assert (tmp_path / f"web.log.{OLD_FILES - 2}").exists()
    assert found == Counter((one, line) for one in range(PROCESSES) for line in range(LINES))


def test_old_files_make_room(tmp_path):
    handler = make_file_handler(tmp_path / "web.log", 1000 * (OLD_FILES + 1))
    for number in range(3000):
        handler.handle(logging.makeLogRecord({"msg": f"line {number}"}))
    files = list(tmp_path.glob("web.log*"))
    assert len(files) <= OLD_FILES + 1
    assert sum(file.stat().st_size for file in files) < 1100 * (OLD_FILES + 1)
    assert "line 2999\n" in "".join(file.read_text() for file in files)
    handler.close()


def test_a_file_that_was_moved_is_opened_anew(tmp_path):
    path = tmp_path / "web.log"
    handler = make_file_handler(path, 0)
    handler.handle(logging.makeLogRecord({"msg": "before"}))
    path.rename(tmp_path / "moved")
    handler.handle(logging.makeLogRecord({"msg": "after"}))
    assert (tmp_path / "moved").read_text() == "before\n"
    assert path.read_text() == "after\n"
    handler.close()


def test_a_full_disk_is_said_once(tmp_path, capsys):
    (tmp_path / "web.log").symlink_to("/dev/full")
    handler = make_file_handler(tmp_path / "web.log", 0)
    for _ in range(3):
        handler.handle(logging.makeLogRecord({"msg": "line"}))
    assert capsys.readouterr().err.count("No space left on device") == 1
    with suppress(OSError):
        handler.close()


LOG = """
import logging.config, sys
sys.argv = sys.argv[1:]
from diplomaccloud.project.logs import configure_structlog, find_role, logging_settings
import structlog

configure_structlog()
settings = logging_settings(None, role=find_role(), level="INFO", console="json")
logging.config.dictConfig(settings)
structlog.get_logger("somewhere").info("seen", number=7)
"""


@pytest.mark.parametrize(
    ("words", "stream"),
    [
        ("manage worker", "stdout"),
        ("manage --data /srv/games worker --pause 1", "stdout"),
        ("manage --data=/srv/games mapmaker", "stdout"),
        ("doctor", "stderr"),
        ("manage changepassword worker", "stderr"),
        ("manage --data worker changepassword mapmaker", "stderr"),
    ],
)
def test_services_log_to_standard_output_and_commands_do_not(words, stream):
    command = [sys.executable, "-c", LOG, "diplomaccloud", *words.split()]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    line = json.loads(getattr(done, stream))
    assert (line["event"], line["number"], line["level"]) == ("seen", 7, "info")
    assert done.stdout + done.stderr == getattr(done, stream)


SETTINGS = """
import sys
sys.argv = ["diplomaccloud", "manage", "worker"]
from diplomaccloud.project.settings import LOGGING
print(*LOGGING["handlers"])
"""


@pytest.mark.parametrize(
    ("variables", "handlers"),
    [
        ({}, "console"),
        ({"DIPLOMACCLOUD_PLAY": "1"}, "console file"),
        ({"DIPLOMACCLOUD_PLAY": "1", "DIPLOMACCLOUD_LOG_FILES": "none"}, "console"),
    ],
)
def test_only_play_writes_files(variables, handlers):
    command = [sys.executable, "-c", SETTINGS]
    done = subprocess.run(
        command, capture_output=True, check=True, text=True, env=os.environ | variables
    )
    assert done.stdout.strip() == handlers


def test_a_command_writes_no_file(tmp_path):
    assert "file" not in logging_settings(tmp_path, role=COMMAND, level="INFO")["handlers"]
    assert "file" in logging_settings(tmp_path, role="web", level="INFO")["handlers"]


def test_log_files_do_not_load_the_client_of_redis(tmp_path):
    script = (
        "import sys; from pathlib import Path; from diplomaccloud.project import logs;"
        "logs.make_file_handler(Path(sys.argv[1])); print('redis' in sys.modules)"
    )
    command = [sys.executable, "-c", script, tmp_path / "web.log"]
    assert subprocess.run(command, capture_output=True, check=True, text=True).stdout == "False\n"
