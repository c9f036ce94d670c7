"""The home page, the base template of every page, and the error pages."""
