"""The demo: a person, a game on the standard map, one on a generated map, a few maps."""

import secrets
import sys

from django.db import transaction
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games import solo
from diplomaccloud.maps.library import store_standard
from diplomaccloud.maps.pictures import draw_all
from diplomaccloud.maps.pool import make_first_map

NAME = "demo"
MAPS_AT_ONCE = 2


def make_demo() -> bool:
    """Return whether the demo was made: once only; prints the password, which is kept nowhere."""
    now = timezone.now()
    standard = store_standard(now=now)
    draw_all(standard)
    if User.objects.filter(username=NAME).exists():
        return False
    made, *_ = (make_first_map(number, now=now) for number in range(1, MAPS_AT_ONCE + 1))
    password = secrets.token_urlsafe(9)
    with transaction.atomic():
        user = User.objects.create_user(NAME, password=password)
        for map_hash, seed in ((standard, "demo standard"), (made, "demo generated")):
            solo.play_solo(
                user_id=user.pk, map_hash=map_hash, bot=solo.DEFAULT_BOT, now=now, seed=seed
            )
    sys.stdout.write(f"\n  Log in as {NAME} with the password {password}\n")
    return True
