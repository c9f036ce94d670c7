"""Conference maps, and hypothetical boards."""

from collections.abc import Iterable, Sequence

from diplomaccloud.api.facts.boards import describe_board, describe_results, describe_units
from diplomaccloud.api.facts.seats import describe_refused
from diplomaccloud.api.schemas.maps import MapAdopted, MapState, MapText, MarkState, WhatIf
from diplomaccloud.atlas.chart import Mark
from diplomaccloud.games.drafts.actions import AdoptedOrders
from diplomaccloud.games.orders.actions import Problem
from diplomaccloud.judge.board import Board
from diplomaccloud.press.maps.content import load_content
from diplomaccloud.press.maps.read import MapFacts
from diplomaccloud.sandbox.engine import SandboxState, replay


def describe_map(facts: MapFacts) -> MapState:
    """Return a map as shown in a message."""
    return MapState(
        number=facts.number or None,
        title=facts.title,
        at=facts.at,
        board=facts.content,
        sequence=facts.sequence,
        powers=list(facts.powers),
        order_count=facts.orders,
        mark_count=facts.marks,
        steps=facts.steps,
        may_adopt=facts.is_open and facts.has_own,
        changes=facts.before,
    )


def describe_whole_map(facts: MapFacts, board: Board, map_hash: str) -> MapText:
    """Return a map with its orders and marks."""
    state = load_content(facts.content, map_hash)
    timeline = replay(board, state)
    last = timeline.phases[-1] if timeline.phases else None
    return MapText(
        **describe_map(facts).model_dump(),
        phase=str(timeline.position.phase),
        position=describe_board(timeline.position),
        orders=[str(order) for order in state.orders],
        results=describe_results(last.resolution.results) if last else [],
        marks=_describe_marks(state.marks),
    )


def describe_adopted(adopted: AdoptedOrders) -> MapAdopted:
    """Return which orders were copied to which draft."""
    return MapAdopted(
        draft=adopted.draft,
        sequence=adopted.sequence,
        orders=[str(order) for order in adopted.orders],
        refused=describe_refused(adopted.refused),
        others=adopted.others,
    )


def describe_what_if(
    state: SandboxState, text: str, board: Board, refused: Sequence[Problem], *, is_stepped: bool
) -> WhatIf:
    """Return a hypothetical board; `is_stepped` if its last phase was adjudicated just now."""
    timeline = replay(board, state)
    resolution = timeline.phases[-1].resolution if is_stepped else None
    return WhatIf(
        board=text,
        phase=str(timeline.position.phase),
        title=timeline.position.phase.title,
        position=describe_board(timeline.position),
        orders=[str(order) for order in state.orders],
        refused=describe_refused(refused),
        marks=_describe_marks(state.marks),
        results=describe_results(resolution.results) if resolution else [],
        destroyed=describe_units(resolution.destroyed) if resolution else [],
        standoffs=list(resolution.standoffs) if resolution else [],
    )


def _describe_marks(marks: Iterable[Mark]) -> list[MarkState]:
    return [
        MarkState(
            kind=mark.kind.value,
            ink=mark.ink,
            place=str(mark.province),
            to=str(mark.to),
            text=mark.text,
        )
        for mark in marks
    ]
