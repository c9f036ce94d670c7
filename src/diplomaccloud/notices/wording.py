"""The texts of notices, composed from what the person may see when they are shown or sent."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.urls import reverse

from diplomaccloud.accounts.screen_names import Label, isolate
from diplomaccloud.games.following.read import make_unfollow_token
from diplomaccloud.games.news.read import GameName
from diplomaccloud.games.orders.read import Owed
from diplomaccloud.games.votes.wording import OUTCOMES
from diplomaccloud.judge.phases import Phase
from diplomaccloud.notices.kinds import MESSAGE_KINDS, NoticeKind
from diplomaccloud.notices.models import Notice
from diplomaccloud.press.conversations.wording import link_conversation
from diplomaccloud.press.news.read import Arrival
from diplomaccloud.press.table.addresses import AddressKind as Talk
from diplomaccloud.press.table.addresses import AttachmentKind
from diplomaccloud.press.table.read import AuthorKind
from diplomaccloud.schedule import format_instant
from diplomaccloud.schedule.descriptions import join_words

KIND_LABELS: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.REMINDER: "Your orders are missing 24, 4 or 1 hours before the deadline",
    NoticeKind.RESULT: "Results of a turn, and the deadline of the next",
    NoticeKind.MUSTER: "A game that you joined can start, and you have to confirm",
    NoticeKind.STARTED: "A game has started",
    NoticeKind.FINISHED: "A game is over",
    NoticeKind.DEADLINE: "A deadline has moved",
    NoticeKind.VOTE: "A vote has opened or closed",
    NoticeKind.PLAYERS: "A player has left a game, or a new one has come",
    NoticeKind.MESSAGE: "Messages and proposals to you",
    NoticeKind.PUBLIC: "Messages to everyone in a game",
    NoticeKind.FOLLOWED_PERSON: "A player whom you follow has started or finished a public game",
    NoticeKind.FOLLOWED_GAME: "A turn of a game that you follow",
    NoticeKind.SEAT: (
        "You were removed, replaced, reprimanded, or your messages were read or judged"
    ),
}
SHORT_LABELS: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.REMINDER: "reminders",
    NoticeKind.RESULT: "results of turns",
    NoticeKind.MUSTER: "musters",
    NoticeKind.STARTED: "started games",
    NoticeKind.FINISHED: "finished games",
    NoticeKind.DEADLINE: "moved deadlines",
    NoticeKind.VOTE: "votes",
    NoticeKind.PLAYERS: "departures and new players",
    NoticeKind.MESSAGE: "messages to you",
    NoticeKind.PUBLIC: "messages to everyone",
    NoticeKind.FOLLOWED_PERSON: "players whom you follow",
    NoticeKind.FOLLOWED_GAME: "games that you follow",
    NoticeKind.SEAT: "decisions about you",
}
_LOSSES: Final = {
    "removed": "You were removed from {world}",
    "abandoned": "You missed too many turns in {world} and lost your seat",
    "reprimand": "You were reprimanded in {world}",
}
_CHANGES: Final = {
    "nobody": "{world}: {country} has no player since {phase}",
    "player": "{world}: a new player took {country} in {phase}",
    "bot": "{world}: a bot took {country} in {phase}",
}
"""The titles of notices about a seat that changed hands, by its holder since."""
_REMINDERS: Final = {
    Owed.ALL: "Orders missing in {world}",
    Owed.SOME: "Orders incomplete in {world}",
    None: "Reminder about your orders in {world}",
}
_MUSTERS: Final = {
    "opened": ("{world} can start. Are you there?", "Confirm until {when}, or you lose your seat."),
    "closed": (
        "{world} is waiting for more players",
        "Too few people confirmed. You keep your seat.",
    ),
    "dropped": (
        "You lost your seat in {world}",
        "You did not confirm in time. Your reliability stays the same, and you can join again.",
    ),
}
"""The title and the sentence of a notice about a muster."""
_ROLLS: Final = {
    "rolled back": "{world} was rolled back",
    "rolled forward": "The rollback of {world} was undone",
}
_FOLLOWED: Final = {
    "started": ("{world} has started", "{people} started a game: {world}"),
    "processed": ("{world}: results of {phase}", ""),
    "finished": ("{world} is over", "{people} finished a game: {world}"),
}
"""By event, the titles for followers of a game and of people in it."""
FOLLOW_KINDS: Final = frozenset({NoticeKind.FOLLOWED_GAME, NoticeKind.FOLLOWED_PERSON})
PRESS_KINDS: Final = MESSAGE_KINDS | {
    *(NoticeKind.LOOKED_AT, NoticeKind.REPORT, NoticeKind.DECIDED, NoticeKind.JUDGED)
}
MAX_QUOTE: Final = 200
"""How much of a message a notice quotes, if the person wants quotes."""
_PAIR: Final = ("Message from {author} in {world}", "{count} messages from {author} in {world}")
_TITLES: Final[Mapping[Talk, tuple[str, str]]] = {
    Talk.PUBLIC: (
        "Message from {author} to everyone in {world}",
        "{count} messages to everyone in {world}",
    ),
    Talk.GRAY: ("Gray message in {world}", "{count} gray messages in {world}"),
    Talk.PREGAME: (
        "Message from {author} at the table of {world}",
        "{count} messages at the table of {world}",
    ),
    Talk.PERSONAL: ("Message from {author}", "{count} messages from {author}"),
}
"""The titles for one message and for several."""
_CARRIED: Final[Mapping[AttachmentKind, tuple[str, str]]] = {
    AttachmentKind.MAP: (
        "Map from {author} in {world}",
        "Map from {author} to everyone in {world}",
    ),
    AttachmentKind.PROPOSAL: (
        "Proposal from {author} in {world}",
        "Proposal from {author} to everyone in {world}",
    ),
    AttachmentKind.DOCUMENT: (
        "Document from {author} in {world}",
        "Document from {author} to everyone in {world}",
    ),
}
"""The titles for one message with an attachment: to chosen seats, and to everyone."""
_ANSWERS: Final[Mapping[object, str]] = {
    "accepted": "A proposal was accepted in {world}",
    "refused": "A proposal was refused in {world}",
    "countered": "A proposal was countered in {world}",
    "withdrawn": "A proposal was withdrawn in {world}",
}
_DECISIONS: Final[Mapping[object, str]] = {
    "none": "A report about you was decided: no action",
    "warning": "You were warned after a report",
    "limited": "Your press was limited after a report",
    "removed": "You were removed from a game after a report",
    "banned": "You were banned after a report",
    "name hidden": "A moderator hid your screen name",
    "name restored": "A moderator restored your screen name",
    "status hidden": "A moderator hid your status",
    "status restored": "A moderator restored your status",
    "map hidden": "A moderator hid the name of your map",
    "map restored": "A moderator restored the name of your map",
}
_EVENTS: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.ANSWER: "A proposal was answered in {world}",
    NoticeKind.OPENING: "A conversation in {world} was opened to everyone",
    NoticeKind.REPORT: "A report is waiting for a decision",
    NoticeKind.DECIDED: "Your report was decided",
    NoticeKind.JUDGED: "A report about you was decided",
}
"""The titles of events other than messages."""


@dataclass(frozen=True, slots=True)
class NoticeText:
    """The text of a notice: a title, an optional sentence, and the path of a page on the site.

    `stops` has the name of each person or game that it is about because the person follows them,
    and the path of a page to unfollow them.
    """

    title: str
    body: str
    path: str
    stops: tuple[tuple[str, str], ...] = ()


def word_notice(
    notice: Notice,
    game: GameName | None,
    *,
    zone: str = "UTC",
    owed: Owed | None = None,
    arrival: Arrival | None = None,
    with_text: bool = False,
    followed: Mapping[int, str] | None = None,
) -> NoticeText | None:
    """Return the text of a notice; None if it is about what the person may not see.

    `owed` is what the player owes now, for a reminder that is being sent; without it, the text only
    says that there was one. Times are in `zone`. `arrival` is what a press notice is about, and
    `with_text` lets it quote a message. `followed` has the names of people whom the person follows.
    """
    if game is not None:
        game = replace(game, world=isolate(game.world))
    match NoticeKind(notice.kind):
        case NoticeKind.TEST:
            title, body = "Test from Diplomaccloud", "Notices arrive here."
            return NoticeText(title, body, reverse("notices:settings"))
        case NoticeKind.SWITCHED_OFF:
            title = f"Notices to {notice.data.get('label', '')} are switched off"
            body = "No notices got through for a day. You can switch it on again in the settings."
            return NoticeText(title, body, reverse("notices:settings"))
        case kind if kind in PRESS_KINDS:
            return word_press_notice(notice, game, arrival, with_text=with_text)
        case kind if kind in FOLLOW_KINDS:
            return _word_followed(notice, game, followed or {}) if game else None
        case kind:
            return _word_game_notice(notice, kind, game, zone, owed) if game else None


def _word_game_notice(
    notice: Notice, kind: NoticeKind, game: GameName, zone: str, owed: Owed | None
) -> NoticeText:
    page = reverse("games:detail", args=[game.slug])
    body = _word_due(notice, zone)
    title = game.world
    match kind:
        case NoticeKind.MUSTER:
            title, body = _word_muster(notice, game.world, zone)
        case NoticeKind.STARTED:
            title = f"{game.world} has started"
        case NoticeKind.RESULT:
            title = f"{game.world}: results of {_title(notice.data.get('phase'))}"
        case NoticeKind.FINISHED:
            title, body = f"{game.world} is over", "See how the game ended."
        case NoticeKind.DEADLINE:
            rolled = _ROLLS.get(str(notice.data.get("what")), "New deadline in {world}")
            title = rolled.format(world=game.world)
        case NoticeKind.REMINDER:
            title = _REMINDERS[owed].format(world=game.world)
        case NoticeKind.VOTE | NoticeKind.VOTE_ABOUT_YOU:
            title, body = _word_vote(notice, game.world, zone)
        case NoticeKind.PLAYERS:
            names = {name: notice.data[name] for name in ("country", "phase")}
            title = _CHANGES[str(notice.data["holder"])].format(world=game.world, **names)
            body = str(notice.data["text"])
        case NoticeKind.SEAT:
            what = str(notice.data.get("what"))
            title = _LOSSES.get(what, "Your seat in {world} has changed").format(world=game.world)
            body = "The game’s log says why."
            page = reverse("games:log", args=[game.slug])
    return NoticeText(title, body, page)


def _word_followed(notice: Notice, game: GameName, followed: Mapping[int, str]) -> NoticeText:
    """Return the text for a follower; only people whom the person still follows are named."""
    data, page = notice.data, reverse("games:detail", args=[game.slug])
    of_game, of_people = _FOLLOWED[str(data.get("what"))]
    names = {key: isolate(followed[key]) for key in notice.followed if key in followed}
    title = (of_people if names else of_game).format(
        world=game.world, people=join_words(list(names.values())), phase=_title(data.get("phase"))
    )
    targets = [(name, f"p{person}") for person, name in names.items()]
    if notice.kind == NoticeKind.FOLLOWED_GAME:
        targets = [(game.world, f"g{notice.game_id}")]
    stops = tuple(
        (name, reverse("unfollow", args=[make_unfollow_token(notice.user_id, target)]))
        for name, target in targets
    )
    return NoticeText(title, "", page, stops)


def _word_muster(notice: Notice, world: str, zone: str) -> tuple[str, str]:
    title, body = _MUSTERS[str(notice.data["what"])]
    closes_at = notice.data.get("closes_at")
    if isinstance(closes_at, str):
        body = body.format(when=format_instant(dt.datetime.fromisoformat(closes_at), zone))
    return title.format(world=world), body


def _word_vote(notice: Notice, world: str, zone: str) -> tuple[str, str]:
    data = notice.data
    if outcome := OUTCOMES.get(str(data.get("outcome"))):
        counts = f"{data['agreed']} for, {data['against']} against"
        return f"{world}: a vote {outcome}", f"{data['text']} ({counts})."
    when = format_instant(dt.datetime.fromisoformat(str(data["closes_at"])), zone)
    body = f"You can vote until {when}."
    if notice.kind == NoticeKind.VOTE_ABOUT_YOU:
        body = f"This vote is about you. See the game's page. It is open until {when}."
    return f"Vote in {world}: {data['text']}", body


def _word_due(notice: Notice, zone: str) -> str:
    """Return when orders are due; blank if that is not known."""
    due_at = notice.data.get("due_at")
    if not isinstance(due_at, str):
        return ""
    when = format_instant(dt.datetime.fromisoformat(due_at), zone)
    phase = _title(notice.data.get("next"))
    return f"Orders for {phase} are due on {when}." if phase else f"Orders are due on {when}."


def _title(name: object) -> str:
    return Phase.parse(name).title if isinstance(name, str) and name else ""


def _word_event(kind: NoticeKind, data: Mapping[str, object]) -> tuple[str, str]:
    """Return the title and the sentence of an event other than a message."""
    title, body, decision = _EVENTS[kind], "", data.get("decision")
    match kind:
        case NoticeKind.ANSWER:
            title = _ANSWERS.get(data.get("answer"), title)
        case NoticeKind.OPENING if not data.get("opened", True):
            title = "A conversation in {world} was closed again"
        case NoticeKind.DECIDED:
            body = "Thank you. We do not disclose decisions about others."
        case NoticeKind.JUDGED:
            title, body = _DECISIONS.get(decision, title), "The page says why and how to appeal."
            if decision == "limited":
                body = "You can still write notes and messages to game masters. "
                body += "The page has the details."
            elif str(decision).endswith((" hidden", " restored")):
                body = "Your Reports page says why."
    return title, body


def word_press_notice(
    notice: Notice, game: GameName | None, arrival: Arrival | None, *, with_text: bool = False
) -> NoticeText | None:
    """Return the text of a notice about press; None if it is about what the person may not see.

    `arrival` is what it announces. `with_text` quotes the message.
    """
    is_hidden = notice.game_id is not None and game is None
    if is_hidden or (notice.membership_id is not None and arrival is None):
        return None
    kind, page = NoticeKind(notice.kind), _find_page(notice, game, arrival)
    if kind is NoticeKind.LOOKED_AT:
        return _word_look(notice, game, page)
    if kind in _EVENTS:
        title, body = _word_event(kind, notice.data)
        return NoticeText(title.format(world=game.world if game else ""), body, page)
    if arrival is None:
        return None
    summary = arrival.summary
    body = " ".join(arrival.message.body.split()) if with_text else ""
    if len(body) > MAX_QUOTE:
        body = f"{body[: MAX_QUOTE - 1]}…"
    if not body and summary.kind is Talk.SEATS and len(summary.members) > 1:
        others = join_words([member.country for member in summary.members])
        body = f"In your group with {others}."
    return NoticeText(_word_arrival(arrival), body, page)


def _find_page(notice: Notice, game: GameName | None, arrival: Arrival | None) -> str:
    path = notice.data.get("path")
    if isinstance(path, str) and path:
        return path
    if arrival is not None:
        return link_conversation(arrival.summary)
    return reverse("games:detail", args=[game.slug]) if game else reverse("press:inbox")


def _word_look(notice: Notice, game: GameName | None, page: str) -> NoticeText:
    if game is None or notice.data.get("by") == "moderator":
        place = f" in {game.world}" if game else ""
        body = "This follows a report. The moderator’s reason is on record."
        return NoticeText(f"A moderator read some of your messages{place}", body, page)
    title = f"The game master read some of your messages in {game.world}"
    log = reverse("games:log", args=[game.slug])
    return NoticeText(title, "The reason is in the game’s log.", log)


def _word_arrival(arrival: Arrival) -> str:
    """Return a title such as `Message from Italy in Aldmark`."""
    summary, attached = arrival.summary, arrival.message.attached
    single, several = _TITLES.get(summary.kind, _PAIR)
    if summary.kind is Talk.SEATS and len(summary.members) > 1:
        several = "{count} messages in a group in {world}"
    if attached in _CARRIED:
        single = _CARRIED[attached][summary.kind is Talk.PUBLIC]
    count, author = max(summary.unread, 1), arrival.message.author
    name = author.country or isolate(author.name) or Label.PLAYER
    if author.kind is AuthorKind.MASTER:
        name = Label.MASTER
    title = single if count == 1 else several
    return title.format(author=name, world=isolate(summary.world), count=count)
