"""Who acts where and when: what every action on a game takes."""

from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.api.auth import bearer_of
from diplomaccloud.games.forms.base import PhaseAction


def act_in(request: HttpRequest, game: str, sequence: int) -> PhaseAction:
    """Return the arguments of an action that the caller takes in a phase."""
    return {
        "slug": game,
        "user_id": bearer_of(request).user_id,
        "sequence": sequence,
        "now": timezone.now(),
    }
