"""Stored charts, the gallery and the map test page."""
