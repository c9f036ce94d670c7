"""An example of each request body, for the OpenAPI description."""

from collections.abc import Mapping
from typing import Final

_TERMS: Final = {
    "v": 1,
    "phase": "S1901M",
    "parties": ["ENGLAND", "FRANCE"],
    "alternatives": [[{"clause": "peace", "powers": ["ENGLAND", "FRANCE"]}]],
}
_HASH: Final = "6ca13d52ca70c883e0f0bb101e425a89e8624de51db2d2392593af6a84118090"
EXAMPLES: Final[Mapping[str, Mapping[str, object]]] = {
    "AcceptanceGiven": {"accepts_personal": True},
    "AnswerGiven": {"phase": 1, "answer": "yes"},
    "AppealGiven": {"text": "It was a quotation."},
    "BlockGiven": {"name": "Sam", "blocked": True},
    "BoardGiven": {"board": "AQIDBAUG"},
    "BotGiven": {"bot": "level:2"},
    "ColorGiven": {"power": "FRANCE", "color": "#246c6c"},
    "ConditionalOrdersGiven": {"phase": 1, "text": "A PAR R GAS"},
    "ConsentsGiven": {"conversations": [{"with": "FRANCE", "number": 12}]},
    "CountryGiven": {"country": "Ruritania"},
    "DestinationGiven": {"kind": "email", "address": "me@example.com"},
    "DismissalGiven": {"seat": "0" * 32},
    "DocumentChangeGiven": {"with": "FRANCE", "number": 1, "text": "We divide Holland."},
    "DraftGiven": {"phase": 1, "orders": ["F LON - NTH"], "live": False},
    "DrawVoteGiven": {"phase": 1, "vote": "draw"},
    "GameGiven": {"world": "Tea and treaties", "preset": "daily", "private": True},
    "HintGiven": {"phase": 1},
    "InvitationGiven": {"name": "Sam"},
    "JoinGiven": {"code": "letmein222"},
    "JudgeGiven": {
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR"]},
        "orders": {"FRANCE": ["A PAR - BUR"]},
    },
    "KeptMapGiven": {"seed": "amber 1", "players": 5, "name": "Amber"},
    "LookGiven": {"powers": ["ENGLAND", "FRANCE"], "reason": "A report."},
    "MapPlaceGiven": {"with": "FRANCE", "number": 1},
    "MarkGiven": {"with": "FRANCE", "number": 1},
    "MasterGiven": {"phase": 1, "reason": "All players agreed.", "seconds": 86_400},
    "MessageGiven": {
        "to": ["FRANCE"],
        "subject": "The Channel",
        "body": "Do we keep it empty?",
        "proposal": {"terms": _TERMS},
    },
    "MuteGiven": {"power": "FRANCE", "muted": True},
    "NewMapGiven": {"seed": "amber 1", "players": 5},
    "NoticeSettingsGiven": {"kinds": {"message": {"chat": True}}, "zone": "Europe/Berlin"},
    "OrdersGiven": {"phase": 1, "orders": ["F LON - NTH", "A LVP - YOR"], "ready": True},
    "PersonalGiven": {"to": "Sam", "body": "Another game?"},
    "PreviewGiven": {"phase": 1, "reason": "A report."},
    "ProposalAnswerGiven": {"with": "FRANCE", "number": 1, "answer": "accept"},
    "QuestionGiven": {"phase": 1, "question": "draw"},
    "ReadinessGiven": {"ready": True},
    "RenameGiven": {"phase": 1, "new_name": "Plan B"},
    "PlayerReportGiven": {"power": "ITALY", "grounds": "accounts"},
    "ReportGiven": {"kind": "status", "of": "Sam", "grounds": "abuse"},
    "SeenGiven": {"up_to": "2026-11-23T18:00:00Z"},
    "SignatureGiven": {"with": "FRANCE", "number": 1, "digest": _HASH},
    "SoloGiven": {"bot": "level:2", "world": "Alone"},
    "StatusGiven": {"status": "On holiday until May."},
    "TalkGiven": {"phase": 1, "done": True},
    "WebhookGiven": {"address": "https://example.com/hook", "messages": True},
    "WhatIfGiven": {"orders": ["F LON - ENG", "F BRE - ENG"]},
}
"""Examples by schema name."""
