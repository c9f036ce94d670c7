"""Reports: what is copied, who judges them, the consequences, and what stays secret."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.press.people import new_key

from diplomaccloud.accounts.models import User
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.lobby.actions import invite, join_game, start_game
from diplomaccloud.games.results.actions import find_differences, finish_game
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.errors import NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.results import Ending
from diplomaccloud.press.moderation.actions import (
    appoint_moderator,
    assign_waiting_cases,
    decide_case,
    finish_return,
    inspect_case,
    return_case,
    take_case,
)
from diplomaccloud.press.moderation.judges import has_confirmed_abuse, select_assignable
from diplomaccloud.press.moderation.models import (
    AuditEntry,
    Case,
    Decision,
    Inspection,
    Report,
    TextCase,
)
from diplomaccloud.press.moderation.read import (
    read_audit,
    read_case,
    read_inspected,
    read_queue,
    read_text_queue,
    read_unmasked,
)
from diplomaccloud.press.personal.actions import send_personal
from diplomaccloud.press.reports.actions import (
    appeal_decision,
    judge_text,
    report_message,
    report_text,
)
from diplomaccloud.press.reports.read import copy_evidence, copy_personal_evidence, read_own_reports
from diplomaccloud.press.table.addresses import AddressKind, parse_address
from diplomaccloud.press.table.errors import (
    AlreadyReported,
    CaseTaken,
    NoSuchCase,
    NoSuchConversation,
    PressClosed,
    TooManyMessages,
)
from diplomaccloud.press.table.models import Conversation, PressEvent

INSULT = "You are a very bad person."
DAY = dt.timedelta(days=1)


def report(talking, who, members, number, grounds="abuse", note="", now=None):
    """Report a message as a person reads it."""
    address = parse_address(members)
    evidence = copy_evidence(talking.reader(who), address, number)
    report_message(
        user_id=talking.user_id(who),
        slug=talking.slug,
        to=address,
        evidence=evidence,
        grounds=grounds,
        note=note,
        now=now or talking.tick(),
    )
    return Case.objects.order_by("-pk").first().key


def queue(person, now=None):
    """Return the keys of the cases that wait for a person; none if there is no queue."""
    user = User.objects.get(username=person) if isinstance(person, str) else person
    try:
        lines, _ = read_queue(Viewer(user.pk), now=now or timezone.now())
    except NoSuchCase:
        return None
    return [line.key for line in lines]


def decide(talking, who, key, outcome, *, days=0, reason="Be kind."):
    """Take and decide a case."""
    user_id = talking.user_id(who)
    take_case(user_id=user_id, key=key, now=talking.tick())
    decide_case(
        user_id=user_id,
        key=key,
        outcome=outcome,
        reason=reason,
        days=days,
        owner="test",
        now=talking.tick(),
    )


@pytest.fixture
def judged(talking):
    """The game of seven with two moderators, Mina and Mo; Italy has insulted France."""
    for name in ("Mina", "Mo"):
        User.objects.create(username=name, moderator=True)
    for number in range(8):
        talking.send("FRANCE", "ITALY", f"Message {number}.")
    talking.send("ITALY", "FRANCE", INSULT)
    return talking


def test_a_report_copies_the_message_and_ten_around_it_without_saying_for_whom(judged):
    for number in range(8):
        judged.send("FRANCE", "ITALY", f"Later {number}.")
    key = report(judged, "FRANCE", "ITALY", 9, note="He insults me.")
    row = Report.objects.get()
    copies = row.evidence["messages"]
    assert [copy["body"] for copy in copies] == [
        *(f"Message {number}." for number in range(3, 8)),
        INSULT,
        *(f"Later {number}." for number in range(5)),
    ]
    assert [copy["body"] for copy in copies if copy["reported"]] == [INSULT]
    assert "you" not in {copy["name"] for copy in copies}
    assert row.evidence["members"] == ["France", "Italy"]
    case = read_case(Viewer(judged.user_id("Morgan")), key, now=judged.now)
    assert case.reports[0].is_intact
    assert case.reports[0].note == "He insults me."
    for change, refusal in (
        (lambda: report(judged, "FRANCE", "ITALY", 9), AlreadyReported),
        (lambda: report(judged, "FRANCE", "ITALY", 1), NoSuchConversation),
        (lambda: report(judged, "FRANCE", "ITALY", 99), NoSuchConversation),
        (lambda: report(judged, "ENGLAND", "ITALY", 9), NoSuchConversation),
        (lambda: report(judged, "Sam", "everyone", 1), NoSuchConversation),
    ):
        with pytest.raises(refusal):
            change()
    assert Report.objects.count() == 1


def test_hostile_reports_are_refused_and_change_nothing(judged):
    for more in (
        {"grounds": "nonsense"},
        {"grounds": "other"},
        {"note": "x" * 1001},
        {"note": "a\u202eb"},
    ):
        with pytest.raises(Refused):
            report(judged, "FRANCE", "ITALY", 9, **more)
    evidence = copy_evidence(judged.reader("FRANCE"), parse_address("ITALY"), 9)
    evidence.content["messages"][-1]["body"] = "Something else."
    with pytest.raises(NoSuchConversation):
        report_message(
            user_id=judged.user_id("FRANCE"),
            slug=judged.slug,
            to=parse_address("ITALY"),
            evidence=evidence,
            grounds="abuse",
            now=judged.tick(),
        )
    assert not Report.objects.exists()
    for number in range(21):
        judged.send("ITALY", "everyone", f"Spam {number}.")
    for number in range(1, 21):
        report(judged, "FRANCE", "everyone", number, "spam")
    with pytest.raises(TooManyMessages):
        report(judged, "FRANCE", "everyone", 21, "spam")
    report(judged, "FRANCE", "everyone", 21, "spam", now=judged.now + 2 * DAY)


@pytest.mark.long
def test_who_judges_what(judged):
    """A matrix of kinds of cases and of people; only those named have the case."""
    austria, france, italy = map(judged.name_of, ("AUSTRIA", "FRANCE", "ITALY"))
    people = (austria, france, italy, "Morgan", "Sam", "Mina", "Mo")
    judged.send("Morgan", "FRANCE", "From the game master.")
    judged.send("ITALY", "everyone", "To everyone.")
    reader, sam = judged.user_id("FRANCE"), User.objects.get(username="Sam")
    send_personal(user_id=sam.pk, to=france, body="Psst.", key=new_key(), now=judged.tick())

    def judges(key, now=None):
        return {name for name in people if key in (queue(name, now) or ())}

    seats = report(judged, "FRANCE", "ITALY", 9)
    assert judges(seats) == {"Morgan"}
    later = timezone.now() + 4 * DAY
    assert assign_waiting_cases(now=judged.now) == 0
    assert assign_waiting_cases(now=later) == 1
    assert judges(seats, later) == {"Morgan", "Mina"}
    master = report(judged, "FRANCE", "game-master", 1)
    assert judges(master) == {"Mo"}
    evidence = copy_personal_evidence(Viewer(reader), "Sam", 1, now=judged.now)
    report_message(user_id=reader, to="Sam", evidence=evidence, grounds="spam", now=judged.tick())
    personal = Case.objects.get(game=None).key
    assert judges(personal) == {"Mina"}
    # Everyone else has no queue at all, not even an empty one.
    assert [name for name in people if queue(name) is None] == [austria, france, italy, "Sam"]
    # A moderator who plays, wrote or reported the message never judges.
    User.objects.filter(username__in=(austria, france, italy, "Sam")).update(moderator=True)
    public = report(judged, "FRANCE", "everyone", 1)
    Game.objects.update(master=None)
    assert judges(public) == set()
    assert assign_waiting_cases(now=judged.tick()) == 1
    assert judges(public) == {"Sam"}
    assert judges(seats) == judges(personal) == {"Mina"}
    # Neither does one who left the game.
    judged.resign("AUSTRIA")
    assert judges(public) == {"Sam"}
    with pytest.raises(NoSuchCase):
        read_case(Viewer(judged.user_id(austria)), public, now=judged.now)
    with pytest.raises(NoSuchCase):
        take_case(user_id=judged.user_id(austria), key=public, now=judged.tick())


@pytest.fixture
def rivals(judged, plan):
    """Another game that Mina and the player of Italy have joined."""
    Game.objects.update(master=None)
    now = judged.tick()
    game = create_game(
        plan=plan, creator_id=judged.user_id("Mo"), now=now, slug="bbbbbbbbbb", code="c", seed="s"
    )
    for name in ("ITALY", "Mina"):
        join_game(slug=game.slug, user_id=judged.user_id(name), now=now)
    Seat.objects.filter(user=judged.user_id("Mo"), game=game).delete()
    return game


def test_nobody_judges_a_rival_in_another_game(judged, rivals):
    """A person who shares an unfinished game with the author, however, is involved."""
    author, mina = judged.user_id("ITALY"), judged.user_id("Mina")
    key = report(judged, "FRANCE", "ITALY", 9)
    report_text(
        user_id=judged.user_id("FRANCE"), kind="name", of=judged.name_of("ITALY"),
        grounds="abuse", now=judged.tick(),
    )  # fmt: skip
    text = TextCase.objects.get().key

    def judges(name):
        user = User.objects.get(username=name)
        texts, _ = read_text_queue(Viewer(user.pk), now=judged.now)
        return key in (queue(name) or ()), text in [line.key for line in texts]

    def refuse():
        with pytest.raises(NoSuchCase):
            read_case(Viewer(mina), key, now=judged.now)
        with pytest.raises(NoSuchCase):
            take_case(user_id=mina, key=key, now=judged.tick())
        with pytest.raises(NoSuchCase):
            judge_text(user_id=mina, key=text, stage="kept", reason="Fine.", now=judged.tick())

    assert (judges("Mina"), judges("Mo")) == ((False, False), (True, True))
    # Not even if it was assigned before.
    Case.objects.update(assigned_to=mina)
    TextCase.objects.update(assigned_to=mina)
    assert judges("Mina") == (False, False)
    refuse()
    # A seat that one of them has left counts too.
    start_game(slug=rivals.slug, user_id=rivals.creator_id, now=judged.tick(), bot="hold")
    resign(slug=rivals.slug, user_id=author, now=judged.tick())
    assert judges("Mina") == (False, False)
    refuse()
    finish_game(Game.objects.get(pk=rivals.pk), Ending.of((), "canceled"), judged.tick())
    assert judges("Mina") == (True, True)


def test_a_rival_does_not_decide_a_case_that_was_taken_before(judged, rivals):
    mina = judged.user_id("Mina")
    Seat.objects.filter(game=rivals, user=mina).delete()
    key = report(judged, "FRANCE", "ITALY", 9)
    take_case(user_id=mina, key=key, now=judged.tick())
    join_game(slug=rivals.slug, user_id=mina, now=judged.tick())
    decision = {"outcome": "banned", "reason": "Go.", "owner": "test"}
    with pytest.raises(NoSuchCase):
        decide_case(user_id=mina, key=key, now=judged.tick(), **decision)
    with pytest.raises(NoSuchCase):
        inspect_case(user_id=mina, key=key, what="name", reason="Who?", now=judged.tick())
    # Nor does the audit tell of it.
    assert read_audit(Viewer(mina)) == ()
    assert len(read_audit(Viewer(judged.user_id("Mo")))) == 1


def test_no_case_vanishes_when_an_anonymous_game_begins(judged, rivals):
    mina = judged.user_id("Mina")
    Seat.objects.filter(game=rivals, user=mina).delete()
    rivals.options = {**rivals.options.to_json(), "anonymous": True}
    rivals.save()
    key = report(judged, "FRANCE", "ITALY", 9)
    Case.objects.update(assigned_to=mina)
    before = queue("Mina")
    assert key in before
    join_game(slug=rivals.slug, user_id=mina, now=judged.tick())
    assert assign_waiting_cases(now=judged.tick()) == 0
    assert queue("Mina") == before
    assert read_case(Viewer(mina), key, now=judged.now)
    # But another case about that person would not be assigned to Mina.
    assert not select_assignable(User.objects.get(pk=mina)).filter(key=key).exists()


@pytest.mark.parametrize("way", ["take over", "join", "by invitation"])
@pytest.mark.parametrize("act", ["be assigned", "take", "inspect", "decide"])
def test_nobody_plays_in_a_game_they_have_looked_into(judged, rivals, way, act):
    Game.objects.filter(pk=rivals.pk).update(creator=judged.user_id("Sam"))
    rivals.refresh_from_db()
    Seat.objects.filter(game=rivals, user=judged.user_id("Mina")).delete()
    mina, key = judged.user_id("Mina"), report(judged, "FRANCE", "ITALY", 9)
    User.objects.create(username="Max", moderator=True)
    if act != "be assigned":
        take_case(user_id=mina, key=key, now=judged.tick())
    if act == "inspect":
        inspect_case(user_id=mina, key=key, what="conversation", reason="Why?", now=judged.tick())
        return_case(user_id=mina, key=key, now=judged.tick())
        Case.objects.update(assigned_to=None)
    elif act == "decide":
        decision = {"outcome": "none", "reason": "Fine.", "owner": "test"}
        decide_case(user_id=mina, key=key, now=judged.tick(), **decision)
    if way == "take over":
        judged.resign("AUSTRIA")
    else:
        # The report could as well be from the lobby of a game.
        Seat.objects.filter(game=rivals).exclude(user=judged.user_id("ITALY")).delete()
        Case.objects.update(game=rivals)
        Game.objects.filter(pk=rivals.pk).update(private=way == "by invitation")

    def play(name):
        about = {"user_id": judged.user_id(name), "now": judged.tick()}
        if way == "take over":
            return take_seat(slug=judged.slug, power="AUSTRIA", **about)
        if way == "by invitation":
            owner = {"user_id": rivals.creator_id, "name": name}
            invite(slug=rivals.slug, now=judged.tick(), **owner)
        return join_game(slug=rivals.slug, **about)

    with pytest.raises(NotYourSeat, match="had a report"):
        play("Mina")
    assert not Seat.objects.filter(user=mina).exists()
    play("Max")


def reassign(now):
    """Let the worker assign the waiting cases, and return how many were, and who has each one."""
    number = assign_waiting_cases(now=now)
    names = Case.objects.order_by("pk").values_list("assigned_to__username", flat=True)
    return number, list(names)


def test_cases_are_assigned_evenly_and_again_when_somebody_cannot_judge(judged, rivals):
    Seat.objects.filter(game=rivals, user=judged.user_id("Mina")).delete()
    for number in range(4):
        judged.send("ITALY", "everyone", f"Message {number}.")
        report(judged, "FRANCE", "everyone", number + 1)
    now = judged.now
    assert reassign(now) == (0, ["Mina", "Mo", "Mina", "Mo"])
    # A moderator who has become involved.
    join_game(slug=rivals.slug, user_id=judged.user_id("Mina"), now=judged.tick())
    assert queue("Mina") == []
    assert reassign(now) == (2, ["Mo"] * 4)
    User.objects.create(username="Max", moderator=True)
    assert reassign(now) == (0, ["Mo"] * 4)
    # An idle one; a case that is being judged stays.
    key = Case.objects.order_by("pk").first().key
    take_case(user_id=judged.user_id("Mo"), key=key, now=now + 3 * DAY)
    assert reassign(now + 4 * DAY) == (3, ["Mo", "Max", "Max", "Max"])
    # One who is dismissed. Nobody else can judge, so administrators do.
    for name in ("Mo", "Max"):
        appoint_moderator(name=name, appointed=False, by=None, now=now + 4 * DAY)
    assert reassign(now + 4 * DAY) == (0, [None] * 4)
    for name in ("Mina", "Sam"):
        User.objects.filter(username=name).update(is_superuser=True)
    assert queue("Mina", now + 4 * DAY) == []
    assert len(queue("Sam", now + 4 * DAY)) == 4


def test_an_idle_moderator_without_a_colleague_keeps_the_case(judged):
    Game.objects.update(master=None)
    User.objects.filter(username="Mo").update(moderator=False, is_superuser=True)
    key = report(judged, "FRANCE", "ITALY", 9)
    assert (queue("Mina"), queue("Mo")) == ([key], [])
    later = judged.now + 4 * DAY
    assert reassign(later) == (0, ["Mina"])
    # An administrator can judge it as well.
    assert queue("Mina", later) == queue("Mo", later) == [key]


def test_cases_of_an_earlier_release_are_assigned(judged, rivals):
    report(judged, "FRANCE", "ITALY", 9)
    report_text(
        user_id=judged.user_id("FRANCE"), kind="name", of=judged.name_of("ENGLAND"),
        grounds="abuse", now=judged.tick(),
    )  # fmt: skip
    for model in (Case, TextCase):
        model.objects.update(assigned_to=None, assigned_at=None)
    assert reassign(judged.now) == (2, ["Mo"])
    assert TextCase.objects.get().assigned_to.username == "Mina"


def test_which_decisions_confirm_abuse(judged):
    """Only a moderator's decision in force is a cause for a vote on removing the author."""
    game, italy = Game.objects.get().pk, judged.user_id("ITALY")
    master = report(judged, "FRANCE", "ITALY", 9)
    decide(judged, "Morgan", master, "warning")
    assert not has_confirmed_abuse(game, italy)
    Game.objects.update(master=None)
    judged.send("ITALY", "everyone", "To everyone.")
    key = report(judged, "FRANCE", "everyone", 1)
    assert not has_confirmed_abuse(game, italy)
    decide(judged, "Mina", key, "warning")
    assert has_confirmed_abuse(game, italy)
    assert not has_confirmed_abuse(game, judged.user_id("FRANCE"))
    assert not has_confirmed_abuse(game + 1, italy)
    appeal_decision(user_id=italy, key=key, text="I was joking.", now=judged.tick())
    assert not has_confirmed_abuse(game, italy)
    decide(judged, "Mo", key, "none")
    assert not has_confirmed_abuse(game, italy)
    Decision.objects.filter(on_appeal=True).update(outcome="warning")
    assert has_confirmed_abuse(game, italy)
    Conversation.objects.update(kind=AddressKind.GRAY)
    assert not has_confirmed_abuse(game, italy)


