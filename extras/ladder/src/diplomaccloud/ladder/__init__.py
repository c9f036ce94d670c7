"""The pages of the bot ladder: the one that the operator published, or the built-in one.

`ratings` come from the arena's results. `published` handles the file with everything that the pages
show, and reads sample games from arena records. `views` has the pages.
"""
