"""What a person may know about reports, as the reporter, the person concerned or the judge.

No page names the person who reported a message, and a judge sees only the evidence. The order of
each list reveals nothing about the people in it.
"""

from diplomaccloud.press.models.texts import TextKind, TextStage
from diplomaccloud.press.viewpoint.reports.audit import AuditFacts, list_moderators, read_audit
from diplomaccloud.press.viewpoint.reports.cases import (
    GROUNDS,
    GROUNDS_OF_PLAYERS,
    CaseFacts,
    CaseLine,
    Copy,
    Queue,
    ReportFacts,
    read_case,
    read_copies,
    read_inspected,
    read_queue,
    read_unmasked,
)
from diplomaccloud.press.viewpoint.reports.own import (
    DecisionFacts,
    OwnReport,
    OwnReports,
    read_own_decision,
    read_own_decisions,
    read_own_reports,
)
from diplomaccloud.press.viewpoint.reports.players import PlayerChoice, read_player_choices
from diplomaccloud.press.viewpoint.reports.signals import Signals, read_signals
from diplomaccloud.press.viewpoint.reports.stops import StoppedGame, read_stopped_games
from diplomaccloud.press.viewpoint.reports.texts import (
    OwnText,
    TextCaseFacts,
    TextLine,
    TextQueue,
    is_text_reported,
    read_own_texts,
    read_reportable,
    read_text_case,
    read_text_queue,
)

__all__ = [
    "GROUNDS",
    "GROUNDS_OF_PLAYERS",
    "AuditFacts",
    "CaseFacts",
    "CaseLine",
    "Copy",
    "DecisionFacts",
    "OwnReport",
    "OwnReports",
    "OwnText",
    "PlayerChoice",
    "Queue",
    "ReportFacts",
    "Signals",
    "StoppedGame",
    "TextCaseFacts",
    "TextKind",
    "TextLine",
    "TextQueue",
    "TextStage",
    "is_text_reported",
    "list_moderators",
    "read_audit",
    "read_case",
    "read_copies",
    "read_inspected",
    "read_own_decision",
    "read_own_decisions",
    "read_own_reports",
    "read_own_texts",
    "read_player_choices",
    "read_queue",
    "read_reportable",
    "read_signals",
    "read_stopped_games",
    "read_text_case",
    "read_text_queue",
    "read_unmasked",
]