def test_one_person_judges_a_case_and_leaves_an_audit(judged):
    Game.objects.update(master=None)
    key = report(judged, "FRANCE", "ITALY", 9)
    mina, mo = judged.user_id("Mina"), judged.user_id("Mo")
    decision = {"key": key, "outcome": "warning", "reason": "Be kind.", "owner": "test"}
    with pytest.raises(CaseTaken, match="first"):
        decide_case(user_id=mina, now=judged.tick(), **decision)
    take_case(user_id=mina, key=key, now=judged.tick())
    with pytest.raises(NoSuchCase):
        take_case(user_id=mo, key=key, now=judged.tick())
    with pytest.raises(NoSuchCase):
        decide_case(user_id=mo, now=judged.tick(), **decision)
    return_case(user_id=mina, key=key, now=judged.tick())
    with pytest.raises(NoSuchCase):
        take_case(user_id=mina, key=key, now=judged.tick())
    take_case(user_id=mo, key=key, now=judged.tick())
    return_case(user_id=mo, key=key, now=judged.tick())
    # Both have returned it, so an administrator judges it.
    User.objects.filter(pk=mina).update(is_superuser=True)
    assert queue("Mo") == []
    take_case(user_id=mina, key=key, now=judged.tick())
    for wrong in ({"outcome": "nonsense"}, {"reason": " "}, {"outcome": "limited", "days": 2}):
        with pytest.raises(Refused):
            decide_case(user_id=mina, now=judged.tick(), **decision | wrong)
    decide_case(user_id=mina, now=judged.tick(), **decision)
    with pytest.raises(CaseTaken, match="decided"):
        decide_case(user_id=mina, now=judged.tick(), **decision)
    acts = [(line.by, line.act) for line in read_audit(Viewer(mo))]
    assert acts == [
        ("Mina", "decided"),
        ("Mina", "taken"),
        ("Mo", "returned"),
        ("Mo", "taken"),
        ("Mina", "returned"),
        ("Mina", "taken"),
    ]
    User.objects.filter(pk=judged.user_id("ITALY")).update(moderator=True)
    assert read_audit(Viewer(judged.user_id("ITALY"))) == ()
    with pytest.raises(NoSuchCase):
        read_audit(Viewer(judged.user_id("FRANCE")))


