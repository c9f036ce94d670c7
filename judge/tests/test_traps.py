"""Where other adjudicators are known to go wrong; each row is one such mistake."""

import pytest
from judge.tests.shorthand import (
    driven_out,
    play,
    standing,
    unit,
    words,
)

from diplomaccloud.judge.rules import EDITIONS

TRAPS = [
    pytest.param(
        """
        FRANCE: A BRE - LON, F ENG C A BRE - LON, F WAL - ENG
        ENGLAND: F LON S F WAL - ENG
        """,
        {"A BRE": "bounced", "F ENG": "convoyed", "F LON": "cut", "F WAL": "bounced"},
        id="an attack on one's own convoying fleet makes no paradox",
    ),
    pytest.param(
        """
        ENGLAND: A LON - BEL, F NTH C A LON - BEL
        FRANCE: F BEL S F NTH
        GERMANY: F SKA - NTH
        """,
        {"A LON": "bounced", "F NTH": "convoyed", "F BEL": "cut", "F SKA": "bounced"},
        id="a hold support that the convoying fleet does not need makes no paradox",
    ),
    pytest.param(
        """
        ENGLAND: F LON S F WAL - ENG, F WAL - ENG
        FRANCE: A BRE - LON, F ENG C A BRE - LON
        RUSSIA: A NWY - EDI, F NWG C A NWY - EDI
        GERMANY: F EDI S F BAR - NWG, F BAR - NWG, F NAO S F NWG
        """,
        {"F ENG": "disrupted", "F WAL": "moved", "F NWG": "convoyed", "F EDI": "cut"},
        id="a paradox ends only the convoys that take part in it",
    ),
    pytest.param(
        """
        ENGLAND: F LON S F WAL - ENG, F WAL - ENG
        FRANCE: A BRE - LON, F ENG C A BRE - LON, F MAO S F WAL - ENG
        """,
        {"A BRE": "nopath", "F ENG": "disrupted", "F LON": "given", "F WAL": "moved"},
        id="an attack is not lost when a paradox meets support against one's own fleet",
    ),
    pytest.param(
        """
        ENGLAND: A LON - BEL, F NTH C A LON - BEL
        FRANCE: F BEL H, A PIC S A LON - BEL
        """,
        {"A LON": "bounced", "F NTH": "convoyed", "A PIC": "given"},
        id="support against one's own unit does not count when the attack goes by convoy",
    ),
    pytest.param(
        """
        ENGLAND: A LON - NWY, F NTH C A LON - NWY
        RUSSIA: F NWY H
        GERMANY: F SKA - NTH
        """,
        {"A LON": "bounced", "F NTH": "convoyed", "F SKA": "bounced"},
        id="a convoy is not disrupted by an attack that its fleet survives",
    ),
    pytest.param(
        """
        GERMANY: A BER - KIE, F HEL S A BER - KIE, A MUN S F KIE - BER
        ENGLAND: F KIE - BER
        """,
        {"A BER": "bounced", "F KIE": "bounced"},
        id="a unit defends itself head-to-head with the attacker's own support",
    ),
    pytest.param(
        """
        RUSSIA: A SWE - NWY VIA, F SKA C A SWE - NWY
        ENGLAND: F NWY S F EDI - NTH, F EDI - NTH
        FRANCE: F NTH H
        """,
        {"A SWE": "bounced", "F NWY": "cut", "F EDI": "bounced"},
        id="an attack by convoy from next door cuts support",
    ),
    pytest.param(
        "AUSTRIA: A SER - BUD, A VIE - BUD, A GAL S A SER - BUD",
        {"A SER": "moved", "A VIE": "bounced", "A GAL": "given"},
        id="own support counts against another own unit that competes",
    ),
    pytest.param(
        "ENGLAND: A NWY - SWE VIA, F SKA C A NWY - SWE, A SWE - NWY",
        {"A NWY": "moved", "A SWE": "moved"},
        id="two units of one power swap by convoy",
    ),
    pytest.param(
        "FRANCE: A BEL - HOL VIA\nENGLAND: F NTH H, A HOL - BEL",
        {"A BEL": "nopath", "A HOL": "bounced"},
        id="an army ordered to go by a convoy that nobody ordered does not swap by land",
    ),
    pytest.param(
        """
        ENGLAND: F EDI - NTH, F YOR S F EDI - NTH, F NWY S F EDI - NTH
        GERMANY: A KIE - EDI, F NTH C A KIE - EDI, F HEL S F NTH
        """,
        {"A KIE": "nopath", "F NTH": "disrupted", "F EDI": "moved"},
        id="a convoy whose fleet is dislodged carries nobody",
    ),
    pytest.param(
        "TURKEY: A BUL - SEV, F BLA C A BUL - SEV",
        {"A BUL": "moved", "F BLA": "convoyed"},
        id="6.B.18: from Bulgaria to Sevastopol by convoy",
    ),
    pytest.param(
        "ITALY: A TUS - SPA, F LYO C A TUS - SPA",
        {"A TUS": "moved", "F LYO": "convoyed"},
        id="6.B.19: from Tuscany to Spain by convoy",
    ),
    pytest.param(
        "FRANCE: A GAS - SPA, A MAR S A GAS - SPA\nITALY: F SPA/SC H\nENGLAND: F POR S F SPA/NC",
        {"A GAS": "bounced", "F POR": "given", "F SPA/SC": "hold"},
        id="6.B.16: hold support counts though it names the wrong coast",
    ),
    pytest.param(
        "ITALY: F SPA/SC - MAO, F WES S F SPA/NC - MAO\nENGLAND: F MAO H",
        {"F SPA/SC": "moved", "F WES": "given"},
        id="6.B.17: move support counts though it names the wrong coast",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), TRAPS)
