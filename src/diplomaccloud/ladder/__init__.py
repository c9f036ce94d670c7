"""The ladder of bots as pages: what the operator has published, or what the program came with.

`samples` reads games from records of the arena, `published` is the file that has everything the
pages show, and `views` are the pages. The ratings come from `bots.ladder`.
"""
