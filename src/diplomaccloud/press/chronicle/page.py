"""The chronicle of a finished game, in words: its cover, its chapters and their messages."""

from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString

from diplomaccloud.games.results.page import EndingView, PhaseReport, present_ending, report_results
from diplomaccloud.games.results.read import read_processed
from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.seats.read import SeatView
from diplomaccloud.games.table.options import Opening
from diplomaccloud.games.table.read import Reader
from diplomaccloud.press.chronicle.read import (
    AFTER,
    BEFORE,
    ChapterFacts,
    ChronicleReader,
    OpenMessage,
    OpenPage,
)
from diplomaccloud.press.conversations.page import AttachmentView
from diplomaccloud.press.conversations.wording import describe_author
from diplomaccloud.press.maps.page import describe_map, list_drawn, title_map
from diplomaccloud.press.maps.read import MapFacts
from diplomaccloud.press.page.page import present_attachment
from diplomaccloud.press.table.addresses import AddressKind, AttachmentKind
from diplomaccloud.press.table.read import AttachmentFacts, AuthorKind, MessageFacts
from diplomaccloud.press.table.wording import PressNames, render_text, title_phase
from diplomaccloud.schedule.descriptions import join_words

_TITLES = {BEFORE: "Before the game", AFTER: "After the end"}
OPENING = {
    Opening.CONSENT: (
        "Private conversations appear once everyone who could ever read them has agreed."
    ),
    Opening.END: "The players agreed to open their conversations at the end of the game.",
    Opening.NEVER: "The players agreed that private conversations are never opened.",
}
"""Which press is in a chronicle."""
_ATTACHED = {kind: f"With a {kind}" for kind in AttachmentKind} | {AttachmentKind.NONE: ""}
PAGE_OF_PANEL = 50
"""How many messages the panel beside the map shows."""


@dataclass(frozen=True, slots=True)
class Speech:
    """A message in a chronicle: who speaks to whom.

    `follows` says that the previous message has the same author and readers. `attached` names
    attachments that `attachments` does not show.
    """

    facts: MessageFacts
    speaker: str
    to: str
    color: str
    letters: str
    body: SafeString
    attached: str
    attachments: tuple[AttachmentView, ...]
    follows: bool


@dataclass(frozen=True, slots=True)
class MapFigure:
    """A map attached to a message, with its contents as text; `url` is its small picture's."""

    url: str
    title: str
    caption: str
    orders: tuple[str, ...]
    marks: tuple[str, ...]
    template: str = "press/chronicle/_speech_map.html"


@dataclass(frozen=True, slots=True)
class ChapterLink:
    """A chapter and its address; `undone` says that the phase was rolled back."""

    title: str
    url: str
    undone: bool


@dataclass(frozen=True, slots=True)
class CountryFilter:
    """A link that filters messages by country; blank for all countries."""

    country: str
    color: str
    url: str
    is_current: bool
    letters: str = ""


@dataclass(frozen=True, slots=True)
class CoverView:
    """The first page of a chronicle.

    `years` are titles with chapters; the title is blank before and after all phases.
    """

    years: tuple[tuple[str, tuple[ChapterLink, ...]], ...]
    first: ChapterLink
    span: str
    ending: EndingView | None
    cast: tuple[SeatView, ...]
    about: str


@dataclass(frozen=True, slots=True)
class PanelView:
    """The messages of a phase or chapter, which has this title; `none` says that there are none."""

    title: str
    speeches: tuple[Speech, ...]
    filters: tuple[CountryFilter, ...]
    none: str
    url: str
    cover_url: str
    has_more: bool


@dataclass(frozen=True, slots=True)
class ChapterView:
    """One chapter, or a page of it; `report` is None if the phase was never processed."""

    panel: PanelView
    number: int
    of: int
    undone: bool
    previous: ChapterLink | None
    next: ChapterLink | None
    report: PhaseReport | None
    earlier_url: str
    more_url: str
    country: str


def present_cover(reader: Reader, seats: Seats, chronicle: ChronicleReader) -> CoverView:
    """Return the cover of a finished game."""
    links = [(chapter, _link(reader, chapter)) for chapter in chronicle.chapters]
    phases = [chapter.phase for chapter in chronicle.chapters if chapter.phase]
    years = groupby(links, lambda pair: str(pair[0].phase.year) if pair[0].phase else "")
    return CoverView(
        years=tuple((year, tuple(link for _, link in part)) for year, part in years),
        first=links[0][1],
        span=f"{title_phase(phases[0])} to {title_phase(phases[-1])}",
        ending=present_ending(reader, seats),
        cast=seats.all,
        about=OPENING[reader.game.options.talk.opening],
    )


