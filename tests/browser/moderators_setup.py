"""Appoint moderators for the browser tests, creating accounts as needed.

Runs as a separate process on the data directory in the environment variables.
"""

import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402
from tests.browser.game_setup import find_or_create_user  # noqa: E402

from diplomaccloud.press.moderation.actions import appoint_moderator  # noqa: E402

for name in sys.argv[1:]:
    find_or_create_user(name)
    appoint_moderator(name=name, appointed=True, by=None, now=timezone.now())
