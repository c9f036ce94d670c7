"""Everything one viewer may see: the only place where a person's reads are made.

What is secret is the orders of a phase until it is processed. Drafts are read in one function,
`rows.Rows.sheets`, for the viewer's own seat alone, and what is written ahead in `ahead`; the
texts and salts of receipts are told in `receipts`. All else is the same for everybody who may
see the game. A private game exists for its players only, and while it forms for whoever brings
its code.
"""

from diplomaccloud.games.viewpoint.centers import centers_plot, centers_view
from diplomaccloud.games.viewpoint.console import master_view, preview
from diplomaccloud.games.viewpoint.life import vacancies
from diplomaccloud.games.viewpoint.lobby import games_on, lobby, way_in
from diplomaccloud.games.viewpoint.people import Order, Sought, people_page
from diplomaccloud.games.viewpoint.person import person_view
from diplomaccloud.games.viewpoint.record import record_lines, statistics_view
from diplomaccloud.games.viewpoint.results import (
    compared,
    game_view,
    log_view,
    own_ahead,
    own_orders,
    phase_view,
    plain_view,
    receipts_view,
    sketch,
    state_of,
)
from diplomaccloud.games.viewpoint.visibility import Viewer, may_see, viewer_of
from diplomaccloud.games.viewpoint.why import explanation_view

__all__ = [
    "Order",
    "Sought",
    "Viewer",
    "centers_plot",
    "centers_view",
    "compared",
    "explanation_view",
    "game_view",
    "games_on",
    "lobby",
    "log_view",
    "master_view",
    "may_see",
    "own_ahead",
    "own_orders",
    "people_page",
    "person_view",
    "phase_view",
    "plain_view",
    "preview",
    "receipts_view",
    "record_lines",
    "sketch",
    "state_of",
    "statistics_view",
    "vacancies",
    "viewer_of",
    "way_in",
]
