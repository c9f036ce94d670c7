"""Programs from outside play whole games on a real server."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from judge.tests.effort import PATIENCE

pytestmark = pytest.mark.real_database
GUIDE = Path(__file__).parents[2] / "docs" / "http-api.md"
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"


def play(site, name, *arguments, **more):
    """Return a process of our bot that plays for a person."""
    command = ["-m", "diplomaccloud", "bot", "play", "--url", site.url, *arguments]
    site.environment["DIPLOMACCLOUD_TOKEN"] = site.tokens[name]
    return site.run(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def wait_for_phases(site, game, number):
    end = time.monotonic() + PATIENCE
    while len(site.read_game(game)[1]) < number:
        assert time.monotonic() < end, "nobody plays"
        time.sleep(0.2)


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


@pytest.mark.long
def test_two_of_our_bots_survive_kills_and_a_site_that_is_away(real_site):
    game = real_site.start_game("bob")
    bots = {
        name: play(real_site, name, "--bot", "dumbbot", "--game", game) for name in ("alice", "bob")
    }
    try:
        wait_for_phases(real_site, game, 1)
        bots["alice"].kill()
        bots["alice"].communicate()
        real_site.stop()
        bots["alice"] = play(real_site, "alice", "--bot", "greedy")
        # It finds nobody there, and asks again until the site is back.
        assert any("Trying again" in line for line in bots["alice"].stdout)
        real_site.start()
        printed = bots["bob"].communicate(timeout=PATIENCE)
        assert (bots["bob"].returncode, printed[1]) == (0, "")
        state, _ = real_site.read_game(game)
        assert state.status == "finished"
        assert state.ending.reason in printed[0]
        # Each phase was ordered once, and nothing was refused.
        country = re.search(r"S1901M: (\w+)", printed[0])[1]
        ordered = re.findall(rf": (\w+): {country}: ", printed[0])
        assert len(ordered) == len(set(ordered)) >= 4
        assert "refused" not in printed[0]
    finally:
        for bot in bots.values():
            bot.kill()
            bot.communicate()


REFUSED = [
    (["--token", "dc_unknown"], "The token does not work (401)"),
    (["--bot", "clever"], "there is no bot 'clever'"),
    (["--url", "games.example"], "https://games.example"),
    (["--url", "{url}/somewhere"], "/somewhere/api/v1/me answered 404, which is not an answer"),
    (["--game", "bbbbbbbbbb"], "Not found (404)"),
    (["--game", "nonsense"], "A field is wrong (422): Check these fields: game."),
]


@pytest.mark.long
def test_what_cannot_be_played_is_said_in_a_sentence(real_site):
    told = [
        (play(real_site, "alice", *(each.format(url=real_site.url) for each in arguments)), message)
        for arguments, message in REFUSED
    ]
    real_site.tokens["alice"] = ""
    told.append((play(real_site, "alice"), "set a token with --token or DIPLOMACCLOUD_TOKEN"))
    for process, message in told:
        _, error = process.communicate(timeout=PATIENCE)
        assert message in error
        assert error.count("\n") == 1
        assert process.returncode == 2
