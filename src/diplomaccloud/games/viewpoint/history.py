"""What the page of a phase tells besides its results: votes, and what was rolled back."""

from collections.abc import Sequence

from django.db.models import Q

from diplomaccloud.games.actions.master.rollback import BACK
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import LogEntry, Phase
from diplomaccloud.games.presenters.game_status import AbandonedLine, HistoryView
from diplomaccloud.games.presenters.results import PhaseLink
from diplomaccloud.games.viewpoint.table import Table


def find_phase(table: Table, sequence: int) -> tuple[Phase, Sequence[PhaseLink]]:
    """Return a processed phase and all of its line, oldest first; raise `NoSuchGame`.

    One that a roll-back left behind is found too; one that was not processed yet, or was left
    behind or taken up again while this was read, is not.
    """
    links = table.links
    rows = table.game.phases.exclude(processed_at=None)
    phase = rows.filter(sequence=sequence).first()
    if phase is None:
        raise NoSuchGame
    if phase.superseded_at is not None:
        line = rows.filter(superseded_at=phase.superseded_at).order_by("sequence")
        links = tuple(table.link(*row) for row in line.values_list("sequence", "name"))
    if all(link.sequence != sequence for link in links):
        raise NoSuchGame
    return phase, links


def history_of(table: Table, phase: Phase) -> HistoryView:
    """Return what is to be told of a processed phase besides its results."""
    lines_told = table.game.log.filter(Q(phase=phase, kind="votes") | Q(kind=BACK)).order_by("-pk")
    told = next((entry for entry in lines_told if entry.kind != BACK), None)
    backs = [entry for entry in lines_told if entry.kind == BACK]
    rows = table.game.phases.exclude(superseded_at=None).exclude(processed_at=None)
    by_key = (
        {row.pk: row for row in rows.only("pk", "sequence", "name", "game_id")} if backs else {}
    )
    lines = {entry.pk: _abandoned(table, entry, by_key) for entry in backs}
    left = [
        lines[entry.pk]
        for entry in backs
        if phase.superseded_at is not None and phase.pk in entry.data["phases"]
    ]
    return HistoryView(
        told=told.text if told else "",
        left=left[0] if left else None,
        lines=tuple(line for line in lines.values() if line.phases),
    )


def _abandoned(table: Table, entry: LogEntry, by_key: dict[int, Phase]) -> AbandonedLine:
    found = [by_key[key] for key in entry.data["phases"] if key in by_key]
    links = [table.link(row.sequence, row.name) for row in found]
    return AbandonedLine(
        entry.at, entry.text, entry.reason, tuple((link.title, link.url) for link in links)
    )
