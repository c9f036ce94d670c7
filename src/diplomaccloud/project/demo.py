"""The demo: the shipped maps, a user, a game on the standard map and one on a shipped map."""

import secrets
import sys

from django.db import transaction
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.bots.seats import USUAL_BOT
from diplomaccloud.games.creation import actions as quick_game
from diplomaccloud.maps.gallery_file import SHIPPED_MAPS, GalleryFileError, ShippedMaps
from diplomaccloud.maps.library import store_setup_maps, store_standard
from diplomaccloud.maps.pictures import draw_pictures
from diplomaccloud.maps.stock import choose_stock_map, store_all_shipped_maps

NAME = "demo"


def make_demo() -> bool:
    """Create the demo unless it exists, print its password, and return whether it was created.

    The password is not stored anywhere in plain text.
    """
    now = timezone.now()
    standard = store_standard(now=now)
    store_setup_maps(now=now)
    draw_pictures(standard)
    if User.objects.filter(username=NAME).exists():
        return False
    try:
        errors = store_all_shipped_maps(ShippedMaps(SHIPPED_MAPS), now=now)
    except GalleryFileError as error:
        errors = (error,)
    # The site works without the maps that cannot be read.
    sys.stderr.write("".join(f"{error}\n" for error in errors))
    maps = {standard: "demo standard"}
    if shipped := choose_stock_map():
        draw_pictures(shipped)
        maps[shipped] = "demo generated"
    password = secrets.token_urlsafe(9)
    with transaction.atomic():
        user = User.objects.create_user(NAME, password=password)
        for map_hash, seed in maps.items():
            plan = quick_game.plan_solo(map_hash, USUAL_BOT)
            quick_game.play_solo(user_id=user.pk, plan=plan, now=now, seed=seed)
    sys.stdout.write(f"\n  Log in as {NAME} with the password {password}\n")
    return True
