"""What a server answers, message by message."""

from dataclasses import replace

import hypothesis.strategies as st
import pytest
from extras.daide.tests.guests import Guests
from hypothesis import given
from judge.tests.effort import examples

from diplomaccloud.daide.language import RESERVED, STANDARD, read_text
from diplomaccloud.daide.table import MAX_WRONG_FOR_SEAT
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.standard.europe import standard_board


def test_a_game_begins_when_all_clients_know_the_map():
    guests = Guests(clients=2, movement_time=60, level=20)
    first, second, watcher = guests.enter(), guests.enter(), guests.enter()
    hello = "NME ('a') ('1')"
    assert guests.ask(first, hello) == [f"YES ({hello})", "MAP ('standard')"]
    assert guests.ask(watcher, "OBS") == ["YES (OBS)", "MAP ('standard')"]
    guests.say(second, hello)
    assert guests.ask(first, "MDF")[0].startswith("MDF (AUS ENG FRA GER ITA RUS TUR) (((AUS")
    assert guests.say(first, "YES (MAP ('standard'))") == {}
    assert guests.ask(first, "HLO") == ["REJ (HLO)"]
    assert guests.say(watcher, "YES (MAP ('standard'))") == {}
    heard = guests.say(second, "YES (MAP ('STANDARD'))")
    assert [text.split()[0] for text in heard[second]] == ["HLO", "SCO", "NOW", "TME"]
    assert heard[first][0].endswith("(101) ((LVL 20) (MTL 60))")
    assert heard[second][0].endswith("(102) ((LVL 20) (MTL 60))")
    assert heard[watcher][0] == "HLO (UNO) (0) ((LVL 20) (MTL 60))"
    assert guests.ask(guests.enter(), hello) == [f"REJ ({hello})"]


def test_a_client_beyond_the_number_wanted_is_refused_until_a_seat_is_free():
    guests = Guests(clients=1)
    first, second = guests.enter(), guests.enter()
    guests.say(first, "NME ('a') ('1')")
    assert guests.ask(second, "NME ('b') ('1')") == ["REJ (NME ('b') ('1'))"]
    guests.leave(first)
    assert guests.ask(second, "NME ('b') ('1')")[0].startswith("YES")


def test_who_does_not_say_what_it_wants_makes_room_for_others():
    guests = Guests(clients=1)
    silent, watcher, deaf = guests.enter(), guests.enter(), guests.enter()
    guests.say(watcher, "OBS")
    guests.say(deaf, "OBS")
    guests.say(watcher, "YES (MAP ('standard'))")
    guests.join()
    guests.wait(59)
    assert guests.closed == set()
    guests.wait(1)
    assert guests.closed == {silent, deaf}


def test_a_client_that_rejects_the_map_or_never_answers_leaves_its_seat():
    guests = Guests(clients=2)
    first, second = guests.enter(), guests.enter()
    for number in (first, second):
        guests.say(number, "NME ('a') ('1')")
    guests.say(first, "REJ (MAP ('standard'))")
    assert guests.closed == {first}
    guests.wait(61)
    assert guests.closed == {first, second}


def test_the_variant_lists_all_options_in_their_order():
    guests = Guests(
        level=30,
        movement_time=300,
        retreat_time=60,
        build_time=90,
        stops_on_disconnection=True,
        accepts_any_orders=True,
    )
    [player] = guests.join()
    hello = guests.ask(player, "HLO")[0]
    assert hello.endswith("((LVL 30) (MTL 300) (RTL 60) (BTL 90) (DSD) (AOA))")


