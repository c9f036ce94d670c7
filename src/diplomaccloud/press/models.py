"""The rows of press, for Django, which looks for them here. Nobody else imports this module.

Each room has its own rows. Only its `actions` write them, and reads for a person go through its
`read`. Every foreign key is PROTECT. Rows of `Send` and `Message` are never changed or deleted,
which database rights enforce. The author of a gray message is stored only with its `Send`.
"""

from diplomaccloud.press.documents import models as documents
from diplomaccloud.press.maps import models as maps
from diplomaccloud.press.moderation import models as moderation
from diplomaccloud.press.openings import models as openings
from diplomaccloud.press.proposals import models as proposals
from diplomaccloud.press.table import models as table

__all__ = ["documents", "maps", "moderation", "openings", "proposals", "table"]
