"""How often the site tries work that fails."""

from typing import Final

MAX_TASK_ATTEMPTS: Final = 4
"""How many times a background task that fails or gets lost is tried."""
