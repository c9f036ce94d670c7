"""`manage prunepictures`: delete the pictures of earlier positions."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from diplomaccloud.games.hall.actions import prune_pictures


class Command(BaseCommand):
    """Delete pictures that no card shows any longer, and have missing ones drawn."""

    help = (
        "Deletes the pictures of earlier positions, except the last of each game, and those of "
        "the last day; a worker draws missing pictures again. The site can keep running."
    )

    def handle(self, *_args: object, **_options: object) -> None:
        """Delete the pictures, and say how many."""
        deleted, missing = prune_pictures(timezone.now())
        pictures = "1 picture" if deleted == 1 else f"{deleted} pictures"
        self.stdout.write(f"Deleted {pictures}.")
        if missing:
            games = "1 game" if missing == 1 else f"{missing} games"
            self.stdout.write(f"A worker will draw the missing pictures of {games}.")
