"""Load the board for a name, a file or an inline map, whose drawing is checked, too."""

from diplomaccloud.atlas.chartfile import chart_from_json
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.protocol.boards import BoardLoader as PlainLoader


class BoardLoader(PlainLoader):
    """Loads boards as the judge does, but refuses a map with any fault that the site refuses."""

    def read_map(self, data: dict[str, object]) -> Board:
        """Return the board of a map with a drawing; raise `ChartError` with its faults."""
        return chart_from_json(data).board