def test_the_author_gets_the_reason_and_the_reporter_learns_that_it_is_decided(judged):
    italy, france = Viewer(judged.user_id("ITALY")), Viewer(judged.user_id("FRANCE"))
    first = report(judged, "FRANCE", "ITALY", 9)
    assert not read_own_reports(france, now=judged.now).reports[0].is_decided
    decide(judged, "Morgan", first, "none")
    # Without action, the author does not learn of the report.
    assert read_own_reports(italy, now=judged.now).decisions == ()
    assert read_own_reports(france, now=judged.now).reports[0].is_decided
    judged.send("ITALY", "FRANCE", "Again.")
    second = report(judged, "FRANCE", "ITALY", 10)
    decide(judged, "Morgan", second, "limited", days=3)
    (decision,) = read_own_reports(italy, now=judged.now).decisions
    assert (decision.reason, decision.body, decision.may_appeal) == ("Be kind.", "Again.", True)
    assert judged.name_of("FRANCE") not in repr(decision)
    assert read_own_reports(france, now=judged.now).decisions == ()
    notified = PressEvent.objects.values_list("kind", "user").order_by("pk")
    assert list(notified) == [
        ("report waiting", judged.user_id("Morgan")),
        ("report decided", france.user_id),
        ("report waiting", judged.user_id("Morgan")),
        ("report decided", france.user_id),
        ("judged", italy.user_id),
    ]
    # A limit set by a game master applies in the game; notes and the game master stay open.
    with pytest.raises(PressClosed, match="limited"):
        judged.send("ITALY", "FRANCE", "More.")
    assert "limited" in judged.reader("ITALY").conversation(parse_address("FRANCE")).summary.why
    judged.send("ITALY", "notes", "A note.")
    judged.send("ITALY", "game-master", "Sorry.")
    send_personal(user_id=italy.user_id, to="Sam", body="Hello.", key=new_key(), now=judged.tick())
    with pytest.raises(NoSuchCase):
        appeal_decision(user_id=france.user_id, key=second, text="Mine?", now=judged.tick())
    appeal_decision(user_id=italy.user_id, key=second, text="It was a joke.", now=judged.tick())
    with pytest.raises(CaseTaken):
        appeal_decision(user_id=italy.user_id, key=second, text="Again.", now=judged.tick())
    # Appeals go to moderators, whose decision is never harsher.
    assert second not in queue("Morgan")
    assert read_case(Viewer(judged.user_id("Mina")), second, now=judged.now).appeal
    with pytest.raises(Refused):
        decide(judged, "Mina", second, "banned")
    decide(judged, "Mina", second, "none", reason="It was a joke.")
    judged.send("ITALY", "FRANCE", "I am back.")
    assert [row.on_appeal for row in read_own_reports(italy, now=judged.now).decisions] == [
        True,
        False,
    ]


