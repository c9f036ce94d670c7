"""Why an order of a processed phase came to what it did: the judge's explanation, made anew."""

from collections.abc import Iterable

from django.urls import reverse

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import OrderRow, Phase
from diplomaccloud.games.presenters.explanation import Telling, cited_beside, rules_of_cause
from diplomaccloud.games.presenters.shown_why import WhyView
from diplomaccloud.games.records import (
    board_in,
    live_orders,
    orders_of,
    position_of,
    resolution_of,
    rules_of,
    seed_of,
)
from diplomaccloud.games.viewpoint.game_reader import Rows
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.reasons.values import Explanation


def why_view(slug: str, viewer: Viewer, sequence: int, number: int) -> WhyView:
    """Return the explanation of one order; raise `NoSuchGame` unless its phase may be seen."""
    phase = Rows(slug, viewer).game.phases.filter(sequence=sequence).first()
    if phase is None:
        raise NoSuchGame
    return why_of(phase, live_orders(phase), number)


def why_of(phase: Phase, orders: Iterable[OrderRow], number: int) -> WhyView:
    """Return the explanation of the order that is `number` among the results, from 0.

    `orders` are those that counted, and are read for a processed phase only, whose orders
    everybody may see who may see the game. For others, and where there is no such order, it
    raises `NoSuchGame`.
    """
    if phase.processed_at is None:
        raise NoSuchGame
    results = resolution_of(phase).results
    if number >= len(results):
        raise NoSuchGame
    url = reverse("games:phase", args=[phase.game.slug, phase.sequence])
    found = _explained(phase, orders, number)
    if found is None or (found.order, found.outcome) != (
        results[number].order,
        results[number].outcome,
    ):
        return WhyView(phase.sequence, number, url, known=False)
    telling = Telling(board_in(phase), results, number, found)
    return WhyView(
        phase.sequence,
        number,
        url,
        told=telling.causes(),
        otherwise=telling.otherwise(),
        rules=rules_of_cause(found),
        cited=cited_beside(found),
    )


def _explained(phase: Phase, orders: Iterable[OrderRow], number: int) -> Explanation | None:
    """Return what the judge of today says of the order, None if it knows of no such order."""
    found = explain(
        board_in(phase),
        position_of(phase),
        orders_of(orders),
        rules_of(phase.game),
        seed=seed_of(phase),
    )
    key = next((key for place, key in enumerate(found) if place == number), None)
    return None if key is None else found[key]
