"""How long tests wait for other processes and threads."""

PATIENCE = 180
"""Seconds. A test that waited this long fails, because even a very busy machine takes less."""
