"""The documents for hosts can be typed word by word: `scripts/fresh-machine --guide` reads them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import guide  # noqa: E402
import guide_containers  # noqa: E402

TEXT = """# A page

    first PASSWORD

<!-- run: server celery -->

    echo 'PASSWORD' \\
        more
    second

Prose.
    not a block
<!-- not run: it needs a printer -->

    print

<!-- file: /etc/cron.d/site -->
<!-- run: all -->

    0 3 * * * root x
"""


def test_comments_say_what_to_do_with_a_block():
    first, second, third, fourth = guide.read_blocks("page.md", TEXT)
    assert (first.place, first.text) == ("page.md:3", "first PASSWORD")
    assert [way for way in guide.WAYS if first.belongs_to(way)] == [*guide.WAYS]
    assert second.text == "echo 'PASSWORD' \\\n    more\nsecond"
    assert [way for way in guide.WAYS if second.belongs_to(way)] == [
        "server",
        "nginx",
        "postgresql",
        "celery",
    ]
    assert third.excuse == "it needs a printer"
    assert (fourth.file, fourth.names) == ("/etc/cron.d/site", {"all"})
    assert (fourth.excuse, second.file) == ("", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- run: sever -->", "p.md:1: no way is named sever"),
        ("<!-- file: /x -->\n\nProse.", "p.md:3: the comment before has no code block"),
    ],
)
def test_a_comment_with_a_fault_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        guide.read_blocks("p.md", text)


def test_a_command_keeps_the_lines_that_continue_it():
    assert guide.split_commands("a \\\n  b\n\nc # d") == ["a \\\n  b", "c # d"]


def test_only_examples_are_replaced():
    typed = guide.replace_examples("export DATABASE_PASSWORD=PASSWORD; x PASSWORD 'PASSWORD'")
    assert typed == "export DATABASE_PASSWORD={0}; x PASSWORD '{0}'".format("correct-horse-7")
    assert guide.replace_examples("https://games.example.org/") == "https://games.local/"


def test_dates_move_to_the_days_to_come():
    typed = guide.replace_examples("--maintenance 2026-12-20T22:00 --until 2026-12-21").split()
    start, _, end = typed[1:]
    assert guide.datetime.now().isoformat() < start < end


def test_an_editor_changes_what_its_block_is_about():
    """The second block that edits the settings goes on with what the first one left."""
    for name in ("server", "postgresql"):
        (block,) = guide.read_blocks(
            "p.md", f"<!-- run: {name} -->\n\n    $EDITOR {guide.SETTINGS}\n"
        )
        assert f"export EDITS={name}" in guide.write_driver([block]).splitlines()
    settings = (ROOT / "deploy" / "systemd" / "diplomaccloud.env").read_text("utf-8")
    for name, setting in (
        ("server", "#DIPLOMACCLOUD_EMAIL_URL="),
        ("postgresql", "DIPLOMACCLOUD_DATABASE_URL=postgresql://site:"),
        ("celery", "DIPLOMACCLOUD_BROKER_URL=redis://127.0.0.1:6379/0"),
    ):
        for pattern, value in guide.EDITS[name][guide.SETTINGS]:
            settings, changes = re.subn(pattern, value, settings)
            assert changes
        assert f"\n{setting}" in settings


def test_a_command_that_serves_runs_beside_the_next_ones():
    (block,) = guide.read_blocks("p.md", "\n    ./play --host 0.0.0.0\n    doctor\n")
    steps = guide.write_driver([block]).splitlines()
    assert "serve p.md:2 './play --host 0.0.0.0' 0" in steps
    assert "type_line p.md:3 doctor '0 1'" in steps


def test_the_documents_can_be_typed():
    blocks = guide.read_documents()
    assert sum(bool(block.excuse) for block in blocks) <= guide.MAX_EXCUSES
    for way in guide.WAYS:
        driver = guide.write_driver([block for block in blocks if block.belongs_to(way)])
        done = subprocess.run(["bash", "-n"], input=driver, text=True, capture_output=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_every_way_of_a_landing_exists():
    assert {guide.draw_way(str(number)) for number in range(100)} == {*guide.LANDINGS}
    assert {way for way, _ in guide.LANDINGS} <= {*guide.WAYS}


def test_the_bare_machine_has_the_images_that_the_compose_file_names():
    text = (ROOT / "deploy" / "container" / "compose.yaml").read_text("utf-8")
    images = {*re.findall(r"image: (\S+)", text)} - {"diplomaccloud"}
    assert images == {*guide_containers.SERVERS}
    # On Debian, Podman looks for a name without a registry nowhere.
    assert all("." in name.partition("/")[0] for name in [*images, guide_containers.BASE])
