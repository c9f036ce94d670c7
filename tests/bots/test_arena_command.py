"""`diplomaccloud arena` asked for what cannot be: one line that names the option."""

import pytest

from diplomaccloud.cli import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "3"], "--players 3: the map 'standard' has 7 powers"),
        (["--until", "1800"], "--until 1800: the first year of a game is 1901"),
        (["--until", "1900"], "--until 1900"),
        (["--bots", "clever"], "there is no bot 'clever'"),
    ],
)
def test_what_cannot_be_is_refused(arguments, message, capsys):
    assert main(["arena", "--bots", "hold", "--games", "1", *arguments]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_the_number_of_powers_that_a_map_has_may_be_said(capsys):
    asked = ["--players", "7", "--until", "1901", "--bots", "hold", "--games", "1"]
    assert main(["arena", *asked]) == 0
    assert "1 games" in capsys.readouterr().out
