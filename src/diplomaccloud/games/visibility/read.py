"""Who may see which game, and whose names they see."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.crypto import salted_hmac

from diplomaccloud.accounts.models import User
from diplomaccloud.bots.seats import hide_character
from diplomaccloud.games.table.models import FROZEN, Game, Invitation, Seat, Status, Tenure
from diplomaccloud.games.table.options import Master
from diplomaccloud.shared.prepared_queries import PreparedQuery

_ENTRANCE: Final = ("status", "private", "watchable", "creator", "master")
"""The columns of a game that decide who may see it, besides who takes part in it."""


_GAMES_ON_A_MAP: Final = 20
"""How many games to look at for each of the maps."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The key of the user who views a game, or None for a visitor who is not logged in."""

    user_id: int | None


def viewer_of(user: User | AnonymousUser) -> Viewer:
    """Return the viewer for `user`."""
    return Viewer(user.pk if user.is_authenticated else None)


def visible_games(viewer: Viewer) -> QuerySet[Game]:
    """Return the games that the viewer may see, without the text of their maps.

    These are public games, unless only players may watch them; the viewer's own games, even
    after the viewer has left them, so that past play and receipts remain visible; and games that
    the viewer is invited to, before they start.
    """
    watched = Q(watchable=True) | Q(status=Status.FORMING)
    visible = Q(private=False) & watched
    if (person := viewer.user_id) is not None:
        invited = Q(Exists(_select_invitations(person)), status=Status.FORMING)
        visible |= _build_part(person) | invited
    games = Game.objects.filter(visible).exclude(status=Status.CANCELED)
    return games.select_related("chart", "creator", "master", "standing").defer("chart__text")


def list_newest_on_maps(most: int) -> list[str]:
    """Return the slug of the newest public game that has begun on each of a few maps."""
    begun = visible_games(Viewer(None)).exclude(status=Status.FORMING).order_by("-pk")
    slugs = dict[int, str]()
    for chart, slug in begun.values_list("chart", "slug")[: most * _GAMES_ON_A_MAP]:
        slugs.setdefault(chart, slug)
    return list(slugs.values())[:most]


def find_player(slug: str) -> int | None:
    """Return the key of a person who plays in a game, if anybody does."""
    seats = Seat.objects.filter(game__slug=slug).exclude(user=None)
    return seats.order_by("pk").values_list("user", flat=True).first()


def _build_part(person: int) -> Q:
    """Return a filter for the games that the person plays, has played, created or runs."""
    # Check each game separately: a list of all games of a person would keep growing.
    seats = Seat.objects.filter(game=OuterRef("pk"), user=person)
    tenures = Tenure.objects.filter(seat__game=OuterRef("pk"), user=person)
    return Q(Exists(seats)) | Q(Exists(tenures)) | Q(creator=person) | Q(master=person)


def _select_invitations(person: int) -> QuerySet[Invitation]:
    return Invitation.objects.filter(game=OuterRef("pk"), user=person, withdrawn_at=None)


def find_game(slug: str, viewer: Viewer) -> Game | None:
    """Return the game as `visible_games` reads it, or None if the viewer may not see it."""
    if viewer.user_id is None:
        return _public_game.find(slug)
    return _game_of_viewer.find(slug, viewer.user_id)


_public_game = PreparedQuery(lambda slug: visible_games(Viewer(None)).filter(slug=slug), str)
_game_of_viewer = PreparedQuery(
    lambda slug, person: visible_games(Viewer(person)).filter(slug=slug), str, int
)


def build_finished_rule(viewer: Viewer) -> Q:
    """Return the rule of `visible_games` as a filter for seats of finished games.

    It is simpler there: everyone who played has a tenure, and nobody is invited.
    """
    visible = Q(game__private=False, game__watchable=True)
    if (person := viewer.user_id) is None:
        return visible
    held = Tenure.objects.filter(seat__game=OuterRef("game"), user=person)
    return visible | Q(game__creator=person) | Q(game__master=person) | Q(Exists(held))


def invited_games(viewer: Viewer) -> list[int]:
    """Return the keys of the games that the viewer is invited to."""
    invitations = Invitation.objects.filter(user=viewer.user_id, withdrawn_at=None)
    return list(invitations.exclude(user=None).values_list("game_id", flat=True))


def sees(viewer: Viewer, game: Game) -> bool:
    """Return whether the viewer may see the game, by the rule of `visible_games`."""
    if game.status == Status.CANCELED:
        return False
    is_forming, person = game.status == Status.FORMING, viewer.user_id
    if not game.private and (game.watchable or is_forming):
        return True
    if person is None:
        return False
    if person in (game.creator_id, game.master_id):
        return True
    entries = [
        Seat.objects.filter(game=game.pk, user=person),
        Tenure.objects.filter(seat__game=game.pk, user=person),
    ]
    if is_forming:
        entries.append(Invitation.objects.filter(game=game.pk, user=person, withdrawn_at=None))
    return any(rows.exists() for rows in entries)


def may_see(slug: str, viewer: Viewer) -> bool:
    """Return whether the game exists and the viewer may see it."""
    return find_visible(slug, viewer) is not None


def find_visible(slug: str, viewer: Viewer) -> int | None:
    """Return the key of the game if the viewer may see it, or None; for servers, not for pages."""
    game = Game.objects.only(*_ENTRANCE).filter(slug=slug).order_by().first()
    return game.pk if game is not None and sees(viewer, game) else None


