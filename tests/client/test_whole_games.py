"""Programs from outside play whole games on a real server."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from judge.tests.effort import PATIENCE

pytestmark = pytest.mark.real_database
GUIDE = Path(__file__).parents[2] / "docs" / "http-api.md"
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"


def find_own_seat(game):
    (own,) = (seat for seat in game.seats if seat.holder.kind == "person")
    return own


@pytest.mark.long
def test_the_example_is_short_and_plays_to_the_end(real_site):
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 64
    game = real_site.start_game()
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), real_site.url, real_site.tokens["alice"], game],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stderr == ""
    state, phases = real_site.read_game(game)
    assert state.status == "finished"
    assert phases[-1].name.startswith(("F1902", "W1902"))
    assert state.ending.reason in done.stdout
    assert "S1902M" in done.stdout


@pytest.mark.long
def test_the_bot_of_the_guide_plays_against_bots_to_the_end(real_site, tmp_path):
    page = GUIDE.read_text("utf-8").partition("This is a whole bot")[2].partition("\n## ")[0]
    lines = [line[4:] for line in page.splitlines() if line.startswith("    ") or not line]
    program = tmp_path / "guide.py"
    program.write_text("\n".join(lines).replace("time.sleep(30)", "time.sleep(0.2)"), "utf-8")
    with real_site.client() as alice:
        # It moves at random: of 350 such games, it took a center by 1906 in 349, by 1908 in all.
        game = alice.create_solo_game(bot="hold", last_year=1908).id
        before = find_own_seat(alice.get_game(game))
        real_site.environment |= {"SITE": real_site.url, "TOKEN": real_site.tokens["alice"]}
        bot = real_site.run(str(program), stdout=subprocess.PIPE, text=True)
        try:
            end = time.monotonic() + PATIENCE
            while alice.get_game(game).status != "finished":
                assert time.monotonic() < end, "the bot does not play"
                time.sleep(0.2)
        finally:
            bot.kill()
            printed, _ = bot.communicate()
        own = find_own_seat(alice.get_game(game))
    assert own.centers > before.centers
    # It built units for them.
    assert own.units > before.units
    assert "problem" not in printed
