"""Nobody learns who wrote conditional orders, and receipts show what was sealed."""

import re
import subprocess

import pytest
from django.db import transaction
from django.utils import timezone
from judge.tests.effort import PATIENCE
from tests.games.conditions import ahead, to_fall
from tests.games.steps import due, game, phase, save
from tests.scenes import scene

from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.page import read as versions
from diplomaccloud.games.page.page import present_state
from diplomaccloud.games.table.log_models import Event, LogEntry, SaveReceipt
from diplomaccloud.games.table.phase_models import Phase, Receipt, Submission
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.turn.turn import lock_phase
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.record.commitments import salted_digest

HTMX = {"HX-Request": "true"}

WORLDS = {
    "nothing": lambda cast: None,
    "a plan": lambda cast: ahead(cast, ahead="if one gained: A BUD\nif VIE is dislodged: BOH"),
}


class TestSecrecy:
    """The same game with and without conditional orders by Alice: nobody else sees a difference."""

    def reads(self, cast, who):
        client = cast.client(who)
        found = {}
        pages = ["", "state/", "centers/", "receipts/", "phases/1/", "phases/2/", "phases/3/"]
        for url in [*map(cast.url, pages), "/", "/games/"]:
            for headers in ({}, HTMX):
                body = client.get(url, headers=headers).content.decode()
                body = re.sub(
                    r'(csrfmiddlewaretoken" value=|nonce=|server-time" content=)"[^"]*"', "", body
                )
                found[url, *headers] = re.sub(
                    r"\b[0-9a-f]{32,128}\b|\b[0-9a-f]{8}…", "DIGEST", body
                )
        return found

    def public(self, cast):
        # An entry undone with the rest leaves a gap in the numbers of a server's table.
        entries = {
            pk: n
            for n, pk in enumerate(LogEntry.objects.order_by("pk").values_list("pk", flat=True))
        }
        told = Event.objects.filter(seat=None).values_list("kind", "key", "data")
        return (
            [
                (kind, "log", {"entry": entries[data["entry"]]})
                if kind == "log"
                else (kind, key, data)
                for kind, key, data in told
            ],
            list(LogEntry.objects.values_list("kind", "key", "text", "at")),
            versions.version_of(cast.game_id),
            versions.read_live([versions.select_pulses([cast.game_id])]).pulses,
            present_state(Reader(cast.slug, Viewer(cast.bob))),
            list(Phase.objects.values_list("name", "due_at", "adjudicate_at", "locked_at")),
        )

    def world(self, cast, write, who):
        """Return what is found in Fall and in Winter, with or without conditional orders."""
        with transaction.atomic():
            write(cast)
            stages = [(self.reads(cast, who), self.public(cast))]
            due(cast)
            assert phase().name == "W1901A"
            stages.append((self.reads(cast, who), self.public(cast)))
            alice = cast.client("alice")
            # Undoing it shows nothing, either.
            alice.post(cast.url("orders/"), {"phase": phase().sequence, "order": ["A BUD B"]})
            stages.append((self.reads(cast, who), self.public(cast)))
            transaction.set_rollback(True)
        return stages

    @pytest.mark.long
    @pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
    def test_nobody_sees_who_wrote_ahead(self, cast, who, monkeypatch):
        to_fall(cast)
        save(cast, "alice", "A SER H")
        save(cast, "bob", "A BUL H")
        fixed = phase().opens_at
        monkeypatch.setattr(timezone, "now", lambda: fixed)
        without, with_plan = (self.world(cast, write, who) for write in WORLDS.values())
        for stage, (one, other) in enumerate(zip(without, with_plan, strict=True)):
            assert one[1] == other[1], stage
            for key, body in one[0].items():
                assert body == other[0][key], (stage, key)

    def test_taking_back_a_plan_s_ready_flag_is_not_told(self, cast):
        to_fall(cast)
        save(cast, "bob", "A BUL H")
        ahead(cast, ahead="if one gained: A BUD")
        due(cast)
        before = versions.version_of(cast.game_id)
        cast.client("alice").post(cast.url("ready/"), {"phase": phase().sequence, "ready": "0"})
        assert versions.version_of(cast.game_id) == before

    @pytest.mark.long
    @pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
    def test_the_last_one_ready_does_not_learn_who_had_written_ahead(self, cast, who, monkeypatch):
        """Winter comes, Alice is ready by a plan or by a click, and Bob ends the phase."""
        to_fall(cast)
        save(cast, "alice", "A SER H")
        save(cast, "bob", "A BUL H")
        fixed = phase().opens_at
        monkeypatch.setattr(timezone, "now", lambda: fixed)
        by_hand, by_plan = (self.ended(cast, plan, who) for plan in (False, True))
        for stage, (one, other) in enumerate(zip(by_hand, by_plan, strict=True)):
            assert one[1] == other[1], stage
            for key, body in one[0].items():
                assert body == other[0][key], (stage, key)

    def ended(self, cast, plan, who):
        """Return what is found before and after Bob, the last to be ready, ends Winter."""
        with transaction.atomic():
            if plan:
                ahead(cast, ahead="if one gained: A BUD")
            due(cast)
            number = {"phase": phase().sequence}
            if not plan:
                data = {**number, "order": ["A BUD B"], "ready": "1"}
                cast.client("alice").post(cast.url("orders/"), data)
            stages = [(self.reads(cast, who), self.public(cast))]
            data = {**number, "order": ["A CON B"], "ready": "1"}
            assert cast.client("bob").post(cast.url("orders/"), data).status_code == 303
            assert LogEntry.objects.filter(phase__name="W1901A", key__endswith=" ready").exists()
            due(cast)
            assert phase().name == "S1902M"
            stages.append((self.reads(cast, who), self.public(cast)))
            transaction.set_rollback(True)
        return stages

    def test_who_is_ready_is_told_of_moves_alone(self, cast):
        def told(who):
            seats = present_state(Reader(cast.slug, Viewer(cast.user_id(who))))["seats"]
            return [one["ready"] for one in seats if one["power"] in ("AUSTRIA", "TURKEY")]

        def be_ready():
            known = {"slug": cast.slug, "user_id": cast.alice, "now": timezone.now()}
            set_ready(**known, sequence=phase().sequence)

        be_ready()
        assert told("bob") == [True, False]
        to_fall(cast)
        due(cast)
        assert phase().name == "W1901A"
        before = versions.version_of(cast.game_id)
        be_ready()
        assert versions.version_of(cast.game_id) == before
        assert (told("alice"), told("bob"), told("nobody")) == (
            [True, None],
            [None, False],
            [None, None],
        )

    def test_when_all_wrote_ahead_the_phase_is_over_at_once(self, cast):
        to_fall(cast)
        ahead(cast, "alice", ahead="if one gained: A BUD")
        ahead(cast, "bob", ahead="if one gained: A CON")
        due(cast)
        assert phase().name == "S1902M"


