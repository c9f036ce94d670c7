"""Who judges a report, what it is about, and its evidence."""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.maps.library import is_name_chosen
from diplomaccloud.maps.models import SavedMap
from diplomaccloud.press.moderation.models import (
    AuditEntry,
    Case,
    Decision,
    Report,
    TextCase,
    TextReport,
)
from diplomaccloud.press.moderation.wording import Outcome, Stage, TextKind, TextStage
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.errors import NoSuchCase

AROUND: Final = 10
"""How many messages a report copies in addition to the reported one."""
AFTER: Final = 5
"""How many of them come after it, if there are enough on both sides."""
MAX_INSPECTED: Final = 200
"""How many of the newest messages a look at a conversation shows."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The copies for a report: JSON `content`, and the message `number` as the reporter sees it."""

    number: int
    content: Mapping[str, object]


def digest_evidence(content: Mapping[str, object]) -> str:
    """Return the SHA-256 of the evidence in canonical JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


# Who judges a report: the game master or moderators, but never a person who is involved.
#
# `find_involved` is the only rule of who is involved; `shares_game` is its part that concerns
# people in any case about them.
#
# A report goes to the game master, if that is a person who never held a seat in the game, did not
# write the message and did not report the same. Otherwise it goes to a moderator, and so do
# personal messages, messages to or from the game master, appeals, and reports that the game master
# has not taken for some days. `assign_case` assigns cases; if every moderator is
# involved, an administrator judges.


MASTER_TIME: Final = dt.timedelta(days=3)
"""How long the game master alone can take a report."""
IDLE_FOR: Final = dt.timedelta(days=3)
"""How long a moderator can leave an assigned case before another one gets it."""
_KNOWS: Final = "You have had a report from this game to judge, so you cannot play in it."
TAKEN_FOR: Final = dt.timedelta(days=2)
"""How long a case stays with the person who took it."""


def is_judge(user: User) -> bool:
    """Return whether the person can be assigned cases, now or later."""
    is_office = user.moderator or user.is_superuser
    return is_office or Game.objects.filter(master=user).exists()


def is_held(case: Case, now: dt.datetime) -> bool:
    """Return whether the person who took the case still has it."""
    return case.taken_at is not None and case.taken_at > now - TAKEN_FOR


def is_masters_case(case: Case, user_id: int) -> bool:
    """Return whether the person judges the case as the game master."""
    return case.stage == Stage.OPEN and case.game is not None and case.game.master_id == user_id


def select_cases(user: User, now: dt.datetime) -> QuerySet[Case]:
    """Return the cases that the person judges or has judged, with `for_master`.

    Game masters see the cases for them, moderators those assigned to them, and administrators those
    that no moderator can judge or has taken in time. `for_master` says that the case is, or
    originally was, one for the game master.
    """
    cases = Case.objects.annotate(for_master=_find_for_master(now))
    cases = cases.exclude(find_involved(user))
    first = Exists(Decision.objects.filter(case=OuterRef("pk"), by=user))
    may = Q(first, ~Q(stage=Stage.APPEALED))
    may |= Q(stage=Stage.OPEN, game__master=user) & _has_neutral_master()
    waits = Q(stage=Stage.OPEN, for_master=False) | Q(stage=Stage.APPEALED)
    waits &= ~Q(first) & ~Q(game__master=user)
    if user.moderator:
        may |= waits & Q(assigned_to=user)
    if user.is_superuser:
        may |= waits & (Q(assigned_to=None) | find_idle(now) | Q(taken_by=user))
    return cases.filter(may)


def select_moderators() -> QuerySet[User]:
    """Return the people who can be assigned cases."""
    return User.objects.filter(moderator=True, is_active=True, banned_at=None)


def select_assignable(user: User, *, unseen: bool = True) -> QuerySet[Case]:
    """Return the cases that the moderator could be assigned: appeals go to another one.

    Without `unseen`, those that the moderator may keep: see `find_involved`.
    """
    first = Decision.objects.filter(case=OuterRef("pk"), by=user)
    cases = Case.objects.exclude(find_involved(user, unseen=unseen)).exclude(Exists(first))
    return cases.exclude(game__master__isnull=False, game__master=user)


def select_for_master(now: dt.datetime) -> QuerySet[Case]:
    """Return the open cases that only the game master can judge at present."""
    cases = Case.objects.annotate(for_master=_find_for_master(now))
    return cases.filter(stage=Stage.OPEN, for_master=True)


def find_idle(now: dt.datetime, *, taken: bool = True) -> Q:
    """Return whether a case was assigned some days ago and is not being judged.

    Without `taken`, the case is one that nobody takes.
    """
    idle = Q(assigned_at__lt=now - IDLE_FOR)
    return idle & (Q(taken_at=None) | Q(taken_at__lt=now - TAKEN_FOR)) if taken else idle


def find_involved(user: User, case: str = "", *, unseen: bool = False) -> Q:
    """Return whether the person is too close to the case at the path `case` to judge or know it.

    That is a person who is accused, reported the same, ever played in the game, or shares an
    unfinished game with the accused. Anonymous games count only with `unseen`, when a case is
    assigned: a case that vanishes later would tell who plays there.
    """
    author, person, game = f"{case}message__send__author", f"{case}person", f"{case}game"
    same = Q(message=OuterRef(f"{case}message")) | Q(case__seat=OuterRef(f"{case}seat"))
    reported = Report.objects.filter(same, reporter=user)
    involved = Q(**{author: user}) | Q(**{person: user})
    involved |= Q(Exists(reported)) | has_played(user, game)
    shared = shares_game(user, author, unseen=unseen) | shares_game(user, person, unseen=unseen)
    return involved | shared


def has_played(user: User | OuterRef, game: str) -> Q:
    """Return whether the person has or ever had a seat in the game at the path `game`."""
    played = Tenure.objects.filter(seat__game=OuterRef(game), user=user)
    seated = Seat.objects.filter(game=OuterRef(game), user=user)
    return Q(Exists(played)) | Q(Exists(seated))


def shares_game(user: User, person: str, *, unseen: bool = False) -> Q:
    """Return whether the person at the path `person` shares an unfinished game with the user.

    Both play or have played in it, and the other may also be its game master: nobody judges a
    rival. Anonymous games count only with `unseen`.
    """
    games = _find_unfinished(user, unseen=unseen)
    held = Tenure.objects.filter(seat__game__in=games, user=OuterRef(person))
    seated = Seat.objects.filter(game__in=games, user=OuterRef(person))
    run = Game.objects.filter(pk__in=games, master=OuterRef(person))
    return Q(Exists(held)) | Q(Exists(seated)) | Q(Exists(run))


def _find_unfinished(user: User, *, unseen: bool) -> list[int]:
    """Return the unfinished games in which the person plays or has played."""
    # Not one query for both: a database would read all games of the site.
    held = set(Seat.objects.filter(user=user, finished_at=None).values_list("game", flat=True))
    held |= set(Tenure.objects.filter(user=user).values_list("seat__game", flat=True))
    games = Game.objects.filter(pk__in=held).only("options")
    unfinished = games.exclude(status__in=(Status.FINISHED, Status.CANCELED))
    return [game.pk for game in unfinished if unseen or not game.options.anonymous]


def plays_unseen(user: User) -> bool:
    """Return whether the person plays in an unfinished anonymous game.

    Whatever happens to all games of another person would tell who plays in it.
    """
    return len(_find_unfinished(user, unseen=True)) > len(_find_unfinished(user, unseen=False))


def find_seat_bar(game_id: int, user_id: int) -> str:
    """Return why a person who has looked into the game can never play in it; blank for others.

    It does not matter how the person would get the seat: by joining, by an invitation, or by taking
    over a vacant one.
    """
    assigned = Q(person=user_id, act=AuditEntry.Act.ASSIGNED)
    about = Q(case__game=game_id) | Q(game=game_id)
    known = AuditEntry.objects.filter(Q(by=user_id) | assigned, about)
    return _KNOWS if known.exists() else ""


def select_games(user: User) -> QuerySet[Game]:
    """Return the games that the person, if a moderator, may stop: none with a seat of theirs."""
    if not user.moderator or not user.is_active or user.banned_at is not None:
        return Game.objects.none()
    running = Game.objects.filter(status=Status.RUNNING)
    return running.exclude(has_played(user, "pk") | Q(master=user))


def select_finished_games(user: User) -> QuerySet[Game]:
    """Return the games that the person, if a moderator, may annul: finished, with no part in it."""
    if not user.moderator or not user.is_active or user.banned_at is not None:
        return Game.objects.none()
    finished = Game.objects.filter(status=Status.FINISHED, rated__in=[True])
    return finished.exclude(has_played(user, "pk") | Q(master=user))


def select_people(user: User) -> QuerySet[User]:
    """Return the people whose games the moderator may pause: no rivals, and not the moderator."""
    people = User.objects.filter(is_active=True, guest__in=[False]).exclude(pk=user.pk)
    return people.exclude(shares_game(user, "pk"))


def find_last_player(seat: Seat) -> User | None:
    """Return the person who holds the seat or, if it is vacant or a bot's, held it last."""
    if seat.user is not None:
        return seat.user
    past = seat.tenures.exclude(user=None).select_related("user").order_by("-pk").first()
    return past.user if past is not None else None