def test_another_moderator_looks_at_an_appeal_and_a_limit_of_a_moderator_is_everywhere(judged):
    Game.objects.update(master=None)
    key = report(judged, "FRANCE", "ITALY", 9)
    decide(judged, "Mina", key, "limited", days=7)
    italy = judged.user_id("ITALY")
    for body in ("Hello.", "Hello again."):
        with pytest.raises(PressClosed, match="limited"):
            send_personal(user_id=italy, to="Sam", body=body, key=new_key(), now=judged.tick())
    judged.now += 8 * DAY
    send_personal(user_id=italy, to="Sam", body="Hi.", key=new_key(), now=judged.tick())
    appeal_decision(user_id=italy, key=key, text="No.", now=judged.tick())
    assert queue("Mina") == []
    assert queue("Mo") == [key]
    decide(judged, "Mo", key, "limited", days=30)
    decision = Decision.objects.get(on_appeal=True)
    assert decision.until == Decision.objects.get(on_appeal=False).until


def test_a_removal_vacates_the_seat_and_a_ban_all_seats(judged):
    key = report(judged, "FRANCE", "ITALY", 9)
    case = read_case(Viewer(judged.user_id("Morgan")), key, now=judged.now)
    assert case.outcomes == ()
    take_case(user_id=judged.user_id("Morgan"), key=key, now=judged.tick())
    case = read_case(Viewer(judged.user_id("Morgan")), key, now=judged.now)
    assert case.outcomes == ("none", "warning", "limited", "removed")
    removed = judged.user_id("ITALY")
    decide(judged, "Morgan", key, "removed")
    assert Seat.objects.get(power="ITALY").user_id is None
    line = LogEntry.objects.get(kind="left")
    assert (line.text, line.by) == ("The player of Italy was removed by the game master.", None)
    assert INSULT not in line.reason
    judged.send("TURKEY", "FRANCE", INSULT)
    Game.objects.update(master=None)
    banned = judged.user_id("TURKEY")
    key = report(judged, "FRANCE", "TURKEY", 1)
    decide(judged, "Mina", key, "banned")
    assert Seat.objects.get(power="TURKEY").user_id is None
    assert User.objects.get(pk=banned).banned_at
    appeal_decision(user_id=banned, key=key, text="Sorry.", now=judged.tick())
    decide(judged, "Mo", key, "warning")
    assert not User.objects.get(pk=banned).banned_at
    assert not User.objects.get(pk=removed).banned_at
    # The ban was overturned, and the seat was still vacant.
    assert Seat.objects.get(power="TURKEY").user_id == banned
    assert Seat.objects.get(power="ITALY").user_id is None
    finish_return.call(key)
    assert LogEntry.objects.filter(kind="taken").count() == 1


