"""Moving the games of a guest to the account that the guest logs in to."""

from diplomaccloud.accounts.models import User
from diplomaccloud.games.actions.figures import counted_again
from diplomaccloud.games.actions.locks import lock_game_by_id
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import (
    Attendance,
    Game,
    LogEntry,
    SaveReceipt,
    Seat,
    Tenure,
    Vote,
)


def adopt_guest(*, guest_id: int, user_id: int) -> int:
    """Move the guest's games to the account and return how many were moved.

    Each game moves in its own transaction, since a transaction may lock only one game. The guest,
    who no longer has games, is deleted later like every guest.
    """
    guests = User.objects.filter(pk=guest_id, guest=True)
    if guest_id == user_id or not guests.exists():
        return 0
    games = Game.objects.filter(creator=guest_id).order_by("pk").values_list("pk", flat=True)
    return sum(_adopt_game(game_id=key, guest_id=guest_id, user_id=user_id) for key in list(games))


@atomic_with_retries
def _adopt_game(*, game_id: int, guest_id: int, user_id: int) -> int:
    """Replace the guest by the account everywhere in the game; return 1 if that was done."""
    game = lock_game_by_id(game_id)
    if game.creator_id != guest_id:
        return 0
    with counted_again(game, with_turns=True):
        game.seats.filter(user=guest_id).update(user=user_id)
        Tenure.objects.filter(seat__in=Seat.objects.filter(game=game), user=guest_id).update(
            user=user_id
        )
        phases = game.phases.values("pk")
        Attendance.objects.filter(phase__in=phases, user=guest_id).update(user=user_id)
        SaveReceipt.objects.filter(phase__in=phases, user=guest_id).update(user=user_id)
        LogEntry.objects.filter(game=game, by=guest_id).update(by=user_id)
        Vote.objects.filter(game=game, asked_by=guest_id).update(asked_by=user_id)
        game.creator_id = user_id
        game.save(update_fields=["creator"])
    game.forget_seats()
    return 1