@pytest.mark.parametrize("edition", ["2000", "2023"])
def test_trap(text: str, wanted: dict[str, str], edition: str) -> None:
    resolution = play(text, EDITIONS[edition])
    assert words(resolution, *wanted) == wanted
    provinces = [one.province for one in resolution.next.units]
    assert len(set(provinces)) == len(provinces)


def test_nobody_retreats_to_occupied_or_contested_places_after_a_convoyed_attack() -> None:
    resolution = play(
        """
        ENGLAND: A EDI - HOL, F NTH C A EDI - HOL, A BEL S A EDI - HOL
        GERMANY: F HOL H, F KIE - HEL
        RUSSIA: F DEN - HEL
        """
    )
    assert driven_out(resolution) == {"F HOL": ()}
    assert resolution.destroyed == (unit("F HOL", "GERMANY"),)
    assert resolution.standoffs == ("HEL",)
    assert str(resolution.next.phase) == "F1901M"


def test_dislodged_units_still_contest_the_places_they_attacked() -> None:
    resolution = play(
        """
        AUSTRIA: A TRI - VEN, F ADR S A TRI - VEN, A VIE H
        ITALY: A VEN - TYR
        GERMANY: A MUN - TYR
        RUSSIA: A GAL - VIE, A BOH S A GAL - VIE
        """
    )
    assert driven_out(resolution) == {
        "A VEN": ("APU", "PIE", "ROM", "TUS"),
        "A VIE": ("BUD", "TRI"),
    }


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("F", "NWY", "STP/NC"),
        ("A", "GAL", "UKR"),
        ("A", "LVN", "WAR"),
        ("F", "BOT", "FIN"),
        ("F", "BOT", "LVN"),
        ("F", "BOT", "STP/SC"),
        ("F", "BOT", "SWE"),
        ("F", "CON", "SMY"),
        ("F", "MAO", "SPA/SC"),
        ("F", "TUS", "TYS"),
    ],
)
def test_border_that_others_forget(kind: str, one: str, other: str) -> None:
    resolution = play(f"RUSSIA: {kind} {one} - {other}")
    assert standing(resolution) == [f"RUSSIA {kind} {other}"]
    back = play(f"RUSSIA: {kind} {other} - {one}")
    assert standing(back) == [f"RUSSIA {kind} {one}"]
