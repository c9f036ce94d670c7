"""The pages of the bot ladder: the one that the operator published, or the built-in one.

`samples` reads games from arena records, `published` handles the file with everything that the
pages show, and `views` has the pages. The ratings come from `bots.ladder`.
"""
