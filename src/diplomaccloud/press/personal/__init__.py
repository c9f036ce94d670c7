"""Personal messages between two people, message settings, and declared relationships."""