QUESTIONS = {
    "MAP": "MAP ('standard')",
    "MDF": "MDF (AUS",
    "SCO": "SCO (AUS",
    "NOW": "NOW (SPR 1901) (",
    "ORD": "REJ (ORD)",
    "HST": "REJ (HST)",
    "HST (SPR 1901)": "REJ (HST (SPR 1901))",
    "SMR": "REJ (SMR)",
    "TME": "REJ (TME)",
    "TME (10)": "REJ (TME (10))",
    "NOT (TME)": "YES (NOT (TME))",
    "SVE ('game')": "REJ (SVE ('game'))",
    "LOD ('game')": "REJ (LOD ('game'))",
    "ADM ('me') ('hello (you)')": "ADM ('me') ('hello (you)')",
    "DRW": "REJ (DRW)",
    "GOF": "REJ (GOF)",
    "MIS": "REJ (MIS)",
    "SUB ((ENG FLT LON) HLD)": "REJ (SUB ((ENG FLT LON) HLD))",
    "GOF (": "PRN (GOF ()",
    "GOF GOF": "HUH (GOF ERR GOF)",
    "MRT": "HUH (ERR MRT)",
    "IAM (ENG)": "HUH (IAM (ENG) ERR)",
    "SND (ENG) (PRP (DRW))": "HUH (ERR SND (ENG) (PRP (DRW)))",
    "0x4e02": "HUH (ERR 0x4e02)",
}


@pytest.mark.parametrize(("question", "answer"), QUESTIONS.items(), ids=QUESTIONS)
def test_somebody_who_only_asks_gets_an_answer(question, answer):
    guests = Guests()
    [heard] = guests.ask(guests.enter(), question)
    assert heard.startswith(answer)


@pytest.mark.parametrize("complaint", ["HUH (ERR MAP)", "PRN (MAP ()", "YES (SVE ('a'))"])
def test_a_complaint_and_a_needless_answer_get_none(complaint):
    guests = Guests()
    assert guests.say(guests.enter(), complaint) == {}


def test_orders_are_thanked_for_one_by_one_and_what_is_missing_is_told():
    guests = Guests(clients=1)
    [player] = guests.join()
    power = guests.power_of(player)
    units = guests.ask(player, "MIS")[0].removeprefix("MIS ").replace(") (", ")|(").split("|")
    good, bad = f"{units[0]} HLD", f"{units[0]} MTO NAF"
    answers = guests.ask(player, f"SUB ({good}) ({bad})")
    assert answers[:2] == [f"THX ({good}) (MBV)", f"THX ({bad}) (FAR)"]
    assert answers[2] == f"MIS {' '.join(units[1:])}"
    assert guests.ask(player, f"SUB (FAL 1901) ({good})")[0] == f"THX ({good}) (NRS)"
    assert guests.ask(player, f"NOT (SUB ({good}))") == [f"YES (NOT (SUB ({good})))"]
    assert guests.ask(player, f"NOT (SUB ({good}))") == [f"REJ (NOT (SUB ({good})))"]
    assert guests.ask(player, f"SUB (SPR 1901) ({good})")[0] == f"THX ({good}) (MBV)"
    assert guests.ask(player, "NOT (SUB)") == ["YES (NOT (SUB))"]
    assert len(guests.ask(player, "MIS")[0].split("(")) == len(units) + 1
    assert power in guests.ask(player, "GOF")[1]


def test_who_talks_without_end_is_stopped_until_the_next_phase():
    guests = Guests(clients=2, level=10, movement_time=60)
    first, second = guests.join(2)
    power = guests.power_of(second)
    names = " ".join([power] * 20_000)
    for text in (f"ADM ('a') ('{'x' * 20_000}')", f"SND ({power}) (PRP (PCE ({names})))"):
        while (heard := guests.say(first, text)).get(second):
            assert len(heard[second]) == 1
        assert heard[first][0].startswith("REJ")
        assert guests.ask(second, "ADM ('a') ('b')")
        guests.wait(60)
        assert guests.say(first, text)[second]
        guests.wait(60)


