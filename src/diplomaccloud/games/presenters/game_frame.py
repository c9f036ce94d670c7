"""The frame of a game page that another app fills: the bar, and links to the game's pages."""

from dataclasses import dataclass

from django.urls import reverse

from diplomaccloud.games.presenters.deadline import ClockView, present_clock
from diplomaccloud.games.presenters.game_page import GameHeader, present_header
from diplomaccloud.games.presenters.results import PhaseLink, link_phase
from diplomaccloud.games.presenters.seats import NO_COLOR
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.schedule.descriptions import join_words


@dataclass(frozen=True, slots=True)
class FrameCountry:
    """The viewer's country; `parts` are its powers if it has several."""

    power: str
    country: str
    color: str
    parts: tuple["FrameCountry", ...] = ()


@dataclass(frozen=True, slots=True)
class FrameEnding:
    """The year in which the game ended."""

    year: int


@dataclass(frozen=True, slots=True)
class FrameStatus:
    """The deadline, None without an open phase, and whether the viewer is the game master."""

    clock: ClockView | None
    is_master: bool


@dataclass(frozen=True, slots=True)
class GameFrame:
    """The parts of a `GamePage` that its templates `base` and `_pages` show.

    They need fewer queries than the whole page. `phases` has only the last processed phase.
    """

    header: GameHeader
    phases: tuple[PhaseLink, ...]
    you: FrameCountry | None
    ending: FrameEnding | None
    status: FrameStatus


def present_frame(reader: GameReader) -> GameFrame:
    """Return the frame of a page of the game."""
    newest, clock = reader.newest_name, reader.clock
    last = newest.phase if newest else reader.position.phase
    return GameFrame(
        header=present_header(reader, reverse("games:detail", args=[reader.game.slug])),
        phases=(link_phase(reader, newest),) if newest else (),
        you=_present_country(reader),
        ending=FrameEnding(last.year) if reader.is_finished else None,
        status=FrameStatus(present_clock(clock) if clock else None, reader.game.is_master),
    )


def _present_country(reader: GameReader) -> FrameCountry | None:
    """Return the viewer's country; None without a seat, or before countries are assigned."""
    powers, info, colors = reader.own_powers, reader.board.power_info, reader.colors
    if not powers:
        return None
    parts = tuple(
        FrameCountry(power, info[power].name, colors.get(power, NO_COLOR)) for power in powers
    )
    name = reader.own_country or join_words([part.country for part in parts])
    return FrameCountry(powers[0], name, parts[0].color, parts if len(parts) > 1 else ())
