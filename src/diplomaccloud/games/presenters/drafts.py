"""What pages print of a seat's papers: drafts, what is written ahead, receipts."""

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DraftTab:
    """One of the viewer's drafts for the open phase; `shown` is the one in the order form."""

    name: str
    url: str
    live: bool
    shown: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """What one unit is ordered by the draft shown and by the live one, in plain words."""

    title: str
    here: str
    live: str

    @property
    def changed(self) -> bool:
        """Whether the two differ."""
        return self.here != self.live


@dataclass(frozen=True, slots=True)
class AheadList:
    """One list of choices, as `(value, label)`; `blank` labels none, `chosen` is in force."""

    options: tuple[tuple[str, str], ...]
    chosen: str
    blank: str


@dataclass(frozen=True, slots=True)
class AheadClause:
    """One condition with its choices: `hint` says it in a sentence, the form by `condition`."""

    condition: str
    title: str
    hint: str
    lists: tuple[AheadList, ...]


@dataclass(frozen=True, slots=True)
class AheadView:
    """What the viewer has written ahead, as lists and as text; `clauses` is what is saved.

    `was` is the text that says the same as the lists: one that is sent with another text has
    been changed. `problem` is why the last text was refused.
    """

    url: str
    retreats: tuple[AheadClause, ...]
    adjustments: tuple[AheadClause, ...]
    text: str
    was: str
    clauses: tuple[str, ...]
    saved_at: dt.datetime | None
    saved: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """The receipt of one seat for one phase; text and salt are blank while they are secret.

    `command` checks the digest in a shell; `checks` is whether it agreed when we did.
    """

    country: str
    color: str
    is_you: bool
    digest: str
    issued_at: dt.datetime
    open: bool
    salt: str
    text: str
    command: str
    checks: bool


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """One order as written: what was understood, by whom; `at` is None where that is not told."""

    order: str
    written: str
    by: str
    at: dt.datetime | None

    @property
    def differs(self) -> bool:
        """Whether it was typed otherwise than the canonical order."""
        return self.written != self.order


@dataclass(frozen=True, slots=True)
class KeptCopy:
    """The orders that count, to keep: the phase's short name, a heading, one order a line."""

    phase: str
    title: str
    text: str
