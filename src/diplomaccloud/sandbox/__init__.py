"""A board without a game.

`order_choices`, `result_lines` and `explanation` word legal orders, outcomes and the judge's
reasons for every page that shows a board, those of games too.
"""
