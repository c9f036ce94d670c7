"""Panels that other apps add to the game page: `settings.GAME_PANELS` and `PHASE_PANELS`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from diplomaccloud.games.table.read import Reader


@dataclass(frozen=True, slots=True)
class PanelLink:
    """A page that belongs to a panel."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class GamePanel:
    """A panel of the game page for one viewer.

    `key` names its tab and section, `icon` a symbol of `pages/icons.svg`. The template gets
    `view` as `panel`. `unread` is a number on the tab, with `unread_word` after it for screen
    readers. `styles` and `scripts` are static files that the page must load; on the page of a
    running game, the scripts load `later_styles` once the panel is shown. `link` is shown beside
    the result of a finished game. `phase_query` is a query that links to other phases keep.
    """

    key: str
    title: str
    icon: str
    template: str
    view: object
    unread: int = 0
    unread_word: str = "unread"
    styles: tuple[str, ...] = ()
    later_styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    link: PanelLink | None = None
    phase_query: str = ""


Panel = Callable[..., GamePanel | None]
"""Returns the panel of one app, None if there is nothing in it for the viewer.

It gets the request and the reader; for the page of a processed phase, also its sequence.
"""


def list_panels(request: HttpRequest, reader: Reader) -> tuple[GamePanel, ...]:
    """Return the panels for the viewer of the game page, in the order of the setting."""
    panels = (function(request, reader) for function in _load_functions("GAME_PANELS"))
    return tuple(panel for panel in panels if panel is not None)


def list_phase_panels(request: HttpRequest, reader: Reader, sequence: int) -> tuple[GamePanel, ...]:
    """Return the panels of the page of a past phase, in the order of the setting."""
    functions = _load_functions("PHASE_PANELS")
    panels = (function(request, reader, sequence) for function in functions)
    return tuple(panel for panel in panels if panel is not None)


@cache
def _load_functions(setting: str) -> tuple[Panel, ...]:
    return tuple(map(import_string, getattr(settings, setting)))
