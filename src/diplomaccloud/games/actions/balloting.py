"""The votes that are written with the orders, DRAW and SURRENDER: taken and counted."""

import datetime as dt

from django.db import transaction

from diplomaccloud.games import events
from diplomaccloud.games.actions.locks import lock_game, open_phase_for, seat_in
from diplomaccloud.games.actions.motions import voters
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import Phase, Submission
from diplomaccloud.games.records import powers_of
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.votes import Count, Vote, count_votes, players_left


@transaction.atomic
def vote_with_orders(
    *, slug: str, user_id: int, sequence: int, vote: str, now: dt.datetime
) -> None:
    """Write `draw` or `surrender` with the person's orders, or take it back with a blank.

    Told to nobody before the phase is processed. Like any order, it shows that one was there.
    """
    if vote not in ("", *Vote):
        raise Refused("A vote is DRAW or SURRENDER.")
    game = lock_game(slug)
    seat = seat_in(game, user_id)
    phase = open_phase_for(game, sequence, now)
    if seat not in voters(game, phase):
        raise WrongMoment("Your country is out of the game: it has no vote any more.")
    Submission.objects.update_or_create(phase=phase, seat=seat, defaults={"vote": vote})
    events.record(game=game, kind="saved", now=now, seat=seat)


def count_phase_votes(phase: Phase, after: Position) -> Count:
    """Return what the votes of a phase come to, `after` being the position it led to.

    Source: the errata of document 2, "Ending the game in a draw" and "… in surrender".
    """
    votes: dict[Power, Vote] = {}
    for submission in phase.submissions.exclude(vote="").select_related("seat"):
        for power in powers_of(submission.seat, phase):
            votes[power] = Vote(submission.vote)
    disorder = [Power(power) for power in phase.disorder]
    return count_votes(players_left(after), votes, disorder)
