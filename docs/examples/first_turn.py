"""The README's example: one order, adjudicated."""

from diplomaccloud import judge

game = judge.Game()  # the standard board, the rules of 2000
game.order("FRANCE", "A PAR - BUR; A MAR S A PAR - BUR; F BRE - MAO")
game.order("GERMANY", ["A MUN - BUR", "F KIE - PAR"])
for problem in game.problems:
    print(problem)
turn = game.adjudicate()
print(turn["A PAR"].outcome, "-", turn["A PAR"].why)
print(game.phase, game.legal_orders("FRANCE")["A BUR"][:3])
