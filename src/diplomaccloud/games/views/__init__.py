"""Pages of games: parse, one action or one read, answer.

A refused action raises `Refused`, which becomes a page in one place, `pages.middleware`.
"""
