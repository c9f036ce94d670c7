"""Movement: what becomes of moves, supports and convoys, and why."""
