"""The results of a phase as tokens (ORD)."""

from collections.abc import Iterator

from diplomaccloud.daide.board.orders import write_order
from diplomaccloud.daide.board.words import BoardWords, write_turn
from diplomaccloud.daide.language.composition import Part, compose
from diplomaccloud.daide.language.tokens import Message, Word
from diplomaccloud.judge.orders import Convoy, Hold, Retreat, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.units import Unit

_NOTES = {
    Outcome.MOVED: Word.SUC,
    Outcome.BOUNCED: Word.BNC,
    Outcome.GIVEN: Word.SUC,
    Outcome.CUT: Word.CUT,
    Outcome.VOID: Word.NSO,
    Outcome.CONVOYED: Word.SUC,
    Outcome.DISRUPTED: Word.SUC,
    Outcome.HOLD: Word.SUC,
}


def write_results(words: BoardWords, position: Position, resolution: Resolution) -> list[Message]:
    """Return the ORD messages of a phase whose orders were all legal."""
    turn = write_turn(position.phase)
    return [
        compose(Word.ORD, turn, [write_order(words, result.order, position)], [*notes])
        for result in resolution.results
        if (notes := list(_find_notes(position, resolution, result)))
    ]


def _find_notes(position: Position, resolution: Resolution, result: OrderResult) -> Iterator[Part]:
    """Yield the words for a result; yield nothing for a surplus order."""
    if position.phase.stage is not Stage.MOVEMENT:
        if result.outcome is not Outcome.VOID:
            collided = isinstance(result.order, Retreat) and not result.succeeded
            yield Word.BNC if collided else Word.SUC
        return
    if isinstance(result.order, Waive):
        return
    dislodged = {entry.unit for entry in resolution.dislodged}
    unit = result.order.unit
    if result.outcome is Outcome.NOPATH:
        yield _explain_missing_path(dislodged, resolution, unit)
    elif unit not in dislodged or not _is_silent(result):
        yield _NOTES[result.outcome]
    if unit in dislodged:
        yield Word.RET


def _is_silent(result: OrderResult) -> bool:
    """Return whether a dislodged unit has nothing else to report because it held or convoyed."""
    return isinstance(result.order, Hold | Convoy) and result.outcome is not Outcome.VOID


def _explain_missing_path(dislodged: set[Unit], resolution: Resolution, army: Unit) -> Word:
    """Return DSR if a fleet that was to convoy the army was dislodged, otherwise NSO."""
    broken = any(
        isinstance(result.order, Convoy)
        and result.order.target == army
        and result.order.unit in dislodged
        for result in resolution.results
    )
    return Word.DSR if broken else Word.NSO
