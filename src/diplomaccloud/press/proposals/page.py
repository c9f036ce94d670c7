"""A proposal's card in its message, and the page for composing one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from django.utils.safestring import SafeString

from diplomaccloud.deals import (
    MAX_ALTERNATIVES,
    MAX_CLAUSES,
    Clause,
    DealNames,
    DealTurn,
    DealVerdict,
    Draw,
    Finding,
    Terms,
    TermsError,
    clause_from_json,
    clause_to_json,
    describe_clause,
    describe_finding,
    powers_bound,
    require_possible,
    terms_from_json,
)
from diplomaccloud.games.results.page import draw_position
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec.orders import order_to_json
from diplomaccloud.judge.codec.reader import CodecError
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Build, Order, Waive, power_of
from diplomaccloud.judge.phases import Phase, Season
from diplomaccloud.maps.gallery import MapPicture, build_map_picture
from diplomaccloud.press.conversations.page import Desk, make_key
from diplomaccloud.press.proposals.read import LedgerFacts, ProposalFacts
from diplomaccloud.press.proposals.wording import (
    ANSWERS,
    LETTERS,
    NOTES,
    STATES,
    YOU,
    ProposalState,
)
from diplomaccloud.press.table.addresses import Address, AddressKind
from diplomaccloud.press.table.wording import title_phase
from diplomaccloud.sandbox.order_choices import describe_choice, unit_title


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding of the ledger in one sentence; `tone` is `kept`, `broken` or `moot`."""

    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause as a sentence, with the ledger's findings."""

    text: str
    findings: tuple[FindingView, ...] = ()


@dataclass(frozen=True, slots=True)
class AlternativeView:
    """The clauses of an alternative; `name` is blank if there is only one."""

    number: int
    name: str
    clauses: tuple[ClauseView, ...]
    accepted: bool = False
    passed_over: bool = False


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal's card; `url` is its address, and `is_live` says whether it may still change."""

    proposal: ProposalFacts
    url: str
    state: str
    note: str
    alternatives: tuple[AlternativeView, ...]
    answers: tuple[str, ...]
    counter_url: str
    is_live: bool
    template: str = "press/proposals/_card.html"


def present_proposal(facts: ProposalFacts, url: str) -> ProposalView:
    """Return the card of a proposal whose message is at `url`, blank in a chronicle."""
    names = DealNames(facts.board, facts.countries)
    conversation, _, number = url.rstrip("/").rpartition("/")
    final = any(entry.final for entry in facts.ledger)
    return ProposalView(
        proposal=facts,
        url=f"{url}proposal/",
        state=STATES[facts.state],
        note=NOTES.get(facts.state, ""),
        alternatives=present_alternatives(facts, names),
        answers=_list_answers(facts, names),
        counter_url=f"{conversation}/proposal/?counter={number}",
        is_live=bool(url)
        and (
            facts.state is ProposalState.OPEN
            or (facts.state is ProposalState.ACCEPTED and not final)
        ),
    )


def present_alternatives(facts: ProposalFacts, names: DealNames) -> tuple[AlternativeView, ...]:
    """Return the alternatives with the ledger's findings about the accepted one."""
    many = len(facts.terms.alternatives) > 1
    return tuple(
        AlternativeView(
            number=number,
            name=LETTERS[number] if many else "",
            clauses=tuple(
                ClauseView(
                    describe_clause(clause, names),
                    summarize_findings(index, clause, facts.ledger, names)
                    if number == facts.alternative
                    else (),
                )
                for index, clause in enumerate(clauses)
            ),
            accepted=many and number == facts.alternative,
            passed_over=facts.alternative is not None and number != facts.alternative,
        )
        for number, clauses in enumerate(facts.terms.alternatives)
    )


