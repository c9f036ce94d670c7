"""Draw votes: DRAW and SURRENDER, written with the orders."""

import datetime as dt
from collections.abc import Mapping, Sequence

from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import (
    lock_game,
    require_open_phase,
    require_seat,
    require_unlocked,
)
from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.actions.promises import read_promises
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.actions.votes.bot_votes import find_unwilling
from diplomaccloud.games.actions.votes.decisions import bots_agree
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import Phase, Submission
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.draw_votes import Count, Vote, count_votes, players_left
from diplomaccloud.judge.position import Position
from diplomaccloud.schedule.descriptions import join_words


@atomic_with_retries
def vote_with_orders(
    *, slug: str, user_id: int, sequence: int, vote: str, now: dt.datetime
) -> None:
    """Save the person's draw vote, `draw` or `surrender`, with the orders; a blank deletes it.

    The vote is secret until the phase is processed. Like an order, it counts as a submission.
    """
    if vote not in ("", *Vote):
        raise Refused("A draw vote must be DRAW or SURRENDER.")
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now, "Your vote was not counted.")
    if seat not in phase.voters():
        raise WrongMoment("Your country has been eliminated, so you cannot vote.")
    require_unlocked(phase, seat, "Your vote was not counted.")
    changes = {"draw_vote": vote, "tried_at": now}
    Submission.objects.update_or_create(phase=phase, seat=seat, defaults=changes)
    events.record(game=game, kind="saved", now=now, seat=seat)


def count_phase_votes(phase: Phase, after: Position) -> Count:
    """Count the draw votes of a phase; `after` is the position that it led to.

    Source: the errata of document 2, "Ending the game in a draw" and "… in surrender".
    """
    current, left = phase.position.phase, players_left(after)
    out = phase.unplayed_powers(current)
    votes = _find_votes(phase, frozenset(left) - out)
    return count_votes(left, votes, out, together=phase.game.players_at(current))


def _find_votes(phase: Phase, standing: frozenset[Power]) -> dict[Power, Vote]:
    """Return the draw votes of a phase by power, including the votes of bots.

    Bots vote DRAW once all people who are still in the game and do not surrender have done so; bots
    with a level do that only if it pays. Bots also vote DRAW if they promised it to the people who
    have.
    """
    written = {seat: Vote(vote) for seat, vote in phase.draw_votes.items()}
    if not written:
        return {}
    seats = {seat: phase.powers_of(seat) for seat in phase.game.seat_list}
    votes = {
        power: written[seat.pk]
        for seat, own in seats.items()
        if seat.pk in written
        for power in own
    }
    people = {
        seat.pk
        for seat, own in seats.items()
        if seat.user_id and standing.intersection(own) and written.get(seat.pk) != Vote.SURRENDER
    }
    if bots_agree(people, {key for key, vote in written.items() if vote is Vote.DRAW}):
        unwilling = find_unwilling(phase)
        joining = [
            power
            for seat, own in seats.items()
            if seat.bot and not unwilling.intersection(own)
            for power in own
        ]
        return dict.fromkeys(joining, Vote.DRAW) | votes
    return votes | _find_promised_votes(phase, votes, standing)


def _find_promised_votes(
    phase: Phase, votes: Mapping[Power, Vote], standing: frozenset[Power]
) -> dict[Power, Vote]:
    """Return the votes for a draw that bots promised to others who vote for a draw."""
    voters = {power for power, vote in votes.items() if vote is Vote.DRAW}
    if not voters:
        return {}
    promises = read_promises(phase.pk)
    promised: dict[Power, Vote] = {}
    while joining := [
        power
        for power, own in promises.items()
        if power in standing - voters and own.asks_for_draw(voters, standing)
    ]:  # one bot may wait for another
        voters.update(joining)
        promised |= dict.fromkeys(joining, Vote.DRAW)
    return promised


def log_draw_votes(phase: Phase, count: Count, now: dt.datetime) -> None:
    """Log who voted for a draw and who surrendered, which is now public.

    Source: the errata: "Any votes for a draw will be reported to all players when orders are
    executed."
    """
    lines = []
    if count.draws:
        lines.append(_describe_draws(phase, count))
    if count.surrendered:
        countries = _names(phase, count.surrendered)
        if len(count.surrendered) > 1:
            lines.append(f"{countries} surrendered and are now in civil disorder.")
        else:
            lines.append(f"{countries} surrendered and is now in civil disorder.")
    if lines:
        data: dict[str, object] = {
            "draws": list(count.draws),
            "surrendered": list(count.surrendered),
        }
        write_log(
            game=phase.game,
            phase=phase,
            kind="votes",
            key=f"votes {phase.sequence}",
            text=" ".join(lines),
            now=now,
            data=data,
        )


def _describe_draws(phase: Phase, count: Count) -> str:
    """Return who voted for a draw, and how many of the countries that could did not."""
    draws, total = count.draws, len(count.draws) + count.against
    seats = phase.game.seats.exclude(bot="")
    bots = {power for seat in seats for power in phase.powers_of(seat)}
    joined = [power for power in draws if power in bots]
    lines = [f"Votes for a draw: {_names(phase, [p for p in draws if p not in bots])}."]
    if joined:
        lines.append(f"The bots agreed: {_names(phase, joined)}.")
    if count.against:
        lines.append(f"No draw: {count.against} of {total} countries did not vote for one.")
    return " ".join(lines)


def _names(phase: Phase, powers: Sequence[Power]) -> str:
    """Return the names of the powers; a player with a single power may have renamed it."""
    named = {}
    for seat in phase.game.seats.all():
        seat.game = phase.game
        played = phase.powers_of(seat)
        if len(played) == 1:
            named[played[0]] = seat.country_name
    info = phase.board.power_info
    return join_words([named.get(power, info[power].name) for power in powers])