@pytest.mark.parametrize("outcome", ["none", "warning"])
@pytest.mark.parametrize("is_vacant", [True, False])
def test_a_successful_appeal_gives_a_vacant_seat_back(judged, outcome, is_vacant):
    italy, key = judged.user_id("ITALY"), report(judged, "FRANCE", "ITALY", 9)
    decide(judged, "Morgan", key, "removed")
    if not is_vacant:
        take_seat(slug=judged.slug, user_id=judged.user_id("Sam"), power="ITALY", now=judged.tick())
    appeal_decision(user_id=italy, key=key, text="Sorry.", now=judged.tick())
    decide(judged, "Mina", key, outcome)
    holder = italy if is_vacant else judged.user_id("Sam")
    assert Seat.objects.get(power="ITALY").user_id == holder
    newest = LogEntry.objects.latest("pk")
    assert newest.kind == ("taken" if is_vacant else "appeal")
    assert "appeal" in newest.text.lower()
    (decision, first) = read_own_reports(Viewer(italy), now=judged.now).decisions
    assert (decision.seat_returned, first.seat_returned) == (is_vacant, None)
    assert list(find_differences()) == []
    if not is_vacant:
        # The player can take the seat over later.
        resign(slug=judged.slug, user_id=holder, now=judged.tick())
        take_seat(slug=judged.slug, user_id=italy, power="ITALY", now=judged.tick())


