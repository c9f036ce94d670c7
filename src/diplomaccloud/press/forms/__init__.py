"""Forms of press."""
