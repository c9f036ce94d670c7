"""A board's tables as flat rows of integers and masks."""

from collections.abc import MutableSequence, Sequence

from diplomaccloud.judge.kernel.table import (
    Table,
    find_starts,
    join_rows,
    list_bits,
    mask_of,
    split_masks,
)

from . import codes, native

Reader = Sequence[int]
"""A flat row that is only read."""

Rows = MutableSequence[int]
"""A flat row that is written."""


class Tables:
    """The tables of `kernel.table`, flat.

    Row `k` of `near`, of `reach`, of `build_centers` and of `landings` begins at the entry `k` of
    its `_at`. A mask of provinces has `broad` words and a mask of seas `wide` words; the bit of a
    number is `bit_of` it in the word `word_of` it. `reach_masks` has the rows of `reach` as masks.
    """

    def __init__(self, table: Table) -> None:
        keep: list[object] = []
        self.keep = keep
        size = table.provinces
        self.provinces, self.places, self.seas = size, table.places, len(table.seas)
        self.powers, self.victory = len(table.powers), table.victory
        self.phases, self.last_turn = len(table.stages), table.last_turn
        self.stages = native.ints(keep, table.stages)
        self.wide = max(1, (len(table.seas) + codes.WORD - 1) // codes.WORD)
        self.broad = max(1, (size + codes.WORD - 1) // codes.WORD)
        self.word_of = native.ints(keep, [k // codes.WORD for k in range(codes.MAX_UNITS)])
        self.bit_of = native.masks(keep, list_bits(codes.MAX_UNITS))
        self.province_of = native.ints(keep, table.province_of)
        self.near_at = native.ints(keep, find_starts(table.near))
        self.near = native.ints(keep, join_rows(table.near))
        self.reach_at = native.ints(keep, find_starts(table.reach))
        self.reach = native.ints(keep, join_rows(table.reach))
        self.build_centers_at = native.ints(keep, find_starts(table.build_centers))
        self.build_centers = native.ints(keep, join_rows(table.build_centers))
        self.landings_at = native.ints(keep, find_starts(table.landings))
        self.landings = native.ints(keep, join_rows(table.landings))
        reach_masks = [mask_of(row) for row in table.reach]
        self.reach_masks = native.masks(keep, split_masks(reach_masks, self.broad))
        self.around = native.masks(keep, split_masks(table.around, self.broad))
        self.sea_ports = native.masks(keep, split_masks(table.sea_ports, self.broad))
        self.sea_links = native.masks(keep, split_masks(table.sea_links, self.wide))
        self.shores = native.masks(keep, split_masks(table.shores, self.wide))
        self.sea_of = native.ints(keep, table.sea_of)
        self.ports = native.ints(keep, table.ports)
        centers = set(table.centers)
        self.centers = native.ints(keep, [int(p in centers) for p in range(size)])
        self.rank = native.ints(keep, table.rank)
        self.alphabet = native.ints(keep, table.alphabet)
        self.walk_steps = native.ints(keep, join_rows(table.walk_steps))
        self.sail_steps = native.ints(keep, join_rows(table.sail_steps))
        self.country_walk_steps = native.ints(keep, join_rows(table.country_walk_steps))
        self.country_sail_steps = native.ints(keep, join_rows(table.country_sail_steps))

    def can_reach(self, row: int, province: int) -> bool:
        """Return whether a unit with this row of `near` may move to the province."""
        words = self.reach_masks[row * self.broad + self.word_of[province]]
        return words & self.bit_of[province] != 0

    def is_near(self, row: int, place: int) -> bool:
        """Return whether a unit with this row of `near` may move to the place."""
        for k in range(self.near_at[row], self.near_at[row + 1]):
            if self.near[k] == place:
                return True
        return False

    def is_landing(self, province: int, place: int) -> bool:
        """Return whether `place` is where a fleet stands in a coastal province."""
        for k in range(self.landings_at[province], self.landings_at[province + 1]):
            if self.landings[k] == place:
                return True
        return False

    def can_stand(self, kind: int, place: int) -> bool:
        """Return whether a unit of this kind can be at the place."""
        if kind:
            return self.is_landing(self.province_of[place], place)
        return place < self.provinces and self.sea_of[place] < 0
