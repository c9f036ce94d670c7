"""The featured game, which looks the same to everyone."""

from dataclasses import dataclass

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from diplomaccloud.games.featured.models import FeaturedGame as FeaturedRow
from diplomaccloud.games.following.models import GameFollow
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
    takes_part, follows = (True, False)
    if person is not None:
        takes_part, follows = _relations.find(key, person, person, person) or (True, False)
    return FeaturedGame(card, Phase.parse(phase), turn, None if takes_part else follows)


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
_relations = PreparedQuery(
    lambda game, player, master, follower: Game.objects.filter(pk=game).values_list(
        ExpressionWrapper(
            Exists(Seat.objects.filter(game=OuterRef("pk"), user=player))
            | Q(master__isnull=False, master=master),
            BooleanField(),
        ),
        Exists(GameFollow.objects.filter(game=OuterRef("pk"), follower=follower)),
    ),
    *(int, int, int, int),
)
"""Whether a person plays in the game or is its master, and whether the person follows it."""
