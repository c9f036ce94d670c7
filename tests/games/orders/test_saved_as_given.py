"""Orders that a page saves by itself: the newest set wins, and nobody else can see a save."""

from types import SimpleNamespace

import pytest
from tests.games.steps import asked, due, game, phase, save

from diplomaccloud.games.drafts.actions import drop_draft, new_draft
from diplomaccloud.games.orders.actions import get_receipt, set_ready
from diplomaccloud.games.page.read import version_of
from diplomaccloud.games.table.log_models import Event, RecordLine, SaveReceipt
from diplomaccloud.games.table.phase_models import Draft, OrderRow, Phase, Receipt, Submission
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.record.commitments import salted_digest
from diplomaccloud.record.lines import receipt_message
from diplomaccloud.record.signatures import verify
from diplomaccloud.shared import database_cache

PAGE = {"page": "a page", "headers": {"Accept": "application/json"}}
ALL = ("A VIE - GAL", "A BUD - SER", "F TRI - ALB")


def send(cast, *orders, who="alice", headers=PAGE["headers"], **values):
    data = {"phase": 1, "order": orders} | values
    return cast.client(who).post(cast.url("orders/save/"), data, headers=headers)


def saved(name="Orders"):
    rows = OrderRow.objects.filter(draft__seat__power="AUSTRIA", draft__name=name)
    return [str(row.canonical) for row in rows.order_by("pk")]


def saved_in(sequence):
    rows = OrderRow.objects.filter(draft__seat__power="AUSTRIA", draft__phase__sequence=sequence)
    return [str(row.canonical) for row in rows]


class TestTheNewestSetWins:
    def test_changes_of_one_page_follow_each_other_without_their_answers(self, cast):
        blank = {"page": "one", "version": "0" * 16}
        assert send(cast, "A VIE - GAL", change=1, page="one").status_code == 200
        assert send(cast, "A VIE - BOH", change=2, **blank).status_code == 200
        assert saved() == ["A VIE - BOH"]

    def test_an_older_change_that_arrives_later_changes_nothing(self, cast):
        newer = send(cast, "A VIE - BOH", change=2, page="one").json()
        older = send(cast, "A VIE - GAL", change=1, page="one")
        assert older.status_code == 200
        assert older.json() == {"version": newer["version"], "saved_at": older.json()["saved_at"]}
        assert saved() == ["A VIE - BOH"]

    def test_another_page_overwrites_nothing(self, cast):
        first = send(cast, "A VIE - GAL", change=1, page="one").json()
        send(cast, "A VIE - BOH", change=1, page="two", version=first["version"])
        answer = send(cast, "A VIE - TYR", change=2, page="one", version=first["version"])
        assert answer.status_code == 409
        assert answer.json()["outdated"]
        assert saved() == ["A VIE - BOH"]

    def test_an_order_that_was_taken_back_is_deleted(self, cast):
        send(cast, "A VIE - GAL", "A BUD - SER")
        send(cast, "A VIE - GAL")
        assert saved() == ["A VIE - GAL"]

    def test_a_save_goes_into_the_draft_on_the_screen(self, cast, now):
        new_draft(**about(cast, now), name="Plan B", copy=False)
        answer = send(cast, "A VIE - GAL", draft="Plan B").json()
        assert (saved("Plan B"), saved()) == (["A VIE - GAL"], [])
        assert "receipt" not in answer
        assert not Submission.objects.filter(seat__power="AUSTRIA").exists()


