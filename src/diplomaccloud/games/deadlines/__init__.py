"""The clock of a game: extensions, pauses, grace, outages, suspension."""