def test_a_removal_that_is_upheld_or_over_gives_nothing_back(judged):
    italy, key = judged.user_id("ITALY"), report(judged, "FRANCE", "ITALY", 9)
    decide(judged, "Morgan", key, "removed")
    appeal_decision(user_id=italy, key=key, text="Sorry.", now=judged.tick())
    finish_game(Game.objects.get(), Ending.of((), "canceled"), judged.tick())
    decide(judged, "Mina", key, "none")
    assert Seat.objects.get(power="ITALY").user_id is None
    assert read_own_reports(Viewer(italy), now=judged.now).decisions[0].seat_returned is None


def test_a_removal_of_a_player_who_has_left_is_refused_and_decides_nothing(judged):
    key = report(judged, "FRANCE", "ITALY", 9)
    judged.resign("ITALY")
    with pytest.raises(WrongMoment):
        decide(judged, "Morgan", key, "removed")
    assert not Decision.objects.exists()


def test_more_than_the_evidence_takes_a_reason_and_an_audit_row(judged):
    judged.agree(anonymous=True)
    for number in range(20):
        judged.send("FRANCE", "ITALY", f"Later {number}.")
    key = report(judged, "FRANCE", "ITALY", 9)
    morgan, mina = judged.user_id("Morgan"), judged.user_id("Mina")
    case = read_case(Viewer(morgan), key, now=judged.now)
    assert {copy.name for row in case.reports for copy in row.copies} == {""}
    assert case.earlier == ()
    look = {"key": key, "what": "name", "reason": "A threat."}
    take_case(user_id=morgan, key=key, now=judged.tick())
    with pytest.raises(NotYourSeat):
        inspect_case(user_id=morgan, now=judged.tick(), **look)
    return_case(user_id=morgan, key=key, now=judged.tick())
    Game.objects.update(master=None)
    assign_waiting_cases(now=judged.tick())
    with pytest.raises(CaseTaken):
        inspect_case(user_id=mina, now=judged.tick(), **look)
    take_case(user_id=mina, key=key, now=judged.tick())
    for wrong in ({"reason": ""}, {"what": "orders"}):
        with pytest.raises(Refused):
            inspect_case(user_id=mina, now=judged.tick(), **look | wrong)
    with pytest.raises(NoSuchCase):
        read_unmasked(Viewer(mina), key, at=judged.now)
    now = judged.tick()
    inspect_case(user_id=mina, now=now, **look)
    assert read_unmasked(Viewer(mina), key, at=now) == judged.name_of("ITALY")
    with pytest.raises(NoSuchCase):
        read_inspected(Viewer(mina), key, at=now)
    now = judged.tick()
    inspect_case(user_id=mina, now=now, **look | {"what": "conversation"})
    copies = read_inspected(Viewer(mina), key, at=now)
    assert len(copies) == 29
    assert {copy.name for copy in copies} == {""}
    assert Inspection.objects.count() == 2
    looked = PressEvent.objects.filter(kind="looked at").values_list("user", flat=True)
    assert set(looked) == {judged.user_id("FRANCE"), judged.user_id("ITALY")}
    assert AuditEntry.objects.filter(act="inspected", detail__contains="A threat.").count() == 2


