"""Every instant of a deadline is on the page for the reader's own time zone."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.games.steps import DAY, HOUR, game, phase

from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.votes.wording import Question


def clock(cast):
    return cast.client("alice").get(cast.url()).context["view"].status.clock_words


@pytest.mark.parametrize(
    ("due", "judged", "words"),
    [
        (HOUR, HOUR, ["due"]),
        (HOUR, DAY, ["due", "adjudicated"]),
        (-HOUR, DAY, ["adjudicated"]),
    ],
    ids=["both at once", "adjudicated later", "closed"],
)
def test_each_instant_is_listed_once(cast, due, judged, words):
    now = timezone.now()
    Phase.objects.update(opens_at=now - DAY, due_at=now + due, adjudicate_at=now + judged)
    assert [word for word, _ in clock(cast).times] == words
    assert clock(cast).times[-1][1] == now + judged


def test_a_pause_has_its_end_too(table):
    now = timezone.now()
    change_time(
        slug=table.slug,
        user_id=table.charlie,
        sequence=1,
        question=Question.PAUSE,
        length=DAY,
        reason="Holidays.",
        key="k",
        now=now,
    )
    assert clock(table).times == (("paused until", now + DAY), ("due", phase().due_at))


def test_the_page_names_the_zone_and_shows_nothing_without_a_script(cast, agree):
    agree(schedule=in_the_pacific())
    page = cast.client("nobody").get(cast.url()).content.decode()
    (line,) = [one for one in page.split("<local-time ")[1:] if "America/Los_Angeles" in one]
    assert line.split(">")[0].endswith(" hidden")
    at = phase().due_at.astimezone(dt.UTC)
    assert f'datetime="{at.isoformat()}"' in line


def in_the_pacific():
    from diplomaccloud.schedule import PRESETS, schedule_to_json

    assert game().options.schedule
    return schedule_to_json(PRESETS["invitation"].schedule)