def present_chapter(
    reader: Reader,
    seats: Seats,
    chronicle: ChronicleReader,
    name: str,
    *,
    country: str = "",
    page: int = 1,
) -> ChapterView:
    """Return a page of a chapter; raise `NoSuchGame` if there is no such chapter."""
    facts, names = chronicle.chapter(name), PressNames.of_seats(seats)
    country = country if names.has(country) else ""
    panel = present_phase(
        reader, seats, chronicle, name, title=_title(facts), country=country, page=page
    )
    links = [_link(reader, chapter, country) for chapter in chronicle.chapters]
    place = chronicle.chapters.index(facts)
    return ChapterView(
        panel=panel,
        number=place + 1,
        of=len(links),
        undone=facts.undone,
        previous=links[place - 1] if place else None,
        next=links[place + 1] if place + 1 < len(links) else None,
        report=(
            report_results(reader, seats, read_processed(reader, int(name)))
            if facts.processed
            else None
        ),
        earlier_url=_page_url(reader, name, country, page - 1) if page > 1 else "",
        more_url=_page_url(reader, name, country, page + 1) if panel.has_more else "",
        country=names.country(country) if country else "",
    )


def present_phase(
    reader: Reader,
    seats: Seats,
    chronicle: ChronicleReader,
    name: str,
    *,
    title: str,
    country: str = "",
    filter_url: str = "",
    page: int | None = None,
) -> PanelView:
    """Return the messages of a phase, for the panel beside the map, or a `page` of a chapter.

    Only chapters show attachments.
    """
    names, url = PressNames.of_seats(seats), _url(reader, name)
    country = country if names.has(country) else ""
    if page is None:
        part = chronicle.read_messages(name, country=country, limit=PAGE_OF_PANEL)
    else:
        part = chronicle.read_messages(name, country=country, page=page, with_attachments=True)
    about = f" from or to {names.country(country)}" if country else ""
    return PanelView(
        title=title,
        speeches=_list_speeches(reader, names, part, name),
        filters=_list_filters(names, filter_url or url, country),
        none=f"No open messages{about} in this phase.",
        url=_add_country(url, country),
        cover_url=reverse("press:chronicle", args=[reader.game.slug]),
        has_more=part.has_more,
    )


def _list_speeches(
    reader: Reader, names: PressNames, page: OpenPage, chapter: str
) -> tuple[Speech, ...]:
    codes = frozenset(map(str, reader.board.by_code))
    speeches: list[Speech] = []
    before: tuple[object, ...] = ()
    for entry in page.messages:
        message, author = entry.message, entry.message.author
        voice = (author, entry.kind, entry.powers)
        speeches.append(
            Speech(
                facts=message,
                speaker=names.country(author.power)
                if author.kind is AuthorKind.SEAT
                else describe_author(author, names),
                to=_describe_addressees(entry, names),
                color=names.color(author.power) if author.power else "",
                letters=names.letters(author.power) if author.power else "",
                body=render_text(message.body, codes),
                attached="" if message.attachments else _ATTACHED[message.attached],
                attachments=tuple(
                    _present_attachment(reader, chapter, entry, part)
                    for part in message.attachments
                ),
                follows=voice == before and author.kind is not AuthorKind.UNSIGNED,
            )
        )
        before = voice
    return tuple(speeches)


def _present_attachment(
    reader: Reader, chapter: str, entry: OpenMessage, part: AttachmentFacts
) -> AttachmentView:
    if not isinstance(part, MapFacts):
        return present_attachment(part, "")
    url = reverse("press:chapter-map", args=[reader.game.slug, chapter, entry.token])
    orders, marks = list_drawn(part.content, reader.game.map_hash)
    return MapFigure(url, title_map(part), describe_map(part), orders, marks)


def _describe_addressees(entry: OpenMessage, names: PressNames) -> str:
    author = entry.message.author
    if entry.kind is AddressKind.NOTES:
        return "in the notes"
    if entry.kind is AddressKind.PREGAME:
        return "to the table"
    if entry.kind.is_for_all:
        return "to everyone"
    others = [names.country(power) for power in entry.powers if power != author.power]
    return f"to {join_words(others)}" if others else "to the game master"


def _list_filters(names: PressNames, url: str, country: str) -> tuple[CountryFilter, ...]:
    return (
        CountryFilter("All", "", url, not country),
        *(
            CountryFilter(
                names.country(power),
                names.color(power),
                _add_country(url, power),
                power == country,
                names.letters(power),
            )
            for power in names.powers
        ),
    )


def _link(reader: Reader, chapter: ChapterFacts, country: str = "") -> ChapterLink:
    url = _add_country(_url(reader, chapter.name), country)
    return ChapterLink(_title(chapter), url, chapter.undone)


def _title(chapter: ChapterFacts) -> str:
    return title_phase(chapter.phase) if chapter.phase else _TITLES[chapter.name]


def _url(reader: Reader, name: str) -> str:
    return reverse("press:chapter", args=[reader.game.slug, name])


def _add_country(url: str, country: str) -> str:
    return f"{url}?{urlencode({'country': country})}" if country else url


def _page_url(reader: Reader, name: str, country: str, page: int) -> str:
    url = _add_country(_url(reader, name), country)
    return f"{url}{'&' if country else '?'}page={page}" if page > 1 else url
