"""The press of a game for one viewer, in words: the list, a conversation, and the forms."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.urls import reverse

from diplomaccloud.accounts.models import DELETED_NAME
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.bots.seats import word_bot
from diplomaccloud.games.seats.read import NO_COLOR
from diplomaccloud.games.table.options import Press, Successor
from diplomaccloud.press.conversations.page import (
    COMPOSE,
    Addressee,
    Attached,
    AttachLink,
    AttachmentView,
    Composer,
    ConversationLine,
    ConversationView,
    Desk,
    Draft,
    MessageView,
    PressView,
    make_key,
)
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.wording import (
    CLOSED,
    NOT_NOW,
    describe_author,
    describe_briefly,
    describe_message,
    name_country,
)
from diplomaccloud.press.documents.page import describe_document, present_document
from diplomaccloud.press.documents.read import DocumentFacts
from diplomaccloud.press.maps.page import describe_own, link_draw, list_map_choices, present_card
from diplomaccloud.press.maps.read import MapFacts
from diplomaccloud.press.proposals.page import present_proposal
from diplomaccloud.press.proposals.read import ProposalFacts
from diplomaccloud.press.table.addresses import EVERYONE, Address, AddressKind
from diplomaccloud.press.table.read import (
    AttachmentFacts,
    Author,
    AuthorKind,
    Change,
    ConversationFacts,
    MemberFacts,
    MessageFacts,
    SeatChange,
    Summary,
)
from diplomaccloud.press.table.rules import Why
from diplomaccloud.press.table.wording import ICONS, PressNames, render_text, title_phase
from diplomaccloud.schedule.descriptions import join_words

_NO_PRESS = "This game has no press. Players can write to each other once it is over."

_READERS = {
    AddressKind.PUBLIC: "Everyone who may see the game can read this.",
    AddressKind.GRAY: (
        "Everyone who may see the game can read this. Nobody sees who wrote it. Messages appear at "
        "the next quarter hour."
    ),
    AddressKind.MASTER: "Only you and the game master can read this.",
    AddressKind.NOTES: "Only you can read your notes.",
    AddressKind.PREGAME: "Everyone at the table reads this until countries are assigned.",
}
_LOOKS = "The game master may read this conversation. You are notified if that happens."
_BOT = "Played by a bot, which does not read messages."
_VACANT = "Vacant: messages wait for its next player."
_WAIT = "Your messages wait for the next one."
_UNSEEN = "The next one will not see your messages."
_CHANGES = {
    Change.VACANT: "{country} has no player since {phase}.",
    Change.LEFT: "The player of {country} left in {phase}.",
    Change.PLAYER: "A new player took {country} in {phase}.",
    Change.FROM_BOT: (
        "A new player took {country} from a bot in {phase}. The deals of the bot have ended."
    ),
    Change.BOT: "A bot took {country} in {phase}.",
}
"""How a seat changed hands, as a line among the messages."""


def present_list(desk: Desk, current: Summary | None = None) -> PressView:
    """Return the list of conversations, with the `current` one even if it has no messages."""
    summaries = list(desk.press.outline if desk.is_brief else desk.press.conversations)
    if current and all(row.address != current.address for row in summaries):
        summaries.insert(0, current)
    lines = tuple(_present_line(desk, row, current) for row in summaries)
    press, addressees = desk.press, desk.press.addressees
    may_write_new = bool(addressees.seats) or EVERYONE in addressees.others
    note = ""
    if not may_write_new and press.may_write:
        is_without = press.state.why is Why.NOTHING and desk.reader.game.options.press is Press.NONE
        note = _NO_PRESS if is_without else CLOSED.get(press.state.why, "")
    return PressView(
        url=desk.url("list"),
        unread=press.unread,
        reader=press,
        lines=lines,
        chips=tuple(_present_line(desk, row, current) for row in _list_chips(desk, summaries)),
        note=note,
        may_write_new=may_write_new,
    )


def _list_chips(desk: Desk, summaries: Sequence[Summary]) -> Sequence[Summary]:
    """Return `summaries` with all other countries, which come after those with messages."""
    pairs = {row.address: row for row in desk.press.pairs}
    first = [
        row
        for row in summaries
        if not row.is_new or row.address == EVERYONE or len(row.address.powers) > 1
    ]
    known = {row.address for row in first}
    rest = [row for row in summaries if row.address not in known | pairs.keys()]
    return [*first, *(row for row in pairs.values() if row.address not in known), *rest]


def present_new(desk: Desk, *, draft: Draft | None = None) -> PressView:
    """Return the list with the form for a new message."""
    view = present_list(desk)
    if view.may_write_new:
        return replace(
            view, new=_present_form(desk, draft or Draft()), is_focused=draft is not None
        )
    if draft is None or not draft.texts:
        return view
    has_reason = draft.error or view.note
    return replace(view, unsent=draft if has_reason else replace(draft, error=NOT_NOW))


def _present_line(desk: Desk, row: Summary, current: Summary | None) -> ConversationLine:
    last, names = row.last, desk.names
    return ConversationLine(
        url=desk.url("conversation", str(row.address)),
        title=names.title(row.address),
        flags=names.flags(row.address.powers),
        icon=ICONS[row.address.kind],
        about=join_words(list(filter(None, map(_describe_holder, row.members)))),
        author=describe_briefly(last.author, names) if last else "",
        excerpt=describe_message(last) if last else "",
        at=last.at if last else None,
        unread=row.unread,
        muted=row.muted,
        current=current is not None and row.address == current.address,
    )


def _describe_holder(member: MemberFacts) -> str:
    if member.vacant:
        return Label.VACANT
    if member.holder.bot:
        return word_bot(member.holder.bot)
    return member.holder.name


def present_conversation(
    desk: Desk,
    facts: ConversationFacts,
    *,
    draft: Draft | None = None,
    part: bool = False,
    past: bool = False,
    opening: object = None,
) -> PressView:
    """Return one conversation.

    A `part` has no mark for unread messages; `past` is a page of old messages. `opening` is the
    state in `openings.page`.
    """
    summary, messages, address = facts.summary, facts.messages, facts.summary.address
    places = [bisect_left(messages, change.at, key=lambda row: row.at) for change in facts.changes]
    lines = [_describe_change(desk, change, summary) for change in facts.changes]

    def list_lines(number: int) -> tuple[str, ...]:
        return tuple(line for place, line in zip(places, lines, strict=True) if place == number)

    url, press = desk.url("conversation", str(address)), desk.press
    current = ConversationView(
        facts=facts,
        key=str(address),
        url=url,
        title=desk.names.title(address),
        about=_READERS.get(address.kind, ""),
        messages=tuple(
            replace(view, changes=list_lines(number))
            for number, view in enumerate(
                present_messages(
                    messages,
                    address,
                    desk.names,
                    codes=press.provinces,
                    url=url,
                    read=None if part or not press.may_write else facts.read,
                )
            )
        ),
        composer=_present_composer(desk, summary, draft) if summary.is_writable else None,
        draft=draft,
        may_act=press.may_write,
        is_past=past and facts.has_later,
        flags=desk.names.flags(address.powers),
        notes=_list_notes(desk, facts),
        opening=opening,
        waiting=tuple((row, render_text(row.body, press.provinces)) for row in facts.waiting),
        changes=list_lines(len(messages)),
    )
    return replace(present_list(desk, summary), current=current)


def _describe_change(desk: Desk, change: SeatChange, summary: Summary) -> str:
    """Return how a seat changed hands; for a vacant one, also what happens to messages."""
    line = _CHANGES[change.change].format(
        country=desk.names.country(change.power), phase=change.phase
    )
    if change.change is not Change.VACANT or desk.press.is_over:
        return line
    if summary.why is Why.VACANT:
        return f"{line} Messages to it are refused until it has one."
    return f"{line} {_describe_wait(desk)}" if desk.press.may_write else line


def _describe_wait(desk: Desk) -> str:
    is_blank = desk.reader.game.options.talk.successor is Successor.BLANK
    return _UNSEEN if is_blank else _WAIT


def _list_notes(desk: Desk, facts: ConversationFacts) -> tuple[str, ...]:
    notes = []
    if facts.summary.kind is AddressKind.SEATS and desk.press.may_be_looked_at:
        notes.append(_LOOKS)
    for member in facts.summary.members:
        country = desk.names.country(member.power)
        if member.vacant:
            if facts.summary.why is Why.VACANT:
                notes.append(f"{country} is vacant.")
            else:
                notes.append(f"{country} is vacant. {_describe_wait(desk)}")
        elif member.holder.bot:
            notes.append(
                f"{country} is played by a bot, which does not read messages. Your messages will "
                "wait for the next player."
            )
        elif member.since is not None:
            notes.append(f"{country} has another player since {member.since}.")
    return tuple(notes)


def _present_composer(desk: Desk, summary: Summary, draft: Draft | None) -> Composer:
    address = summary.address
    is_note = address.kind is AddressKind.NOTES
    label = "Write a note" if is_note else f"Message to {desk.names.speak(address)}"
    return replace(_compose(desk, address, draft or Draft()), label=label)


def _compose(desk: Desk, to: Address | None, draft: Draft) -> Composer:
    slug = desk.press.slug
    attached = (DESCRIBERS[name](desk.press, slug, text) for name, text in draft.attached)
    return Composer(
        draft=draft,
        key=draft.key or make_key(),
        action=desk.url("send"),
        attached=next(filter(None, attached), None),
        attach_links=list_attach_links(slug, to, is_over=desk.press.is_over),
        attach_menu=list_map_choices(desk.press, slug, to) if draft.has_menu else None,
    )


def _present_form(desk: Desk, draft: Draft) -> Composer:
    addressees = desk.press.addressees
    chosen = {power for text in draft.to for power in text.split("+")}
    return replace(
        _compose(desk, None, draft),
        addressees=tuple(
            Addressee(
                power=member.power,
                country=desk.names.country(member.power),
                color=desk.names.color(member.power),
                letters=desk.names.letters(member.power),
                player="" if member.holder.bot or member.vacant else member.holder.name,
                chosen=member.power in chosen,
                note=_BOT if member.holder.bot else _VACANT if member.vacant else "",
            )
            for member in addressees.seats
        ),
        has_everyone=EVERYONE in addressees.others,
    )


# Messages as bubbles, with dividers between phases.


def present_messages(
    facts: Sequence[MessageFacts],
    address: Address,
    names: PressNames | None,
    *,
    codes: frozenset[str] = frozenset(),
    url: str = "",
    read: int | None = None,
    person: str = "",
) -> tuple[MessageView, ...]:
    """Return the messages in order; the first one after `read` by another author is marked.

    Outside games, `names` is None and `person` is the other person. `url` is the conversation's.
    """
    views = []
    divider, marked = "", read is None
    for message in facts:
        title, author = title_phase(message.phase), message.author
        is_first = not marked and message.number > (read or 0) and not author.is_you
        marked = marked or is_first
        is_other = author.kind is AuthorKind.SEAT and not author.is_you
        views.append(
            MessageView(
                facts=message,
                heading=_describe_direction(author, address, names, person),
                author=describe_author(author, names),
                color=names.color(author.power) if names and author.power else NO_COLOR,
                body=render_text(message.body, codes),
                divider=title if title != divider else "",
                first_unread=is_first,
                attachments=tuple(
                    present_attachment(part, f"{url}{message.number}/")
                    for part in message.attachments
                ),
                country=name_country(author, names) if is_other else "",
                person=author.name if is_other and author.name != DELETED_NAME else "",
            )
        )
        divider = title
    return tuple(views)


def _describe_direction(
    author: Author, address: Address, names: PressNames | None, person: str
) -> str:
    """Return who writes to whom, for screen readers, such as `Italy to you`."""
    is_seat = author.kind is AuthorKind.SEAT
    speaker = name_country(author, names) if is_seat else describe_author(author, names)
    if author.is_you:
        speaker = "You"
    if address.kind in (AddressKind.PUBLIC, AddressKind.GRAY, AddressKind.PREGAME):
        return f"{speaker} to everyone"
    if address.kind is AddressKind.NOTES:
        return "Your note"
    if names is None:
        return f"{speaker} to {person if author.is_you else 'you'}"
    others = [power for power in address.powers if power != author.power]
    listed = [names.country(power) for power in others] or [Label.MASTER]
    if author.is_you:
        return f"{speaker} to {join_words(listed)}"
    return f"{speaker} to {join_words(['you', *map(names.country, others)])}"


# Attachments as template values: on messages, in the composer, and the buttons that add them.
#
# To add a kind of attachment, extend the list and the functions here, the list in `forms`, and
# `PressConfig`.


Describer = Callable[[PressReader, str, str], Attached | None]
"""Returns the attachment for a field's text; None if the viewer has no such thing."""


