"""Adjudicate one position, and print every result with its reason."""

from diplomaccloud import judge

game = judge.Game(
    position="""
    F1902M
    FRANCE: A PAR, A MAR, F BRE
    GERMANY: A BUR, A MUN
    ENGLAND: F ENG
    """
)
game.order("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"])
game.order("GERMANY", "Burgundy holds; Munich supports Burgundy")
game.order("ENGLAND", "F ENG - BRE")
for problem in game.problems:
    print("not followed:", problem)

turn = game.adjudicate()
for result in turn.values():
    print(f"{result.power:8} {result.order!s:20} {result.outcome:8} {result.why}")
