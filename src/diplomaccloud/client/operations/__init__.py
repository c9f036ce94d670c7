"""All operations of the API.

Written by `scripts/client` from the description of the API: change that instead.
"""

from diplomaccloud.client.operations.archive import Archive
from diplomaccloud.client.operations.events import Events
from diplomaccloud.client.operations.history import History
from diplomaccloud.client.operations.judge import Judge
from diplomaccloud.client.operations.lobby import Lobby
from diplomaccloud.client.operations.maps import Maps
from diplomaccloud.client.operations.master import Master
from diplomaccloud.client.operations.notices import Notices
from diplomaccloud.client.operations.people import People
from diplomaccloud.client.operations.players import Players
from diplomaccloud.client.operations.press import Press
from diplomaccloud.client.operations.reading import Reading
from diplomaccloud.client.operations.seat import Seat
from diplomaccloud.client.operations.webhooks import Webhooks


class Operations(
    Archive,
    Events,
    History,
    Judge,
    Lobby,
    Maps,
    Master,
    Notices,
    People,
    Players,
    Press,
    Reading,
    Seat,
    Webhooks,
):
    """A method for each operation."""
