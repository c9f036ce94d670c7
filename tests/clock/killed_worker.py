"""A worker that is slow inside its transaction, so that it can be killed there; run by a test."""

import os
import random
import sys
import time

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from diplomaccloud.games import events  # noqa: E402
from diplomaccloud.games.actions import processing  # noqa: E402

rng = random.Random(os.getpid())


def slow(function):
    def wrapped(*arguments, **named):
        # The orders of bots go by quickly: nearly all the time is spent inside the transaction.
        if named.get("kind") != "saved":
            time.sleep(rng.uniform(0.03, 0.12))
        return function(*arguments, **named)

    return wrapped


# Where the transaction of a phase passes: judging, results, events, the next phase.
processing.adjudicate = slow(processing.adjudicate)
processing.resolution_to_json = slow(processing.resolution_to_json)
processing.open_phase = slow(processing.open_phase)
events.record = slow(events.record)


def claim_and_tell(**named):
    phase = claim(**named)
    if phase is not None:
        sys.stdout.write("claimed\n")
        sys.stdout.flush()
    return phase


claim, processing.claim_phase = processing.claim_phase, claim_and_tell
call_command("worker", pause=0.02, lease=0.5)