def summarize_findings(
    index: int, clause: Clause, ledger: Sequence[LedgerFacts], names: DealNames
) -> tuple[FindingView, ...]:
    """Return the findings of all phases so far about a clause: breaches, or that it was kept."""
    judged = [
        (entry.phase, finding)
        for entry in ledger
        for finding in entry.findings
        if finding.clause == index
    ]
    broken = [(phase, found) for phase, found in judged if found.verdict is DealVerdict.BROKEN]
    if broken:
        return tuple(
            FindingView(f"{title_phase(phase)}: {describe_finding(found, clause, names)}", "broken")
            for phase, found in broken
        )
    if not judged:
        return ()
    phase = judged[-1][0]
    if all(found.verdict is DealVerdict.MOOT for _, found in judged if _ == phase):
        return (FindingView(_describe_moot(clause), "moot"),)
    return (FindingView(f"Kept in {title_phase(phase)}.", "kept"),)


def _describe_moot(clause: Clause) -> str:
    return "Nobody had to vote." if isinstance(clause, Draw) else "No longer matters."


def present_findings(
    index: int, clause: Clause, findings: Sequence[Finding], names: DealNames
) -> tuple[FindingView, ...]:
    """Return the findings of one phase about a clause, in as few sentences as possible."""
    about = [found for found in findings if found.clause == index]
    kept = [found.power for found in about if found.verdict is DealVerdict.KEPT]
    others = [
        FindingView(describe_finding(found, clause, names), found.verdict.value)
        for found in about
        if found.verdict is not DealVerdict.KEPT
    ]
    if kept:
        others.insert(0, FindingView(f"{names.list_countries(kept)} kept this.", "kept"))
    return tuple(others)


def _list_answers(facts: ProposalFacts, names: DealNames) -> tuple[str, ...]:
    given = [
        ANSWERS[answer.answer].format(country=_country(answer.power, facts, names))
        for answer in facts.answers
    ]
    answered = {answer.power for answer in facts.answers}
    if facts.state is ProposalState.OPEN:
        waiting = [
            _country(power, facts, names)
            for power in facts.parties
            if power != facts.proposer and power not in answered
        ]
        given += [
            "You have not answered." if country == YOU else f"{country} has not answered."
            for country in waiting
        ]
    return tuple(given)


def _country(power: str, facts: ProposalFacts, names: DealNames) -> str:
    if power == facts.own:
        return YOU
    known = {str(key): key for key in facts.board.power_info}
    return names.country(known[power]) if power in known else power


# The values of the page for composing a proposal.


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


# A proposal that is being composed in a form, as unchecked values.


KINDS: Final = ("order", "dmz", "peace", "alliance", "draw")
"""The kinds of clauses that a form offers."""


@dataclass(frozen=True, slots=True)
class ClauseFields:
    """The fields for the clause to add, as sent.

    `order` is a power and an order, `FRANCE A PAR - BUR`; `powers` and `provinces` are codes.
    """

    kind: str = "order"
    order: str = ""
    forbidden: bool = False
    powers: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    until: str = ""
    alternative: int = 0


@dataclass(frozen=True, slots=True)
class ProposalDraft:
    """A proposal that is being composed; `clauses` are JSON of `deals`, by alternative."""

    alternatives: tuple[tuple[object, ...], ...] = ()
    parties: tuple[str, ...] = ()
    body: str = ""
    key: str = ""
    counters: int | None = None
    fields: ClauseFields = field(default_factory=ClauseFields)
    do: str = ""


@dataclass(frozen=True, slots=True)
class ProposalPage:
    """The page for a proposal to `address`; clauses and choices follow from the `form` so far."""

    form: ProposalDraft
    address: str
    title: str
    to: str
    key: str
    alternatives: tuple[ComposedAlternative, ...]
    left: int
    kinds: tuple[Option, ...]
    orders: tuple[OptionGroup, ...]
    powers: tuple[Option, ...]
    parties: tuple[Option, ...]
    provinces: tuple[Option, ...]
    against: tuple[Option, ...]
    turns: tuple[Option, ...]
    places: tuple[Option, ...]
    picture: MapPicture
    overlay: SafeString
    phase: str


