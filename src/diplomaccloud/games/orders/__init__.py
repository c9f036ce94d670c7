"""Orders of an open phase."""
