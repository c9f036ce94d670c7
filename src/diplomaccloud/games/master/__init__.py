"""The game master: requests, rulings, rollback."""
