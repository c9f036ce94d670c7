"""The standard map of Europe."""
