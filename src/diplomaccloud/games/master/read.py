"""What a game master may do, and whether the players must be asked first."""

from diplomaccloud.games.table.log_models import ROLLED_BACK
from diplomaccloud.games.table.models import Game, Status, Tenure
from diplomaccloud.games.table.models import must_ask_players as must_ask
from diplomaccloud.games.table.options import Master
from diplomaccloud.games.table.read import Reader


def must_ask_players(reader: Reader) -> bool:
    """Return whether the viewer, as the game master, must ask the other players."""
    user_id = reader.rows.viewer.user_id
    return user_id is not None and must_ask(reader.rows.game, user_id)


def has_playing_master(reader: Reader) -> bool:
    """Return whether the game master plays in the game, or has played in it."""
    game = reader.rows.game
    if game.master_id is None or game.options.master is Master.PLAYING:
        return game.master_id is not None
    held = Tenure.objects.filter(seat__game=game, user=game.master_id)
    return any(row.user_id == game.master_id for row in reader.rows.seats) or held.exists()


def can_restore(reader: Reader) -> bool:
    """Return whether the last rollback can be undone, since no phase was processed after it."""
    game = reader.rows.game
    if reader.is_finished:
        return False
    entry = game.log.filter(kind=ROLLED_BACK, key=f"line {game.branch}").first()
    if entry is None or game.log.filter(key=f"undone {entry.pk}").exists():
        return False
    return not reader.rows.processed.filter(branch=game.branch).exists()


def is_mastering(user_id: int) -> bool:
    """Return whether the person is the game master of a running game."""
    return Game.objects.filter(master=user_id, status=Status.RUNNING).exists()
