"""A person takes the seat of a bot that gives way: when, whose, and what the record says."""

import datetime as dt

import pytest
from tests.games.records import lines, verify
from tests.games.steps import game

from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.errors import NotYourSeat, WrongMoment
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Draft, Phase, Submission
from diplomaccloud.games.turn.claims import advance


@pytest.fixture
def giving(cast):
    """The running game of Alice and Bob, in which the five bots give way."""
    set_options(bots_give_way=True)
    return cast


def set_options(**options):
    row = game()
    row.options = {**row.options.to_json(), **options}
    row.save()


def bot_seat():
    return Seat.objects.exclude(bot="").order_by("pk").first()


def take(cast, now, power="", who="charlie"):
    seat = take_seat(
        slug=cast.slug,
        user_id=cast.user_id(who),
        power=power or bot_seat().power,
        now=now or Phase.objects.get().opens_at,
    )
    return Seat.objects.get(pk=seat.pk)


def part_of_phase(share):
    phase = game().newest_phase()
    return phase.opens_at + (phase.due_at - phase.opens_at) * share


def test_the_person_plays_the_country_of_the_bot(giving):
    power = bot_seat().power
    seat = take(giving, part_of_phase(0.7))
    assert (seat.power, seat.user_id, seat.bot) == (power, giving.charlie, "")
    bot, person = seat.tenures.order_by("pk")
    assert (bot.bot, bot.until_at, bot.left) == ("hold", person.since_at, "")
    assert person.user_id == giving.charlie


def test_what_the_bot_ordered_no_longer_counts(giving):
    seat = bot_seat()
    submission = Submission.objects.filter(seat=seat)
    assert submission.exists()
    take(giving, part_of_phase(0.1), seat.power)
    assert not submission.exists()
    assert not Draft.objects.filter(seat=seat, live=True).exists()


def test_the_record_can_be_checked_to_the_end(giving):
    take(giving, part_of_phase(0.1))
    for _ in range(2):
        due_at = game().newest_phase().due_at
        advance(game_id=giving.game_id, owner="test", now=due_at + dt.timedelta(seconds=1))
    assert lines("seat")[0]["change"] == "taken"
    verify(giving)


@pytest.mark.parametrize(
    ("options", "share"),
    [
        ({"bots_give_way": False}, 0.1),
        ({"bots_give_way": True, "anonymous": True}, 0.1),
        ({"bots_give_way": True}, 0.75),
    ],
    ids=["not agreed", "nobody sees who is a bot", "three quarters are over"],
)
def test_a_bot_keeps_its_seat(cast, options, share):
    now = part_of_phase(share)
    set_options(**options)
    with pytest.raises(WrongMoment):
        take(cast, now)
    assert bot_seat().tenures.count() == 1


def test_no_person_gives_way(giving):
    seat = Seat.objects.get(user=giving.bob)
    with pytest.raises(WrongMoment):
        take(giving, part_of_phase(0.1), seat.power)


def test_who_has_played_another_country_cannot(giving):
    resign(slug=giving.slug, user_id=giving.bob, now=part_of_phase(0.1))
    with pytest.raises(NotYourSeat):
        take(giving, part_of_phase(0.2), who="bob")


def test_a_moment_after_the_lock_is_too_late(giving):
    now = part_of_phase(0.1)
    Phase.objects.update(locked_at=now)
    with pytest.raises(WrongMoment):
        take(giving, now)


@pytest.mark.parametrize(
    ("who", "offers"), [("charlie", True), ("alice", False), ("nobody", False)]
)
def test_the_page_offers_the_seats_of_bots_to_people_without_one(giving, who, offers):
    page = giving.client(who).get(giving.url("parts/powers/")).content.decode()
    assert ('id="giving-heading"' in page) == offers


def test_the_button_takes_the_seat(giving):
    power = bot_seat().power
    answer = giving.client("charlie").post(giving.url("take-over/"), {"power": power})
    assert answer.status_code == 303
    assert Tenure.objects.filter(user=giving.charlie, until_at=None).exists()


def test_no_anonymous_game_offers_them(giving):
    set_options(anonymous=True, bots_give_way=True)
    page = giving.client("charlie").get(giving.url()).content.decode()
    assert "giving-heading" not in page
    assert Game.objects.get().options.bots_give_way