def test_a_gray_message_stays_unsigned_for_those_who_judge_it(judged):
    from diplomaccloud.press.conversations.actions import publish_gray

    judged.agree(gray=True)
    judged.send("ITALY", "gray", INSULT)
    publish_gray(now=judged.now + dt.timedelta(minutes=16))
    key = report(judged, "FRANCE", "gray", 1)
    with pytest.raises(Refused, match="yourself"):
        report(judged, "ITALY", "gray", 1)
    take_case(user_id=judged.user_id("Morgan"), key=key, now=judged.tick())
    case = read_case(Viewer(judged.user_id("Morgan")), key, now=judged.now)
    assert [copy.author for copy in case.reports[0].copies] == ["unsigned"]
    # A removal would show who wrote it.
    assert case.outcomes == ("none", "warning", "limited")
    assert judged.name_of("ITALY") not in repr(case)
    decide(judged, "Morgan", key, "warning")
    assert len(read_own_reports(Viewer(judged.user_id("ITALY")), now=judged.now).decisions) == 1


def test_reports_of_one_message_share_a_case_and_a_later_one_makes_another(judged):
    judged.send("ITALY", "everyone", "Fools.")
    first = report(judged, "FRANCE", "everyone", 1)
    assert report(judged, "ENGLAND", "everyone", 1, "spam") == first
    (line,), _ = read_queue(Viewer(judged.user_id("Morgan")), now=judged.now)
    assert (line.reports, line.grounds) == (2, ("abuse", "spam"))
    decide(judged, "Morgan", first, "none")
    assert report(judged, "GERMANY", "everyone", 1) != first
    # A third person learns nothing of the earlier case.
    dieter = read_own_reports(Viewer(judged.user_id("GERMANY")), now=judged.now)
    assert [row.is_decided for row in dieter.reports] == [False]


def test_moderators_are_appointed_with_an_audit_line(judged):
    sam, now = User.objects.get(username="Sam"), judged.tick()
    assert appoint_moderator(name="sam", appointed=True, by=None, now=now)
    assert not appoint_moderator(name="sam", appointed=True, by=None, now=now)
    sam.refresh_from_db()
    assert sam.moderator
    assert queue("Sam") == []
    assert appoint_moderator(name="Sam", appointed=False, by=sam.pk, now=judged.tick())
    lines = [(row.act, row.by_id, row.person_id) for row in AuditEntry.objects.order_by("pk")]
    assert lines == [("appointed", None, sam.pk), ("dismissed", sam.pk, sam.pk)]
    assert queue("Sam") is None
