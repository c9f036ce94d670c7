"""A board without a game: place units, order any power, adjudicate, continue, and share.

Nothing is stored, since an address contains the whole board. `engine` is pure: sandbox states as
values, their text in addresses, edits, orders and steps. `order_choices` and `explanation`
word legal orders, outcomes and the judge's reasons for every page that shows a board, including
those of games.
"""