def find_visible_pairs(pairs: Collection[tuple[int | None, int]]) -> set[tuple[int | None, int]]:
    """Return the pairs whose person may see the game by the rule of `visible_games`.

    A pair holds the keys of a person, or None for a visitor, and of a game. The number of queries
    does not depend on the number of pairs.
    """
    public = visible_games(Viewer(None)).filter(pk__in={game for _, game in pairs}).order_by()
    open_games = set(public.values_list("pk", flat=True))
    visible = {pair for pair in pairs if pair[1] in open_games}
    others = {pair for pair in pairs if pair not in visible and pair[0] is not None}
    return visible | (_find_entitled(others) if others else set())


def _find_entitled(pairs: Collection[tuple[int | None, int]]) -> set[tuple[int | None, int]]:
    """Return the pairs whose person may see the game even if not everyone may."""
    people, keys = {user for user, _ in pairs}, {game for _, game in pairs}
    seats = Seat.objects.filter(user__in=people, game__in=keys)
    tenures = Tenure.objects.filter(user__in=people, seat__game__in=keys)
    invited = Invitation.objects.filter(
        user__in=people, game__in=keys, withdrawn_at=None, game__status=Status.FORMING
    )
    games = Game.objects.filter(pk__in=keys).exclude(status=Status.CANCELED)
    entitled = {
        *seats.values_list("user", "game"),
        *tenures.values_list("user", "seat__game"),
        *invited.values_list("user", "game"),
    }
    present = set()
    for game, creator, master in games.values_list("pk", "creator", "master"):
        present.add(game)
        entitled |= {(creator, game), (master, game)}
    return {pair for pair in pairs if pair in entitled and pair[1] in present}


def is_suspended(slug: str, viewer: Viewer) -> bool:
    """Return whether the game is suspended after an error and the viewer may see it."""
    suspended = visible_games(viewer).filter(slug=slug).exclude(suspended_reason__in=["", FROZEN])
    return suspended.exists()


def is_canceled(slug: str) -> bool:
    """Return whether the game was canceled; everyone who has its address may know."""
    return Game.objects.filter(slug=slug, status=Status.CANCELED).exists()


def may_know(slug: str, viewer: Viewer) -> bool:
    """Return whether the viewer may know that the game exists, even if it was canceled."""
    game = Game.objects.filter(slug=slug).values_list("pk", "private").first()
    if game is None or not game[1]:
        return game is not None
    person = viewer.user_id
    if person is None:
        return False
    part = _build_part(person) | Q(Exists(_select_invitations(person)))
    return Game.objects.filter(part, pk=game[0]).exists()


def needs_code(slug: str) -> bool:
    """Return whether joining the game before it starts requires the code of a private game.

    Everyone who has the address may know this, since only its players can have shared the address.
    """
    return Game.objects.filter(slug=slug, status=Status.FORMING, private=True).exists()


def game_by_code(slug: str, code: str) -> Game | None:
    """Return the game if `code` is its code and it has a free seat, or None."""
    games = Game.objects.select_related("chart", "creator", "master").defer("chart__text")
    vacant = Seat.objects.exclude(vacated_at=None).values("game")
    free = Q(status=Status.FORMING) | Q(status=Status.RUNNING, pk__in=vacant)
    game = games.filter(free, slug=slug).first()
    if game is None or not secrets.compare_digest(code.encode(), game.code.encode()):
        return None
    return game


_TOKEN: Final = 32
"""The length of a seat's token."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A person or a bot, or nobody if both names are blank; `hidden`: the name is hidden."""

    name: str = ""
    bot: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Actor:
    """A person who did something that the log shows; None stands for the site.

    `is_master` is set only if the person's name is hidden.
    """

    name: str = ""
    is_master: bool = False


def is_masked(game: Game) -> bool:
    """Return whether the names of the people in the game are hidden for now."""
    return game.status != Status.FINISHED and game.options.anonymous


def make_token(seat: Seat) -> str:
    """Return a key of a seat that says nothing about when it was taken, unlike its primary key."""
    made = salted_hmac("diplomaccloud.games.seats", str(seat.pk), algorithm="sha256")
    return made.hexdigest()[:_TOKEN]


def seat_holder(game: Game, seat: Seat, *, hidden: bool) -> Holder:
    """Return who holds a seat; with `hidden`, without a person's name."""
    if seat.user:
        return Holder(hidden=True) if hidden else Holder(seat.user.screen_name)
    return Holder(bot=_public_bot(game, seat.bot))


def _public_bot(game: Game, bot: str) -> str:
    """Return the name of a bot; its character, which says how it keeps deals, shows at the end."""
    return bot if game.status == Status.FINISHED else hide_character(bot)


def tenure_holder(game: Game, tenure: Tenure) -> Holder:
    """Return who held a seat during a tenure."""
    if tenure.user is None:
        return Holder(bot=_public_bot(game, tenure.bot))
    return Holder(hidden=True) if is_masked(game) else Holder(tenure.user.screen_name)


def creator_name(game: Game) -> str:
    """Return who created the game; blank for the site, or if it would reveal who plays in it."""
    if game.creator is None or (is_masked(game) and game.options.master is not Master.CREATOR):
        return ""
    return game.creator.screen_name


def require_master(game: Game) -> Actor | None:
    """Return the game master, or None if the site runs the game."""
    if game.master is None:
        return None
    return Actor(is_master=True) if is_masked(game) else Actor(game.master.screen_name)


def actor_of(game: Game, person: User | None) -> Actor | None:
    """Return who did something that the log shows, or None for the site."""
    if person is None:
        return None
    if is_masked(game):
        return Actor(is_master=person.pk == game.master_id)
    return Actor(person.screen_name)


def person_name(game: Game, person: User | None) -> str:
    """Return the screen name of a person in the game, or blank if it is hidden for now."""
    return "" if person is None or is_masked(game) else person.screen_name
