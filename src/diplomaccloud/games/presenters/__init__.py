"""Frozen values for the templates, with all their wording."""