@pytest.mark.every_database
class TestReceipts:
    def page(self, cast, who, query=""):
        return cast.client(who).get(cast.url("receipts/") + query)

    @pytest.fixture
    @scene
    def locked(self, cast):
        save(cast, "alice", "A VIE - GAL", "F TRI H")
        save(cast, "bob", "A CON - BUL")
        due(cast)
        return cast

    def test_digests_are_public_and_texts_are_their_owner_s(self, locked):
        for who, own in (("alice", "Austria"), ("bob", "Turkey"), ("charlie", ""), ("nobody", "")):
            lines = self.page(locked, who).context["page"].lines
            assert all(len(line.receipt.digest) == 64 for line in lines)
            orders, sealed = split_parts(lines)
            assert [line.receipt.open for line in orders] == [True] * 7
            assert {line.seat.country for line in sealed} == {"Austria", "Turkey"}
            assert [line.seat.country for line in sealed if line.receipt.open] == (
                [own] if own else []
            ), who

    def test_salts_of_others_are_on_no_page_before_the_end(self, locked):
        sealed = Receipt.objects.exclude(sealed_salt="")
        salts = dict(sealed.values_list("seat__power", "sealed_salt"))
        secrets = (phase().judge_secret, phase().bots_secret)
        assert all(secrets)
        pages = ["", "receipts/", "receipts/?phase=1", "phases/1/", "centers/", "state/"]
        for who, own in (("alice", "AUSTRIA"), ("bob", "TURKEY"), ("charlie", "")):
            for rest in pages:
                body = locked.client(who).get(locked.url(rest)).content.decode()
                assert not any(secret in body for secret in secrets)
                for power, salt in salts.items():
                    assert power == own or salt not in body, (who, rest)

    def test_the_phase_s_page_lists_them(self, locked):
        page = locked.client("nobody").get(locked.url("phases/1/"))
        rows = Receipt.objects.values_list("digest", "sealed_digest")
        digests = {digest for row in rows for digest in row if digest}
        assert {line.receipt.digest for line in page.context["report"].receipts} == digests
        assert all(digest in page.content.decode() for digest in digests)

    def test_the_line_for_a_shell_prints_the_digest(self, locked):
        line = next(
            one for one in self.page(locked, "alice").context["page"].lines if one.receipt.open
        )
        assert line.receipt.valid
        done = subprocess.run(
            ["sh", "-c", line.receipt.command],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        assert done.stdout.split()[0] == line.receipt.digest

    def test_a_receipt_that_does_not_agree_is_shown_as_such(self, locked):
        Receipt.objects.update(text="A VIE H")
        line = next(
            one for one in self.page(locked, "alice").context["page"].lines if one.receipt.open
        )
        assert not line.receipt.valid
        assert b"does not match" in self.page(locked, "alice").content

    def test_everybody_reads_them_when_the_game_is_over(self, cast, agree):
        agree({"last_year": 1901})
        for _ in range(2):
            save(cast, "alice", "A VIE H")
            due(cast)
        assert game().status == "finished"
        lines = self.page(cast, "nobody", "?phase=1").context["page"].lines
        assert all(line.receipt.open and line.receipt.valid for line in lines)
        orders, sealed = split_parts(lines)
        texts = {line.seat.country: line.receipt.text for line in orders}
        assert texts["Austria"] == "orders aaaaaaaaaa 1 S1901M seat 1\nAUSTRIA A VIE H"
        assert texts["Turkey"] == "orders aaaaaaaaaa 1 S1901M seat 2\nNO ORDERS"
        assert [line.receipt.text for line in sealed] == [
            "sealed aaaaaaaaaa 1 S1901M seat 1\nNOTHING",
            "sealed aaaaaaaaaa 1 S1901M seat 2\nNOTHING",
        ]

    def test_one_of_the_first_version_is_still_found_right(self, locked):
        old = Receipt.objects.get(seat__power="AUSTRIA")
        old.text = "A VIE - GAL\nF TRI H"
        old.digest, old.sealed_digest = salted_digest(old.salt, old.text), ""
        old.save()
        bobs = self.page(locked, "bob").context["page"].lines
        assert [line.receipt.open for line in bobs if line.seat.country == "Austria"] == [False]
        line = next(
            one for one in self.page(locked, "alice").context["page"].lines if one.receipt.open
        )
        assert (line.receipt.valid, line.receipt.text) == (True, old.text)
        done = subprocess.run(
            ["sh", "-c", line.receipt.command],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        assert done.stdout.split()[0] == line.receipt.digest

    def test_no_name_is_told_in_an_anonymous_game(self, locked, agree):
        agree(anonymous=True)
        body = self.page(locked, "bob").content.decode()
        main = body[body.index("<main") : body.index("</main")]
        assert "Alice" not in main

    @pytest.mark.parametrize(
        "query", ["?phase=9", "?phase=2"], ids=["no such phase", "an open one"]
    )
    def test_only_a_locked_phase_has_receipts(self, locked, query):
        assert self.page(locked, "alice", query).status_code == 404

    def test_after_saving_the_copy_that_counts_can_be_kept(self, cast):
        client = cast.client("alice")
        data = {"phase": 1, "draft": "Orders", "order": ["A VIE - GAL", "A BUD H"]}
        answer = client.post(cast.url("orders/"), data, headers=HTMX)
        assert answer.context["counts"] == ("A BUD H", "A VIE - GAL")
        copy = client.get(cast.url("orders/copy/"))
        assert "attachment" in copy["Content-Disposition"]
        assert copy.content.decode().endswith(
            "Austria, saved " + copy_time() + "\n\nA BUD H\nA VIE - GAL\n"
        )
        assert cast.client("charlie").get(cast.url("orders/copy/")).status_code == 404

    def test_after_saving_the_page_shows_the_signed_receipt(self, cast):
        client = cast.client("alice")
        data = {"phase": 1, "draft": "Orders", "order": ["A VIE - GAL"]}
        body = client.post(cast.url("orders/"), data, headers=HTMX).content.decode()
        saved = SaveReceipt.objects.get()
        plain = " ".join(re.sub("<[^>]+>", " ", body).split())
        at = f"{saved.at:%H:%M:%S}"
        assert f"{at} UTC , receipt {saved.digest[:8]}…" in plain
        page = client.get(cast.url("receipts/"))
        assert [save.digest for save in page.context["page"].saves] == [saved.digest]
        assert saved.signature in page.content.decode()
        assert cast.client("bob").get(cast.url("receipts/")).context["page"].saves == ()

    def test_between_lock_and_adjudication_the_owner_sees_the_receipt(self, cast):
        save(cast, "alice", "A VIE - GAL")
        open_phase = phase()
        Phase.objects.update(due_at=open_phase.opens_at)
        assert lock_phase(phase_id=open_phase.pk, now=timezone.now())
        desk = cast.client("alice").get(cast.url()).context["view"].order_form
        assert desk.closed
        assert [line.receipt.text for line in desk.receipts] == [
            "orders aaaaaaaaaa 1 S1901M seat 1\nAUSTRIA A VIE - GAL",
            "sealed aaaaaaaaaa 1 S1901M seat 1\nNOTHING",
        ]
        own = cast.client("bob").get(cast.url()).context["view"].order_form.receipts
        assert own[0].receipt.text == "orders aaaaaaaaaa 1 S1901M seat 2\nNO ORDERS"
        others = self.page(cast, "bob").context["page"].lines
        assert not [line for line in others if line.receipt.open and line.seat.country != "Turkey"]
        assert cast.client("charlie").get(cast.url()).context["view"].order_form is None


def split_parts(lines):
    """Return the lines of orders and those of what is sealed."""
    orders = [line for line in lines if line.part == "orders"]
    return orders, [line for line in lines if line not in orders]


def copy_time():
    saved = Submission.objects.get(seat__power="AUSTRIA").saved_at
    return f"{saved:%Y-%m-%d %H:%M:%S} UTC"
