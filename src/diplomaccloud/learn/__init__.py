"""Learning the game: lessons on small boards, puzzles, a first game with a coach, the rulebook.

Nothing here is stored: lessons are judged from the request alone, and progress is in a cookie.
"""