def is_about(user_id: int) -> Q:
    """Return whether a decision is about the person, as a filter for decisions."""
    return Q(case__message__send__author=user_id) | Q(case__person=user_id)


def _has_neutral_master() -> Q:
    """Return whether the game has a game master who is neither involved nor banned."""
    master = OuterRef("game__master")
    same = Q(message=OuterRef("message")) | Q(case__seat=OuterRef("seat"))
    reported = Report.objects.filter(same, reporter=master)
    is_free = Q(game__master__isnull=False, game__master__banned_at=None)
    is_free &= ~Q(game__master=F("message__send__author"))
    is_free &= ~Q(message__conversation__kind=AddressKind.MASTER)
    return is_free & ~Q(Exists(reported)) & ~has_played(master, "game")


def _find_for_master(now: dt.datetime) -> Q:
    in_time = Q(opened_at__gt=now - MASTER_TIME) & Q(taken_by=None)
    # Compare only if someone has taken it: a comparison with NULL is neither true nor false.
    is_theirs = Q(taken_by__isnull=False) & Q(taken_by=F("game__master"))
    return _has_neutral_master() & (in_time | is_theirs)


def list_outcomes(case: Case, *, by_master: bool, first: Decision | None) -> tuple[Outcome, ...]:
    """Return the possible outcomes of a case, mildest first; `first` is the appealed decision.

    An appeal never increases the penalty. A game master cannot remove the author of a gray message,
    because the removal would reveal the author. A case about a player does not limit press.
    """
    excluded = set() if case.message else {Outcome.LIMITED}
    if first is not None:
        milder = tuple(Outcome)[: tuple(Outcome).index(Outcome(first.outcome)) + 1]
        excluded |= {Outcome.REMOVED} - {Outcome(first.outcome)}
        return tuple(outcome for outcome in milder if outcome not in excluded)
    is_gray = case.message is not None and case.message.conversation.kind == AddressKind.GRAY
    has_seat = case.message is None or case.message.seat_id is not None or is_gray
    is_running = case.game is not None and case.game.status == Status.RUNNING
    if not is_running or not has_seat or (by_master and is_gray):
        excluded.add(Outcome.REMOVED)
    if by_master:
        excluded.add(Outcome.BANNED)
    return tuple(outcome for outcome in Outcome if outcome not in excluded)


