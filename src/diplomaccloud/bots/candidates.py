"""Candidates for a bot that looks ahead: order rows of one power, varied, crossed and repaired.

A *forced set* is a few orders that belong together, such as an attack with its supports; the
policy chooses the other orders to go with it.
"""

import random
from array import array
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from diplomaccloud.bots import policy
from diplomaccloud.bots.pacts import NO_PACT, Codes, Pact
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.core.codes import (
    BUILD,
    CONVOY,
    HEAD,
    HOLD,
    MOVE,
    MOVE_VIA,
    PHASE,
    POWER_SHIFT,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
)
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENT_PHASES,
    MOVEMENT_PHASES,
    RETREAT_PHASES,
    find_owed,
    read_order,
)
from diplomaccloud.judge.kernel.table import table_of

HEATS = (0.0, 0.5, 0.8)
"""The heats of the first samples, used in turn; less heat is more predictable."""

_HOLD = (HOLD, 0, 0)
_GOES = {MOVE, MOVE_VIA, RETREAT}

_MOST_FLEETS = 3
"""The most fleets in a convoy that the bot tries."""

ForcedSet = dict[int, Codes]
"""Orders by the province of the unit."""


class Source:
    """Makes candidates for one power in one state that keep to a pact where possible.

    `legal` has the orders that the pact allows, or all orders of a unit if it allows none. `owners`
    has the number of the power that owns the center in each province, or -1.
    """

    def __init__(
        self,
        board: Board,
        state: "array[int]",
        power: int,
        rng: random.Random,
        pact: Pact = NO_PACT,
    ) -> None:
        self.board, self.state, self.power, self.rng, self.pact = board, state, power, rng, pact
        self.table = table_of(board)
        self.size = self.table.provinces
        self.is_movement = state[PHASE] in MOVEMENT_PHASES
        self.owners = state[HEAD + 4 * self.size : HEAD + 5 * self.size]
        self.legal = self._find_legal()
        self.units = sorted(self.legal)
        self.free = array("i", [-1]) * self.size + array("i", [0]) * (2 * self.size)
        self.pins = self._keep_pact() if pact.promises is not None else {}

    @cached_property
    def sets(self) -> list[ForcedSet]:
        """The forced sets that are legal in a movement phase."""
        return self._find_forced_sets() if self.is_movement else []

    @cached_property
    def builds(self) -> dict[int, list[Codes]]:
        """The legal builds by province, without those that the pact promises or forbids."""
        builds: dict[int, list[Codes]] = {}
        for province, orders in self.legal.items():
            for codes in orders if province not in self.pins else ():
                if codes[0] == BUILD and self.is_allowed(province, codes):
                    builds.setdefault(province, []).append(codes)
        return builds

    @cached_property
    def contested(self) -> set[int]:
        """The provinces that other powers' units occupy or could enter without a convoy."""
        foreign = filter(self.is_foreign, range(self.size))
        return {goal for province in foreign for goal in (province, *self.find_reach(province))}

    def is_foreign(self, province: int) -> bool:
        """Return whether a unit of another power is in a province."""
        code = self.state[HEAD + province]
        return code >= 0 and code >> POWER_SHIFT != self.power

    def find_reach(self, province: int, place: int | None = None) -> Sequence[int]:
        """Return the provinces that the unit in a province could enter without a convoy.

        With `place`, return those that it could enter from there.
        """
        code = self.state[HEAD + province]
        place = (code >> 1 & 1023) if place is None else place
        return self.table.reach[(code & 1) * self.table.places + place]

    def _find_legal(self) -> dict[int, list[Codes]]:
        _, rows = batch.legal_orders(self.state, self.board)
        phase = self.state[PHASE]
        legal: dict[int, list[Codes]] = {}
        block = HEAD + (self.size if phase in RETREAT_PHASES else 0)
        for at in range(0, len(rows), 4):
            province = rows[at]
            code = self.state[block + province]
            owner = code >> POWER_SHIFT if code >= 0 else self.owners[province]
            if owner == self.power:
                legal.setdefault(province, []).append((rows[at + 1], rows[at + 2], rows[at + 3]))
        return legal

    def _keep_pact(self) -> ForcedSet:
        """Drop the orders that the pact forbids, and return those that it promises."""
        pins = {h: codes for h, codes in self.pact.pins.items() if codes in self.legal.get(h, ())}
        for province, orders in self.legal.items():
            allowed = [each for each in orders if self.is_allowed(province, each)]
            self.legal[province] = [pins[province]] if province in pins else allowed or orders
        return pins

    def is_allowed(self, province: int, codes: Codes) -> bool:
        """Return whether the pact does not forbid this order of the unit."""
        return self.pact.allows(read_order(self.table, self.state, *codes, province))

    def keep_to_pact(self, row: "array[int]") -> None:
        """Make units that break the pact hold, or take their first legal order instead."""
        for province, orders in self.legal.items():
            codes = tuple(row[province :: self.size])
            # In Winter, most provinces have no order.
            is_given = self.state[PHASE] not in ADJUSTMENT_PHASES or codes[0] != HOLD
            if codes not in orders and is_given:
                row[province :: self.size] = array("i", _HOLD if _HOLD in orders else orders[0])

    def sample(self, count: int, heat: float, forced: "array[int] | None" = None) -> list[bytes]:
        """Return candidates sampled from the policy, with the orders in `forced`."""
        return self.sample_in_style(count, policy.Style(heat), forced)

    def sample_in_style(
        self, count: int, style: policy.Style, forced: "array[int] | None" = None
    ) -> list[bytes]:
        """Return candidates sampled from the policy in this style, with the orders in `forced`."""
        seeds = array("Q", [self.rng.getrandbits(64) for _ in range(count)])
        if self.pins:
            forced = array("i", self.free if forced is None else forced)
            for province, codes in self.pins.items():
                forced[province :: self.size] = array("i", codes)
        rows = policy.sample_orders(
            self.board,
            self.state,
            self.power,
            seeds,
            forced=forced,
            style=style,
            truces=self.pact.truces,
        )
        deep = 3 * self.size
        candidates = [rows[at : at + deep] for at in range(0, len(rows), deep)]
        if self.pact.promises is not None:
            for row in candidates:
                self.keep_to_pact(row)
        return [row.tobytes() for row in candidates]

    def find_first(self, most: int) -> list[bytes]:
        """Return at most `most` different candidates: plain ones and ones with forced sets."""
        sampled = dict.fromkeys(self.sample(1, 0.0))
        for _ in range(3):
            for heat in HEATS:
                sampled.update(dict.fromkeys(self.sample(max(1, most // 6), heat)))
        chosen = dict.fromkeys(list(sampled)[: most // 2 if self.sets else most])
        for _ in range(2 * most):
            if len(chosen) >= most or not (self.sets or self.builds):
                break
            candidate = self.force(self.draw_set(), HEATS[1])
            if self.is_sound(candidate):
                chosen.setdefault(candidate)
        return list(chosen)

    def draw_set(self) -> ForcedSet:
        """Return a random forced set, or in Winter as many random builds as the power may have.

        The policy nearly always builds the same.
        """
        if self.is_movement:
            return self.rng.choice(self.sets)
        owed = find_owed(self.table, self.state)[self.power]
        owed -= sum(codes[0] == BUILD for codes in self.pins.values())
        sites = self.rng.sample(sorted(self.builds), min(max(owed, 0), len(self.builds)))
        return {site: self.rng.choice(self.builds[site]) for site in sites}

    def force(self, orders: ForcedSet, heat: float, around: "array[int] | None" = None) -> bytes:
        """Return a candidate with these orders; `around` has the orders of the other units."""
        row = array("i", self.free if around is None else around)
        for province, codes in orders.items():
            row[province :: self.size] = array("i", codes)
        if around is not None:
            self.free_broken(row, orders)
        return self.sample(1, heat, row)[0]

    def vary(self, parents: Sequence[bytes]) -> bytes:
        """Return a child of one or two candidates, or in Winter a candidate with other builds."""
        first = read_row(self.rng.choice(parents))
        if not self.is_movement:
            return self.force(self.draw_set(), HEATS[1]) if self.builds else self._resample(first)
        draw = self.rng.random()
        if draw < 0.3 and self.sets:
            return self.force(self.rng.choice(self.sets), HEATS[1], first)
        if draw < 0.6 and len(parents) > 1:
            return self._cross(first, read_row(self.rng.choice(parents)))
        return self._resample(first)

    def _resample(self, row: "array[int]") -> bytes:
        """Return the candidate with new orders for a unit and up to three of its neighbors."""
        middle = self.rng.choice(self.units)
        near = [unit for unit in self.units if self.table.around[middle] >> unit & 1]
        chosen = [middle, *self.rng.sample(near, min(len(near), self.rng.randint(0, 3)))]
        if self.state[PHASE] in ADJUSTMENT_PHASES:
            chosen = self.units
        for unit in chosen:
            row[unit] = -1
        self.free_broken(row, {})
        return self.sample(1, HEATS[2], row)[0]

    def _cross(self, row: "array[int]", second: "array[int]") -> bytes:
        """Return the first candidate with the second one's orders in one part of the board."""
        middle = self.rng.choice(self.units)
        near = self.table.around[middle]
        wide = near
        for unit in self.units:
            if near >> unit & 1:
                wide |= self.table.around[unit]
        for unit in self.units:
            if unit == middle or wide >> unit & 1:
                row[unit :: self.size] = second[unit :: self.size]
        self.free_broken(row, {})
        return self.sample(1, HEATS[0], row)[0]

    def is_sound(self, candidate: bytes) -> bool:
        """Return whether every unit's help is used and no two units move to the same province."""
        row = read_row(candidate)
        goals = [
            self.table.province_of[row[2 * self.size + unit]]
            for unit in self.units
            if row[unit] in _GOES
        ]
        return len(set(goals)) == len(goals) and not any(
            self.is_broken(row, unit) for unit in self.units
        )

    def find_goal(self, row: Sequence[int], unit: int) -> int | None:
        """Return the province that `unit` moves to; None if it stays or retreats."""
        moves = row[unit] in {MOVE, MOVE_VIA}
        return self.table.province_of[row[2 * self.size + unit]] if moves else None

    def free_broken(self, row: "array[int]", fixed: ForcedSet) -> None:
        """Free units with useless help or colliding moves to be ordered again, except `fixed`."""
        arriving: set[int] = set()
        for unit in [*fixed, *(unit for unit in self.units if unit not in fixed)]:
            if row[unit] in _GOES:
                goal = self.table.province_of[row[2 * self.size + unit]]
                if goal in arriving and unit not in fixed:
                    row[unit] = -1
                arriving.add(goal)
        changed = True
        while changed:
            changed = False
            for unit in self.units:
                if unit not in fixed and row[unit] >= 0 and self.is_broken(row, unit):
                    row[unit] = -1
                    changed = True

    def is_broken(self, row: "array[int]", unit: int) -> bool:
        """Return whether a unit helps a friendly unit in vain, or is ordered to move but cannot."""
        code, target = row[unit], row[self.size + unit]
        goal = self.table.province_of[row[2 * self.size + unit]]
        if code in {MOVE, MOVE_VIA}:
            if goal in self.legal and row[goal] >= 0 and row[goal] not in _GOES:
                return True
            by_sea = code == MOVE_VIA or not self._is_near(unit, row[2 * self.size + unit])
            return by_sea and not self._is_convoyed(row, unit, goal)
        if code not in {SUPPORT_HOLD, SUPPORT_MOVE, CONVOY} or target not in self.legal:
            return False
        goes = row[target] in _GOES
        if code == SUPPORT_HOLD:
            return goes or row[target] < 0
        to, helped = row[2 * self.size + target], row[2 * self.size + unit]
        # A support may name a coast; coasts are numbered after the provinces.
        return not goes or (
            to != helped if helped >= self.size else self.table.province_of[to] != goal
        )

    def _is_convoyed(self, row: "array[int]", army: int, goal: int) -> bool:
        aid = array("i", [CONVOY, army, goal])
        fleets = {fleet for fleet in self.units if row[fleet :: self.size] == aid}
        reached = self.table.around[army]
        by_sea = 0
        while joining := [fleet for fleet in fleets if reached >> fleet & 1]:
            fleets.difference_update(joining)
            for fleet in joining:
                by_sea |= self.table.around[fleet]
            reached |= by_sea
        return bool(by_sea >> goal & 1)

    def _find_forced_sets(self) -> list[ForcedSet]:
        """Return the legal attacks with supports, supported holds and convoys.

        Nothing is supported in provinces that no foreign unit could enter.
        """
        sets: list[ForcedSet] = []
        legal = {unit: set(orders) for unit, orders in self.legal.items()}
        for lead, orders in self.legal.items():
            fleets_of: dict[int, list[int]] = {}
            for unit, others in self.legal.items():
                for code, target, to in others:
                    if code == CONVOY and target == lead:
                        fleets_of.setdefault(to, []).append(unit)
            helpers = [
                helper
                for helper, known in legal.items()
                if helper != lead and lead in self.contested and (SUPPORT_HOLD, lead, 0) in known
            ]
            sets += [{lead: (HOLD, 0, 0), helper: (SUPPORT_HOLD, lead, 0)} for helper in helpers]
            for order in orders:
                if order[0] not in {MOVE, MOVE_VIA}:
                    continue
                goal = self.table.province_of[order[2]]
                occupant = self.state[HEAD + goal]
                if occupant >= 0 and occupant >> POWER_SHIFT == self.power:
                    continue
                base: ForcedSet = {lead: order}
                is_near = self._is_near(lead, order[2])
                if order[0] == MOVE_VIA and is_near and occupant < 0:
                    # Between neighbors, fleets are needed only to swap two units.
                    continue
                if order[0] == MOVE_VIA or not is_near:
                    fleets = fleets_of.get(goal, [])
                    if not 0 < len(fleets) <= _MOST_FLEETS:
                        continue
                    base |= dict.fromkeys(fleets, (CONVOY, lead, goal))
                    # Added twice, because the policy never convoys and few candidates do.
                    sets += [base, base]
                if goal not in self.contested:
                    sets.append(base)
                    continue
                aid = (SUPPORT_MOVE, lead, order[2])
                helpers = [
                    helper for helper, known in legal.items() if helper not in base and aid in known
                ]
                for count in (1, 2):
                    sets += [
                        base | dict.fromkeys(chosen, aid) for chosen in combinations(helpers, count)
                    ]
        return sets

    def _is_near(self, unit: int, place: int) -> bool:
        """Return whether `unit` could move to the place without a convoy."""
        code = self.state[HEAD + unit]
        return place in self.table.near[(code & 1) * self.table.places + (code >> 1 & 1023)]


def read_row(candidate: bytes) -> "array[int]":
    """Return the candidate as an order row."""
    row = array("i")
    row.frombytes(candidate)
    return row
