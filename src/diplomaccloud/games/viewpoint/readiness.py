"""Whether a player is ready, without reading the rest of the game."""

from diplomaccloud.games.models import Submission


def is_seat_ready(slug: str, user_id: int, sequence: int) -> bool:
    """Return whether the person's seat is marked as ready in a phase of a game."""
    submissions = Submission.objects.filter(
        phase__game__slug=slug, phase__sequence=sequence, seat__user_id=user_id
    )
    return submissions.exclude(ready_at=None).exists()
