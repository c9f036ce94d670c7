"""Learning the game: lessons on small boards, puzzles, a first game with a coach, the rulebook.

Nothing here is stored: lessons are judged from the request alone, and progress is in a cookie.

A learner's orders are in the page's address. The first game is a signed cookie with the bots' seed,
the position before the last turn, and the learner's orders for it; the rest follows, because bots
are pure functions of their seed. The coach knows no strategy: it judges the turn again with one
order changed, and says "could have" only if that is true.
"""
