"""A processed phase of a game as an animation on the map."""

from collections.abc import Collection

from django.urls import reverse

from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.sandbox.animation import Animation, JudgedPhase, animate_phase


def present_animation(reader: GameReader, sequence: int, have: Collection[str]) -> Animation:
    """Return a processed phase as an animation; raise `NoSuchGame` if there is none.

    `have` are the territories that the page has already.
    """
    phase = reader.read_processed(sequence)
    judged = JudgedPhase(
        reader.chart, reader.board, phase.position, phase.resolution, reader.colors
    )
    url = reverse("games:phase", args=[reader.game.slug, sequence])
    return animate_phase(judged, sequence=sequence, url=url, have=have)
