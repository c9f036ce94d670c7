"""Whether a game master may look at private conversations, for both actions and pages."""

from typing import Final

from diplomaccloud.press.table import Table

LOOK: Final = "look"
"""The kind of a look's entry in the log."""
PLAYED: Final = "A game master who plays or has played in this game cannot read private messages."


def may_look(table: Table) -> bool:
    """Return whether the person is the game master of a game with this option.

    A game master who ever held a seat may not look either, but sees the reason.
    """
    return table.game.options.talk.master_reads and table.game.master_id == table.user_id
