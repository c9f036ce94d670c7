"""The pages of a game's life: votes, the log, leaving, taking over, the game master's console."""

import re

import pytest
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.steps import DAY, HOUR, ballot, due, game, move, phase, save

from diplomaccloud.accounts.models import User
from diplomaccloud.games import actions
from diplomaccloud.games.models import (
    Attendance,
    Game,
    LogEntry,
    Motion,
    Phase,
    Seat,
    Submission,
    Tenure,
)

SECRET = "A VIE - GAL"
EVERYBODY = ("alice", "bob", "charlie", "nobody")


def life(cast, who):
    return cast.client(who).get(cast.url()).context["view"].life


def post(cast, who, rest, **data):
    """Send a form, which names the open phase as its page does."""
    if rest.startswith(("master/", "motions/", "answer/", "bot/")):
        data = {"phase": Phase.objects.count(), **data}
    return cast.client(who).post(cast.url(rest), data)


def log_of(cast, who="nobody", page=1):
    return cast.client(who).get(cast.url(f"log/?page={page}")).context["log"]


class TestVotesWithOrders:
    def test_a_draw_is_written_and_taken_back(self, cast):
        assert life(cast, "alice").ballot == "none"
        for vote in ("draw", "none"):
            assert post(cast, "alice", "vote/", phase=1, vote=vote).status_code == 303
            assert life(cast, "alice").ballot == vote

    def test_who_surrenders_is_asked_again(self, cast):
        asked = post(cast, "alice", "vote/", phase=1, vote="surrender")
        assert (asked.status_code, asked.templates[0].name) == (200, "games/surrender.html")
        assert not Submission.objects.filter(vote="surrender").exists()
        post(cast, "alice", "vote/", phase=1, vote="surrender", sure="1")
        assert life(cast, "alice").ballot == "surrender"

    def test_all_are_told_when_the_orders_are_carried_out_and_nobody_before(self, cast):
        pages = [cast.client(who).get(cast.url()).context["view"] for who in EVERYBODY[1:]]
        post(cast, "alice", "vote/", phase=1, vote="draw")
        after = [cast.client(who).get(cast.url()).context["view"] for who in EVERYBODY[1:]]
        assert after == pages
        due(cast)
        for who in EVERYBODY:
            page = cast.client(who).get(cast.url("phases/1/"))
            assert page.context["report"].history.told == "Votes for a draw: Austria."
            assert b"Votes for a draw: Austria." in page.content

    def test_a_country_that_surrendered_orders_nothing_and_has_no_vote(self, cast):
        post(cast, "alice", "vote/", phase=1, vote="surrender", sure="1")
        due(cast)
        view = cast.client("alice").get(cast.url()).context["view"]
        assert (view.life.given_up, view.life.ballot, view.desk.must_order) == (True, "", False)
        assert not view.life.can_resign
        assert "Austria surrenders" in log_of(cast).lines[0].text
        assert cast.client("alice").get(cast.url("resign/")).status_code == 404

    @pytest.mark.parametrize(
        ("who", "data", "status"),
        [
            ("alice", {"phase": 1, "vote": "win"}, 400),
            ("alice", {"phase": 2, "vote": "draw"}, 409),
            ("alice", {"vote": "draw"}, 400),
            ("charlie", {"phase": 1, "vote": "draw"}, 403),
            ("nobody", {"phase": 1, "vote": "draw"}, 302),
        ],
        ids=["no such vote", "another phase", "no phase", "a stranger", "a visitor"],
    )
    def test_what_is_refused(self, cast, who, data, status):
        assert post(cast, who, "vote/", **data).status_code == status
        assert not Submission.objects.exclude(vote="").exists()