def test_any_order_is_taken_where_that_is_agreed_and_its_unit_holds():
    guests = Guests(clients=1, accepts_any_orders=True)
    [player] = guests.join()
    units = guests.ask(player, "MIS")[0].removeprefix("MIS ").replace(") (", ")|(").split("|")
    assert guests.ask(player, f"SUB ({units[0]} MTO NAF)")[0].endswith("(MBV)")
    assert units[0] not in guests.ask(player, "MIS")[0]
    for unit in units:
        guests.ask(player, f"SUB ({unit} MTO NAF)")
    assert guests.ask(player, "MIS") == ["MIS"]
    heard = guests.wait()[player]
    assert [f"({units[0]} HLD) (SUC)" in text for text in heard].count(True) == 1


def test_an_illegal_build_that_is_taken_is_not_missing():
    guests = Guests(clients=1, accepts_any_orders=True)
    [player] = guests.join()
    power, play = guests.power_of(player), guests.table.play
    owner = guests.words.power_of[read_text(power)[0]]
    start = starting_position(standard_board())
    lost = tuple(unit for unit in start.units if unit != start.units_of(owner)[0])
    play.position = replace(start, phase=Phase.parse("W1901A"), units=lost)
    assert guests.ask(player, "MIS") == ["MIS (-1)"]
    build = f"({power} AMY BUR) BLD"
    assert guests.ask(player, f"SUB ({build})") == [f"THX ({build}) (MBV)"]
    assert guests.ask(player, "MIS") == ["MIS"]
    assert guests.ask(player, f"NOT (SUB ({build}))") == [f"YES (NOT (SUB ({build})))"]
    assert guests.ask(player, "MIS") == ["MIS (-1)"]
    guests.ask(player, f"SUB ({build})")
    heard = guests.wait()[player]
    assert heard[-1].startswith("NOW (SPR 1902)")
    assert len(play.position.units_of(owner)) == len(start.units_of(owner)) - 1


def test_a_phase_ends_as_soon_as_all_are_in():
    guests = Guests(clients=2)
    first, second = guests.join(2)
    guests.order_all(first)
    assert guests.wait() == {}
    guests.order_all(second)
    heard = guests.wait()[first]
    assert {text.split()[0] for text in heard} == {"ORD", "NOW"}
    assert heard[-1].startswith("NOW (FAL 1901)")
    assert guests.ask(first, "ORD") == heard[:-1]
    history = guests.ask(first, "HST (SPR 1901)")
    assert [text.split()[0] for text in history[-2:]] == ["SCO", "NOW"]
    assert guests.ask(first, "HST") == heard


def test_centers_are_told_after_fall():
    guests = Guests(clients=1)
    [player] = guests.join()
    for _ in range(2):
        guests.order_all(player)
        heard = guests.wait()[player]
    assert [text.split()[0] for text in heard[-2:]] == ["SCO", "NOW"]


def test_a_player_who_is_not_ready_is_waited_for():
    guests = Guests(clients=1)
    [player] = guests.join()
    assert guests.ask(player, "NOT (GOF)") == ["YES (NOT (GOF))"]
    guests.order_all(player)
    assert guests.wait() == {}
    assert guests.ask(player, "GOF") == ["YES (GOF)"]
    assert guests.wait()[player]


def test_a_player_is_not_waited_for_after_the_deadline():
    guests = Guests(clients=2, movement_time=60)
    first, second = guests.join(2)
    guests.order_all(first)
    assert guests.ask(first, "TME (10)") == ["YES (TME (10))"]
    assert guests.ask(first, "TME (61)") == ["REJ (TME (61))"]
    assert guests.wait(50) == {first: ["TME (10)"]}
    assert guests.ask(second, "TME") == ["TME (10)"]
    heard = guests.wait(10)[first]
    late = guests.power_of(second)
    assert heard[0] == f"CCD ({late})"
    assert heard[-1] == "TME (60)"
    assert f"NOT (CCD ({late}))" in guests.order_all(second)
    assert guests.ask(first, "NOT (TME (10))") == ["YES (NOT (TME (10)))"]
    assert guests.ask(first, "NOT (TME (10))") == ["REJ (NOT (TME (10)))"]


