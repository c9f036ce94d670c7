"""Quiet time before the deadline, and whether the viewer is done talking."""

from diplomaccloud.games.models import TalkDone
from diplomaccloud.games.options.options import Press
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage


def has_quiet_time(rows: GameRows) -> bool:
    """Return whether talk in the open phase ends before its deadline."""
    phase, options = rows.phase, rows.options
    if phase is None or options.press is not Press.RULEBOOK or not options.talk.writing:
        return False
    return JudgePhase.parse(phase.name).stage is Stage.MOVEMENT


def is_done_talking(rows: GameRows) -> bool | None:
    """Return whether the viewer is done talking, or None if talk cannot end early."""
    if rows.own_seat is None or rows.phase is None or not has_quiet_time(rows):
        return None
    return TalkDone.objects.filter(phase=rows.phase, seat=rows.own_seat).exists()