def write_clause_line(alternative: int, clause: Mapping[str, object]) -> str:
    """Return a clause as the form carries it."""
    return f"{alternative} {json.dumps(clause, sort_keys=True)}"


def remove_clause(
    alternatives: tuple[tuple[object, ...], ...], place: str
) -> tuple[tuple[object, ...], ...]:
    """Return the clauses without the one at `place`, such as `1.0`, dropping empty alternatives."""
    kept = (
        tuple(c for index, c in enumerate(clauses) if f"{number}.{index}" != place)
        for number, clauses in enumerate(alternatives)
    )
    return tuple(clauses for clauses in kept if clauses)


# The page for composing a proposal: the clauses so far, and the fields for the next one.


TURNS_AHEAD: Final = 8
"""How many seasons a clause can choose from for its end."""
_KIND_LABELS: Final = {
    "order": "Order",
    "dmz": "Zone",
    "peace": "Peace",
    "alliance": "Alliance",
    "draw": "Draw",
}
_KIND_HELP: Final = {
    "order": "A unit gets this order, or does not get it, in this phase.",
    "dmz": "Units inside leave on their first move. Nobody moves, supports, convoys, retreats or "
    "builds into the zone.",
    "peace": "Nobody moves into another party’s unit or center, or helps "
    "such a move, unless agreed.",
    "alliance": "Peace between the allies. The rest isn’t judged.",
    "draw": "Each party writes DRAW with its orders if the others do.",
}