def test_a_player_who_is_lost_comes_back_with_the_passcode():
    guests = Guests(clients=2)
    first, second = guests.join(2)
    power = guests.power_of(second)
    again = guests.enter()
    claim = f"IAM ({power}) (102)"
    assert guests.ask(again, claim) == [f"REJ ({claim})"]
    assert guests.leave(second) == {first: [f"CCD ({power})"]}
    for _ in range(2):
        assert guests.ask(again, f"IAM ({power}) (7)") == [f"REJ (IAM ({power}) (7))"]
    heard = guests.say(again, claim)
    assert heard[again] == [f"YES ({claim})", f"NOT (CCD ({power}))"]
    assert heard[first] == [f"NOT (CCD ({power}))"]
    assert guests.ask(again, "NOW")
    assert guests.order_all(again)


def test_guessing_passcodes_ends_the_connection():
    guests = Guests(clients=1)
    [player] = guests.join()
    power = guests.power_of(player)
    guests.leave(player)
    thief = guests.enter()
    for passcode in (1, 2, 3):
        guests.say(thief, f"IAM ({power}) ({passcode})")
    assert guests.closed == {thief}


def test_a_passcode_cannot_be_guessed_from_many_connections():
    guests = Guests(clients=1)
    [player] = guests.join()
    power = guests.power_of(player)
    for passcode in range(MAX_WRONG_FOR_SEAT + 1):  # nobody is away, so nothing is lost
        said = f"IAM ({power}) ({passcode + 90})"
        assert guests.ask(guests.enter(), said) == [f"REJ ({said})"]
    guests.leave(player)
    back = guests.enter()
    assert guests.ask(back, f"IAM ({power}) (101)")[0].startswith("YES")
    guests.leave(back)
    for passcode in range(MAX_WRONG_FOR_SEAT):
        guests.say(guests.enter(), f"IAM ({power}) ({passcode + 1})")
    said = f"IAM ({power}) (101)"
    assert guests.ask(guests.enter(), said) == [f"REJ ({said})"]


def test_a_bot_has_no_passcode():
    guests = Guests(clients=1)
    [player] = guests.join()
    other = "FRA" if guests.power_of(player) != "FRA" else "ENG"
    assert guests.ask(guests.enter(), f"IAM ({other}) (0)") == [f"REJ (IAM ({other}) (0))"]


def test_the_game_goes_on_without_a_player_who_is_lost():
    guests = Guests(clients=2)
    first, second = guests.join(2)
    guests.leave(second)
    guests.order_all(first)
    assert guests.wait()[first][-1].startswith("NOW (FAL 1901)")


def test_the_clock_stops_for_a_lost_player_where_that_is_agreed():
    guests = Guests(clients=2, movement_time=60, stops_on_disconnection=True)
    first, second = guests.join(2)
    power = guests.power_of(second)
    guests.order_all(first)
    guests.wait(20)
    assert guests.leave(second) == {first: [f"CCD ({power})", "NOT (TME (40))"]}
    assert guests.wait(1000) == {}
    again = guests.enter()
    assert guests.say(again, f"IAM ({power}) (102)")[first] == [f"NOT (CCD ({power}))", "TME (40)"]
    assert guests.wait(41)[first][0] == f"CCD ({power})"


def test_a_game_that_all_have_left_is_abandoned():
    guests = Guests(clients=1)
    [player] = guests.join()
    guests.leave(player)
    guests.wait(299)
    assert not guests.table.is_over
    guests.wait(2)
    assert guests.table.is_over


