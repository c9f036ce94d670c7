"""The lock: receipts and conditional orders."""

import pytest
from django.db import connection
from django.utils import timezone
from tests.games.all_actions import ACTIONS
from tests.games.steps import HOUR, asked, due, phase, save

from diplomaccloud.games.conditional_orders.actions import save_conditional_orders
from diplomaccloud.games.table.errors import DeadlinePassed, NoSuchGame, NotYourSeat, Refused
from diplomaccloud.games.table.log_models import SaveReceipt
from diplomaccloud.games.table.phase_models import Phase, Receipt, Submission
from diplomaccloud.games.turn.claims import due_games, phases_to_lock
from diplomaccloud.games.turn.turn import lock_phase
from diplomaccloud.games.votes.actions import vote_with_orders
from diplomaccloud.record.commitments import salted_digest


class TestReceipts:
    def test_the_lock_issues_a_receipt_of_what_counts(self, cast):
        save(cast, "alice", "A VIE - GAL", "F TRI H")
        due(cast)
        receipt = Receipt.objects.get(seat__power="AUSTRIA")
        assert receipt.text.splitlines() == [
            "orders aaaaaaaaaa 1 S1901M seat 1",
            "AUSTRIA A VIE - GAL",
            "AUSTRIA F TRI H",
        ]
        assert receipt.digest == salted_digest(receipt.salt, receipt.text)

    def test_the_lock_reads_only_the_last_save_of_each_player(self, cast):
        for choice in ("A VIE - GAL", "A VIE - TYR", "A VIE - BOH"):
            save(cast, "alice", choice)
        save(cast, "bob", "A CON - BUL")
        table = SaveReceipt._meta.db_table
        (read,) = [text for text in asked(lambda: due(cast)) if table in text]
        with connection.cursor() as cursor:
            cursor.execute(read)
            assert len(cursor.fetchall()) == 2
        last = SaveReceipt.objects.filter(user=cast.alice).latest("pk")
        assert Receipt.objects.get(seat__power="AUSTRIA").salt == last.salt

    def test_what_was_voted_and_written_ahead_is_sealed(self, cast):
        known = {"slug": cast.slug, "user_id": cast.alice, "sequence": 1, "now": timezone.now()}
        save(cast, "alice", "A VIE - GAL")
        save_conditional_orders(**known, text="if BUD is dislodged: SER, RUM")
        vote_with_orders(**known, vote="draw")
        due(cast)
        receipt = Receipt.objects.get(seat__power="AUSTRIA")
        assert receipt.sealed_text.splitlines() == [
            "sealed aaaaaaaaaa 1 S1901M seat 1",
            "CONDITIONAL AUSTRIA if BUD is dislodged: SER, RUM",
            "VOTE DRAW",
        ]
        digest = salted_digest(receipt.sealed_salt, receipt.sealed_text)
        assert receipt.sealed_digest == digest
        assert "DRAW" not in receipt.text

    @pytest.mark.parametrize("act", ["nothing", "vote_with_orders", "save_conditional_orders"])
    def test_who_gave_no_orders_has_one_too_so_that_nothing_shows(self, cast, act):
        known = {"slug": cast.slug, "user_id": cast.alice, "sequence": 1, "now": timezone.now()}
        more = {
            "vote_with_orders": {"vote": "draw"},
            "save_conditional_orders": {"text": "if VIE is dislodged: BOH"},
        }
        if act in more:
            ACTIONS[act](**known, **more[act])
        due(cast)
        rows = {row.seat.power: row for row in Receipt.objects.select_related("seat")}
        assert len(rows) == 7
        turkey, austria = rows["TURKEY"], rows["AUSTRIA"]
        assert turkey.text.endswith("seat 2\nNO ORDERS")
        assert turkey.sealed_text.endswith("seat 2\nNOTHING")
        assert austria.text.endswith("seat 1\nNO ORDERS")
        assert austria.sealed_text.endswith("NOTHING") is (act not in more)

    def test_the_digest_of_the_last_signed_receipt_is_that_of_the_lock(self, cast):
        first, second = (save(cast, "alice", order) for order in ("A VIE - GAL", "F TRI - ALB"))
        due(cast)
        digests = dict(Receipt.objects.values_list("seat__power", "digest"))
        assert digests["AUSTRIA"] == second.receipt != first.receipt

    def test_orders_close_before_they_are_judged(self, cast):
        now = timezone.now()
        Phase.objects.update(due_at=now, adjudicate_at=now + HOUR)
        assert phases_to_lock(now=now) == [phase().pk]
        assert lock_phase(phase_id=phase().pk, now=now)
        assert not lock_phase(phase_id=phase().pk, now=now)
        with pytest.raises(DeadlinePassed):
            save(cast, "alice", "A VIE H", now=now)
        assert due_games(now=now) == []
        assert due(cast) == 1

    def test_orders_close_at_the_deadline_even_if_no_worker_locks_them(self, cast):
        now = timezone.now()
        Phase.objects.update(due_at=now, adjudicate_at=now + HOUR)
        with pytest.raises(DeadlinePassed):
            save(cast, "alice", "A VIE H", now=now)


class TestPlans:
    def plan(self, cast, who, text):
        return save_conditional_orders(
            slug=cast.slug,
            user_id=cast.user_id(who),
            sequence=phase().sequence,
            text=text,
            now=timezone.now(),
        )

    @pytest.fixture
    def autumn(self, cast):
        """Fall 1901 with Austria about to take Serbia and build, everyone else standing."""
        save(cast, "alice", "A BUD - SER")
        save(cast, "bob")
        due(cast)
        save(cast, "bob")
        return cast

    def test_builds_written_ahead_are_made_and_the_phase_is_not_waited_for(self, autumn):
        save(autumn, "alice", "A VIE - GAL")
        assert self.plan(autumn, "alice", "if one gained: A BUD") == "if 1 gained: A BUD"
        due(autumn)
        assert Submission.objects.get(phase__name="W1901A").by_conditional_orders
        assert phase().name == "S1902M"
        assert "BUD" in {unit.province for unit in phase().position.units}

    def test_a_plan_that_does_not_fit_leaves_the_question_open(self, autumn):
        self.plan(autumn, "alice", "if two gained: A BUD, A VIE")
        due(autumn)
        assert phase().name == "W1901A"
        assert not Submission.objects.filter(phase=phase()).exists()

    def test_a_plan_is_all_or_nothing_and_can_be_taken_back(self, cast):
        self.plan(cast, "alice", "if VIE is dislodged: TYR")
        with pytest.raises(Refused, match=r"(?i)nowhere"):
            self.plan(cast, "alice", "if BUD is dislodged: GAL; if NOWHERE is dislodged: BUD")
        assert phase().conditional_orders.get().written == "if VIE is dislodged: TYR"
        assert self.plan(cast, "alice", "  ") == ""
        assert phase().conditional_orders.get().written == ""

    def test_strangers_plan_nothing(self, cast):
        with pytest.raises((NotYourSeat, NoSuchGame)):
            self.plan(cast, "charlie", "if one gained: A BUD")