class Drafting:
    """Composes terms for one conversation in a game, from the data of a form."""

    def __init__(self, desk: Desk, address: Address, form: ProposalDraft) -> None:
        self.desk, self.address, self.form = desk, address, form
        reader = desk.reader
        self.board, self.position = reader.board, reader.position
        self.rules = reader.game.rules
        self._groups = [tuple(map(Power, group)) for group in desk.press.groups]
        self.own = tuple(map(Power, reader.own_powers))
        self.names = DealNames(self.board, self._name_countries())

    def _name_countries(self) -> dict[Power, str]:
        names = self.desk.names
        return {group[0]: names.country(group[0]) for group in self._groups if len(group) == 1}

    @property
    def parties(self) -> tuple[Power, ...]:
        """The parties: the members or, in public, the viewer and the chosen countries."""
        is_public = self.address.kind is AddressKind.PUBLIC
        firsts = set(self.form.parties if is_public else self.address.powers)
        powers = {power for group in self._groups if group[0] in firsts for power in group}
        return tuple(sorted(powers.union(self.own)))

    def write_terms(self, alternatives: Sequence[Sequence[object]]) -> dict[str, object]:
        """Return the JSON of terms with these clauses."""
        return {
            "v": 1,
            "phase": str(self.position.phase),
            "parties": list(self.parties),
            "alternatives": [list(clauses) for clauses in alternatives],
        }

    def read(self, alternatives: Sequence[Sequence[object]]) -> Terms:
        """Return the terms; raise `CodecError` or `TermsError` if they cannot be offered."""
        terms = terms_from_json(self.write_terms(alternatives), self.board)
        require_possible(terms, self.board, self.position, self.rules)
        return terms

    def add(self) -> tuple[tuple[tuple[object, ...], ...], str]:
        """Return the clauses with the one from the fields added, or why it cannot be added."""
        form = self.form
        clause, error = self._make_clause(form.fields)
        if fault := self.find_fault():
            return form.alternatives, fault
        if clause is None:
            return form.alternatives, error
        changed = [list(clauses) for clauses in form.alternatives]
        if not changed or form.fields.alternative >= len(changed):
            changed.append([])
        place = min(form.fields.alternative, len(changed) - 1)
        changed[place].append(clause)
        result = tuple(tuple(clauses) for clauses in changed)
        try:
            self.read(result)
        except TermsError as refused:
            return form.alternatives, str(refused)
        except CodecError as refused:
            return form.alternatives, _explain(refused)
        return result, ""

    def _make_clause(self, fields: ClauseFields) -> tuple[dict[str, object] | None, str]:
        """Return the clause from the fields, or what is missing."""
        powers = list(fields.powers if len(self.parties) > 2 else self.parties)
        clause: dict[str, object] = {"clause": fields.kind, "powers": powers}
        if fields.until and fields.kind in {"dmz", "peace"}:
            clause["until"] = fields.until
        match fields.kind:
            case "order":
                order = self.find_order(fields.order)
                if order is None:
                    return None, "Choose an order."
                word = "not-order" if fields.forbidden else "order"
                return {"clause": word, "order": order_to_json(order)}, ""
            case "dmz":
                missing = "" if fields.provinces else "Choose at least one province."
                bound = list(fields.powers) or powers
                clause |= {"powers": bound, "provinces": list(fields.provinces)}
            case "alliance":
                missing = "" if fields.against else "Choose whom the alliance is against."
                clause["against"] = list(fields.against)
            case _:
                missing = ""
        return (None, missing) if missing else (clause, "")

    def find_order(self, text: str) -> Order | None:
        """Return the order for a choice in the form."""
        return next((o for o in self.list_orders() if _value(o) == text), None)

    def list_orders(self) -> list[Order]:
        """Return the orders that the parties' units may get in this phase."""
        return [
            order
            for power in self.parties
            for order in legal_orders(self.board, self.position, power, self.rules)
            if not isinstance(order, Waive)
        ]

    def present(self) -> ProposalPage:
        """Return the page."""
        form, desk = self.form, self.desk
        fields = form.fields
        shown = self._present_alternatives()
        many = len(self.parties) > 2
        others = [group for group in self._groups if not set(group) & set(self.own)]
        is_public = self.address.kind is AddressKind.PUBLIC
        return ProposalPage(
            form=form,
            address=str(self.address),
            title=desk.names.title(self.address),
            to=desk.names.speak(self.address),
            key=form.key or make_key(),
            alternatives=shown,
            left=MAX_CLAUSES - sum(len(part.clauses) for part in shown),
            kinds=tuple(
                Option(kind, _KIND_LABELS[kind], kind == fields.kind, help=_KIND_HELP[kind])
                for kind in KINDS
            ),
            orders=self._group_orders(fields.order),
            powers=self._list_powers(self.parties, fields.powers, every=not fields.powers),
            parties=self._list_powers([group[0] for group in others], form.parties)
            if is_public
            else (),
            provinces=tuple(
                Option(code, province.name, code in fields.provinces)
                for code, province in sorted(
                    self.board.by_code.items(), key=lambda item: item[1].name
                )
            ),
            against=self._list_powers(
                [power for power in self.board.power_info if many or power not in self.parties],
                fields.against,
            ),
            turns=_list_turns(self.position.phase, fields.until),
            places=self._list_places(shown),
            picture=build_map_picture(desk.reader.game.map_hash, desk.reader.chart),
            overlay=draw_position(desk.reader, self.position, ()),
            phase=title_phase(self.position.phase),
        )

    def _list_powers(
        self, powers: Sequence[Power], chosen: Sequence[str], *, every: bool = False
    ) -> tuple[Option, ...]:
        return tuple(
            Option(
                power,
                self.names.country(power),
                every or power in chosen,
                color=self.desk.reader.colors.get(power, ""),
            )
            for power in powers
        )

    def _list_places(self, shown: Sequence[ComposedAlternative]) -> tuple[Option, ...]:
        """Return the alternatives that a clause can join, and a new one; empty without a choice."""
        if len(self.parties) > 2 or not shown:
            return ()
        last = min(len(shown), MAX_ALTERNATIVES - 1)
        return tuple(
            Option(
                str(number),
                f"Alternative {LETTERS[number]}" if number < len(shown) else "A new alternative",
                number == min(self.form.fields.alternative, last),
            )
            for number in range(last + 1)
        )

    def _present_alternatives(self) -> tuple[ComposedAlternative, ...]:
        """Return the clauses so far, even those that no longer fit the parties."""
        alternatives = self._alternatives
        return tuple(
            ComposedAlternative(
                LETTERS[number] if len(alternatives) > 1 else "",
                tuple(
                    ComposedClause(
                        describe_clause(clause, self.names),
                        f"{number}.{index}",
                        write_clause_line(number, clause_to_json(clause)),
                        self._describe_outsiders([clause]),
                    )
                    for index, clause in enumerate(clauses)
                ),
            )
            for number, clauses in enumerate(alternatives)
        )

    @cached_property
    def _alternatives(self) -> tuple[tuple[Clause, ...], ...]:
        """The clauses so far; damaged ones are left out."""
        read = (
            tuple(self._read_clauses(clauses))
            for clauses in self.form.alternatives[:MAX_ALTERNATIVES]
        )
        return tuple(clauses for clauses in read if clauses)

    def _read_clauses(self, clauses: Sequence[object]) -> Iterator[Clause]:
        for clause in clauses:
            with suppress(CodecError):
                yield clause_from_json(clause, self.board)

    def find_fault(self) -> str:
        """Return why the clauses so far do not fit the chosen parties, blank if they do."""
        if self.address.kind is not AddressKind.PUBLIC:
            return ""
        clauses = [clause for part in self._alternatives for clause in part]
        if outsiders := self._describe_outsiders(clauses):
            return f"{outsiders} Choose it again or remove its clauses."
        if not set(self.parties) - set(self.own):
            return "Choose at least one country as a party."
        if len(self._alternatives) > 1 and len(self.parties) > 2:
            return "A proposal to several countries cannot have alternatives. Keep only one."
        return ""

    def _describe_outsiders(self, clauses: Sequence[Clause]) -> str:
        """Return a sentence about the first country in a clause that is not a party, or blank."""
        if self.address.kind is not AddressKind.PUBLIC or not self.own:
            return ""
        bound = {power for clause in clauses for power in powers_bound(clause)}
        outsider = min(bound.difference(self.parties), default=None)
        return f"{self.names.country(outsider)} is not a party." if outsider else ""

    def _group_orders(self, chosen: str) -> tuple[OptionGroup, ...]:
        groups: dict[tuple[str, str], list[Option]] = {}
        for order in self.list_orders():
            choice = describe_choice(self.board, order)
            option = Option(
                _value(order),
                choice.label,
                _value(order) == chosen,
                unit=choice.unit,
                to=choice.to,
                kind=choice.kind,
            )
            groups.setdefault(self._head(order), []).append(option)
        return tuple(OptionGroup(*head, tuple(options)) for head, options in groups.items())

    def _head(self, order: Order) -> tuple[str, str]:
        country = self.names.country(power_of(order))
        if isinstance(order, Waive | Build):
            return f"{country}: builds", ""
        return f"{country}: {unit_title(self.board, order.unit)}", order.unit.province


def find_alternatives(terms: Terms) -> tuple[tuple[dict[str, object], ...], ...]:
    """Return the clauses of terms in the format of the form, for a counter-offer."""
    return tuple(tuple(map(clause_to_json, clauses)) for clauses in terms.alternatives)


def _value(order: Order) -> str:
    return f"{power_of(order)} {order}"


def _explain(error: CodecError) -> str:
    """Return the error without its path, which means nothing to people."""
    _, _, what = str(error).partition(": ")
    return f"This clause is not possible: {what}."


def _list_turns(phase: Phase, chosen: str) -> tuple[Option, ...]:
    turn = DealTurn.of(phase)
    options = [Option("", "The end of the game", not chosen)]
    for _ in range(TURNS_AHEAD):
        options.append(Option(str(turn), f"The end of {turn.title}", str(turn) == chosen))
        turn = _next_turn(turn)
    return tuple(options)


def _next_turn(turn: DealTurn) -> DealTurn:
    if turn.season is Season.SPRING:
        return DealTurn(Season.FALL, turn.year)
    if turn.season is Season.FALL:
        return DealTurn(Season.WINTER, turn.year)
    return DealTurn(Season.SPRING, turn.year + 1)
