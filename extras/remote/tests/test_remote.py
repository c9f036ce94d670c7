"""Our bots play whole games on a real server, as programs from outside."""

import re
import subprocess
import time

import pytest
from judge.tests.effort import PATIENCE

pytestmark = pytest.mark.real_database


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
