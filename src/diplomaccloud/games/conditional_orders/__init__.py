"""Orders for later phases, written with conditions."""
