"""The ledger: who kept the deals that were binding in a processed phase.

The worker runs it separately from deadlines, so that it cannot hold up a phase, and catches up on
missed phases in the next round. Each phase is judged once. If it is rolled back, its entries are
void, and they count again if the game is rolled forward.

`games` does not know about deals: an error here must not stop a phase, and a killed process must
not lose an entry. Whether a deal or an entry counts is not stored. It follows from the phases, so a
rollback needs no write that could be forgotten.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import structlog
from django.db.models import Exists, OuterRef

from diplomaccloud.deals import (
    Agreed,
    Clause,
    Ordered,
    PhaseFacts,
    findings_to_json,
    judge_terms,
    terms_from_json,
)
from diplomaccloud.entry.votes import players_left
from diplomaccloud.games.table.lock import Now, lock_game_by_id, time_of
from diplomaccloud.games.table.models import Game, Tenure
from diplomaccloud.games.table.options import Successor
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.press.proposals.models import LedgerEntry, LedgerMark, Proposal, ProposalAnswer
from diplomaccloud.press.proposals.wording import ProposalState
from diplomaccloud.press.table.actions import raise_reader_versions

KEEP_OPEN_FOR: Final = dt.timedelta(days=30)
"""How long after its end a game's ledger is updated, since a rollback may reopen the game."""
_log = structlog.get_logger(__name__)


def judge_deals(*, now: Now) -> int:
    """Write entries for newly processed phases, and return their number. Called by the worker."""
    newer = Phase.objects.filter(
        game=OuterRef("game"),
        sequence__gt=OuterRef("judged"),
        processed_at__isnull=False,
        superseded_at=None,
    )
    due = LedgerMark.objects.filter(Exists(newer), open=True).order_by("game")
    written = 0
    for key in due.values_list("game", flat=True):
        try:
            written += _judge_game(game_id=key, now=now)
        except Exception:
            # It is tried again in the next round.
            _log.exception("ledger not written", game=key)
    return written


def close_ledgers(*, now: dt.datetime) -> int:
    """Close the ledgers of games that ended long ago, and return their number."""
    over = Game.objects.filter(finished_at__lt=now - KEEP_OPEN_FOR).values("pk")
    return LedgerMark.objects.filter(open=True, game__in=over).update(open=None)


@atomic_with_retries
def _judge_game(*, game_id: int, now: Now) -> int:
    game = lock_game_by_id(game_id)
    time_of(now)
    mark = LedgerMark.objects.get(game=game_id)
    phases = Phase.objects.filter(
        game=game_id, sequence__gt=mark.judged, processed_at__isnull=False, superseded_at=None
    )
    entries: list[LedgerEntry] = []
    for phase in phases.order_by("sequence"):
        phase.game = game
        written = _judge_phase(game, phase)
        LedgerEntry.objects.bulk_create(written)
        entries += written
        mark.judged = phase.sequence
    mark.save(update_fields=["judged"])
    raise_reader_versions(game.pk, proposal__in=[entry.proposal_id for entry in entries])
    return len(entries)


def _judge_phase(game: Game, phase: Phase) -> list[LedgerEntry]:
    """Return the entries of one phase, one for each deal that was binding in it."""
    done = LedgerEntry.objects.filter(
        proposal=OuterRef("pk"), phase__superseded_at=None, final=True
    )
    deals = Proposal.objects.filter(
        ~Exists(done),
        game=game,
        state=ProposalState.ACCEPTED,
        phase__superseded_at=None,
        phase__sequence__lte=phase.sequence,
    )
    rows = list(deals.select_related("phase").order_by("pk"))
    if not rows:
        return []
    entries, facts = [], _find_facts(phase, rows)
    for row in rows:
        terms = terms_from_json(row.terms, phase.board)
        gone = facts.gone.union(_find_new_holders(game, phase, row))
        judgment = judge_terms(terms, row.alternative or 0, replace(facts, gone=gone))
        # Otherwise the deal does not concern this phase and continues.
        if judgment.findings or judgment.final:
            findings = findings_to_json(judgment.findings)
            entries.append(
                LedgerEntry(proposal=row, phase=phase, findings=findings, final=judgment.final)
            )
    return entries


def _find_facts(phase: Phase, rows: Sequence[Proposal]) -> PhaseFacts:
    position, draws = phase.position, None
    if phase.judge_phase.stage is Stage.MOVEMENT:
        # The powers that voted for a draw, as the public log shows.
        entry = phase.log.filter(kind="votes").first()
        draws = frozenset(map(Power, entry.data["draws"])) if entry else frozenset()
    held = {tenure.seat_id for tenure in _list_tenures(phase)}
    vacant = [seat for seat in phase.game.seat_list if seat.pk not in held]
    unplayed = {power for seat in vacant for power in phase.powers_of(seat)}
    return PhaseFacts(
        board=phase.board,
        position=position,
        orders=tuple(result.order for result in phase.resolution.results),
        draws=draws,
        gone=frozenset(set(phase.board.power_info) - set(players_left(position))),
        # Those without a player when the orders were locked.
        absent=frozenset(unplayed.union(map(Power, phase.civil_disorder))),
        agreed=tuple(_list_agreed(phase, rows)),
    )


def _list_tenures(phase: Phase) -> list[Tenure]:
    """Return the tenures that were current when the orders of the phase were locked."""
    at = phase.locked_at
    rows = Tenure.objects.filter(seat__game=phase.game_id, since_at__lte=at)
    return [row for row in rows if row.until_at is None or at is None or row.until_at >= at]


def _list_agreed(phase: Phase, rows: Iterable[Proposal]) -> Iterable[Agreed]:
    for row in rows:
        if row.phase_id == phase.pk:
            terms = terms_from_json(row.terms, phase.board)
            clauses: Sequence[Clause] = terms.alternatives[row.alternative or 0]
            for clause in clauses:
                if isinstance(clause, Ordered) and clause.given:
                    yield Agreed(clause.order, frozenset(terms.parties))


def _find_new_holders(game: Game, phase: Phase, row: Proposal) -> set[Power]:
    """Return the parties whose players took over after the deal and are not bound by it."""
    is_blank = game.options.talk.successor is Successor.BLANK
    if not is_blank and not game.options.bots_give_way:
        return set()
    answers = ProposalAnswer.objects.filter(proposal=row).values_list("tenure_id", flat=True)
    agreed = {row.tenure_id, *answers}
    current = _list_tenures(phase)
    newer = {tenure.seat_id for tenure in current if tenure.pk not in agreed}
    if not is_blank:
        # Successors inherit deals, except those of bots that gave way.
        gone = agreed - {tenure.pk for tenure in current}
        bots = Tenure.objects.filter(pk__in=gone).exclude(bot="")
        newer &= set(bots.values_list("seat_id", flat=True))
    return {
        power
        for seat in game.seat_list
        if seat.pk in newer
        for power in phase.powers_of(seat)
        if power in row.terms["parties"]
    }
