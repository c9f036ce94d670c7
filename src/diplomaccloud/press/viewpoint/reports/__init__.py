"""What a person may know of reports: as the one who reports, who is concerned, or who judges.

No page names the person who reported a message, and a judge sees the evidence only. Each list is
in an order that says nothing about the people in it.
"""

from diplomaccloud.press.viewpoint.reports.audit import AuditFacts, list_moderators, read_audit
from diplomaccloud.press.viewpoint.reports.cases import (
    GROUNDS,
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

__all__ = [
    "GROUNDS",
    "AuditFacts",
    "CaseFacts",
    "CaseLine",
    "Copy",
    "DecisionFacts",
    "OwnReport",
    "OwnReports",
    "Queue",
    "ReportFacts",
    "list_moderators",
    "read_audit",
    "read_case",
    "read_copies",
    "read_inspected",
    "read_own_decision",
    "read_own_decisions",
    "read_own_reports",
    "read_queue",
    "read_unmasked",
]
