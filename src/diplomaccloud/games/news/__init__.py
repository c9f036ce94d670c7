"""What happened in games, for those who want to hear of it."""
