"""Send messages in a game for the browser tests.

Call it with the slug of a game and a JSON list of `[author, address, body]`; a fourth item is a
subject. Runs as a separate process on the data directory in the environment variables.
"""

import json
import secrets
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from diplomaccloud.accounts.models import User  # noqa: E402
from diplomaccloud.press.conversations.actions import (  # noqa: E402
    Mode,
    send_message,
)
from diplomaccloud.press.table.addresses import parse_address  # noqa: E402

slug, text = sys.argv[1:]
for name, address, body, *subject in json.loads(text):
    send_message(
        slug=slug,
        user_id=User.objects.get(username=name).pk,
        to=parse_address(address),
        mode=Mode.TOGETHER,
        subject="".join(subject),
        body=body,
        key=secrets.token_hex(16),
        now=timezone.now(),
    )
