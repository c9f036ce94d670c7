"""The press panel on the game page and in the waiting room."""

from django.http import HttpRequest

from diplomaccloud.games.table.panels import GamePanel
from diplomaccloud.games.table.read import Reader
from diplomaccloud.press.addresses import TABLE
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.presenters.page import PressView
from diplomaccloud.press.presenters.press_page import (
    Desk,
    present_list,
    present_table,
)
from diplomaccloud.press.viewpoint import PressReader


def present_panel(_request: HttpRequest, reader: Reader) -> GamePanel | None:
    """Return the press panel; None if the viewer has no conversations in the game."""
    desk = Desk(PressReader.on_page(reader))
    view = _present_table(desk) if reader.is_forming else present_list(desk)
    if view is None or not view.lines:
        return None
    return GamePanel(
        key="press",
        title="Press",
        icon="i-envelope",
        template="press/_panel.html",
        view=view,
        unread=view.unread,
        styles=("press/press.css", "press/deals.css"),
        scripts=("press/start.js",),
    )


def _present_table(desk: Desk) -> PressView | None:
    try:
        facts = desk.press.conversation(TABLE)
    except NoSuchConversation:
        return None
    return present_table(desk, facts)
