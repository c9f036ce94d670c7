"""What a game master does, including rollbacks."""

import pytest
from django.utils import timezone
from tests.games.steps import DAY, due, game, phase, save

from diplomaccloud.games.master.actions import change_time, force_phase, preview_results
from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.table.errors import NotYourSeat, WrongMoment
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import OrderRow, Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.wording import Question


class TestMaster:
    def change(self, table, question, length=None, key="k", who="charlie", now=None):
        change_time(
            slug=table.slug,
            user_id=table.user_id(who),
            question=Question(question),
            length=length,
            reason="Holidays.",
            key=key,
            sequence=phase().sequence,
            now=now or timezone.now(),
        )

    def test_a_button_pressed_twice_extends_once(self, table):
        before = phase().due_at
        for _ in range(2):
            self.change(table, "extend", DAY)
        assert phase().due_at == before + DAY
        assert LogEntry.objects.get().by_id == table.charlie

    def test_caps_bind_the_master_too(self, table):
        for number in range(2):
            self.change(table, "extend", 3 * DAY, key=f"k{number}")
        with pytest.raises(WrongMoment, match="1 day"):
            self.change(table, "extend", 3 * DAY, key="k3")

    def test_only_the_master_may(self, table):
        for who in ("alice", "bob"):
            with pytest.raises(NotYourSeat):
                self.change(table, "pause", who=who)

    def test_a_phase_is_forced(self, table):
        now = timezone.now()
        known = {"slug": table.slug, "reason": "All wrote to me.", "key": "f", "now": now}
        known["sequence"] = 1
        assert force_phase(user_id=table.charlie, **known) == table.game_id
        assert advance(game_id=table.game_id, owner="t", now=now) == 1
        assert phase().sequence == 2

    def test_the_look_ahead_changes_nothing_but_the_log(self, table):
        save(table, "alice", "A VIE - GAL")
        known = {"slug": table.slug, "reason": "A question.", "now": timezone.now(), "sequence": 1}
        resolution = preview_results(user_id=table.charlie, **known)
        assert any(str(one.order) == "A VIE - GAL" for one in resolution.results)
        assert (phase().sequence, phase().processed_at) == (1, None)
        assert LogEntry.objects.get().kind == "looked"
        Game.objects.update(master_id=table.alice)
        with pytest.raises(NotYourSeat, match="plays"):
            preview_results(user_id=table.alice, **known)


class TestRollingBack:
    def roll(self, table, to, now=None):
        return roll_back(
            slug=table.slug,
            user_id=table.charlie,
            sequence=phase().sequence,
            to=to,
            reason="A misread order.",
            now=now or timezone.now(),
        )

    def forward(self, table):
        known = {"slug": table.slug, "reason": "It was right.", "now": timezone.now()}
        known["sequence"] = phase().sequence
        return roll_forward(user_id=table.charlie, **known)

    def test_the_old_line_is_kept_and_the_game_goes_on(self, table):
        save(table, "alice", "A VIE - GAL")
        due(table)
        due(table)
        opened = self.roll(table, 1)
        assert (opened.sequence, opened.name, opened.branch) == (4, "S1901M", 1)
        assert opened.position == Phase.objects.get(sequence=1).position
        assert not OrderRow.objects.live_in(opened).exists()
        assert Phase.objects.filter(superseded_at=None).count() == 1
        assert Phase.objects.count() == 4
        save(table, "alice", "A VIE - TYR")
        due(table)
        assert phase().name == "F1901M"
        assert "TYR" in str(phase().position)

    def test_absence_in_the_abandoned_line_counts_for_nothing(self, table):
        due(table)
        self.roll(table, 1)
        due(table)
        assert Seat.objects.filter(user=table.alice).exists()

    def test_a_game_that_was_over_goes_on(self, table, agree):
        agree({"last_year": 1901})
        for _ in range(6):
            if game().status == "running":
                save(table, "alice")
                save(table, "bob")
                due(table)
        assert game().status == "finished"
        self.roll(table, 1)
        assert (game().status, game().ending) == ("running", None)
        last = self.forward(table)
        assert (game().status, last.superseded_at) == ("finished", None)
        assert game().ending.winners

    def test_forward_again_while_nothing_has_been_processed(self, table):
        due(table)
        self.roll(table, 1)
        opened = self.forward(table)
        assert (opened.sequence, opened.name, game().branch) == (2, "F1901M", 0)
        with pytest.raises(WrongMoment, match="no rollback"):
            self.forward(table)
        again = self.roll(table, 1)
        assert again.branch == 2
        due(table)
        with pytest.raises(WrongMoment, match="has been processed"):
            self.forward(table)

    def test_only_to_a_phase_that_was_processed(self, table):
        for sequence in (1, 9):
            with pytest.raises(WrongMoment, match="processed"):
                self.roll(table, sequence)
        with pytest.raises(NotYourSeat):
            roll_back(
                slug=table.slug,
                user_id=table.alice,
                sequence=1,
                to=1,
                reason="No.",
                now=timezone.now(),
            )
