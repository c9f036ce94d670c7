"""Views of games: each parses a request, runs one action or one read, and answers.

A refused action raises `Refused`, which `pages.middleware` turns into a page.
"""