def test_press_reaches_whom_it_is_for():
    guests = Guests(clients=2, level=20)
    first, second = guests.join(2)
    own, other = guests.power_of(first), guests.power_of(second)
    send = f"SND ({other}) (PRP (PCE ({own} {other})))"
    assert guests.say(first, send) == {
        first: [f"YES ({send})"],
        second: [f"FRM ({own}) ({other}) (PRP (PCE ({own} {other})))"],
    }
    assert (
        guests.ask(second, f"SND (SPR 1901) ({own}) (YES (PRP (PCE ({own} {other}))))")[0][:3]
        == "YES"
    )
    late = f"SND (FAL 1901) ({own}) (PRP (DRW))"
    assert guests.ask(second, late) == [f"REJ ({late})"]
    to_self = f"SND ({own}) (PRP (DRW))"
    assert guests.ask(first, to_self) == [f"REJ ({to_self})"]
    too_much = f"SND ({other}) (PRP (AND (DRW) (DRW)))"
    assert guests.ask(first, too_much) == [f"HUH ({too_much.replace('AND', 'ERR AND')})"]
    guests.leave(second)
    assert guests.ask(first, send) == [f"CCD ({other}) ({send})"]


def test_a_bot_says_that_it_understands_no_press():
    guests = Guests(clients=1, level=10)
    [player] = guests.join()
    own = guests.power_of(player)
    bot = "FRA" if own != "FRA" else "ENG"
    heard = guests.ask(player, f"SND ({bot}) (PRP (DRW))")[1:]
    assert heard == [f"FRM ({bot}) ({own}) (HUH (ERR PRP (DRW)))", f"FRM ({bot}) ({own}) (TRY ())"]


def test_all_players_agree_on_a_draw():
    guests = Guests(clients=7)
    players = guests.join(7)
    for number in players[:-1]:
        assert guests.ask(number, "DRW") == ["YES (DRW)"]
    assert guests.ask(players[0], "NOT (DRW)") == ["YES (NOT (DRW))"]
    assert guests.ask(players[-1], "DRW") == ["YES (DRW)"]
    heard = guests.ask(players[0], "DRW")
    assert heard[:2] == ["YES (DRW)", "DRW"]
    assert heard[2].startswith("SMR (SPR 1901) (AUS ('Guest")
    assert guests.ask(players[1], "SMR") == heard[1:]
    assert guests.ask(players[1], "DRW") == ["REJ (DRW)"]
    guests.wait()
    assert guests.wait(3)[players[0]] == ["OFF"]
    assert guests.table.is_over
    assert guests.closed == set(players)


def test_bots_agree_on_a_draw_once_nothing_has_changed_for_three_years():
    guests = Guests(clients=1)
    [player] = guests.join()
    years = 0
    while guests.ask(player, "DRW") == ["YES (DRW)"]:
        for _ in range(2):
            guests.order_all(player)
            guests.wait()
        years += 1
    assert years == 3


def test_a_game_is_a_draw_after_its_last_year():
    guests = Guests(clients=1, until=1901)
    [player] = guests.join()
    for _ in range(2):
        guests.order_all(player)
        heard = guests.wait()[player]
    assert [text.split()[0] for text in heard[-4:]] == ["SCO", "DRW", "SMR", "NOW"]
    again = guests.enter()
    assert guests.ask(again, "OBS")[0] == "YES (OBS)"
    assert [t.split()[0] for t in guests.ask(again, "YES (MAP ('standard'))")] == [
        "HLO",
        "SCO",
        "DRW",
        "SMR",
        "NOW",
    ]


ANY_TOKEN = st.integers(0, 0xFFFF).filter(lambda token: token >> 8 not in RESERVED)
KNOWN = st.sampled_from(sorted(STANDARD.names))
NOISE = st.lists(st.one_of(KNOWN, ANY_TOKEN), min_size=1, max_size=30).map(tuple)


@given(st.lists(NOISE, min_size=1, max_size=20), st.sampled_from([0, 30]))
@examples(60)
def test_noise_from_a_player_does_not_stop_the_game(messages, level):
    guests = Guests(clients=1, level=level)
    [player] = guests.join()
    for message in messages:
        guests.table.receive(player, message, guests.now)
        guests.wait()
    guests.say(player, "NOT (SUB)")
    guests.say(player, "GOF")
    guests.order_all(player)
    assert guests.wait()[player][-1].startswith("NOW (")