class TestRefused:
    def test_a_deleted_draft_is_named_as_the_fault(self, cast, now):
        new_draft(**about(cast, now), name="Plan B", copy=False)
        drop_draft(**about(cast, now), name="Plan B")
        answer = send(cast, "A VIE - GAL", draft="Plan B")
        assert answer.status_code == 409
        assert "draft no longer exists" in answer.json()["error"]

    def test_after_the_lock_the_phase_is_named(self, cast):
        due(cast)
        answer = send(cast, "A VIE - GAL")
        assert answer.status_code == 409
        assert answer.json()["error"].startswith("Spring 1901, Movement was resolved")

    def test_an_illegal_order_is_named_and_the_others_are_saved(self, cast):
        answer = send(cast, "A BUD - PAR", "A VIE - GAL")
        assert answer.status_code == 422
        assert [row["text"] for row in answer.json()["refused"]] == ["A BUD - PAR"]
        assert answer.json()["saved_at"]
        assert saved() == ["A VIE - GAL"]

    def test_nothing_is_called_saved_if_all_are_refused(self, cast):
        answer = send(cast, "A BUD - PAR")
        assert answer.status_code == 422
        assert "saved_at" not in answer.json()
        assert Submission.objects.get(seat__power="AUSTRIA").tried_at

    def test_orders_marked_as_ready_are_not_changed(self, cast, now):
        send(cast, "A VIE - GAL")
        set_ready(**about(cast, now))
        assert send(cast, "A VIE - GAL").status_code == 200
        answer = send(cast, "A VIE - BOH")
        assert answer.status_code == 409
        assert answer.json()["error"].startswith("You are ready")
        assert saved() == ["A VIE - GAL"]

    def test_after_too_many_saves_a_minute_the_page_waits(self, cast, settings, monkeypatch):
        settings.SAVES_PER_MINUTE = 2
        monkeypatch.setattr(database_cache, "time", SimpleNamespace(time=lambda: 0.0))
        database_cache.this_minute.clear()
        assert [send(cast, "A VIE - GAL").status_code for _ in range(3)] == [200, 200, 429]
        assert send(cast, "A CON - BUL", who="bob").status_code == 200
        answer = send(cast, "A VIE - GAL")
        assert answer["Retry-After"]
        assert "2 times in a minute" in answer.json()["error"]

    @pytest.mark.parametrize(("who", "status"), [("charlie", 403), ("nobody", 401)])
    def test_others_cannot_save(self, cast, who, status):
        assert send(cast, "A VIE - GAL", who=who).status_code == status

    @pytest.mark.parametrize("fault", [{"change": "x"}, {"page": "p" * 33}, {"phase": ""}])
    def test_a_damaged_request_changes_nothing(self, cast, fault):
        answer = send(cast, "A VIE - GAL", **fault)
        assert answer.status_code == 400
        assert answer.json()["error"]
        assert saved() == []


class TestReceipts:
    def test_each_answer_has_one_that_can_be_checked(self, cast):
        receipt = send(cast, "A VIE - GAL").json()["receipt"]
        assert receipt["text"].endswith("AUSTRIA A VIE - GAL")
        assert salted_digest(receipt["salt"], receipt["text"]) == receipt["digest"]
        parts = ("game", "phase", "sequence", "seat", "at", "digest")
        signed = receipt_message(**{part: receipt[part] for part in parts}, key_id=receipt["key"])
        assert verify(receipt["public"], signed, receipt["signature"])

    def test_the_last_one_stays_and_those_that_were_asked_for(self, cast, now):
        send(cast, "A VIE - GAL")
        get_receipt(**about(cast, now))
        for order in ("A VIE - BOH", "A VIE - TYR"):
            last = send(cast, order).json()["receipt"]
        texts = [row.text.splitlines()[1] for row in SaveReceipt.objects.order_by("pk")]
        assert texts == ["AUSTRIA A VIE - GAL", "AUSTRIA A VIE - TYR"]
        due(cast)
        assert Receipt.objects.get(seat__power="AUSTRIA").digest == last["digest"]

    def test_nobody_gets_one_without_saved_orders(self, cast):
        answer = cast.client("alice").post(cast.url("orders/receipt/"), {"phase": 1})
        assert answer.status_code == 409
        assert not SaveReceipt.objects.exists()

    def test_a_button_gives_one(self, cast):
        send(cast, "A VIE - GAL")
        answer = cast.client("alice").post(cast.url("orders/receipt/"), {"phase": 1})
        assert answer["Location"] == cast.url("receipts/")
        assert [row.automatic for row in SaveReceipt.objects.order_by("pk")] == [True, False]


