"""All rows of games, for Django, which looks for them in a module of this name."""

from diplomaccloud.games.featured.models import FeaturedGame
from diplomaccloud.games.following.models import GameFollow, PersonFollow, Unfollowable
from diplomaccloud.games.hall.models import Standing
from diplomaccloud.games.next_game.models import GameTemplate, NextGame
from diplomaccloud.games.ratings.models import (
    Annulment,
    HiddenRating,
    PersonRating,
    PowerRating,
    RatedGame,
    RatingChange,
    RatingKind,
    RatingRequest,
)
from diplomaccloud.games.statistics.models import PhaseFigures
from diplomaccloud.games.table.log_models import (
    CountryFigures,
    Event,
    LogEntry,
    PlayerFigures,
    RecordLine,
    RivalFigures,
    SaveReceipt,
    SigningKey,
    WorldFigures,
)
from diplomaccloud.games.table.models import Game, Invitation, Seat, StoredRules, Tenure
from diplomaccloud.games.table.phase_models import (
    Attendance,
    BotPlan,
    ConditionalOrders,
    Draft,
    OrderRow,
    Phase,
    Receipt,
    Submission,
    TalkDone,
)
from diplomaccloud.games.votes.models import Ballot, Vote

__all__ = [
    "Annulment",
    "Attendance",
    "Ballot",
    "BotPlan",
    "ConditionalOrders",
    "CountryFigures",
    "Draft",
    "Event",
    "FeaturedGame",
    "Game",
    "GameFollow",
    "GameTemplate",
    "HiddenRating",
    "Invitation",
    "LogEntry",
    "NextGame",
    "OrderRow",
    "PersonFollow",
    "PersonRating",
    "Phase",
    "PhaseFigures",
    "PlayerFigures",
    "PowerRating",
    "RatedGame",
    "RatingChange",
    "RatingKind",
    "RatingRequest",
    "Receipt",
    "RecordLine",
    "RivalFigures",
    "SaveReceipt",
    "Seat",
    "SigningKey",
    "Standing",
    "StoredRules",
    "Submission",
    "TalkDone",
    "Tenure",
    "Unfollowable",
    "Vote",
    "WorldFigures",
]
