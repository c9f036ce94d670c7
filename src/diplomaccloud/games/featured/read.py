"""The featured game, which looks the same to everyone."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from diplomaccloud.games.featured.models import FeaturedGame as FeaturedRow
from diplomaccloud.games.following.read import follows_game
from diplomaccloud.games.hall.read import Card, read_cards, read_stamps
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.phases import Phase
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class FeaturedGame:
    """The featured game: its card as visitors see it, and its last turn.

    `phase` is the one that the moving pictures show, and `turn` names them. `follows` says whether
    the viewer follows the game, and is None for one who cannot.
    """

    card: Card
    phase: Phase
    turn: str
    follows: bool | None


def read_featured_game(viewer: Viewer) -> FeaturedGame | None:
    """Return the featured game, or None if there is none, or if not everyone may watch it now.

    Its card is the same for everyone, also for its players.
    """
    row = _row.find()
    if row is None:
        return None
    key, phase, turn = row
    card, person = read_cards(Viewer(None), read_stamps([key]))[key], viewer.user_id
    takes_part = person is None or _with_person.find(key, person, person) is not None
    follows = None if takes_part else follows_game(viewer, key)
    return FeaturedGame(card, Phase.parse(phase), turn, follows)


def read_turn(turn: str, theme: str) -> str | None:
    """Return the moving picture of the featured game's last turn, `light` or `dark`.

    None if it is not the one of this name, or if not everyone may watch the game now.
    """
    pictures = _select_shown().filter(turn=turn)
    return pictures.values_list(theme, flat=True).first()


def _select_shown() -> QuerySet[FeaturedRow]:
    return FeaturedRow.objects.filter(
        game__status=Status.RUNNING,
        game__private__in=[False],
        game__watchable__in=[True],
        game__suspended_reason="",
        phase__superseded_at=None,
    ).order_by()


_row = PreparedQuery(lambda: _select_shown().values_list("game", "phase__name", "turn"))
_with_person = PreparedQuery(
    lambda game, person, master: Game.objects.filter(
        Exists(Seat.objects.filter(game=OuterRef("pk"), user=person))
        | Q(master__isnull=False, master=master),
        pk=game,
    ).values_list("pk", flat=True),
    *(int, int, int),
)
"""The game, if the person plays in it or is its master."""