READS = ("", "state/", "receipts/", "record/", "record.jsonl", "orders/copy/", "log/")


class TestNobodyElseSeesASave:
    @pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
    def test_pages_versions_and_lists_stay_the_same(self, cast, who):
        client = cast.client(who)

        def look():
            pages = [client.get(cast.url(rest)) for rest in READS] + [client.get("/games/")]
            states = [client.get(cast.url("state/")).json(), version_of(cast.game_id)]
            contents = [
                b"".join(page.streaming_content) if page.streaming else b""
                for page in pages
                if page.status_code == 200
            ]
            tags = [page.headers.get("ETag") for page in pages]
            return states, contents, tags, [page.status_code for page in pages]

        before = look(), Event.objects.count(), RecordLine.objects.count()
        for number, order in enumerate(("A VIE - GAL", "A VIE - BOH", "A VIE - TYR"), start=1):
            assert send(cast, order, page="one", change=number).status_code == 200
        assert (look(), Event.objects.count(), RecordLine.objects.count()) == before

    def test_the_sequence_of_the_orders_does_not_show_which_came_last(self, cast):
        send(cast, *ALL)
        send(cast, "A BUD - RUM", "A VIE - GAL", "F TRI - ALB", page="one", change=1)
        one = saved()
        OrderRow.objects.all().delete()
        Draft.objects.all().delete()
        send(cast, *ALL[::-1])
        send(cast, "A VIE - GAL", "F TRI - ALB", "A BUD - RUM", page="two", change=1)
        assert saved() == one == ["A BUD - RUM", "A VIE - GAL", "F TRI - ALB"]

    def test_an_order_that_stays_keeps_its_time(self, cast):
        send(cast, "F TRI - ALB")
        own = OrderRow.objects.filter(draft__seat__power="AUSTRIA", unit="F TRI")
        at = own.get().saved_at
        send(cast, "A BUD - SER", "F TRI - ALB")
        assert own.get().saved_at == at

    def test_a_save_takes_few_statements_and_little_room(self, cast):
        client, url = cast.client("alice"), cast.url("orders/save/")
        fields = {"phase": 1, "page": "one"}
        client.post(url, fields | {"order": ALL, "change": 1})
        changed = fields | {"order": ("A VIE - BOH", *ALL[1:]), "change": 2}
        answers = []
        statements = asked(lambda: answers.append(client.post(url, changed)))
        assert len(statements) <= 26, statements
        assert len(answers[0].content) <= 2000


class TestGrace:
    @pytest.fixture(autouse=True)
    def grace(self, cast, agree):
        agree(schedule={**game().options.to_json()["schedule"], "grace": 3600})

    @pytest.mark.parametrize(("orders", "status"), [(ALL, 409), (ALL[:2], 200)])
    def test_a_set_that_leaves_a_unit_without_an_order_stays_open(self, cast, orders, status):
        send(cast, *orders)
        assert due(cast) == 0
        assert phase().grace_at
        closed = cast.client("alice").get(cast.url()).context["view"].order_form.closed
        assert closed is (status == 409)
        assert send(cast, *orders[:1]).status_code == status

    def test_a_save_counts_as_presence(self, cast):
        send(cast, "A VIE - GAL")
        send(cast, "A CON - BUL", who="bob")
        assert due(cast) == 1


@pytest.fixture
def now():
    row = Phase.objects.get()
    assert powers_to_order(row.board, row.position)
    return row.opens_at


def about(cast, now):
    return {"slug": cast.slug, "user_id": cast.alice, "sequence": 1, "now": now}


def test_builds_a_refused_line_never_deletes_a_saved_one(cast):
    save(cast, "alice", "A BUD - SER")
    due(cast)
    due(cast)
    assert phase().name == "W1901A"
    assert send(cast, "A BUD B", phase=3).status_code == 200
    assert send(cast, "A MUN B", phase=3).status_code == 422
    assert saved_in(3) == ["A BUD B"]
