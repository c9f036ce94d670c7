"""What pages print of the order form: the units of a seat, and what each may be ordered."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.presenters.drafts import AheadView, Difference, DraftTab, ReceiptLine


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal order; `value` is what a form posts.

    `place` is the printed name of where it leads or happens, `target_title` names the unit it
    helps.
    """

    value: str
    label: str
    kind: str
    unit: str
    target: str
    to: str
    province: str
    place: str
    target_title: str


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Legal orders of one kind."""

    kind: str
    label: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """One line of the order form: a unit, a build or a disband, with every legal choice.

    `selected` is the value in force, the default if nothing is `saved`. `blank` labels an
    empty choice, if there is one. `power` names the country where a player has several.
    """

    key: str
    unit: str
    title: str
    province: str
    dislodged: bool
    by: str
    selected: str
    saved: bool
    blank: str
    groups: tuple[ChoiceGroup, ...]
    power: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """The viewer's own orders in the open phase, as one of the drafts has them.

    `sheet` is what the live draft orders, one order a line; `saved_at` when it was submitted.
    `draft` is the draft shown, and `live` whether it is the one that counts; if not,
    `differences` has a line for each unit. `ahead` is None where nothing can be written ahead,
    `by_plan` says that these orders were. `closed`: no orders are taken any more, and what
    was given is carried out at `judged_at`.
    """

    heading: str
    hint: str
    slots: tuple[Slot, ...]
    sheet: str
    ready: bool
    saved_at: dt.datetime | None
    must_order: bool
    draft: str = ""
    live: bool = True
    live_name: str = ""
    drafts: tuple[DraftTab, ...] = ()
    drafts_url: str = ""
    differences: tuple[Difference, ...] = ()
    ahead: AheadView | None = None
    by_plan: bool = False
    closed: bool = False
    judged_at: dt.datetime | None = None
    copy_url: str = ""
    receipt: ReceiptLine | None = None
