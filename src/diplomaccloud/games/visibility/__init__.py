"""Who may see which game, and whose names they see."""
