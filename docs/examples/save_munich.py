"""Find all German orders that keep Munich against given orders of France and Russia."""

from itertools import product

from diplomaccloud import judge

POSITION = """F1905M
GERMANY: A MUN, A BER
FRANCE: A BUR, A RUH
RUSSIA: A TYR
"""

game = judge.Game(position=POSITION)
game.order("FRANCE", "A BUR - MUN; A RUH S A BUR - MUN")
game.order("RUSSIA", "A TYR - BOH")
choices = list(product(*game.legal_orders("GERMANY").values()))
saving = []
for orders in choices:
    trial = game.copy()
    trial.order("GERMANY", orders)
    trial.adjudicate()
    holder = trial.unit_in("MUN")
    if holder is not None and holder.power == "GERMANY":
        saving.append(orders)
print(f"{len(saving)} of {len(choices)} sets of orders keep Munich:")
for orders in saving:
    print("; ".join(orders))
