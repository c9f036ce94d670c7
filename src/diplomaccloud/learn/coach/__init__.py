"""A first game of three years against bots, with a coach that comments on every turn.

`state` is what the browser carries, `first_game` plays, `comments` and `advice` are the coach.
Everything the coach says is computed from legal orders and results, and checked with the judge.
"""
