"""What the pages of games accept."""
