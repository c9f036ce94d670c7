"""The game master's console: for the master of a game alone."""

import secrets

from diplomaccloud.games.actions.master.rollback import BACK
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Tenure
from diplomaccloud.games.presenters.game_page import GameView
from diplomaccloud.games.presenters.game_status import MasterView
from diplomaccloud.games.presenters.report import Processed, report
from diplomaccloud.games.presenters.results import PhaseLink, PhaseReport
from diplomaccloud.games.viewpoint.game import view_of
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.games.viewpoint.votes import lengths_up_to
from diplomaccloud.judge.results import Resolution
from diplomaccloud.maps.gallery import build_map_picture


def master_view(slug: str, viewer: Viewer) -> tuple[GameView, MasterView]:
    """Return the game and what its master can do; raise `NoSuchGame` for anybody else."""
    table = _mastered(slug, viewer)
    view, caps = view_of(table, drawn=False), table.options.schedule.caps
    clock = view.life.clock
    played = Tenure.objects.filter(seat__game=table.game, user=viewer.user_id)
    return view, MasterView(
        key=secrets.token_hex(8),
        plays=table.mine is not None or played.exists(),
        paused=clock is not None and clock.state == "paused",
        extensions=lengths_up_to(caps.extension),
        pauses=lengths_up_to(caps.pause),
        people=tuple(
            (seat.power, seat.country, seat.player)
            for row, seat in zip(table.seat_rows, table.seats, strict=True)
            if row.user is not None and row.power
        ),
        back=tuple((link.sequence, link.title) for link in reversed(table.links)),
        forward=_can_go_forward(table),
    )


def preview(slug: str, viewer: Viewer, resolution: Resolution) -> PhaseReport:
    """Return what `actions.look_ahead` told, as the page of a phase is drawn."""
    table = _mastered(slug, viewer)
    if table.phase is None:
        raise NoSuchGame
    position = table.phase.position
    link = PhaseLink(table.phase.sequence, table.phase.name, position.phase.title, "")
    return report(
        Processed(link, position, resolution),
        table.chart,
        build_map_picture(table.game.chart.content_hash, table.chart),
        flags=table.flags,
        links=(link,),
        colours=table.colours,
    )


def _mastered(slug: str, viewer: Viewer) -> Table:
    table = Table(slug, viewer)
    if viewer.user_id is None or table.game.master_id != viewer.user_id:
        raise NoSuchGame
    return table


def _can_go_forward(table: Table) -> bool:
    entry = table.game.log.filter(kind=BACK, key=f"line {table.game.line}").first()
    if entry is None or table.game.log.filter(key=f"undone {entry.pk}").exists():
        return False
    return not table.processed.filter(line=table.game.line).exists()
