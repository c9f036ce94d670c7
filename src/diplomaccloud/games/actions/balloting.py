"""Counting the votes that were written with the orders."""

from diplomaccloud.games.models import Phase
from diplomaccloud.games.records import powers_of
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.votes import Count, Vote, count_votes, players_left


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
