"""Reading and writing the conversations of a game. Knows no kind of attachment."""
