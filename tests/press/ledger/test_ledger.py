"""The ledger: what is judged after each phase, across rollbacks, successors and eliminations."""

import pytest
from tests.games.steps import remove_centers, remove_units
from tests.press.deals import (
    TO_BURGUNDY,
    answer,
    facts,
    order,
    peace,
    process,
    propose,
    terms,
    verdicts,
    zone,
)

from diplomaccloud.games.master import rollback
from diplomaccloud.press.ledger.actions import close_ledgers, judge_deals
from diplomaccloud.press.proposals.models import LedgerEntry, LedgerMark


def agree(talking, *clauses, parties=("ENGLAND", "FRANCE")):
    """Make a deal between France and others, and return its number."""
    number = propose(talking, "FRANCE", "ENGLAND", terms(clauses, parties=parties))
    answer(talking, "ENGLAND", "FRANCE", number)
    return number


def roll_back(talking, to):
    rollback.roll_back(
        slug=talking.slug,
        user_id=talking.user_id("Morgan"),
        sequence=talking.phase.sequence,
        to=to,
        reason="A mistake.",
        now=talking.tick(),
    )


def roll_forward(talking):
    rollback.roll_forward(
        slug=talking.slug,
        user_id=talking.user_id("Morgan"),
        sequence=talking.phase.sequence,
        reason="No mistake.",
        now=talking.tick(),
    )


def test_who_kept_and_who_broke_a_deal(talking):
    number = agree(talking, TO_BURGUNDY, zone("ENG"))
    order(talking, "FRANCE", "A PAR - BUR")
    order(talking, "ENGLAND", "F LON - ENG")
    assert process(talking) == 1
    expected = ["S1901M: FRANCE kept, ENGLAND broken, FRANCE kept"]
    for who, to in (("FRANCE", "ENGLAND"), ("ENGLAND", "FRANCE")):
        assert verdicts(talking, who, to, number) == expected
    fault = facts(talking, "FRANCE", "ENGLAND", number).ledger[0].findings[1].fault
    assert str(fault) == "F LON - ENG"
    # A breach ends the deal.
    assert process(talking) == 0
    assert judge_deals(now=talking.now) == 0


def hold_and_process(talking):
    """Process a phase in which nobody misses a turn."""
    order(talking, "FRANCE", "A PAR H")
    order(talking, "ENGLAND", "F LON H")
    return process(talking)


def test_what_lasts_is_judged_phase_after_phase_and_across_rollbacks(talking):
    number = agree(talking, peace())
    assert hold_and_process(talking) == 1
    assert hold_and_process(talking) == 1
    both = [f"{name}: ENGLAND kept, FRANCE kept" for name in ("S1901M", "F1901M")]
    assert verdicts(talking, "FRANCE", "ENGLAND", number) == both
    roll_back(talking, 2)
    assert verdicts(talking, "FRANCE", "ENGLAND", number) == both[:1]
    roll_forward(talking)
    assert verdicts(talking, "FRANCE", "ENGLAND", number) == both
    roll_back(talking, 2)
    assert hold_and_process(talking) == 1
    assert verdicts(talking, "FRANCE", "ENGLAND", number) == both
    roll_back(talking, 1)
    assert facts(talking, "FRANCE", "ENGLAND", number).state == "void"
    assert verdicts(talking, "FRANCE", "ENGLAND", number) == []
    assert hold_and_process(talking) == 0


def test_a_deal_that_was_not_made_is_not_judged(talking):
    propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    assert process(talking) == 0
    assert not LedgerMark.objects.exists()


def test_elimination_makes_terms_moot(talking):
    number = agree(talking, peace())
    remove_units("ENGLAND")
    remove_centers("ENGLAND")
    assert process(talking) == 1
    assert verdicts(talking, "FRANCE", "ENGLAND", number) == ["S1901M: ENGLAND moot, FRANCE moot"]


@pytest.mark.parametrize(("successor", "verdict"), [("blank", "moot"), ("archive", "kept")])
def test_a_successor_who_starts_afresh_makes_terms_moot(talking, successor, verdict):
    talking.agree(successor=successor)
    number = agree(talking, peace())
    talking.resign("ENGLAND")
    talking.take("Sam", "ENGLAND")
    process(talking)
    expected = [f"S1901M: ENGLAND {verdict}, FRANCE {verdict}"]
    assert verdicts(talking, "FRANCE", "ENGLAND", number) == expected


def test_an_error_stops_neither_the_phase_nor_the_next_round(talking, monkeypatch):
    number = agree(talking, peace())
    with monkeypatch.context() as patch:
        patch.setattr("diplomaccloud.press.ledger.actions._judge_phase", None)
        assert process(talking) == 0
    assert str(talking.phase) != "S1901M"
    assert judge_deals(now=talking.now) == 1
    assert len(verdicts(talking, "FRANCE", "ENGLAND", number)) == 1


def test_a_ledger_is_watched_for_a_while_after_the_end(talking):
    agree(talking, peace())
    process(talking)
    talking.finish()
    assert close_ledgers(now=talking.now) == 0
    assert close_ledgers(now=talking.now.replace(year=talking.now.year + 1)) == 1
    assert LedgerEntry.objects.count() == 1