class TestMotions:
    def test_one_is_opened_voted_on_and_carried(self, cast):
        before = phase().due_at
        post(cast, "alice", "motions/", question="extend", length=86400)
        (motion,) = life(cast, "bob").votes.open
        assert (motion.agreed, motion.asked, motion.needed) == (1, 2, 2)
        assert (motion.mine, motion.may_vote, motion.may_withdraw) == ("", True, False)
        post(cast, "bob", "answer/", motion=motion.pk, answer="yes")
        assert phase().due_at == before + DAY
        (over,) = life(cast, "bob").votes.closed
        assert over.outcome == "was carried"

    def test_each_is_told_what_came_of_it(self, cast):
        caller, voter = Browser(cast.client("alice")), Browser(cast.client("bob"))
        voter.open(cast.url())
        caller.open(cast.url())
        caller.send("/motions/", where={"question": "cancel"})
        assert caller.told[0].startswith("The vote is open. You have voted yes.")
        caller.send("/answer/", button=("answer", "withdraw"))
        caller.send("/motions/", where={"question": "draw"})
        voter.open(cast.url())
        voter.send("/answer/", button=("answer", "no"))
        assert voter.told == ["The vote failed."]

    def test_who_voted_how_is_told_to_nobody(self, cast):
        Seat.objects.filter(power="ITALY").update(user=cast.charlie, bot="")
        move(cast, "alice", "draw")
        one = Motion.objects.get()
        ballot(cast, "bob", one)
        (seen,) = life(cast, "charlie").votes.open
        assert (seen.agreed, seen.against, seen.mine) == (2, 0, "")
        assert "Alice" not in str(seen)
        assert "Austria" not in str(seen)

    def test_those_who_do_not_play_see_no_open_votes(self, cast):
        move(cast, "alice", "draw")
        for who in ("charlie", "nobody"):
            assert life(cast, who).votes is None

    def test_one_is_taken_back_by_its_mover_alone(self, cast):
        one = move(cast, "alice", "draw")
        assert post(cast, "bob", "answer/", motion=one.pk, answer="withdraw").status_code == 409
        post(cast, "alice", "answer/", motion=one.pk, answer="withdraw")
        assert "A vote was taken back: Draw" in log_of(cast).lines[0].text

    def test_a_read_closes_no_vote_and_the_worker_does(self, cast):
        now = timezone.now()
        move(cast, "alice", "draw", now=now)
        Motion.objects.update(closes_at=now)
        (over,) = life(cast, "bob").votes.closed
        assert over.outcome == "found too few voters in time"
        assert Motion.objects.get().open
        assert actions.expire_motions(now=now) == 1
        assert Motion.objects.get().outcome == "expired"
        assert actions.expire_motions(now=now) == 0

    @pytest.mark.parametrize(
        ("rest", "data"),
        [
            ("motions/", {"question": "win"}),
            ("motions/", {"question": "extend"}),
            ("motions/", {"question": "extend", "length": "-1"}),
            ("motions/", {"question": "extend", "length": "9" * 40}),
            ("motions/", {"question": "concede", "power": "ITALY"}),
            ("answer/", {"motion": "x", "answer": "yes"}),
            ("answer/", {"motion": "1", "answer": "perhaps"}),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, cast, rest, data):
        assert post(cast, "alice", rest, **data).status_code == 400

    def test_only_what_can_be_is_offered(self, cast):
        kinds = {one.kind for one in life(cast, "alice").votes.movable}
        assert kinds == {"draw", "concede", "cancel", "extend", "pause"}
        ballot(cast, "bob", move(cast, "alice", "pause"))
        kinds = {one.kind for one in life(cast, "alice").votes.movable}
        assert kinds == {"draw", "concede", "cancel", "resume"}


class TestClock:
    def test_at_the_latest_or_exactly(self, cast):
        assert life(cast, "alice").clock.bound == "at the latest"
        Phase.objects.update(exact=True)
        assert life(cast, "alice").clock.bound == "exactly at"

    def test_closed_and_not_yet_adjudicated(self, cast):
        now = timezone.now()
        Phase.objects.update(opens_at=now - DAY, due_at=now - HOUR, adjudicate_at=now + HOUR)
        clock = life(cast, "alice").clock
        assert (clock.state, clock.at) == ("closed", phase().adjudicate_at)
        page = cast.client("alice").get(cast.url()).content
        assert b"Orders are closed; adjudicated" in page
        Phase.objects.update(adjudicate_at=now)
        assert life(cast, "alice").clock.state == "due"

    def test_a_pause_says_until_when_and_how_it_ends(self, cast):
        ballot(cast, "bob", move(cast, "alice", "pause", length=DAY))
        clock = life(cast, "nobody").clock
        assert (clock.state, clock.ends) == ("paused", "A vote can end it sooner.")
        assert "UTC" in clock.until
        ballot(cast, "bob", move(cast, "alice", "resume"))
        assert life(cast, "nobody").clock.state == "open"

    def test_a_pause_is_seen_behind_a_long_log(self, cast):
        ballot(cast, "bob", move(cast, "alice", "pause", length=DAY))
        for number in range(60):
            entry = LogEntry.objects.get(kind="paused")
            LogEntry.objects.create(
                game=entry.game,
                phase=entry.phase,
                kind="reprimand",
                key=f"r{number}",
                text="Rude.",
                at=entry.at,
            )
        assert life(cast, "nobody").clock.state == "paused"
        assert log_of(cast).pages == 3
        assert log_of(cast, page=3).lines[-1].kind == "paused"


class TestLog:
    def test_everybody_reads_reasons_newest_first(self, table):
        for number, reason in enumerate(("Holidays.", "More holidays.")):
            data = {"question": "extend", "length": 3600, "key": f"k{number}", "reason": reason}
            assert post(table, "charlie", "master/time/", **data).status_code == 303
        for who in EVERYBODY:
            lines = log_of(table, who).lines
            assert [line.reason for line in lines] == ["More holidays.", "Holidays."]
            assert lines[0].by == "Charlie"
            assert b"More holidays." in table.client(who).get(table.url()).content

    def test_an_anonymous_game_names_nobody(self, table, agree):
        agree(anonymous=True)
        data = {"question": "extend", "length": 3600, "key": "k", "reason": "Holidays."}
        post(table, "charlie", "master/time/", **data)
        post(table, "alice", "resign/")
        for who in EVERYBODY:
            body = table.client(who).get(table.url("log/")).content.decode()
            others = {"Alice", "Bob", "Charlie"} - {who.capitalize()}
            assert not [name for name in others if name in body]
            assert "the game master" in body
            page = table.client(who).get(table.url()).content.decode()
            # The head of the page leads to one's own.
            assert set(re.findall(r"/people/(\w+)/", page)) <= {who.capitalize()}
            assert "Missed" not in page

    def test_the_software_is_named_where_it_is_master(self, cast):
        assert log_of(cast).master == "the software"
        assert b"Game master: the software." in cast.client("nobody").get(cast.url()).content


class TestLeaving:
    def test_one_is_asked_and_the_seat_is_offered(self, cast):
        assert b"Leave for good" in cast.client("alice").get(cast.url("resign/")).content
        assert Seat.objects.filter(user=cast.alice).exists()
        assert post(cast, "alice", "resign/").url == "/games/"
        (seat,) = life(cast, "charlie").vacant
        assert (seat.country, seat.centers, seat.units) == ("Austria", 3, 3)
        assert life(cast, "charlie").can_take
        assert not life(cast, "bob").can_take
        (offer,) = cast.client("charlie").get("/games/").context["vacancies"]
        assert (offer.world, offer.country, offer.centers) == ("Testland", "Austria", 3)
        assert post(cast, "charlie", "take/", power="AUSTRIA").status_code == 303
        assert Seat.objects.get(power="AUSTRIA").user_id == cast.charlie
        assert cast.client("alice").get("/games/").context["vacancies"] == ()

    def test_a_private_seat_asks_for_the_code_and_is_not_listed(self, cast):
        Game.objects.update(private=True)
        post(cast, "alice", "resign/")
        assert cast.client("charlie").get("/games/").context["vacancies"] == ()
        assert post(cast, "charlie", "take/", power="AUSTRIA", code="no").status_code == 404
        data = {"power": "AUSTRIA", "code": "letmein222"}
        assert post(cast, "charlie", "take/", **data).status_code == 303

    def test_who_is_sent_the_address_of_a_private_game_can_take_its_vacant_seat(self, cast):
        Game.objects.update(private=True)
        address = cast.url("?code=letmein222")
        assert cast.client("charlie").get(address).status_code == 404
        post(cast, "bob", "resign/")
        assert cast.client("charlie").get(cast.url("?code=no")).status_code == 404
        assert address in cast.client("alice").get(cast.url()).content.decode()
        volunteer = Browser(cast.client("charlie"))
        volunteer.open(address)
        volunteer.send("/take/")
        assert Seat.objects.get(power="TURKEY").user_id == cast.charlie

    def test_who_left_a_private_game_may_look_at_it_and_come_back(self, cast):
        Game.objects.update(private=True)
        due(cast)
        post(cast, "bob", "resign/")
        left = Browser(cast.client("bob"))
        assert left.open(cast.url("phases/1/")).status_code == 200
        left.open(cast.url())
        left.send("/take/")
        assert Seat.objects.get(power="TURKEY").user_id == cast.bob

    def test_who_was_removed_may_look_and_is_offered_nothing(self, table):
        Game.objects.update(private=True)
        post(table, "charlie", "master/remove/", power="TURKEY", reason="Rude.")
        removed = Browser(table.client("bob"))
        assert removed.open(table.url()).status_code == 200
        assert not removed.forms("/take/")
        assert "You were removed from this game." in removed.text
        assert removed.open("/games/").context["vacancies"] == ()

    def test_the_maker_seats_a_bot_and_says_why(self, cast):
        actions.resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
        assert life(cast, "alice").can_seat_bot
        data = {"power": "TURKEY", "bot": "hold"}
        assert post(cast, "alice", "bot/", **data).status_code == 400
        assert post(cast, "alice", "bot/", reason="Nobody came.", **data).status_code == 303
        assert Seat.objects.get(power="TURKEY").bot == "hold"
        assert log_of(cast).lines[0].reason == "Nobody came."

    def test_who_left_may_come_back_to_the_same_country_only(self, cast):
        post(cast, "alice", "resign/")
        post(cast, "bob", "resign/")
        former = Browser(cast.client("alice"))
        former.open(cast.url())
        (offer,) = former.forms("/take/")
        assert offer.data(None)["power"] == ["AUSTRIA"]
        assert "You played another country of this game" in former.text
        (offer,) = former.open("/games/").context["vacancies"]
        assert offer.power == "AUSTRIA"
        assert "You played another country" not in cast.client("charlie").get(cast.url()).text
        assert post(cast, "alice", "take/", power="TURKEY").status_code == 403
        assert post(cast, "alice", "take/", power="AUSTRIA").status_code == 303
        assert [one.left for one in Tenure.objects.filter(user=cast.alice)] == ["resigned", ""]

    def test_the_maker_who_left_is_still_the_maker(self, cast):
        post(cast, "alice", "resign/")
        assert cast.client("alice").get(cast.url()).status_code == 200
        assert life(cast, "alice").can_seat_bot
        assert life(cast, "alice").votes is None


class TestReliability:
    def figures(self, cast, who):
        seats = cast.client("nobody").get(cast.url()).context["view"].seats
        return next(seat.reliability for seat in seats if seat.player == who)

    def test_plain_figures_on_the_seat_and_the_profile(self, cast):
        save(cast, "bob", "A CON H")
        due(cast)
        assert self.figures(cast, "Alice") == "Missed 1 of 1 turn, left 0 of 1 game"
        assert self.figures(cast, "Bob") == "Missed 0 of 1 turn, left 0 of 1 game"
        page = cast.client("nobody").get("/people/alice/").context["person"]
        assert (page.name, page.reliability) == ("Alice", self.figures(cast, "Alice"))

    @pytest.mark.parametrize("change", ["excused", "superseded", "anonymous"])
    def test_what_does_not_count(self, cast, agree, change):
        due(cast)
        match change:
            case "excused":
                Attendance.objects.update(excused=True)
            case "superseded":
                Phase.objects.filter(sequence=1).update(superseded_at=timezone.now())
            case "anonymous":
                agree(anonymous=True)
        told = cast.client("nobody").get("/people/Alice/").context["person"].reliability
        anonymous = change == "anonymous"
        assert told == ("" if anonymous else "Missed 0 of 0 turns, left 0 of 1 game")

    def test_finished_games_are_listed_and_running_ones_are_not(self, cast):
        page = cast.client("charlie").get("/people/Alice/")
        assert b"Testland" not in page.content
        ballot(cast, "bob", move(cast, "alice", "concede", power="AUSTRIA"))
        (one,) = cast.client("charlie").get("/people/Alice/").context["person"].games
        assert (one.world, one.country, one.result) == ("Testland", "Austria", "won")
        Game.objects.update(private=True)
        page = cast.client("charlie").get("/people/Alice/")
        assert b"Testland" not in page.content
        assert page.context["person"].won == 1

    def test_nobody_is_called_so(self, cast):
        assert cast.client("nobody").get("/people/nobody-at-all/").status_code == 404


class TestConsole:
    ACTS = ("time", "force", "remove", "reprimand", "back", "forward", "look")

    @pytest.mark.parametrize("who", ["alice", "bob", "nobody"])
    def test_it_is_the_master_s_alone(self, table, who):
        status = 302 if who == "nobody" else 404
        assert table.client(who).get(table.url("master/")).status_code == status
        before = LogEntry.objects.count()
        for act in self.ACTS:
            data = {
                "reason": "I want to.",
                "question": "pause",
                "key": "k",
                "power": "TURKEY",
                "phase": 1,
                "to": 1,
            }
            assert post(table, who, f"master/{act}/", **data).status_code in (302, 403)
        assert LogEntry.objects.count() == before

    def test_a_button_pressed_twice_acts_once(self, table):
        before = phase().due_at
        page = table.client("charlie").get(table.url("master/"))
        key = page.context["master"].key + "e"
        for _ in range(2):
            data = {"question": "extend", "length": 86400, "key": key, "reason": "Holidays."}
            post(table, "charlie", "master/time/", **data)
        assert phase().due_at == before + DAY

    def test_the_preview_is_drawn_and_logged_and_changes_nothing(self, table):
        save(table, "alice", SECRET)
        assert post(table, "charlie", "master/look/", reason=" ").status_code == 400
        page = post(table, "charlie", "master/look/", reason="A question.")
        lines = [line.text for one in page.context["report"].powers for line in one.lines]
        assert SECRET in lines
        assert (phase().sequence, phase().processed_at) == (1, None)
        assert [line.kind for line in log_of(table).lines] == ["looked"]
        for who in ("bob", "nobody"):
            assert SECRET not in table.client(who).get(table.url()).content.decode()

    def test_a_master_who_plays_is_offered_no_look(self, cast):
        Game.objects.update(master_id=cast.alice)
        page = cast.client("alice").get(cast.url("master/"))
        assert page.context["master"].plays
        assert post(cast, "alice", "master/look/", reason="Please.").status_code == 403
        actions.resign(slug=cast.slug, user_id=cast.alice, now=timezone.now())
        assert post(cast, "alice", "master/look/", reason="Please.").status_code == 403

    def test_force_reprimand_and_remove(self, table):
        post(table, "charlie", "master/force/", key="f", reason="All wrote to me.")
        assert phase().sequence == 2
        post(table, "charlie", "master/reprimand/", power="TURKEY", reason="Rude.")
        post(table, "charlie", "master/remove/", power="TURKEY", reason="Very rude.")
        assert [line.reason for line in log_of(table).lines[:2]] == ["Very rude.", "Rude."]
        assert Seat.objects.get(power="TURKEY").user is None

    def test_a_line_that_was_rolled_back_can_still_be_seen(self, table):
        save(table, "alice", SECRET)
        due(table)
        due(table)
        post(table, "charlie", "master/back/", to=1, reason="A misread order.")
        for who in EVERYBODY:
            page = table.client(who).get(table.url("phases/1/"))
            left = page.context["report"].history.left
            assert left.reason == "A misread order."
            assert page.context["report"].next_url == table.url("phases/2/")
            body = page.content.decode()
            assert SECRET in body
            assert "This line was rolled back" in body
        assert b"Rolled back to Spring 1901" in table.client("nobody").get(table.url()).content
        post(table, "charlie", "master/forward/", reason="It was right.")
        page = table.client("nobody").get(table.url("phases/1/"))
        assert page.context["report"].history.left is None
        assert phase().name == "W1901A" or phase().name == "S1902M"

    def test_a_finished_game_can_only_be_rolled_back(self, table):
        ballot(table, "bob", move(table, "alice", "draw"))
        page = table.client("charlie").get(table.url("master/"))
        assert page.status_code == 200
        assert b"End the phase now" not in page.content


LIFE = ["log/", "master/", "resign/", "phases/1/", "?page=2", "/people/Alice/", "/games/"]


class TestSecrecy:
    @pytest.fixture
    def secret(self, table):
        save(table, "alice", SECRET)
        post(table, "alice", "vote/", phase=1, vote="surrender", sure="1")
        move(table, "alice", "extend", length=DAY)
        return table

    @pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
    def test_no_page_tells_orders_or_votes(self, secret, who):
        client = secret.client(who)
        for rest in LIFE:
            url = rest if rest.startswith("/") else secret.url(rest)
            for headers in ({}, {"HX-Request": "true"}):
                body = client.get(url, headers=headers).content.decode()
                assert SECRET not in body, rest
                assert "Austria surrenders" not in body, rest
                assert 'value="surrender" checked' not in body, rest
                assert "You voted yes" not in body, rest

    @pytest.mark.parametrize("who", ["charlie", "nobody"])
    def test_a_private_game_does_not_exist_for_strangers(self, secret, who):
        Game.objects.update(private=True, master=None)
        client = secret.client(who)
        for rest in ("log/", "log/?page=2", "master/", "resign/"):
            answer = client.get(secret.url(rest))
            assert answer.status_code in ((404,) if who == "charlie" else (302, 404)), rest
            assert b"Testland" not in answer.content
        if who == "charlie":
            data = {
                "phase": 1,
                "to": 1,
                "vote": "draw",
                "motion": 1,
                "answer": "yes",
                "question": "draw",
                "power": "AUSTRIA",
                "bot": "hold",
                "key": "k",
                "reason": "Why not.",
            }
            acts = [f"master/{act}/" for act in TestConsole.ACTS]
            for rest in ("vote/", "motions/", "answer/", "resign/", "take/", "bot/", *acts):
                assert client.post(secret.url(rest), data).status_code == 404, rest

    def test_staff_see_no_more_than_strangers(self, secret):
        Game.objects.update(master=None)
        urls = [secret.url(rest) for rest in ("", "log/", "centers/", "state/")]
        client = secret.client("charlie")
        before = [client.get(url).context for url in urls[:3]]
        User.objects.filter(pk=secret.charlie).update(is_staff=True, is_superuser=True)
        client = secret.client("charlie")
        for url, seen in zip(urls[:3], before, strict=True):
            answer = client.get(url)
            assert answer.context["view"] == seen["view"]
            assert SECRET not in answer.content.decode()
        for rest in ("master/", "resign/"):
            assert client.get(secret.url(rest)).status_code == 404
        data = {"reason": "I am staff.", "phase": 1}
        assert client.post(secret.url("master/look/"), data).status_code == 403
        assert client.get("/admin/").status_code == 404
        assert not LogEntry.objects.filter(kind="looked").exists()

    def test_there_is_no_admin_that_would_show_orders_unlogged(self, settings):
        assert not [app for app in settings.INSTALLED_APPS if "admin" in app.partition("(")[0]]


def test_the_pages_of_a_full_life_take_few_queries(table, django_assert_max_num_queries):
    due(table)
    move(table, "alice", "draw")
    move(table, "alice", "extend", length=DAY)
    alice = table.client("alice")
    alice.get(table.url())
    with django_assert_max_num_queries(12):
        alice.get(table.url())
    with django_assert_max_num_queries(12):
        alice.get(table.url("log/"))
    assert game().status == "running"
