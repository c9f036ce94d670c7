"""What the operations have in common in the description of the API."""

from typing import Final

from ninja import Router

from diplomaccloud.api.schemas import ProblemDocument

FAULTS: Final = {frozenset({400, 401, 403, 404, 409, 410, 413, 415, 422, 429}): ProblemDocument}
"""The refusals that every operation can answer with."""
router: Final = Router()
"""All operations: those of one address must stand in one router."""
