"""A turn, from the lock of the orders to the next phase."""
