"""The press of a game for one viewer, in words: the list, a conversation, and the forms."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
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
    AttachMenu,
    Composer,
    ConversationLine,
    ConversationView,
    Desk,
    Draft,
    MessageView,
    NewMessage,
    PressView,
    TalkState,
    WaitingView,
    make_key,
)
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.wording import (
    CLOSED,
    NOT_NOW,
    describe_author,
    describe_message,
    name_country,
)
from diplomaccloud.press.documents.page import (
    describe_document,
    make_document_link,
    present_document,
)
from diplomaccloud.press.documents.read import DocumentFacts
from diplomaccloud.press.maps.page import describe_own, link_draw, list_map_choices, present_card
from diplomaccloud.press.maps.read import MapFacts
from diplomaccloud.press.proposals.page import present_proposal
from diplomaccloud.press.proposals.read import ProposalFacts
from diplomaccloud.press.table.addresses import EVERYONE, TABLE, Address, AddressKind
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
    WaitingFacts,
)
from diplomaccloud.press.table.rules import Moment, Why
from diplomaccloud.press.table.wording import ICONS, PressNames, render_text, title_phase
from diplomaccloud.schedule.descriptions import join_words

_NO_PRESS = "This game has no press. Players can write to each other once it is over."

_READERS = {
    AddressKind.PUBLIC: "Everyone who may see the game can read this.",
    AddressKind.GRAY: "Everyone who may see the game can read this. Nobody sees who wrote it.",
    AddressKind.MASTER: "Only you and the game master can read this.",
    AddressKind.NOTES: "Only you can read your notes.",
    AddressKind.PREGAME: "Everyone at the table reads this until countries are assigned.",
}
_COMPOSER_NOTES = {AddressKind.GRAY: "at the next quarter hour"}
_LOOKS = "The game master may read this conversation. You are notified if that happens."
_BOT = "Played by a bot, which does not read messages."
_VACANT = "Vacant: messages wait for its next player."
_WAIT = "Your messages wait for the next one."
_UNSEEN = "The next one will not see your messages."
_CHANGES = {
    Change.VACANT: "{country} has no player since {phase}.",
    Change.LEFT: "The player of {country} left in {phase}.",
    Change.PLAYER: "A new player took {country} in {phase}.",
    Change.BOT: "A bot took {country} in {phase}.",
}
"""How a seat changed hands, as a line among the messages."""


def present_list(desk: Desk) -> PressView:
    """Return the list of conversations."""
    return _present(desk, None)


def present_new(desk: Desk, *, draft: Draft | None = None) -> PressView:
    """Return the list with the form for a new message."""
    view = _present(desk, None)
    if not view.may_write_new:
        return replace(view, unsent=_keep(draft, view)) if draft else view
    return replace(view, new=_present_form(desk, draft or Draft()), is_focused=draft is not None)


def _keep(draft: Draft, view: PressView) -> Draft | None:
    """Return text whose form no longer exists, with the reason; None without text."""
    if not draft.texts:
        return None
    return draft if draft.error or view.note else replace(draft, error=NOT_NOW)


def present_conversation(
    desk: Desk,
    facts: ConversationFacts,
    *,
    draft: Draft | None = None,
    part: bool = False,
    past: bool = False,
) -> PressView:
    """Return one conversation.

    A `part` has no mark for unread messages; `past` is a page of old messages.
    """
    summary = facts.summary
    view = _present(desk, summary)
    return replace(view, current=_present_conversation(desk, facts, draft, part=part, past=past))


def present_table(desk: Desk, facts: ConversationFacts) -> PressView:
    """Return the table before the draw for the waiting room, a conversation without a list."""
    view = present_conversation(desk, facts)
    return replace(view, single=True, url=desk.url("conversation", str(TABLE)))


def _present(desk: Desk, current: Summary | None) -> PressView:
    summaries = list(desk.press.outline if desk.is_brief else desk.press.conversations)
    if current and all(row.address != current.address for row in summaries):
        summaries.insert(0, current)
    lines = tuple(_present_line(desk, row, current) for row in summaries)
    addressees = desk.press.addressees
    return PressView(
        slug=desk.slug,
        url=desk.url("list"),
        new_url=desk.url("new"),
        live_url=f"/live/games/{desk.slug}",
        lines=lines,
        unread=desk.press.unread,
        version=desk.press.version,
        note=_describe_closed(desk),
        talk=_present_talk(desk),
        may_write_new=bool(addressees.seats) or EVERYONE in addressees.others,
        changes_at=desk.press.state.quiet_from,
        reports_url=reverse("press:moderation") if desk.press.is_master else "",
        is_over=desk.press.state.moment is Moment.OVER,
        writes=desk.press.may_write,
        look_url=desk.url("look") if desk.press.may_look else "",
    )


def _present_talk(desk: Desk) -> TalkState | None:
    """Return the button to end the talk early; None if there is no talk to end."""
    has_finished = desk.press.is_done_talking
    if has_finished is None:
        return None
    text = (
        "Quiet time starts once everyone is done. You can change your mind until then."
        if has_finished
        else "Once everyone is done, quiet time starts and orders are due when it ends."
    )
    sequence = desk.press.sequence
    return TalkState(done=has_finished, url=desk.url("talk"), sequence=sequence, text=text)


def _describe_closed(desk: Desk) -> str:
    """Return why the viewer cannot write to anyone now; blank if not so, or for a mere reader."""
    press = desk.press
    addressees = press.addressees
    if addressees.seats or EVERYONE in addressees.others or not press.may_write:
        return ""
    if press.state.why is Why.NOTHING and desk.reader.game.options.press is Press.NONE:
        return _NO_PRESS
    return CLOSED.get(press.state.why, "")


def _present_line(desk: Desk, row: Summary, current: Summary | None) -> ConversationLine:
    last, names = row.last, desk.names
    return ConversationLine(
        key=str(row.address),
        url=desk.url("conversation", str(row.address)),
        title=names.title(row.address),
        flags=names.flags(row.address.powers),
        icon=ICONS[row.address.kind],
        about=_describe_holders(row.members),
        author=_shorten(last.author, names) if last else "",
        excerpt=describe_message(last) if last else "",
        at=last.at if last else None,
        unread=row.unread,
        muted=row.muted,
        closed=not row.is_writable,
        current=current is not None and row.address == current.address,
    )


def _shorten(author: Author, names: PressNames) -> str:
    if author.power and not author.is_you:
        return names.country(author.power)
    return "You" if author.is_you else describe_author(author, names)


def _describe_holders(members: Sequence[MemberFacts]) -> str:
    """Return the known players of the countries, such as `alice, bob`."""
    return join_words([word for member in members if (word := _describe_holder(member))])


def _describe_holder(member: MemberFacts) -> str:
    if member.vacant:
        return Label.VACANT
    if member.holder.bot:
        return word_bot(member.holder.bot)
    return member.holder.name


def _present_conversation(
    desk: Desk, facts: ConversationFacts, draft: Draft | None, *, part: bool, past: bool
) -> ConversationView:
    summary, messages, address = facts.summary, facts.messages, facts.summary.address
    places = [bisect_left(messages, change.at, key=lambda row: row.at) for change in facts.changes]
    lines = [_describe_change(desk, change, summary) for change in facts.changes]

    def list_lines(number: int) -> tuple[str, ...]:
        return tuple(line for place, line in zip(places, lines, strict=True) if place == number)

    url = desk.url("conversation", str(address))
    first = messages[0].number if messages else 0
    return ConversationView(
        key=str(address),
        url=url,
        title=desk.names.title(address),
        flags=desk.names.flags(address.powers),
        icon=ICONS[address.kind],
        about=_READERS.get(address.kind, ""),
        notes=_list_notes(desk, facts),
        messages=tuple(
            replace(view, changes=list_lines(number))
            for number, view in enumerate(
                present_messages(
                    messages,
                    address,
                    desk.names,
                    codes=desk.codes,
                    url=url,
                    read=None if part or not desk.press.may_write else facts.read,
                )
            )
        ),
        first=first,
        last=messages[-1].number if messages else facts.count,
        more=facts.has_later,
        older_url=f"{url}?before={first}" if facts.has_earlier and first else "",
        muted=summary.muted,
        may_mute=bool(facts.count)
        and desk.press.may_write
        and address.kind is not AddressKind.NOTES,
        composer=_present_composer(desk, summary, draft) if summary.is_writable else None,
        closed=CLOSED.get(summary.why, NOT_NOW),
        draft=draft if draft and draft.error and not summary.is_writable else None,
        read=facts.read,
        may_act=desk.press.may_write,
        newest_url=url if past and facts.has_later else "",
        waiting=present_waiting(facts.waiting, desk.codes),
        changes=list_lines(len(messages)),
    )


def _describe_change(desk: Desk, change: SeatChange, summary: Summary) -> str:
    """Return how a seat changed hands; for a vacant one, also what happens to messages."""
    line = _CHANGES[change.change].format(
        country=desk.names.country(change.power), phase=change.phase
    )
    if change.change is not Change.VACANT or desk.press.state.moment is Moment.OVER:
        return line
    if summary.why is Why.VACANT:
        return f"{line} Messages to it are refused until it has one."
    return f"{line} {_describe_wait(desk)}" if desk.press.may_write else line


def _describe_wait(desk: Desk) -> str:
    """Return what happens to messages to a vacant seat."""
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
                f"{country} is played by a bot, which does not read messages. They wait until a "
                "person takes over."
            )
        elif member.since is not None:
            notes.append(f"{country} has another player since {member.since}.")
    return tuple(notes)


def _present_composer(desk: Desk, summary: Summary, draft: Draft | None) -> Composer:
    address = summary.address
    title = desk.names.title(address)
    draft = draft or Draft()
    label = (
        "Write a note"
        if address.kind is AddressKind.NOTES
        else f"Message to {desk.names.speak(address)}"
    )
    return Composer(
        action=desk.url("send"),
        to=str(address),
        label=label,
        title=title,
        key=draft.key or make_key(),
        unsent=desk.url("conversation", str(address)),
        draft=draft,
        carry_url=desk.url("carry", str(address)),
        flags=desk.names.flags(address.powers),
        icon=ICONS[address.kind],
        about=_COMPOSER_NOTES.get(address.kind, ""),
        attached=describe_attached(desk.press, desk.slug, draft.attached),
        attach_links=list_attach_links(
            desk.slug, address, is_over=desk.press.state.moment is Moment.OVER
        ),
        attach_menu=_list_choices(desk, address, draft),
    )


def _list_choices(desk: Desk, to: Address | None, draft: Draft) -> AttachMenu | None:
    return list_map_choices(desk.press, desk.slug, to) if draft.has_menu else None


def _present_form(desk: Desk, draft: Draft) -> NewMessage:
    addressees = desk.press.addressees
    has_everyone = EVERYONE in addressees.others
    writable = {seat.power: seat for seat in addressees.seats}
    chosen = {power for text in draft.to for power in text.split("+")}
    return NewMessage(
        action=desk.url("send"),
        key=draft.key or make_key(),
        unsent=desk.url("new"),
        draft=draft,
        carry_url=desk.url("carry-to-new"),
        addressees=tuple(
            Addressee(
                power=member.power,
                country=desk.names.country(member.power),
                color=desk.names.color(member.power),
                player="" if member.holder.bot or member.vacant else member.holder.name,
                chosen=member.power in chosen,
                note=_BOT if member.holder.bot else _VACANT if member.vacant else "",
            )
            for member in writable.values()
        ),
        everyone_url=desk.url("conversation", str(EVERYONE)) if has_everyone else "",
        everyone_carry_url=desk.url("carry", str(EVERYONE)) if has_everyone else "",
        attached=describe_attached(desk.press, desk.slug, draft.attached),
        attach_links=list_attach_links(desk.slug, None),
        attach_menu=_list_choices(desk, None, draft),
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
        title = title_phase(message.phase)
        is_first = not marked and message.number > (read or 0) and not message.author.is_you
        marked = marked or is_first
        is_seat = message.author.kind is AuthorKind.SEAT and not message.author.is_you
        views.append(
            MessageView(
                number=message.number,
                heading=_describe_direction(message.author, address, names, person),
                author=describe_author(message.author, names),
                color=_color(message.author, names),
                yours=message.author.is_you,
                body=render_text(message.body, codes),
                at=message.at,
                subject=message.subject,
                divider=title if title != divider else "",
                level=4 if title else 3,  # below the divider, or the conversation's title
                first_unread=is_first,
                note="muted" if message.muted else "",
                attachments=tuple(
                    present_attachment(part, f"{url}{message.number}/")
                    for part in message.attachments
                ),
                seat=message.author.power if is_seat else "",
                seat_country=name_country(message.author, names) if is_seat else "",
                muted=message.muted,
                person=_find_person(message.author) if is_seat else "",
            )
        )
        divider = title
    return tuple(views)


def present_waiting(
    facts: Iterable[WaitingFacts], codes: frozenset[str]
) -> tuple[WaitingView, ...]:
    """Return the viewer's gray messages that are not published yet."""
    return tuple(
        WaitingView(
            waiting.subject,
            render_text(waiting.body, codes),
            waiting.published_at,
        )
        for waiting in facts
    )


