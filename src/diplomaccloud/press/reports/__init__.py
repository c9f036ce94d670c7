"""Reporting messages, players, names and statuses, and a person's own reports."""
