"""The kinds of notices, the ways to send them, and what is on by default."""

import datetime as dt
from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class NoticeKind(StrEnum):
    """What a notice is about, as stored."""

    REMINDER = "reminder"
    RESULT = "result"
    STARTED = "started"
    MUSTER = "muster"
    FINISHED = "finished"
    DEADLINE = "deadline"
    VOTE = "vote"
    VOTE_ABOUT_YOU = "vote about you"
    PLAYERS = "players"
    SEAT = "seat"
    FOLLOWED_GAME = "followed game"
    FOLLOWED_PERSON = "followed person"
    MESSAGE = "message"
    PERSONAL = "personal"
    PUBLIC = "public"
    ANSWER = "answer"
    OPENING = "opening"
    LOOKED_AT = "looked at"
    REPORT = "report"
    DECIDED = "decided"
    JUDGED = "judged"
    SWITCHED_OFF = "switched off"
    TEST = "test"


class Channel(StrEnum):
    """What a destination is, as stored."""

    PUSH = "push"
    EMAIL = "email"
    SLACK = "slack"
    DISCORD = "discord"
    WEBHOOK = "webhook"


class Group(StrEnum):
    """The groups of channels that people choose, which are the columns of the settings."""

    PUSH = "push"
    EMAIL = "email"
    CHAT = "chat"


class Default(StrEnum):
    """Whether a kind is sent by default; `NEVER` cannot be chosen."""

    ON = "on"
    OFF = "off"
    NEVER = "never"


GROUPS: Final[Mapping[Channel, Group]] = {
    Channel.PUSH: Group.PUSH,
    Channel.EMAIL: Group.EMAIL,
    Channel.SLACK: Group.CHAT,
    Channel.DISCORD: Group.CHAT,
    Channel.WEBHOOK: Group.CHAT,
}
_ON, _OFF, _NEVER = Default
DEFAULTS: Final[Mapping[NoticeKind, Mapping[Group, Default]]] = {
    kind: dict(zip(Group, row, strict=True))
    for kind, row in {
        NoticeKind.REMINDER: (_ON, _ON, _ON),
        NoticeKind.RESULT: (_ON, _ON, _ON),
        NoticeKind.MUSTER: (_ON, _ON, _ON),
        NoticeKind.STARTED: (_ON, _ON, _ON),
        NoticeKind.FINISHED: (_ON, _ON, _ON),
        NoticeKind.DEADLINE: (_ON, _ON, _ON),
        NoticeKind.VOTE: (_ON, _ON, _ON),
        NoticeKind.PLAYERS: (_OFF, _ON, _ON),
        NoticeKind.MESSAGE: (_ON, _ON, _OFF),
        NoticeKind.PUBLIC: (_OFF, _ON, _ON),
        NoticeKind.FOLLOWED_PERSON: (_ON, _ON, _OFF),
        NoticeKind.FOLLOWED_GAME: (_ON, _ON, _OFF),
        NoticeKind.SEAT: (_NEVER, _ON, _NEVER),
    }.items()
}
"""The rows and columns of the settings. The site always lists every notice as well."""
_ROWS: Final[Mapping[NoticeKind, NoticeKind]] = {
    NoticeKind.VOTE_ABOUT_YOU: NoticeKind.VOTE,
    NoticeKind.PERSONAL: NoticeKind.MESSAGE,
    NoticeKind.ANSWER: NoticeKind.MESSAGE,
    NoticeKind.OPENING: NoticeKind.MESSAGE,
    NoticeKind.LOOKED_AT: NoticeKind.SEAT,
    NoticeKind.REPORT: NoticeKind.SEAT,
    NoticeKind.DECIDED: NoticeKind.SEAT,
    NoticeKind.JUDGED: NoticeKind.SEAT,
}
"""Kinds without a row of their own, each with the kind whose setting they share."""
MESSAGE_KINDS: Final = frozenset(
    {
        NoticeKind.MESSAGE,
        NoticeKind.PERSONAL,
        NoticeKind.PUBLIC,
        NoticeKind.ANSWER,
        NoticeKind.OPENING,
    }
)
"""The kinds of notices about conversations."""
VOTE_KINDS: Final = frozenset({NoticeKind.VOTE, NoticeKind.VOTE_ABOUT_YOU})
"""The kinds of notices about votes."""

DIGEST_DELAY: Final = dt.timedelta(minutes=15)
"""How long e-mail is delayed, so that the person may see the site first and notices are bundled."""
BUNDLED_KINDS: Final = MESSAGE_KINDS | {
    *(NoticeKind.RESULT, NoticeKind.DEADLINE, NoticeKind.VOTE, NoticeKind.PLAYERS),
    *(NoticeKind.FOLLOWED_GAME, NoticeKind.FOLLOWED_PERSON),
}
"""The kinds that are e-mailed after this delay; others at once."""
USEFUL_FOR: Final = dt.timedelta(days=7)
"""How long a notice without a deadline stays worth sending."""
REMINDER_HOURS: Final = (24, 4, 1)
"""How many hours before a deadline players are reminded."""
MAILED_HOURS: Final = frozenset({24, 4})
"""The reminders sent by e-mail. The last one might arrive too late."""
SECRET_PREFIX: Final = "whsec_"  # noqa: S105
"""The prefix of a webhook secret, from Standard Webhooks."""


def find_row(kind: NoticeKind) -> NoticeKind:
    """Return the settings row that controls the kind."""
    return _ROWS.get(kind, kind)


def is_offered(kind: str, group: Group) -> bool:
    """Return whether a settings row has a choice for the group."""
    return kind in DEFAULTS and DEFAULTS[NoticeKind(kind)][group] is not Default.NEVER
