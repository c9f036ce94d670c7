"""Log files of several processes: no line is lost, and the space is bounded."""

import json
import logging
import subprocess
import sys
from collections import Counter

from diplomaccloud.project.logs import OLD_FILES, SharedFileHandler, logging_settings

PROCESSES = 4
LINES = 10_000
FILL = "x" * 2000
"""So that each process writes 20 MB."""
WRITER = f"""
import logging, sys
from pathlib import Path
from diplomaccloud.project.logs import SharedFileHandler

handler = SharedFileHandler(Path(sys.argv[1]), int(sys.argv[2]))
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
    found = write_together(tmp_path / "web.log", total // OLD_FILES)
    assert (tmp_path / f"web.log.{OLD_FILES - 2}").exists()
    assert found == Counter((one, line) for one in range(PROCESSES) for line in range(LINES))


def test_old_files_make_room(tmp_path):
    handler = SharedFileHandler(tmp_path / "web.log", 1000)
    for number in range(3000):
        handler.handle(logging.makeLogRecord({"msg": f"line {number}"}))
    files = list(tmp_path.glob("web.log*"))
    assert len(files) <= OLD_FILES + 1
    assert sum(file.stat().st_size for file in files) < 1100 * (OLD_FILES + 1)
    assert "line 2999\n" in "".join(file.read_text() for file in files)
    handler.close()


def test_a_file_that_was_moved_is_opened_anew(tmp_path):
    path = tmp_path / "web.log"
    handler = SharedFileHandler(path)
    handler.handle(logging.makeLogRecord({"msg": "before"}))
    path.rename(tmp_path / "moved")
    handler.handle(logging.makeLogRecord({"msg": "after"}))
    assert (tmp_path / "moved").read_text() == "before\n"
    assert path.read_text() == "after\n"
    handler.close()


def test_a_full_disk_is_said_once(tmp_path, capsys):
    (tmp_path / "web.log").symlink_to("/dev/full")
    handler = SharedFileHandler(tmp_path / "web.log")
    for _ in range(3):
        handler.handle(logging.makeLogRecord({"msg": "line"}))
    assert capsys.readouterr().err.count("No space left on device") == 1
    handler.close()


LOG = """
import logging.config, sys
from pathlib import Path
from diplomaccloud.project.logs import configure_structlog, logging_settings
import structlog

configure_structlog()
logging.config.dictConfig(logging_settings(None, role="web", level="INFO", console="json"))
structlog.get_logger("somewhere").info("seen", number=7)
"""


def test_the_console_can_have_json_on_standard_output():
    shown = subprocess.run(
        [sys.executable, "-c", LOG], capture_output=True, check=True, text=True
    ).stdout
    line = json.loads(shown)
    assert (line["event"], line["number"], line["level"]) == ("seen", 7, "info")


def test_files_can_be_left_out(tmp_path):
    assert "file" not in logging_settings(None, role="web", level="INFO")["handlers"]
    assert "file" in logging_settings(tmp_path, role="web", level="INFO")["handlers"]
