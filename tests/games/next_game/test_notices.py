"""Everyone who joined hears of a muster, and how it ended for them."""

from diplomaccloud.games.news.read import GameName, list_public_happenings
from diplomaccloud.notices.consumer import consume_events
from diplomaccloud.notices.models import Notice
from diplomaccloud.notices.wording import word_notice


def hear(hall):
    """Return what each person hears, by number, and forget it."""
    consume_events(now=hall.now)
    rows = Notice.objects.filter(kind="muster").order_by("pk")
    heard = {hall.people.index(row.user_id): row.data["what"] for row in rows}
    assert rows.count() == len(heard)
    rows.delete()
    return heard


def test_those_who_joined_hear_that_it_opens_and_how_it_ends(hall):
    hall.join(0, 1, 2, 3)
    assert hear(hall) == dict.fromkeys(range(3), "opened")
    hall.confirm(1)
    hall.wait(hours=12)
    assert hear(hall) == {0: "dropped", 2: "dropped", 1: "closed", 3: "closed"}


def test_nobody_who_has_confirmed_is_asked_to(hall):
    hall.join(0, 1, 2, 3, 4)
    hall.confirm(1)
    assert hear(hall) == dict.fromkeys((0, 2), "opened")


def test_who_lost_a_seat_in_a_game_that_starts_hears_it(hall):
    hall.join(0, 1, 2, 3, 4)
    hall.confirm(0, 1)
    hear(hall)
    hall.wait(hours=12)
    assert hear(hall) == {2: "dropped"}


def test_the_notice_says_until_when(hall):
    hall.join(0, 1, 2, 3)
    consume_events(now=hall.now)
    notice = Notice.objects.filter(kind="muster").first()
    assert notice.useful_until == hall.row.due_at
    text = word_notice(notice, GameName(hall.game.slug, hall.game.world))
    assert "24:00 UTC" in text.body
    assert text.path.endswith(f"/{hall.game.slug}/")


def test_no_public_event_names_who_lost_a_seat(hall):
    hall.join(0, 1, 2, 3)
    hall.wait(hours=12)
    events = list_public_happenings(hall.game.pk, after=0, limit=100)
    assert [event.facts for event in events if event.kind == "muster"] == [{}] * 3
