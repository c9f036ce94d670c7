"""Whether bots agree to a draw: bots with a level decide, bots without one always agree."""

from diplomaccloud.bots.draws import STALE_YEARS, accepts_draw
from diplomaccloud.bots.seats import find_level
from diplomaccloud.games.models import Phase
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.draw_votes import players_left


def find_unwilling(phase: Phase) -> frozenset[Power]:
    """Return the powers of bots that do not agree to a draw in the phase."""
    when, position = phase.judge_phase, phase.position
    left = set(players_left(position)) - phase.unplayed_powers(when)
    levels = [seat for seat in phase.game.seat_list if find_level(seat.bot)]
    asked = [power for seat in levels for power in phase.powers_of(seat) if power in left]
    if not asked:
        return frozenset()
    sharing = sum(bool(left.intersection(powers)) for powers in phase.players)
    is_stale = _is_stale(phase)
    return frozenset(
        power
        for power in asked
        if not accepts_draw(phase.board, position, power, sharing=sharing, is_stale=is_stale)
    )


def _is_stale(phase: Phase) -> bool:
    """Return whether no center has changed hands for years."""
    year = phase.judge_phase.year
    names = [f"S{year - ago}M" for ago in range(STALE_YEARS + 1)]
    springs = phase.game.phases.filter(superseded_at=None, name__in=names[1:])
    before = [row.position.centers for row in springs]
    return len(before) == STALE_YEARS and all(
        centers == phase.position.centers for centers in before
    )
