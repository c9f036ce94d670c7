"""The members of conversations, and the countries of a game, as named in press."""

from collections.abc import Sequence

from diplomaccloud.games.models import Seat
from diplomaccloud.games.viewpoint.names import is_masked, seat_holder
from diplomaccloud.judge.phases import Phase
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.table import Table, find_past_seat
from diplomaccloud.press.viewpoint.facts import CountryFacts, MemberFacts


def list_members(table: Table, kind: Kind, seats: Sequence[Seat]) -> tuple[MemberFacts, ...]:
    """Return the other members of a conversation between `seats`, in board order."""
    if kind not in (Kind.SEATS, Kind.MASTER):
        return ()
    order = {str(info.power): rank for rank, info in enumerate(table.game.board.powers)}
    others = [seat for seat in seats if seat != table.seat and seat != find_past_seat(table)]
    return tuple(
        _present_member(table, seat)
        for seat in sorted(others, key=lambda row: order[row.power or ""])
    )


def list_groups(table: Table) -> tuple[tuple[str, ...], ...]:
    """Return the powers of each seat, in board order; none before the draw."""
    phase = table.newest.phase
    groups = [phase.powers_of(seat) for seat in table.holders.seats] if phase else []
    ranks = {info.power: rank for rank, info in enumerate(table.game.board.powers)}
    return tuple(sorted(filter(None, groups), key=lambda group: ranks[group[0]]))


def list_countries(table: Table) -> dict[str, tuple[CountryFacts, ...]]:
    """Return the countries of each seat, by its first power; none before the draw."""
    seats, phase = table.holders.seats, table.newest.phase
    if phase is None:
        return {}
    colors, info = table.game.power_colors(seats), phase.board.power_info
    countries: dict[str, tuple[CountryFacts, ...]] = {}
    for seat in seats:
        powers = phase.powers_of(seat)
        if seat.power and len(powers) > 1:
            parts = [CountryFacts(info[power].name, colors[power]) for power in powers]
            countries[seat.power] = tuple(parts)
        elif seat.power:
            countries[seat.power] = (CountryFacts(seat.country_name, colors[seat.power]),)
    return countries


def _present_member(table: Table, seat: Seat) -> MemberFacts:
    tenures = table.holders.tenures.get(seat.pk, [])
    since = None
    if tenures and tenures[-1].user_id and tenures[-1].until_at is None and len(tenures) > 1:
        name = getattr(tenures[-1], "since_phase", None)
        since = Phase.parse(name) if name else None
    return MemberFacts(
        power=seat.power or "",
        country=seat.country_name,
        holder=seat_holder(table.game, seat, hidden=is_masked(table.game)),
        vacant=seat.vacated_at is not None,
        since=since,
        muted=bool(tenures) and bool(getattr(tenures[-1], "is_muted", False)),
    )