def _describe_direction(
    author: Author, address: Address, names: PressNames | None, person: str
) -> str:
    """Return who writes to whom, for screen readers, such as `Italy to you`."""
    speaker = "You" if author.is_you else _speaker(author, names)
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


def _speaker(author: Author, names: PressNames | None) -> str:
    if author.kind is AuthorKind.SEAT:
        return name_country(author, names)
    return describe_author(author, names)


def _find_person(author: Author) -> str:
    """Return the name of a person who can be blocked; blank if it is hidden or deleted."""
    return "" if author.name == DELETED_NAME else author.name


def _color(author: Author, names: PressNames | None) -> str:
    return names.color(author.power) if names and author.power else NO_COLOR


# Attachments as template values: on messages, in the composer, and the buttons that add them.
#
# To add a kind of attachment, extend the two lists and the function here, the list in `forms`, and
# `PressConfig`.


AttachLinkMaker = Callable[[str, Address | None], AttachLink | None]
"""Returns the composer button for a conversation, or None for no button."""

Describer = Callable[[PressReader, str, str], Attached | None]
"""Returns the attachment for a field's text; None if the viewer has no such thing."""


def make_proposal_link(slug: str, to: Address | None) -> AttachLink | None:
    """Return the button for a proposal, which needs one conversation of seats or everyone."""
    if to is None or to.kind not in (AddressKind.SEATS, AddressKind.PUBLIC):
        return None
    url = reverse("press:propose", args=[slug, str(to)])
    return AttachLink("Proposal", "i-deal", url, url, COMPOSE)


ATTACH_LINKS: Final[tuple[AttachLinkMaker, ...]] = (
    link_draw,
    make_proposal_link,
    make_document_link,
)
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

    Proposals are left out once the game is over.
    """
    if to is not None and to.kind is AddressKind.GRAY:
        return ()
    makers = [make for make in ATTACH_LINKS if not (is_over and make is make_proposal_link)]
    return tuple(link for make in makers if (link := make(slug, to)) is not None)


def describe_attached(
    press: PressReader, slug: str, fields: tuple[tuple[str, str], ...]
) -> Attached | None:
    """Return the attachment in a form's fields for the composer; None if there is none."""
    for name, text in fields:
        if (attached := DESCRIBERS[name](press, slug, text)) is not None:
            return attached
    return None
