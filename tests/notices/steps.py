"""Steps with notices that several tests share."""

import datetime as dt

from django.utils import timezone

HOUR = dt.timedelta(hours=1)
SECOND = dt.timedelta(seconds=1)


def consume(now=None):
    from diplomaccloud.notices.consumer import consume_events

    while consume_events(now=now or timezone.now()):
        pass


def deliver_all(now):
    """Deliver what is due at `now`; return how many deliveries were tried."""
    from diplomaccloud.notices.delivery import deliver, list_due

    tried = 0
    while rows := list_due(now=now, limit=100):
        for row in rows:
            tried += 1
            deliver(row.pk, now=lambda: now)
    return tried


def remind(now):
    from diplomaccloud.notices.reminders import send_reminders

    while send_reminders(now=now):
        pass


def kinds_of(user_id):
    """Return the kinds of a person's notices, oldest first."""
    from diplomaccloud.notices.models import Notice

    return list(Notice.objects.filter(user=user_id).order_by("pk").values_list("kind", flat=True))


def open_phase(slug):
    from diplomaccloud.games.table.phase_models import Phase

    return Phase.objects.get(game__slug=slug, open=True)


def process(cast, now=None):
    """Adjudicate the open phase of the game now; return the time."""
    from diplomaccloud.games.table.phase_models import Phase
    from diplomaccloud.games.turn.claims import advance

    now = now or timezone.now()
    Phase.objects.filter(game__slug=cast.slug, open=True).update(
        opens_at=now - HOUR, due_at=now, adjudicate_at=now
    )
    advance(game_id=cast.game_id, owner="test", now=lambda: now)
    return now
