"""What our client says to a server."""

import pytest

from diplomaccloud.bots import BOTS
from diplomaccloud.daide.language import STANDARD, read_text, write_text
from diplomaccloud.daide.player import Player

CENTERS = "SCO (ENG LON LVP EDI) (FRA PAR MAR BRE) (UNO BEL)"


def make_player(bot=BOTS["hold"]):
    player = Player(bot, version="1", seed="1")
    player.begin(STANDARD)
    for text in ("MAP ('standard')", "HLO (ENG) (77) ((LVL 10))", CENTERS):
        tell(player, text)
    return player


def tell(player, text):
    """Return what the client says to a message, once its bot has thought."""
    answers = player.receive(read_text(text))
    if ask := player.ask_bot():
        answers += player.give_orders(ask())
    return [write_text(answer) for answer in answers]


def test_a_client_joins_and_comes_back_with_its_passcode():
    player = Player(BOTS["hold"], version="1", seed="1")
    assert [write_text(m) for m in player.begin(STANDARD)] == ["NME ('hold') ('1')"]
    assert tell(player, "MAP ('standard')") == ["YES (MAP ('standard'))"]
    assert tell(player, "HLO (ENG) (77) ((LVL 0))") == []
    assert write_text(player.begin(STANDARD)[0]) == "IAM (ENG) (77)"


def test_a_map_that_is_not_known_is_asked_for():
    player = Player(BOTS["hold"], version="1", seed="1")
    assert tell(player, "MAP ('other')") == ["MDF"]
    assert tell(player, "MDF (ENG) (((ENG LON)) (WAL)) ((LON (AMY WAL)))") == [
        "REJ (MAP ('other'))"
    ]


def test_orders_follow_a_position():
    assert tell(make_player(), "NOW (SPR 1901) (ENG FLT LON) (FRA AMY PAR)") == [
        "SUB ((ENG FLT LON) HLD)"
    ]


def test_orders_for_an_older_position_are_not_given():
    player = make_player()
    player.receive(read_text("NOW (SPR 1901) (ENG FLT LON)"))
    thought = player.ask_bot()()
    assert player.ask_bot() is None
    player.receive(read_text("NOW (FAL 1901) (ENG FLT LON)"))
    assert player.give_orders(thought) == []
    assert player.give_orders(player.ask_bot()())
    player.receive(read_text("NOW (SPR 1902) (FRA AMY PAR)"))
    assert player.ask_bot() is None


def test_a_bot_that_fails_gives_greedy_orders(caplog):
    class BrokenBot:
        name = "broken"

        def orders(self, *_):
            raise ZeroDivisionError

    player = make_player(BrokenBot())
    [answer] = tell(player, "NOW (SPR 1901) (ENG FLT LON)")
    assert answer.startswith("SUB ((ENG FLT LON) ")
    assert "greedy orders are given" in caplog.text


def test_unused_builds_are_waived():
    [answer] = tell(make_player(), "NOW (WIN 1901) (ENG FLT LON) (ENG AMY NWY)")
    assert answer.count("(ENG WVE)") + answer.count("BLD") == 1


def test_builds_that_no_home_can_take_are_waived():
    for bot in ("hold", "greedy", "dumbbot", "random"):
        player = make_player(BOTS[bot])
        units = "(ENG FLT LON) (ENG FLT LVP)"
        assert tell(player, f"NOW (WIN 1901) {units} (FRA AMY EDI)") == ["SUB (ENG WVE)"]


def test_a_refused_order_is_replaced_by_a_hold():
    player = make_player()
    tell(player, "NOW (SPR 1901) (ENG FLT LON)")
    refused = "THX ((ENG FLT LON) MTO BEL) (FAR)"
    assert tell(player, refused) == ["SUB ((ENG FLT LON) HLD)"]
    assert tell(player, "THX ((ENG FLT LON) HLD) (NSU)") == []


def test_a_client_wants_a_draw_when_nothing_has_changed_for_three_years():
    player = make_player()
    answers = [tell(player, f"NOW (SPR {year}) (ENG FLT LON)") for year in range(1901, 1906)]
    assert ["DRW" in answer for answer in answers] == [False, False, False, True, True]
    tell(player, CENTERS.replace("(UNO BEL)", "(GER BEL)"))
    assert "DRW" not in tell(player, "NOW (SPR 1906) (ENG FLT LON)")


def test_press_and_commands_that_are_not_followed_are_answered():
    player = make_player()
    assert tell(player, "FRM (FRA) (ENG) (PRP (PCE (ENG FRA)))") == [
        "SND (FRA) (HUH (ERR PRP (PCE (ENG FRA))))",
        "SND (FRA) (TRY ())",
    ]
    assert tell(player, "FRM (FRA) (ENG) (TRY (PRP))") == []
    assert tell(player, "SVE ('game')") == ["REJ (SVE ('game'))"]
    assert tell(player, "NOW (PAR)") == []
    tell(player, "OFF")
    assert player.is_over


@pytest.mark.parametrize(
    "nonsense",
    [
        "HLO (ENG)",
        "HLO (ENG) (",
        "NOW (SPR 1901) (ENG AMY NTH)",
        "NOW (WIN 1901) (ENG FLT BOH)",
        "ORD (SPR 1901) ((ENG AMY 0x54ff) MTO 0x54fe) (SUC)",
    ],
)
def test_nonsense_from_a_server_is_not_answered(nonsense):
    bot = Player(BOTS["greedy"], version="1", seed="1")
    bot.begin(STANDARD)
    tell(bot, "MAP ('standard')")
    tell(bot, "HLO (ENG) (77) ((LVL 0))")
    assert tell(bot, nonsense) == []
    assert write_text(bot.begin(STANDARD)[0]) == "IAM (ENG) (77)"
