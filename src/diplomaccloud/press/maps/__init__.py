"""Conference maps: drawn on a game's board, kept, and sent with messages."""
