"""A first game of three years against bots, with a coach that comments on every turn.

`first_game` plays from what the browser carries; `comments` are the coach.
Everything the coach says is computed from legal orders and results, and checked with the judge.
"""
