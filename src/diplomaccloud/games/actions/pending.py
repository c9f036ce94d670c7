"""What a transaction writes once, at its end: its events, versions and statistics.

Collecting them saves queries. Also, people's statistics, which several games update, are locked
last and only briefly.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from django.db.models import Case, F, Value, When

from diplomaccloud.games.models import FIGURES, Event, Figures, Game, PlayerFigures
from diplomaccloud.shared.news import tell_change


@dataclass(slots=True)
class _Pending:
    events: list[Event] = field(default_factory=list)
    figures: dict[int, Counter[str]] = field(default_factory=dict)

    def add_figures(self, changes: Mapping[int, Figures]) -> None:
        for user, numbers in changes.items():
            self.figures.setdefault(user, Counter()).update(numbers)

    def write(self) -> None:
        Event.objects.bulk_create(self.events)
        versions = Counter(event.game_id for event in self.events if event.seat_id is None)
        for game, number in versions.items():
            Game.objects.filter(pk=game).update(version=F("version") + number)
            tell_change(game)
        _change_figures(self.figures)


_current: ContextVar[_Pending | None] = ContextVar("_current", default=None)


@contextmanager
def written_together() -> Iterator[None]:
    """Write everything added within the block at its end; an error discards it."""
    outer, own = _current.get(), _Pending()
    token = _current.set(own)
    try:
        yield
    finally:
        _current.reset(token)
    if outer is None:
        own.write()
    else:
        outer.events += own.events
        outer.add_figures(own.figures)


def add_events(*events: Event) -> None:
    """Write events at the end of the transaction, or now outside `written_together`."""
    pending = _current.get() or _Pending()
    pending.events += events
    if _current.get() is None:
        pending.write()


def add_figures(changes: Mapping[int, Figures]) -> None:
    """Update statistics at the end of the transaction, or now outside `written_together`."""
    pending = _current.get() or _Pending()
    pending.add_figures(changes)
    if _current.get() is None:
        pending.write()


def lock_figures(users: Collection[int]) -> set[int]:
    """Lock the people's statistics until the transaction ends; return which people have any."""
    rows = PlayerFigures.objects.select_for_update().filter(user__in=users).order_by("user")
    return set(rows.values_list("user", flat=True))


def _change_figures(changes: Mapping[int, Figures]) -> None:
    numbers: dict[str, dict[int, list[int]]] = {}
    for user, changed in changes.items():
        for name, number in changed.items():
            if number:
                numbers.setdefault(name, {}).setdefault(number, []).append(user)
    users = sorted({user for group in numbers.values() for row in group.values() for user in row})
    if not users:
        return
    added = {
        name: Case(
            *(
                When(user__in=group, then=F(name) + Value(number))
                for number, group in numbers[name].items()
            ),
            default=F(name),
        )
        for name in FIGURES
        if name in numbers
    }
    known = lock_figures(users)
    if missing := [user for user in users if user not in known]:
        # Another transaction may insert the same rows, so every row is updated only afterwards.
        PlayerFigures.objects.bulk_create(
            (PlayerFigures(user_id=user) for user in missing), ignore_conflicts=True
        )
        lock_figures(missing)
    PlayerFigures.objects.filter(user__in=users).update(**added)
