"""Fill home, the lobby, a profile and a leaderboard as far as they go, for the budgets of pages.

It runs as a separate process on the data directory in the environment variables. Prints the path of
a game of Counter, who plays in ten.
"""

import io
import json
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402
from PIL import Image  # noqa: E402
from tests.browser.game_setup import find_or_create_user, set_up_game  # noqa: E402

from diplomaccloud.accounts.models import User  # noqa: E402
from diplomaccloud.games.featured.actions import tend_featured_game  # noqa: E402
from diplomaccloud.games.hall.models import Standing  # noqa: E402
from diplomaccloud.games.ratings.models import PersonRating  # noqa: E402
from diplomaccloud.games.seats.actions import resign  # noqa: E402
from diplomaccloud.games.table.models import Game  # noqa: E402
from diplomaccloud.maps import card_pictures  # noqa: E402
from diplomaccloud.maps.pictures import THEMES  # noqa: E402
from diplomaccloud.maps.thumbnails import CARD_WIDTH, MAX_CARD_BYTES  # noqa: E402

GAMES, OTHERS, PEOPLE = 10, 12, 120
"""A person's running games, the most games of each kind on a list, and more people than a page."""


def draw(row: Standing) -> None:
    """Give the game of `row` pictures of its own."""
    version, digest = card_pictures.card_version(), f"{row.pk:064x}"
    for theme in THEMES:
        path = card_pictures._path(card_pictures.name_picture(digest, version, theme))
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(make_picture())
    Standing.objects.filter(pk=row.pk).update(position_hash=digest, drawn=version)


def make_picture() -> bytes:
    """Return a picture without any pattern, as browsers stop loading what is none."""
    content = b""
    for quality in range(40, 0, -1):
        buffer = io.BytesIO()
        Image.effect_noise((CARD_WIDTH, 213), 12).save(buffer, "WEBP", quality=quality)
        content = buffer.getvalue()
        if len(content) <= MAX_CARD_BYTES:
            break
    return content


def lose(game: Game) -> None:
    """Finish a game without people."""
    resign(slug=game.slug, user_id=game.creator_id, now=timezone.now())


def rate() -> None:
    """Fill a page of the leaderboard."""
    now = timezone.now()
    people = [User(username=f"Rated {number}", password="!") for number in range(PEOPLE)]
    for person in people:
        person.save()
    PersonRating.objects.bulk_create(
        PersonRating(
            kind="full",
            person=person,
            mu=25.0,
            sigma=4.0,
            points=1500 + number,
            games=20,
            solos=2,
            draws=3,
            rated_at=now,
        )
        for number, person in enumerate(people)
    )


if __name__ == "__main__":
    find_or_create_user("Counter")
    for number in range(OTHERS):
        set_up_game("waiting", [f"Waiter {number}"])
        set_up_game("opening", [f"Watched {number}"])
        lose(set_up_game("opening", [f"Loser {number}"]))
    games = [set_up_game("opening", ["Counter", f"Rival {number}"]) for number in range(GAMES)]
    set_up_game("battle", ["Fay", "Gus", "Hal", "Ida"])
    for standing in Standing.objects.all():
        draw(standing)
    tend_featured_game(now=timezone.now())
    rate()
    sys.stdout.write(json.dumps(f"/games/{games[-1].slug}/") + "\n")