def has_confirmed_abuse(game_id: int, user_id: int) -> bool:
    """Return whether a moderator's decision, in force, is against a person in the game.

    Gray messages don't count, since that would reveal their authors.
    """
    lifted = Decision.objects.filter(case=OuterRef("case"), on_appeal=True, outcome=Outcome.NONE)
    decisions = Decision.objects.filter(is_about(user_id), case__game=game_id, by_master=False)
    decisions = decisions.exclude(outcome=Outcome.NONE).exclude(case__stage=Stage.APPEALED)
    decisions = decisions.exclude(case__message__conversation__kind=AddressKind.GRAY)
    return decisions.exclude(Exists(lifted)).exists()


# The texts besides messages that can be reported. Only moderators judge these reports.


@dataclass(frozen=True, slots=True)
class FoundText:
    """A public text and its owner; `chart_id` is set for the name of a map."""

    text: str
    person_id: int
    chart_id: int | None = None


def find_text(kind: str, of: str) -> FoundText:
    """Return a text that can be reported; raise `NoSuchCase` if there is none.

    Names of maps that nobody saved and names that are already hidden belong to the site itself.
    """
    if kind == TextKind.MAP:
        saved = SavedMap.objects.filter(chart__content_hash=of).order_by("pk")
        row = saved.select_related("chart").defer("chart__text").first()
        if row is not None and is_name_chosen(of):
            return FoundText(row.chart.name, row.user_id, row.chart_id)
        raise NoSuchCase
    people = User.objects.filter(is_active=True, guest__in=[False], folded_name=make_key(of))
    person = people.first() if kind in TextKind.values else None
    if person is not None and kind == TextKind.NAME and person.hidden_name is None:
        return FoundText(person.username, person.pk)
    if person is not None and kind == TextKind.STATUS and person.status:
        return FoundText(person.status, person.pk)
    raise NoSuchCase


def has_reported(user_id: int, kind: str, text: FoundText) -> bool:
    """Return whether the person has reported the text, and it has not been hidden since."""
    cases = TextCase.objects.filter(person=text.person_id, kind=kind, text=text.text)
    answered = cases.filter(stage__in=(TextStage.OPEN, TextStage.KEPT))
    return TextReport.objects.filter(reporter=user_id, case__in=answered).exists()


def read_current_text(case: TextCase) -> str:
    """Return the text that everyone now sees in place of the text of a case."""
    if case.chart is not None:
        return case.chart.name
    return case.person.username if case.kind == TextKind.NAME else case.person.status


def select_text_cases(user: User, now: dt.datetime) -> QuerySet[TextCase]:
    """Return the cases that the person may judge or has judged.

    Moderators judge those assigned to them, and administrators those that no moderator can judge or
    has judged in time, and hidden texts; never people who are involved.
    """
    if not user.is_active or user.banned_at is not None:
        return TextCase.objects.none()
    may = Q(judged_by=user) | Q(assigned_to=user) if user.moderator else Q()
    if user.is_superuser:
        late = Q(assigned_to=None) | find_idle(now, taken=False)
        may |= Q(stage=TextStage.HIDDEN) | late
    # A case that vanishes when an anonymous game begins would tell who plays in it.
    cases = select_assignable_texts(user, unseen=False)
    return cases.filter(may) if may else TextCase.objects.none()


def select_assignable_texts(user: User, *, unseen: bool = True) -> QuerySet[TextCase]:
    """Return the cases that the moderator could be assigned or, without `unseen`, may keep."""
    reported = TextReport.objects.filter(case=OuterRef("pk"), reporter=user)
    cases = TextCase.objects.exclude(person=user).exclude(Exists(reported))
    return cases.exclude(shares_game(user, "person", unseen=unseen))
