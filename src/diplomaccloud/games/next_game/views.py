"""What a player does in the waiting room of a next game: confirm, or agree to start with bots."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from diplomaccloud.games.next_game import actions
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.views import (
    game_login_required,
    process_if_due,
    redirect_with_message,
)

_STARTED = "The game has started."


@game_login_required
@require_POST
def confirm(request: HttpRequest, slug: str) -> HttpResponse:
    """Confirm that the player is there for the start."""
    user_id = require_user_id(request)
    started = actions.confirm(slug=slug, user_id=user_id, now=timezone.now)
    process_if_due(started)
    return redirect_with_message(request, slug, _STARTED if started else "You have confirmed.")


@game_login_required
@require_POST
def start_with_bots(request: HttpRequest, slug: str) -> HttpResponse:
    """Agree to start with few people and bots; the last one to agree starts the game."""
    user_id = require_user_id(request)
    started = actions.start_with_bots(slug=slug, user_id=user_id, now=timezone.now)
    process_if_due(started)
    waits = "The game starts with bots once all of you choose it."
    return redirect_with_message(request, slug, _STARTED if started else waits)
