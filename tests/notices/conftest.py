import datetime as dt

import pytest
from tests.notices.steps import consume
from tests.scenes import scene


@pytest.fixture
@scene
def quiet_cast(cast):
    """The running game of Alice and Bob, with the events of its start handled."""
    from diplomaccloud.notices.models import Notice

    consume()
    Notice.objects.update(read_at=dt.datetime(2030, 1, 1, tzinfo=dt.UTC))
    return cast


@pytest.fixture
def add(people):
    """A function that adds a confirmed destination of a person."""
    from django.utils import timezone

    from diplomaccloud.notices.models import Destination

    def make(name, channel, address="https://hook.example/", **values):
        now = timezone.now()
        return Destination.objects.create(
            **{
                "user_id": people[name],
                "channel": channel,
                "address": address,
                "digest": address[-60:],
                "label": "hook.example",
                "secret": {"key": "c2VjcmV0"} if channel == "webhook" else {},
                "origin": "https://games.example",
                "created_at": now,
                "confirmed_at": now,
                **values,
            }
        )

    return make
