"""Cases: assigning and judging them, stopping games, and the audit.

Reports of a message join one open case, which is assigned to one moderator: a missing case would
tell the others who plays in their games. Whether a person may judge a case is computed each time,
because masters may leave games and moderators may join them. A case has a random address, since a
number would reveal how many there are. A ban does not close the account: a person who cannot log in
could not appeal.

Hiding a name or another text replaces it where it is stored. Every page, mail and search would have
to respect a flag, and one would forget it.
"""

import datetime as dt
import random
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final, TypeVar

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.crypto import salted_hmac
from django_tasks import task

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import Label, make_key
from diplomaccloud.games.deadlines.actions import (
    end_emergency,
    find_running_games,
    freeze_game,
    pause_for_emergency,
    unfreeze_game,
)
from diplomaccloud.games.people.actions import finish_departure, leave_all_games
from diplomaccloud.games.ratings.actions import set_annulled
from diplomaccloud.games.seats.actions import CONDUCT, MESSAGE, expel_player, reinstate_player
from diplomaccloud.games.table.errors import (
    NoSuchGame,
    NoSuchPlayer,
    NotYourSeat,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.table.lock import draw_moment, lock_game_by_id
from diplomaccloud.games.table.models import REMOVED, Game, Seat, Status, Tenure
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.press.moderation import judges
from diplomaccloud.press.moderation.models import AuditEntry, Case, Decision, Inspection, TextCase
from diplomaccloud.press.moderation.wording import WAITING, Outcome, Stage, TextStage
from diplomaccloud.press.table.actions import announce_to_readers, list_readers, raise_versions
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.errors import BadText, CaseTaken, NoSuchCase
from diplomaccloud.press.table.events import PressEventKind, record_press_event
from diplomaccloud.press.table.models import Membership, PressLimit
from diplomaccloud.press.table.text import MAX_REASON, clean_body
from diplomaccloud.shared.site_clock import site_clock


def write_audit(
    act: AuditEntry.Act,
    *,
    by: int | None,
    now: dt.datetime,
    case: Case | None = None,
    person: int | None = None,
    game: Game | None = None,
    detail: str = "",
) -> AuditEntry:
    """Record an act in the caller's transaction, and return the row.

    `by` is None for the command line.
    """
    return AuditEntry.objects.create(
        act=act,
        by_id=by,
        at=now,
        case=case,
        person_id=person,
        game=game,
        detail=detail[:MAX_REASON],
    )


def clean_reason(text: str, missing: str) -> str:
    """Return the cleaned reason; raise `Refused`, with the text `missing` if it is blank."""
    if not text.strip():
        raise Refused(missing)
    try:
        reason = clean_body(text)
    except BadText as error:
        raise Refused(str(error)) from error
    if len(reason) > MAX_REASON:
        raise Refused(f"Use at most {MAX_REASON:,} characters. Your text has {len(reason):,}.")
    return reason


# Locking a case: as always, the game first and then the row.


def lock_case(key: str) -> Case:
    """Return the case with its message and game, locked; raise `NoSuchCase`."""
    place = Case.objects.filter(key=key).values_list("pk", "game_id").first()
    if place is None:
        raise NoSuchCase
    pk, game_id = place
    if game_id is not None:
        lock_game_by_id(game_id)
    Case.objects.select_for_update().get(pk=pk)
    rows = Case.objects.select_related(
        "message__send__author", "message__conversation", "game", "seat", "person"
    )
    return rows.get(pk=pk)


def release_cases(user_id: int) -> None:
    """Return all cases that the person has taken to the queue, one by one."""
    taken = Case.objects.filter(taken_by=user_id).order_by("pk")
    for key in list(taken.values_list("key", flat=True)):
        _release_case(user_id=user_id, key=key)


@atomic_with_retries
def _release_case(*, user_id: int, key: str) -> None:
    case = lock_case(key)
    if case.taken_by_id == user_id:
        case.taken_by, case.taken_at = None, None
        case.save(update_fields=["taken_by", "taken_at"])


def lock_case_for(user_id: int, key: str, now: dt.datetime) -> Case:
    """Return the case, locked, for a person who may judge it; raise `NoSuchCase`."""
    case = lock_case(key)
    user = User.objects.get(pk=user_id)
    if not judges.select_cases(user, now).filter(pk=case.pk).exists():
        raise NoSuchCase
    if case.stage not in WAITING:
        raise CaseTaken("This case has already been decided.")
    return case


def require_taken(case: Case, user_id: int) -> None:
    """Raise `CaseTaken` unless the person has taken the case."""
    if case.taken_by_id is None:
        raise CaseTaken("Take this case first.")
    if case.taken_by_id != user_id:
        raise CaseTaken("Someone else is judging this case.")


# Announcing reports and decisions, and only to people who may know of them.


OWN_PAGE = "/reports/"


def announce_case(case: Case, now: dt.datetime) -> None:
    """Notify those who judge the case that it is waiting."""
    people = list_office()
    if case.game is not None and case.game.master is not None:
        people.append(case.game.master)
    able = {
        user.pk for user in people if judges.select_cases(user, now).filter(pk=case.pk).exists()
    }
    record_press_event(
        PressEventKind.REPORT_WAITING,
        key=f"case {case.key} {case.stage}",
        user_ids=able,
        now=now,
        path=f"/moderation/{case.key}/",
    )


def announce_text_case(case: TextCase, now: dt.datetime) -> None:
    """Notify those who judge the case about a text that it is waiting."""
    able = {
        user.pk
        for user in list_office()
        if judges.select_text_cases(user, now).filter(pk=case.pk).exists()
    }
    record_press_event(
        PressEventKind.REPORT_WAITING,
        key=f"text {case.key}",
        user_ids=able,
        now=now,
        path=f"/moderation/text/{case.key}/",
    )


def list_office() -> list[User]:
    """Return the moderators and administrators."""
    office = Q(moderator=True) | Q(is_superuser=True)
    return list(User.objects.filter(office, is_active=True, banned_at=None))


def announce_decision(decision: Decision, now: dt.datetime) -> None:
    """Notify the person concerned of the decision, and the reporters that the case is decided."""
    case = decision.case
    if not decision.on_appeal:
        record_press_event(
            PressEventKind.REPORT_DECIDED,
            key=f"decided {case.key}",
            user_ids=set(case.reports.values_list("reporter", flat=True)),
            now=now,
            path=OWN_PAGE,
        )
    if decision.on_appeal or decision.outcome != Outcome.NONE:
        record_press_event(
            PressEventKind.JUDGED,
            key=f"judged {case.key} {decision.on_appeal}",
            user_ids={case.accused.pk},
            now=now,
            path=OWN_PAGE,
            data={"decision": decision.outcome},
        )


def announce_look(case: Case, now: dt.datetime) -> None:
    """Notify the readers of a conversation that a moderator looked at it.

    Conversations that everyone may read need no notice.
    """
    if case.message is None:
        return
    conversation = case.message.conversation
    if AddressKind(conversation.kind).is_for_all:
        return
    rows: list[Membership] = list(conversation.memberships.order_by("pk"))
    announce_to_readers(
        PressEventKind.LOOKED_AT,
        key=f"look {case.key} {now.isoformat()}",
        conversation=conversation,
        readers=list_readers(conversation, rows),
        first=conversation.last - judges.MAX_INSPECTED + 1,
        last=conversation.last,
        data={"by": "moderator"},
        now=now,
    )


# Assigning cases to moderators, evenly, and never to one who is involved.
#
# A moderator sees only assigned cases. If moderators saw all cases except those of people with whom
# they share a game, a missing case would tell them who plays there.


Row = TypeVar("Row", Case, TextCase)


def assign_case(case: Case, now: dt.datetime) -> bool:
    """Assign a locked case to another moderator, and return whether that changed anything.

    People who can judge it are notified: the moderator, the game master as long as the case is for
    that person, or the administrators if every moderator is involved or has returned it.
    """
    changed = False
    if not judges.select_for_master(now).filter(pk=case.pk).exists():
        returned = AuditEntry.objects.filter(case=case, act=AuditEntry.Act.RETURNED)
        excluded = {case.assigned_to_id, *returned.values_list("by", flat=True)}
        changed = _assign(case, judges.select_assignable, excluded, now)
    announce_case(case, now)
    return changed


def assign_text_case(case: TextCase, now: dt.datetime) -> bool:
    """Assign a locked case about a text, like `assign_case`."""
    changed = _assign(case, judges.select_assignable_texts, {case.assigned_to_id}, now)
    announce_text_case(case, now)
    return changed


def _assign(
    case: Row,
    select: Callable[..., QuerySet[Row]],
    excluded: Collection[int | None],
    now: dt.datetime,
) -> bool:
    """Assign a case to the moderator with the fewest waiting cases, and return whether it changed.

    Among equals, it is the one who was assigned a case longest ago. If nobody can judge it, the
    case stays with a moderator who still could.
    """
    waiting = (Case.objects.filter(stage__in=WAITING), TextCase.objects.filter(open=True))
    load = Counter(user for rows in waiting for user in rows.values_list("assigned_to", flat=True))
    newest = AuditEntry.objects.filter(person=OuterRef("pk"), act=AuditEntry.Act.ASSIGNED)
    last = Subquery(newest.order_by("-pk").values("pk")[:1])
    users = judges.select_moderators().annotate(newest=Coalesce(last, 0)).order_by("pk")
    ranked = sorted(users, key=lambda user: (load[user.pk], user.newest, user.pk))
    others = (user for user in ranked if user.pk not in excluded)
    chosen = next((user for user in others if select(user).filter(pk=case.pk).exists()), None)
    # A case that went to another moderator when an anonymous game began would tell who plays in it.
    keepers = (select(user, unseen=False) for user in users if user.pk == case.assigned_to_id)
    if chosen is None and any(cases.filter(pk=case.pk).exists() for cases in keepers):
        return False
    changed = case.assigned_to_id is not None or chosen is not None
    case.assigned_to, case.assigned_at = chosen, now
    fields, about = ["assigned_to", "assigned_at"], None
    if isinstance(case, Case):
        case.taken_by, case.taken_at, about = None, None, case
        fields += ["taken_by", "taken_at"]
    case.save(update_fields=fields)
    if chosen is not None:
        # Who can read a case can never play in its game: see `find_seat_bar`.
        write_audit(AuditEntry.Act.ASSIGNED, by=None, now=now, case=about, person=chosen.pk)
    return changed


def assign_waiting_cases(*, now: dt.datetime) -> int:
    """Assign the waiting cases that nobody judges, and return how many were assigned.

    Those are cases without a moderator, and cases of moderators who have become involved, are no
    longer moderators, or are idle. The case of an idle moderator stays if nobody else can judge it.
    The worker calls this again and again.
    """
    moderators = list(judges.select_moderators())
    cases = Case.objects.filter(stage__in=WAITING).exclude(pk__in=judges.select_for_master(now))
    texts = TextCase.objects.filter(stage=TextStage.OPEN)
    loose = _find_loose(cases, moderators, judges.select_assignable, judges.find_idle(now))
    idle = judges.find_idle(now, taken=False)
    loose_texts = _find_loose(texts, moderators, judges.select_assignable_texts, idle)
    number = sum(_reassign(key=key, now=now) for key in loose)
    return number + sum(_reassign_text(key=key, now=now) for key in loose_texts)


def _find_loose(
    cases: QuerySet[Row],
    moderators: Collection[User],
    select: Callable[..., QuerySet[Row]],
    idle: Q,
) -> list[str]:
    """Return the keys of the cases that are assigned to nobody who judges them."""
    keys = set(cases.exclude(assigned_to__in=moderators).values_list("key", flat=True))
    for user in moderators:
        assigned = cases.filter(assigned_to=user)
        judged = select(user, unseen=False).filter(pk__in=assigned.exclude(idle).values("pk"))
        keys |= set(assigned.values_list("key", flat=True)) - set(
            judged.values_list("key", flat=True)
        )
    return sorted(keys)


@atomic_with_retries
def _reassign(*, key: str, now: dt.datetime) -> bool:
    case = lock_case(key)
    is_judged = judges.is_held(case, now) and case.taken_by_id != case.assigned_to_id
    return case.stage in WAITING and not is_judged and assign_case(case, now)


@atomic_with_retries
def _reassign_text(*, key: str, now: dt.datetime) -> bool:
    case = TextCase.objects.select_for_update().get(key=key)
    return case.stage == TextStage.OPEN and assign_text_case(case, now)


# Judging a case: taking it, deciding it, and applying the decision to the person.


LIMIT_DAYS: Final = (1, 3, 7, 14, 30)
"""The numbers of days for which press can be limited."""


@atomic_with_retries
def take_case(*, user_id: int, key: str, now: dt.datetime) -> None:
    """Take a case, so that nobody else can judge it for a while; raise `CaseTaken`."""
    case = lock_case_for(user_id, key, now)
    if case.taken_by_id == user_id:
        return
    if judges.is_held(case, now):
        raise CaseTaken("Someone else has just taken this case.")
    case.taken_by_id, case.taken_at = user_id, now
    case.save(update_fields=["taken_by", "taken_at"])
    write_audit(AuditEntry.Act.TAKEN, by=user_id, now=now, case=case)


@atomic_with_retries
def return_case(*, user_id: int, key: str, now: dt.datetime) -> None:
    """Return a case that the person took, so that someone else judges it."""
    case = lock_case_for(user_id, key, now)
    require_taken(case, user_id)
    case.assigned_to = case.taken_by = case.taken_at = None
    case.save(update_fields=["assigned_to", "taken_by", "taken_at"])
    write_audit(AuditEntry.Act.RETURNED, by=user_id, now=now, case=case)
    assign_case(case, now)


def decide_case(
    *,
    user_id: int,
    key: str,
    outcome: str,
    reason: str,
    days: int = 0,
    owner: str,
    now: dt.datetime,
) -> None:
    """Decide a case that the person has taken, with a reason for the person concerned.

    `days` is how long press is limited. `owner` identifies the request, in case a removal makes a
    phase of the game due. Raises `NoSuchCase`, `CaseTaken` or `Refused`.
    """
    banned, due = _decide(
        user_id=user_id, key=key, outcome=outcome, reason=reason, days=days, now=now
    )
    if banned is not None:
        leave_all_games(user_id=banned, removed=True, now=now)
    _return_seats(key, now)
    if due is not None:
        advance(game_id=due, owner=owner, now=lambda: now)


@atomic_with_retries
def _decide(
    *, user_id: int, key: str, outcome: str, reason: str, days: int, now: dt.datetime
) -> tuple[int | None, int | None]:
    """Return the banned person, if any, and the game whose phase has become due, if any.

    The person leaves games after this transaction, which locks only one game.
    """
    case = lock_case_for(user_id, key, now)
    require_taken(case, user_id)
    by_master = judges.is_masters_case(case, user_id)
    first = case.decisions.filter(on_appeal=False).first()
    if outcome not in judges.list_outcomes(case, by_master=by_master, first=first):
        raise Refused("Choose a decision.")
    text = clean_reason(reason, "Give a reason. The person concerned sees it.")
    if outcome == Outcome.LIMITED and days not in LIMIT_DAYS:
        raise Refused("Choose how long press is limited.")
    until = now + dt.timedelta(days=days) if outcome == Outcome.LIMITED else None
    if until and first is not None and first.until is not None:
        until = min(until, first.until)
    returned = None
    if first is not None and outcome != first.outcome == Outcome.REMOVED and case.game is not None:
        returned = reinstate_player(
            slug=case.game.slug, user_id=case.accused.pk, since=first.at, now=now
        )
    decision = Decision.objects.create(
        case=case,
        on_appeal=first is not None,
        by_id=user_id,
        by_master=by_master,
        outcome=outcome,
        reason=text,
        until=until,
        seat_returned=returned,
        at=now,
    )
    case.stage = Stage.DECIDED if first is None else Stage.FINAL
    case.open, case.taken_by, case.taken_at = None, None, None
    case.save(update_fields=["stage", "open", "taken_by", "taken_at"])
    write_audit(
        AuditEntry.Act.DECIDED, by=user_id, now=now, case=case, detail=Outcome(outcome).label
    )
    announce_decision(decision, now)
    if first is not None:
        _lift(first, decision, now)
    return _apply(decision, first, now)


@task()
def finish_return(key: str) -> None:
    """Return the seats that `decide_case` did not reach because its process died."""
    _return_seats(key, site_clock.now())


def _return_seats(key: str, now: dt.datetime) -> None:
    """Give the person whose ban was overturned the seats back that are still vacant.

    Each game has its own transaction. Doing it again changes nothing.
    """
    overturned = Decision.objects.filter(case__key=key, on_appeal=True)
    overturned = overturned.exclude(outcome=Outcome.BANNED)
    bans = Decision.objects.filter(case__key=key, on_appeal=False, outcome=Outcome.BANNED)
    case = Case.objects.filter(key=key, decisions__in=overturned).first()
    ban = bans.first()
    if case is None or ban is None:
        return
    author_id = case.accused.pk
    if User.objects.filter(pk=author_id, banned_at=None).exists():
        tenures = Tenure.objects.filter(user=author_id, left=REMOVED, until_at__gte=ban.at)
        for slug in list(tenures.order_by("pk").values_list("seat__game__slug", flat=True)):
            reinstate_player(slug=slug, user_id=author_id, since=ban.at, now=now)


def _apply(
    decision: Decision, first: Decision | None, now: dt.datetime
) -> tuple[int | None, int | None]:
    """Apply the decision unless `first` already did; return what must follow later."""
    case = decision.case
    author_id, banned, due = case.accused.pk, None, None
    match decision.outcome:
        case Outcome.LIMITED:
            PressLimit.objects.create(
                decision=decision,
                user_id=author_id,
                game_id=case.game_id if (first or decision).by_master else None,
                until=decision.until or now,
            )
        case Outcome.REMOVED if first is None and case.game is not None:
            judge = Label.MASTER if decision.by_master else Label.MODERATOR
            due = expel_player(
                slug=case.game.slug,
                user_id=author_id,
                decided_by=judge,
                reason=CONDUCT if case.message is None else MESSAGE,
                now=now,
            )
        case Outcome.BANNED if first is None:
            User.objects.filter(pk=author_id, banned_at=None).update(banned_at=now)
            # A worker reads this if this process dies before the person has left all games.
            finish_departure.enqueue(author_id, removed=True)
            banned = author_id
    raise_versions([author_id], case.game_id)
    return banned, due


def _lift(first: Decision, decision: Decision, now: dt.datetime) -> None:
    """Undo the effects of the first decision that the decision on appeal does not uphold."""
    PressLimit.objects.filter(decision=first, until__gt=now).update(until=now)
    if first.outcome != Outcome.BANNED or decision.outcome == Outcome.BANNED:
        return
    person_id = first.case.accused.pk
    rows = Decision.objects.filter(judges.is_about(person_id)).exclude(case=first.case)
    newest = dict(rows.order_by("on_appeal").values_list("case", "outcome"))
    if Outcome.BANNED not in newest.values():
        User.objects.filter(pk=person_id).update(banned_at=None)
        # A worker reads this if this process dies before the person is back.
        finish_return.enqueue(first.case.key)


# Seeing more than the evidence: each look requires a reason and is kept in the audit.


@atomic_with_retries
def inspect_case(*, user_id: int, key: str, what: str, reason: str, now: dt.datetime) -> None:
    """Record that a moderator reads the conversation of a case or learns a name, and why.

    Raises `NoSuchCase`, `CaseTaken`, or `NotYourSeat` for a game master, who sees evidence only.
    """
    case = lock_case_for(user_id, key, now)
    require_taken(case, user_id)
    if judges.is_masters_case(case, user_id):
        raise NotYourSeat("Only moderators can see more than the evidence.")
    if what not in Inspection.What.values:
        raise Refused("Choose what you need to see.")
    if what == Inspection.What.CONVERSATION and case.message is None:
        raise Refused("A case about a player has no conversation.")
    if what == Inspection.What.SIGNALS and case.seat is None:
        raise Refused("Only a case about a player has signals.")
    text = clean_reason(reason, "Give a reason. It is stored with your name.")
    Inspection.objects.create(case=case, by_id=user_id, what=what, reason=text, at=now)
    if what == Inspection.What.CONVERSATION:
        announce_look(case, now)
    write_audit(AuditEntry.Act.INSPECTED, by=user_id, now=now, case=case, detail=f"{what}: {text}")


# Appointing and dismissing moderators.


def appoint_moderator(*, name: str, appointed: bool, by: int | None, now: dt.datetime) -> bool:
    """Appoint or dismiss a moderator; return whether that changed anything.

    `by` is an administrator, None for the command line. Afterward, waiting cases are assigned, each
    under its own lock, because a case must be locked before people. Raises `NoSuchPlayer`.
    """
    person = _change(name=name, appointed=appointed, by=by, now=now)
    if person is not None:
        if not appointed:
            release_cases(person)
        assign_waiting_cases(now=now)
    return person is not None


@atomic_with_retries
def _change(*, name: str, appointed: bool, by: int | None, now: dt.datetime) -> int | None:
    """Return the person who was appointed or dismissed; None if nothing changed."""
    people = User.objects.filter(is_active=True, guest__in=[False], folded_name=make_key(name))
    person = people.select_for_update().first()
    if person is None:
        raise NoSuchPlayer("There is no player with this screen name.")
    if appointed and person.banned_at is not None:
        raise Refused("This person is banned from the site.")
    if person.moderator == appointed:
        return None
    person.moderator = appointed
    person.save(update_fields=["moderator"])
    act = AuditEntry.Act.APPOINTED if appointed else AuditEntry.Act.DISMISSED
    write_audit(act, by=by, now=now, person=person.pk)
    return person.pk


# Stopping a game that is under investigation, and pausing a person's games for an emergency.


PAUSE_DAYS: Final = (3, 7, 14, 21, 30)
"""The numbers of days for which a person's games can be paused."""
UNSEEN_WITHIN: Final = dt.timedelta(hours=1)
"""Within what time the anonymous games of a person are paused, or their pauses end."""
_TRY_AGAIN: Final = dt.timedelta(minutes=5)
_TRY_FOR: Final = dt.timedelta(days=1)
_PAUSES: Final = (AuditEntry.Act.PAUSED, AuditEntry.Act.UNPAUSED)
_UNSEEN: Final = (
    "You play in an anonymous game, so ask another moderator: which games are paused would tell "
    "you who plays in yours."
)
_REASON: Final = "Give a reason. It is stored in the audit; the players don't see it."


@atomic_with_retries
def stop_game(*, user_id: int, slug: str, stopped: bool, reason: str, now: dt.datetime) -> None:
    """Stop a game under investigation or let it continue, as a moderator who is not involved.

    Raises `NoSuchCase` unless the person is a moderator, `NoSuchGame` for a game that is not
    running or in which the moderator has or had a part, `WrongMoment` or `Refused`.
    """
    moderator = _require_moderator(user_id)
    why = clean_reason(reason, _REASON)
    if not judges.select_games(moderator).filter(slug=slug).exists():
        raise NoSuchGame
    change: Callable[..., Game] = freeze_game if stopped else unfreeze_game
    game = change(slug=slug, now=now)
    act = AuditEntry.Act.FROZEN if stopped else AuditEntry.Act.UNFROZEN
    write_audit(act, by=user_id, now=now, game=game, detail=f"{game.world} ({slug}): {why}")


@atomic_with_retries
def annul_game(*, user_id: int, slug: str, annulled: bool, reason: str, now: dt.datetime) -> None:
    """Annul a rated game, or let it count again, as a moderator who is not involved.

    All later ratings are then computed again. Raises `NoSuchCase` unless the person is a moderator,
    `NoSuchGame` for a game that is not finished, not rated, or in which the moderator had a part,
    `WrongMoment` or `Refused`.
    """
    moderator = _require_moderator(user_id)
    why = clean_reason(reason, _REASON)
    found = judges.select_finished_games(moderator).filter(slug=slug).values_list("pk", flat=True)
    key = found.first()
    if key is None:
        raise NoSuchGame
    game = lock_game_by_id(key)
    if game.status != Status.FINISHED:
        raise NoSuchGame
    if not set_annulled(game=game, annulled=annulled, now=now):
        raise WrongMoment("This game is annulled." if annulled else "This game is not annulled.")
    act = AuditEntry.Act.ANNULLED if annulled else AuditEntry.Act.RERATED
    write_audit(act, by=user_id, now=now, game=game, detail=f"{game.world} ({slug}): {why}")


def pause_games(
    *,
    user_id: int,
    name: str,
    days: int,
    reason: str,
    now: dt.datetime,
    rng: random.Random | None = None,
) -> tuple[int, int]:
    """Pause all running games of the person with this screen name, for an emergency.

    With 0 `days`, end such pauses instead. Returns the number of games that changed and of those
    that did not, without anonymous games: these follow later, each at a random moment (`rng`)
    within `UNSEEN_WITHIN`, so that neither the moderator nor other players learn who plays there.

    Each game is changed in a transaction of its own. Raises `NoSuchCase` unless the person is a
    moderator, `NoSuchPlayer` also for a person with whom the moderator shares an unfinished game,
    or `Refused`, also for a moderator who plays in an anonymous game.
    """
    moderator = _require_moderator(user_id)
    why = clean_reason(reason, _REASON)
    if judges.plays_unseen(moderator):
        raise Refused(_UNSEEN)
    person = judges.select_people(moderator).filter(folded_name=make_key(name.strip())).first()
    if person is None:
        raise NoSuchPlayer("There is no player with this screen name whom you may help.")
    if days and days not in PAUSE_DAYS:
        raise Refused("Choose how long the games are paused.")
    games = find_running_games(person.pk)
    unseen = [game for game in games if game.options.anonymous]
    # First, so that no game is changed without a line.
    _request_pauses(unseen, by=user_id, person=person.pk, days=days, why=why, now=now, rng=rng)
    length = dt.timedelta(days=days)
    changed = [
        pause_for_emergency(game_id=game.pk, length=length, now=now)
        if days
        else end_emergency(game_id=game.pk, now=now)
        for game in games
        if game not in unseen
    ]
    return sum(changed), len(changed) - sum(changed)


@atomic_with_retries
def _request_pauses(
    games: list[Game],
    *,
    by: int,
    person: int,
    days: int,
    why: str,
    now: dt.datetime,
    rng: random.Random | None,
) -> None:
    """Write the line of the audit, and the tasks that pause these anonymous games later."""
    act = AuditEntry.Act.PAUSED if days else AuditEntry.Act.UNPAUSED
    detail = f"{days} days: {why}" if days else why
    entry = write_audit(act, by=by, now=now, person=person, detail=detail)
    for game in games:
        later = pause_unseen_game.using(run_after=draw_moment(game, UNSEEN_WITHIN, now, rng))
        later.enqueue(entry.pk, game.pk, days)


@task()
def pause_unseen_game(entry_id: int, game_id: int, days: int) -> None:
    """Pause an anonymous game, or end its pause with 0 `days`, as the audit's line requests.

    A later line about the person replaces this one. A game that cannot be paused now is tried again
    for a day.
    """
    entry, now = AuditEntry.objects.get(pk=entry_id), site_clock.now()
    later = AuditEntry.objects.filter(person=entry.person_id, act__in=_PAUSES, pk__gt=entry_id)
    if later.exists() or not Seat.objects.filter(game=game_id, user=entry.person_id).exists():
        return
    if not days:
        end_emergency(game_id=game_id, now=now)
        return
    # The same if the task runs twice; without the site's secret, nobody can compare two games.
    token = salted_hmac("emergency pause", f"{entry_id} {game_id}").hexdigest()[:12]
    length = dt.timedelta(days=days)
    done = pause_for_emergency(game_id=game_id, length=length, now=now, token=token)
    if not done and now < entry.at + _TRY_FOR:
        again = pause_unseen_game.using(run_after=now + _TRY_AGAIN)
        again.enqueue(entry_id, game_id, days)


def _require_moderator(user_id: int) -> User:
    user = User.objects.filter(pk=user_id, moderator=True, is_active=True, banned_at=None).first()
    if user is None:
        raise NoSuchCase
    return user
