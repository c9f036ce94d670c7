"""Following people and public games, to be told of them."""
