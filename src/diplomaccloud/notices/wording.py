"""The texts of notices, composed from what the person may see when they are shown or sent."""

import datetime as dt
from collections.abc import Mapping
from typing import Final

from django.urls import reverse

from diplomaccloud.games.news.read import GameName
from diplomaccloud.games.orders.read import Owed
from diplomaccloud.games.votes.read import OUTCOMES
from diplomaccloud.judge.phases import Phase
from diplomaccloud.notices.kinds import Kind
from diplomaccloud.notices.models import Notice
from diplomaccloud.notices.press_wording import PRESS_KINDS, word_press_notice
from diplomaccloud.notices.texts import NoticeText
from diplomaccloud.press.viewpoint import Arrival
from diplomaccloud.schedule import format_instant

KIND_LABELS: Final[Mapping[Kind, str]] = {
    Kind.REMINDER: "Your orders are missing 24, 4 or 1 hours before the deadline",
    Kind.RESULT: "Results of a turn, and the deadline of the next",
    Kind.STARTED: "A game has started",
    Kind.FINISHED: "A game is over",
    Kind.DEADLINE: "A deadline has moved",
    Kind.VOTE: "A vote has opened or closed",
    Kind.PLAYERS: "A player has left a game, or a new one has come",
    Kind.MESSAGE: "Messages and proposals to you",
    Kind.PUBLIC: "Messages to everyone in a game",
    Kind.SEAT: "You were removed, replaced, reprimanded, or your messages were read or judged",
}
SHORT_LABELS: Final[Mapping[Kind, str]] = {
    Kind.REMINDER: "reminders",
    Kind.RESULT: "results of turns",
    Kind.STARTED: "started games",
    Kind.FINISHED: "finished games",
    Kind.DEADLINE: "moved deadlines",
    Kind.VOTE: "votes",
    Kind.PLAYERS: "departures and new players",
    Kind.MESSAGE: "messages to you",
    Kind.PUBLIC: "messages to everyone",
    Kind.SEAT: "decisions about you",
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
_ROLLS: Final = {
    "rolled back": "{world} was rolled back",
    "rolled forward": "The rollback of {world} was undone",
}


def word_notice(
    notice: Notice,
    game: GameName | None,
    *,
    zone: str = "UTC",
    owed: Owed | None = None,
    arrival: Arrival | None = None,
    with_text: bool = False,
) -> NoticeText | None:
    """Return the text of a notice; None if it is about what the person may not see.

    `owed` is what the player owes now, for a reminder that is being sent; without it, the text only
    says that there was one. Times are in `zone`. `arrival` is what a press notice is about, and
    `with_text` lets it quote a message.
    """
    match Kind(notice.kind):
        case Kind.TEST:
            settings = reverse("notices:settings")
            return NoticeText("Test from Diplomaccloud", "Notices arrive here.", settings)
        case Kind.SWITCHED_OFF:
            title = f"Notices to {notice.data.get('label', '')} are switched off"
            body = "No notices got through for a day. You can switch it on again in the settings."
            return NoticeText(title, body, reverse("notices:settings"))
        case kind if kind in PRESS_KINDS:
            return word_press_notice(notice, game, arrival, with_text=with_text)
        case kind:
            return _word_game_notice(notice, kind, game, zone, owed) if game else None


def _word_game_notice(
    notice: Notice, kind: Kind, game: GameName, zone: str, owed: Owed | None
) -> NoticeText:
    page = reverse("games:detail", args=[game.slug])
    body = _word_due(notice, zone)
    title = game.world
    match kind:
        case Kind.STARTED:
            title = f"{game.world} has started"
        case Kind.RESULT:
            title = f"{game.world}: results of {_title(notice.data.get('phase'))}"
        case Kind.FINISHED:
            title, body = f"{game.world} is over", "See how the game ended."
        case Kind.DEADLINE:
            rolled = _ROLLS.get(str(notice.data.get("what")), "New deadline in {world}")
            title = rolled.format(world=game.world)
        case Kind.REMINDER:
            title = _word_reminder(game.world, owed)
        case Kind.VOTE | Kind.VOTE_ABOUT_YOU:
            title, body = _word_vote(notice, game.world, zone)
        case Kind.PLAYERS:
            names = {name: notice.data[name] for name in ("country", "phase")}
            title = _CHANGES[str(notice.data["holder"])].format(world=game.world, **names)
            body = str(notice.data["text"])
        case Kind.SEAT:
            what = str(notice.data.get("what"))
            title = _LOSSES.get(what, "Your seat in {world} has changed").format(world=game.world)
            body = "The game’s log says why."
            page = reverse("games:log", args=[game.slug])
    return NoticeText(title, body, page)


def _word_vote(notice: Notice, world: str, zone: str) -> tuple[str, str]:
    """Return the title and the sentences of a notice about a vote."""
    data, is_about_you = notice.data, notice.kind == Kind.VOTE_ABOUT_YOU
    if outcome := OUTCOMES.get(str(data.get("outcome"))):
        counts = f"{data['agreed']} for, {data['against']} against"
        return f"{world}: a vote {outcome}", f"{data['text']} ({counts})."
    closes_at = dt.datetime.fromisoformat(str(data["closes_at"]))
    when = format_instant(closes_at, zone)
    if is_about_you:
        body = f"This vote is about you. See the game's page. It is open until {when}."
    else:
        body = f"You can vote until {when}."
    return f"Vote in {world}: {data['text']}", body


def _word_reminder(world: str, owed: Owed | None) -> str:
    match owed:
        case Owed.ALL:
            return f"Orders missing in {world}"
        case Owed.SOME:
            return f"Orders incomplete in {world}"
        case None:
            return f"Reminder about your orders in {world}"


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
