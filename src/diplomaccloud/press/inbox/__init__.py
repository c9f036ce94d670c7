"""A person's messages across all games: conversations, sent messages, search, and export."""
