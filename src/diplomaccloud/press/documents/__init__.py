"""Documents: texts shown to chosen countries, and their signatures."""
