"""Following people and public games, to get notices about them."""
