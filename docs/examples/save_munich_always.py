"""Find the German orders that keep Munich whatever France orders, with one call of the judge.

Every set of German orders meets every set of French ones: some 40,000 positions. Needs NumPy.
"""

from itertools import product

import numpy as np

from diplomaccloud import judge

POSITION = judge.parse_position("F1905M GERMANY: A MUN, A BER; FRANCE: A BUR, A RUH")
BOARD = judge.standard_board()
CODES = [str(province.code) for province in BOARD.provinces]
POWERS = [str(info.power) for info in BOARD.powers]


def list_sets(power: str) -> list[tuple[judge.Order, ...]]:
    """Return every combination of legal orders for the units of `power`."""
    choices: dict[str, list[judge.Order]] = {}
    for order in judge.legal_orders(BOARD, POSITION, judge.Power(power)):
        choices.setdefault(str(order)[:5], []).append(order)  # "A MUN"
    return list(product(*choices.values()))


def pack_sets(
    sets: list[tuple[judge.Order, ...]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Return the sets as rows: three blocks with a number for each province."""
    rows = judge.batch.pack_orders([POSITION] * len(sets), sets)
    return np.frombuffer(rows, np.int32).reshape(len(sets), 3, len(CODES))


ours, theirs = list_sets("GERMANY"), list_sets("FRANCE")
french = [CODES.index(unit.province) for unit in POSITION.units_of(judge.Power("FRANCE"))]
orders = np.repeat(pack_sets(ours)[:, None], len(theirs), axis=1)
orders[..., french] = pack_sets(theirs)[..., french]

states = np.tile(np.frombuffer(judge.batch.pack([POSITION]), np.int32), len(ours) * len(theirs))
after = judge.batch.adjudicate(states.data, orders.data)

rows = np.frombuffer(after.states, np.int32).reshape(len(ours), len(theirs), -1)
munich = 3 + CODES.index("MUN")  # the units follow the year, the phase and the winner
keeps = np.array(rows[:, :, munich] >> 11 == POWERS.index("GERMANY"))
saving = [ours[number] for number in np.flatnonzero(keeps.all(axis=1))]

print(
    f"{len(saving)} of {len(ours)} sets of orders keep Munich against all {len(theirs)} of France:"
)
for orders_of_germany in saving:
    print("; ".join(map(str, orders_of_germany)))
best = keeps.mean(axis=1)
print(f"{'; '.join(map(str, ours[int(best.argmax())]))} keeps it against {best.max():.0%}.")
