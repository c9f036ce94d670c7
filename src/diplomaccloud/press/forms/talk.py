"""The form of the button "Done talking"."""

from diplomaccloud.games.table.forms import FlagField, PhaseForm


class TalkForm(PhaseForm):
    """Whether the player is done talking in a phase."""

    done = FlagField()
