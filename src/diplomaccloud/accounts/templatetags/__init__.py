"""Template filters for names."""
