"""A board without a game: place units, order any power, adjudicate, step on, share by address.

`engine` is pure: a state of the sandbox as a value, the text that stands for it in an address,
edits, orders and steps. `order_choices`, `result_lines` and `explanation` word legal orders,
outcomes and the judge's reasons for every page that shows a board, those of games too.
Nothing is stored.
"""
