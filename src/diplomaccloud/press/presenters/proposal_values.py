"""The values of the page for composing a proposal."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from diplomaccloud.maps.gallery import MapPicture


@dataclass(frozen=True, slots=True)
class Option:
    """A choice in the form; an order has `unit`, `to` and `kind` for taps on the map."""

    value: str
    label: str
    chosen: bool = False
    unit: str = ""
    to: str = ""
    kind: str = ""
    color: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Choices under a heading: the orders of a unit in a province."""

    label: str
    province: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class ComposedClause:
    """A clause so far: its sentence, its place, and its line in the form.

    `fault` says which of its countries is no longer a party; blank if all are.
    """

    text: str
    place: str
    line: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class ComposedAlternative:
    """An alternative so far; `name` is blank if there is only one."""

    name: str
    clauses: tuple[ComposedClause, ...]


@dataclass(frozen=True, slots=True)
class ProposalPage:
    """The page. `closed` says why no proposal can be made now; blank if one can."""

    title: str
    to: str
    url: str
    back_url: str
    carry_url: str
    key: str
    counters: int | None
    body: str
    error: str
    closed: str
    alternatives: tuple[ComposedAlternative, ...]
    left: int
    kinds: tuple[Option, ...]
    orders: tuple[OptionGroup, ...]
    forbidden: bool
    powers: tuple[Option, ...]
    parties: tuple[Option, ...]
    provinces: tuple[Option, ...]
    against: tuple[Option, ...]
    turns: tuple[Option, ...]
    places: tuple[Option, ...]
    picture: MapPicture
    overlay: SafeString
    phase: str