DESCRIBERS: Final[Mapping[str, Describer]] = {"map": describe_own, "document": describe_document}
"""By form field."""


def present_attachment(facts: AttachmentFacts, url: str) -> AttachmentView:
    """Return an attachment as the message at `url` shows it, with a blank `url` in a chronicle."""
    match facts:
        case MapFacts():
            return present_card(facts, f"{url}map/")
        case ProposalFacts():
            return present_proposal(facts, url)
        case DocumentFacts():
            return present_document(facts, url)
    raise TypeError(f"no page for {type(facts).__name__}")


def list_attach_links(
    slug: str, to: Address | None, *, is_over: bool = False
) -> tuple[AttachLink, ...]:
    """Return the composer's buttons for a conversation in a game; `to` is None for a new message.

    Proposals are left out once the game is over. They and documents need one conversation of seats
    or everyone.
    """
    if to is not None and to.kind is AddressKind.GRAY:
        return ()
    links = [link_draw(slug, to)]
    if to is not None and to.kind in (AddressKind.SEATS, AddressKind.PUBLIC):
        proposal, document = (
            reverse(f"press:{name}", args=[slug, str(to)]) for name in ("propose", "write-document")
        )
        if not is_over:
            links.append(AttachLink("Proposal", "deal", proposal, proposal, COMPOSE))
        links.append(AttachLink("Document", "notes", document, document, COMPOSE))
    return tuple(link for link in links if link is not None)
