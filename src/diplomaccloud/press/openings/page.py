"""Opening conversations after a game, in words: the viewer's conversations and their states."""

from dataclasses import dataclass

from diplomaccloud.games.table.options import Opening
from diplomaccloud.press.conversations.page import Desk
from diplomaccloud.press.openings.read import OwnOpening, read_openings
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.read import Flag
from diplomaccloud.press.table.wording import ICONS

_ABOUT = {
    Opening.CONSENT: (
        "A conversation opens once everyone who could ever read it has agreed. Until then, nobody "
        "sees who has agreed, and you can withdraw. Messages written after you agreed stay private "
        "until everyone agrees to open them, too."
    ),
    Opening.END: (
        "The players agreed to open their conversations at the end of the game. Later messages, "
        "notes, and messages to the game master open only if everyone who could read them agrees. "
        "Until then, nobody sees who has agreed."
    ),
    Opening.NEVER: "The players of this game agreed that private conversations are never opened.",
}
_OPEN = "Open: everyone who may see the game can read it in the chronicle."
_AGREED = "You agreed to open this. It opens once everyone who could read it has agreed."
_NOTES_AGREED = "Open: everyone who may see the game can read your notes in the chronicle."


@dataclass(frozen=True, slots=True)
class OpeningState:
    """One conversation; `text` is its state, blank if private.

    `may_agree` and `may_withdraw` say which buttons to show.
    """

    opening: OwnOpening
    title: str
    flags: tuple[Flag, ...]
    icon: str
    text: str
    may_agree: bool
    may_withdraw: bool
    button: str


@dataclass(frozen=True, slots=True)
class OpeningView:
    """The page for opening the viewer's conversations; `waiting` are those still to agree to."""

    states: tuple[OpeningState, ...]
    waiting: tuple[OpeningState, ...]
    about: str
    is_over: bool


def present_openings(desk: Desk) -> OpeningView:
    """Return the viewer's conversations and their states."""
    states = tuple(_present(desk, opening) for opening in read_openings(desk.press))
    return OpeningView(
        states=states,
        waiting=tuple(state for state in states if state.may_agree),
        about=_ABOUT[desk.reader.game.options.talk.opening],
        is_over=desk.press.is_over,
    )


def present_opening(desk: Desk, opening: OwnOpening | None) -> OpeningState | None:
    """Return the state of one conversation; None if there is nothing to decide."""
    if opening is None or desk.reader.game.options.talk.opening is Opening.NEVER:
        return None
    return _present(desk, opening)


def _present(desk: Desk, opening: OwnOpening) -> OpeningState:
    address, names = opening.address, desk.names
    may_open = desk.reader.game.options.talk.opening is not Opening.NEVER and not opening.is_open
    return OpeningState(
        opening=opening,
        title=names.title(address),
        flags=names.flags(address.powers),
        icon=ICONS[address.kind],
        text=_describe(opening),
        may_agree=may_open and not opening.has_agreed,
        may_withdraw=may_open and opening.agreed > opening.open,
        button="Open my notes" if opening.kind is AddressKind.NOTES else "Agree to open it",
    )


def _describe(opening: OwnOpening) -> str:
    if opening.is_open:
        return _NOTES_AGREED if opening.kind is AddressKind.NOTES else _OPEN
    if opening.has_agreed:
        return _AGREED
    if opening.open:
        return f"{_count(opening.open)} open. {_count(opening.count - opening.open)} private."
    if opening.agreed:
        return f"You agreed to open the first {opening.agreed} of {opening.count} messages."
    return ""


def _count(number: int) -> str:
    return "1 message is" if number == 1 else f"{number} messages are"
