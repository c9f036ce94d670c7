"""A person's data in games: exporting their orders, and vacating their seats when they leave."""

import datetime as dt
import json
from collections.abc import Iterator

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.games.actions import finish_departure, leave_all_games
from diplomaccloud.games.viewpoint.own_orders import list_own_games


def _promise_departure(user_id: int, _now: dt.datetime) -> None:
    """Enqueue the departure, so that a worker completes it if this process dies first."""
    finish_departure.enqueue(user_id, removed=False)


def _leave(user_id: int, now: dt.datetime) -> None:
    leave_all_games(user_id=user_id, removed=False, now=now)


def _export(user_id: int) -> Iterator[ExportFile]:
    for game in list_own_games(user_id):
        content = {
            "game": game.slug,
            "world": game.world,
            "country": game.country,
            "since": game.since_at.isoformat(),
            "until": game.until_at.isoformat() if game.until_at else None,
            "orders": {phase: list(orders) for phase, orders in game.orders},
        }
        text = json.dumps(content, ensure_ascii=False, indent=2)
        yield ExportFile(f"games/{game.slug}-{game.power}-{game.number}.json", iter([text]))


PART = AccountPart(_promise_departure, _leave, _export)
"""Listed in `settings.ACCOUNT_PARTS`."""
