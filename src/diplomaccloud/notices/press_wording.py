"""The texts of press notices, from what the person may see when they are shown or sent."""

from collections.abc import Callable, Mapping
from typing import Final

from django.urls import reverse

from diplomaccloud.accounts.labels import Label
from diplomaccloud.games.news.read import GameName
from diplomaccloud.notices.kinds import Kind
from diplomaccloud.notices.models import Notice
from diplomaccloud.notices.texts import NoticeText
from diplomaccloud.press.addresses import AttachmentKind
from diplomaccloud.press.addresses import Kind as Talk
from diplomaccloud.press.viewpoint import Arrival, AuthorKind
from diplomaccloud.schedule.descriptions import join_words

PRESS_KINDS: Final = frozenset(
    {
        *(Kind.MESSAGE, Kind.PERSONAL, Kind.PUBLIC, Kind.ANSWER, Kind.OPENING),
        *(Kind.LOOKED_AT, Kind.REPORT, Kind.DECIDED, Kind.JUDGED),
    }
)
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


def _word_answer(data: Mapping[str, object]) -> tuple[str, str]:
    return _ANSWERS.get(data.get("answer"), "A proposal was answered in {world}"), ""


def _word_opening(data: Mapping[str, object]) -> tuple[str, str]:
    if data.get("opened", True):
        return "A conversation in {world} was opened to everyone", ""
    return "A conversation in {world} was closed again", ""


def _word_report(_data: Mapping[str, object]) -> tuple[str, str]:
    return "A report is waiting for a decision", ""


def _word_decision(_data: Mapping[str, object]) -> tuple[str, str]:
    return "Your report was decided", "Thank you. We do not disclose decisions about others."


def _word_judgment(data: Mapping[str, object]) -> tuple[str, str]:
    title = _DECISIONS.get(data.get("decision"), "A report about you was decided")
    if data.get("decision") == "limited":
        body = "You can still write notes and messages to game masters. The page has the details."
        return title, body
    if str(data.get("decision")).endswith((" hidden", " restored")):
        return title, "Your Reports page says why."
    return title, "The page says why and how to appeal."


_EVENTS: Final[Mapping[Kind, Callable[[Mapping[str, object]], tuple[str, str]]]] = {
    Kind.ANSWER: _word_answer,
    Kind.OPENING: _word_opening,
    Kind.REPORT: _word_report,
    Kind.DECIDED: _word_decision,
    Kind.JUDGED: _word_judgment,
}
"""The functions that word other events: each returns a title and a sentence from the facts."""


def word_press_notice(
    notice: Notice, game: GameName | None, arrival: Arrival | None, *, with_text: bool = False
) -> NoticeText | None:
    """Return the text of a notice about press; None if it is about what the person may not see.

    `arrival` is what it announces. `with_text` quotes the message.
    """
    is_hidden = notice.game_id is not None and game is None
    if is_hidden or (notice.membership_id is not None and arrival is None):
        return None
    kind, page = Kind(notice.kind), _find_page(notice, game, arrival)
    if kind is Kind.LOOKED_AT:
        return _word_look(notice, game, page)
    if kind in _EVENTS:
        title, body = _EVENTS[kind](notice.data)
        return NoticeText(title.format(world=game.world if game else ""), body, page)
    if arrival is None:
        return None
    body = _quote(arrival.body) if with_text else ""
    return NoticeText(_word_arrival(arrival), body or _describe_place(arrival), page)


def _find_page(notice: Notice, game: GameName | None, arrival: Arrival | None) -> str:
    path = notice.data.get("path")
    if isinstance(path, str) and path:
        return path
    if arrival is not None and not arrival.slug:
        return reverse("press:personal", args=[arrival.person])
    if arrival is not None:
        return reverse("press:conversation", args=[arrival.slug, arrival.address])
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
    single, several = _TITLES.get(arrival.kind, _PAIR)
    if arrival.kind is Talk.SEATS and len(arrival.members) > 1:
        several = "{count} messages in a group in {world}"
    if arrival.attached in _CARRIED:
        single = _CARRIED[arrival.attached][arrival.kind is Talk.PUBLIC]
    title = single if arrival.count == 1 else several
    return title.format(author=_name_author(arrival), world=arrival.world, count=arrival.count)


def _describe_place(arrival: Arrival) -> str:
    """Return a sentence with the members of a group; blank for other conversations."""
    if arrival.kind is not Talk.SEATS or len(arrival.members) < 2:
        return ""
    others = join_words([member.country for member in arrival.members])
    return f"In your group with {others}."


def _name_author(arrival: Arrival) -> str:
    author = arrival.author
    if author.kind is AuthorKind.MASTER:
        return Label.MASTER
    return author.country or author.name or Label.PLAYER


def _quote(body: str) -> str:
    text = " ".join(body.split())
    return f"{text[: MAX_QUOTE - 1]}…" if len(text) > MAX_QUOTE else text
