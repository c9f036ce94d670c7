"""A board drawn for the rules of rivers and closed borders, and random boards with such rules.

Two banks of one river; each province reaches a part of the other bank, and the range closes the
way along the western one:

    MAR  AST | AMB ^ ALP | HIL      MAR, OCE  seas                   |  border of armies
         ~~~~~~~~~~~~~~~~~          CAP       coasts on both seas    ^  closed
    MAR  BEL | BUR | BOR | HIL      HIL       inland, closed to OCE  ~  river
         CAP | ~~~
"""

import random
from dataclasses import replace

from judge.tests.scenes import random_board

from diplomaccloud.judge.board import (
    Board,
    BorderKind,
    BorderRule,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)

BOTH = (UnitKind.ARMY, UnitKind.FLEET)
RIVER = "AST-BEL BEL-AMB AMB-BUR BUR-ALP ALP-BOR BUR-CAP/EC"
_NAMES = {
    "AST": "Astwater", "AMB": "Ambury", "ALP": "Alpland", "BEL": "Belmouth", "BUR": "Burholm",
    "BOR": "Borland", "CAP": "Capland", "HIL": "Hilltop", "MAR": "Mare", "OCE": "Oceanus",
}  # fmt: skip
_HOMES = {"AST": "WEST", "AMB": "WEST", "BOR": "EAST", "BUR": "EAST"}


def _pairs(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(pair.split("-")) for pair in text.split())


def river_board() -> Board:
    """Return the board; each border along the river has a rule, and `AST-BEL` is a gorge."""
    return Board(
        name="River",
        powers=tuple(
            PowerInfo(Power(key), key.title(), f"{key.title()}ern") for key in ("WEST", "EAST")
        ),
        provinces=tuple(
            Province(
                ProvinceCode(code),
                name,
                Terrain.SEA
                if code in {"MAR", "OCE"}
                else Terrain.INLAND
                if code == "HIL"
                else Terrain.COASTAL,
                ("EC", "WC") if code == "CAP" else (),
                code in {*_HOMES, "CAP"},
                Power(_HOMES[code]) if code in _HOMES else None,
            )
            for code, name in _NAMES.items()
        ),
        army_borders=_pairs(  # type: ignore[arg-type]
            "AST-AMB ALP-HIL BEL-BUR BUR-BOR BOR-HIL BEL-CAP BUR-CAP"
            " BEL-AMB AMB-BUR BUR-ALP ALP-BOR"
        ),
        fleet_borders=_pairs(  # type: ignore[arg-type]
            f"AST-MAR BEL-MAR CAP/WC-MAR CAP/EC-OCE BEL-CAP/WC {RIVER}"
        ),
        starts=(
            Start(Power("WEST"), UnitKind.FLEET, Location("AST")),
            Start(Power("WEST"), UnitKind.ARMY, Location("AMB")),
            Start(Power("EAST"), UnitKind.FLEET, Location("BOR")),
            Start(Power("EAST"), UnitKind.FLEET, Location("BUR")),
        ),
        victory_centers=4,
        border_rules=(
            *(
                BorderRule(BorderKind.RIVER, Location(one), Location(other))
                for one, other in _pairs(RIVER)
            ),
            BorderRule(BorderKind.CLOSED, Location("AMB"), Location("ALP"), BOTH),
            BorderRule(BorderKind.CLOSED, Location("AST"), Location("BEL"), (UnitKind.ARMY,)),
            BorderRule(BorderKind.CLOSED, Location("HIL"), Location("OCE"), (UnitKind.FLEET,)),
        ),
    )


def ruled_board(rng: random.Random) -> Board:
    """Return a random board with rivers, closed borders and coasts of sea, river, or both."""
    plain = random_board(rng)
    rules = []
    armies, fleets = [*plain.army_borders], [*plain.fleet_borders]
    for pair in plain.army_borders:
        first, second = map(Location, pair)
        if rng.random() < 0.3:
            rules.append(BorderRule(BorderKind.RIVER, first, second))
            if (first, second) not in fleets:
                fleets.append((first, second))
            if rng.random() < 0.2:
                rules.append(BorderRule(BorderKind.CLOSED, first, second, (UnitKind.ARMY,)))
                armies.remove(pair)
        elif rng.random() < 0.15:
            rules.append(BorderRule(BorderKind.CLOSED, first, second, BOTH))
            armies.remove(pair)
            fleets = [one for one in fleets if {*one} != {*pair}]
    for pair in plain.fleet_borders:
        if pair in fleets and pair not in plain.army_borders and rng.random() < 0.1:
            rules.append(BorderRule(BorderKind.CLOSED, *pair, (UnitKind.FLEET,)))
            fleets.remove(pair)
    touched = [place for pair in fleets for place in pair]
    split = {
        p.code
        for p in plain.provinces
        if p.terrain is not Terrain.SEA and touched.count(Location(p.code)) > 1
        if rng.random() < 0.4
    }
    coasts = {
        (code, other): rng.choice(["EC", "WC"])
        for one, two in fleets
        for code, other in ((one, two), (two, one))
        if code in split
    }

    def stand(pair: tuple[Location, Location]) -> tuple[Location, Location]:
        places = (pair[0], pair[1]), (pair[1], pair[0])
        one, two = (
            Location(f"{code}/{coasts[code, other]}") if (code, other) in coasts else code
            for code, other in places
        )
        return one, two

    return replace(
        plain,
        name="ruled grid",
        provinces=tuple(
            replace(p, coasts=("EC", "WC") if p.code in split else (), terrain=Terrain.COASTAL)
            if Location(p.code) in touched and p.terrain is not Terrain.SEA
            else p
            for p in plain.provinces
        ),
        army_borders=tuple(armies),
        fleet_borders=tuple(map(stand, fleets)),
        border_rules=tuple(
            replace(rule, first=ends[0], second=ends[1])
            for rule in rules
            for ends in [
                stand((rule.first, rule.second))
                if rule.kind is BorderKind.RIVER
                else (rule.first, rule.second)
            ]
        ),
    )
