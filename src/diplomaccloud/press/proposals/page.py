"""A proposal's card in its message, and the page for composing one."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

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
from diplomaccloud.judge.codec import CodecError, order_to_json
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Build, Order, Waive, power_of
from diplomaccloud.judge.phases import Season
from diplomaccloud.maps.gallery import build_map_picture
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
class ProposalView:
    """A proposal's card; `url` is its address, and `is_live` says whether it may still change."""

    proposal: ProposalFacts
    url: str
    state: str
    note: str
    alternatives: list[dict[str, object]]
    answers: list[str]
    counter_url: str
    is_live: bool
    template: str = "press/proposals/_card.html"


def present_proposal(facts: ProposalFacts, url: str) -> ProposalView:
    """Return the card of a proposal whose message is at `url`, blank in a chronicle."""
    names = DealNames(facts.board, facts.countries)
    conversation, _, number = url.rstrip("/").rpartition("/")
    is_final = any(entry.final for entry in facts.ledger)
    is_open = facts.state is ProposalState.OPEN
    return ProposalView(
        proposal=facts,
        url=f"{url}proposal/",
        state=STATES[facts.state],
        note=NOTES.get(facts.state, ""),
        alternatives=_present_alternatives(facts, names),
        answers=_list_answers(facts, names),
        counter_url=f"{conversation}/proposal/?counter={number}",
        is_live=bool(url) and (is_open or (facts.state is ProposalState.ACCEPTED and not is_final)),
    )


def _present_alternatives(facts: ProposalFacts, names: DealNames) -> list[dict[str, object]]:
    """Return the alternatives with the ledger's findings about the accepted one.

    `name` is blank if there is only one.
    """
    many, accepted = len(facts.terms.alternatives) > 1, facts.alternative
    alternatives: list[dict[str, object]] = []
    for number, clauses in enumerate(facts.terms.alternatives):
        ledger = facts.ledger if number == accepted else ()
        shown = [
            ClauseView(
                describe_clause(clause, names), _summarize_findings(index, clause, ledger, names)
            )
            for index, clause in enumerate(clauses)
        ]
        alternatives.append(
            {
                "number": number,
                "name": LETTERS[number] if many else "",
                "clauses": shown,
                "accepted": many and number == accepted,
                "passed_over": accepted is not None and number != accepted,
            }
        )
    return alternatives


def _summarize_findings(
    index: int, clause: Clause, ledger: Sequence[LedgerFacts], names: DealNames
) -> tuple[FindingView, ...]:
    """Return the findings of all phases so far about a clause: breaches, or that it was kept."""
    judged = [
        (entry.phase, finding)
        for entry in ledger
        for finding in entry.findings
        if finding.clause == index
    ]
    broken = tuple(
        FindingView(f"{title_phase(phase)}: {describe_finding(finding, clause, names)}", "broken")
        for phase, finding in judged
        if finding.verdict is DealVerdict.BROKEN
    )
    if broken or not judged:
        return broken
    last = judged[-1][0]
    if all(finding.verdict is DealVerdict.MOOT for phase, finding in judged if phase == last):
        moot = "Nobody had to vote." if isinstance(clause, Draw) else "No longer matters."
        return (FindingView(moot, "moot"),)
    return (FindingView(f"Kept in {title_phase(last)}.", "kept"),)


def present_findings(
    index: int, clause: Clause, findings: Sequence[Finding], names: DealNames
) -> tuple[FindingView, ...]:
    """Return the findings of one phase about a clause, in as few sentences as possible."""
    about = [finding for finding in findings if finding.clause == index]
    kept = [finding.power for finding in about if finding.verdict is DealVerdict.KEPT]
    others = [
        FindingView(describe_finding(finding, clause, names), finding.verdict.value)
        for finding in about
        if finding.verdict is not DealVerdict.KEPT
    ]
    if kept:
        others.insert(0, FindingView(f"{names.list_countries(kept)} kept this.", "kept"))
    return tuple(others)


def _list_answers(facts: ProposalFacts, names: DealNames) -> list[str]:
    lines = [
        ANSWERS[answer.answer].format(country=_country(answer.power, facts, names))
        for answer in facts.answers
    ]
    answered = {facts.proposer, *(answer.power for answer in facts.answers)}
    if facts.state is ProposalState.OPEN:
        waiting = [
            _country(power, facts, names) for power in facts.parties if power not in answered
        ]
        lines += [
            "You have not answered." if country == YOU else f"{country} has not answered."
            for country in waiting
        ]
    return lines


def _country(power: str, facts: ProposalFacts, names: DealNames) -> str:
    if power == facts.own_power:
        return YOU
    return names.country(Power(power)) if power in facts.board.power_info else power


# The values of the page for composing a proposal.


@dataclass(frozen=True, slots=True)
class Option:
    """A choice in the form; an order has `to` and `kind` for taps on the map."""

    value: str
    label: str
    chosen: bool
    color: str = ""
    letters: str = ""
    to: str = ""
    kind: str = ""
    help: str = ""


# A proposal that is being composed in a form, as unchecked values.


KINDS: Final = {
    "order": ("Order", "A unit gets this order, or does not get it, in this phase."),
    "dmz": (
        "Zone",
        "Units inside leave on their first move. Nobody moves, supports, convoys, retreats or "
        "builds into the zone.",
    ),
    "peace": (
        "Peace",
        "Nobody moves into another party’s unit or center, or helps such a move, unless agreed.",
    ),
    "alliance": ("Alliance", "Peace between the allies. The rest isn’t judged."),
    "draw": ("Draw", "Each party writes DRAW with its orders if the others do."),
}
"""The kinds of clauses that a form offers, each with its name and what it means."""


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


class Drafting:
    """Composes terms for one conversation in a game, from the data of a form."""

    def __init__(self, desk: Desk, address: Address, form: ProposalDraft) -> None:
        self.desk, self.address, self.form = desk, address, form
        reader = desk.reader
        self.board, self.position = reader.board, reader.position
        self.rules = reader.game.rules
        self._groups = [tuple(map(Power, group)) for group in desk.press.groups]
        self.own = tuple(map(Power, reader.own_powers))
        alone = [group[0] for group in self._groups if len(group) == 1]
        countries = {power: desk.names.country(power) for power in alone}
        self.names = DealNames(self.board, countries)

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
            # The path in front means nothing to people.
            _, _, what = str(refused).partition(": ")
            return form.alternatives, f"This clause is not possible: {what}."
        return result, ""

    def _make_clause(self, fields: ClauseFields) -> tuple[dict[str, object] | None, str]:
        """Return the clause from the fields, or what is missing."""
        powers = list(fields.powers if len(self.parties) > 2 else self.parties)
        clause: dict[str, object] = {"clause": fields.kind, "powers": powers}
        if fields.until and fields.kind in {"dmz", "peace"}:
            clause["until"] = fields.until
        match fields.kind:
            case "order":
                orders = (row for row in self._list_orders() if _value(row) == fields.order)
                order = next(orders, None)
                if order is None:
                    return None, "Choose an order."
                word = "not-order" if fields.forbidden else "order"
                return {"clause": word, "order": order_to_json(order)}, ""
            case "dmz":
                if not fields.provinces:
                    return None, "Choose at least one province."
                bound = list(fields.powers) or powers
                clause |= {"powers": bound, "provinces": list(fields.provinces)}
            case "alliance":
                if not fields.against:
                    return None, "Choose whom the alliance is against."
                clause["against"] = list(fields.against)
        return clause, ""

    def _list_orders(self) -> list[Order]:
        """Return the orders that the parties' units may get in this phase."""
        return [
            order
            for power in self.parties
            for order in legal_orders(self.board, self.position, power, self.rules)
            if not isinstance(order, Waive)
        ]

    def present(self) -> dict[str, object]:
        """Return what the page shows: the clauses so far, and the choices for the next one."""
        form, desk, fields = self.form, self.desk, self.form.fields
        many = len(self.parties) > 2
        others = [group[0] for group in self._groups if not set(group) & set(self.own)]
        is_public = self.address.kind is AddressKind.PUBLIC
        provinces = sorted(self.board.by_code.items(), key=lambda item: item[1].name)
        enemies = [power for power in self.board.power_info if many or power not in self.parties]
        return {
            "form": form,
            "address": str(self.address),
            "title": desk.names.title(self.address),
            "to": desk.names.speak(self.address),
            "key": form.key or make_key(),
            "alternatives": self._present_alternatives(),
            "left": MAX_CLAUSES - sum(map(len, self._alternatives)),
            "kinds": [
                Option(kind, label, kind == fields.kind, help=about)
                for kind, (label, about) in KINDS.items()
            ],
            "orders": self._group_orders(),
            "powers": self._list_powers(self.parties, fields.powers, every=not fields.powers),
            "parties": self._list_powers(others, form.parties) if is_public else [],
            "provinces": [
                Option(code, province.name, code in fields.provinces)
                for code, province in provinces
            ],
            "against": self._list_powers(enemies, fields.against),
            "turns": self._list_turns(),
            "places": self._list_places(),
            "picture": build_map_picture(desk.reader.game.map_hash, desk.reader.chart),
            "overlay": draw_position(desk.reader, self.position, ()),
            "phase": title_phase(self.position.phase),
        }

    def _list_powers(
        self, powers: Sequence[Power], chosen: Sequence[str], *, every: bool = False
    ) -> list[Option]:
        reader = self.desk.reader
        colors, letters = reader.colors, find_badge_letters(reader.starting_board)
        return [
            Option(
                power,
                self.names.country(power),
                every or power in chosen,
                colors.get(power, ""),
                letters.get(power, ""),
            )
            for power in powers
        ]

    def _list_turns(self) -> list[Option]:
        phase, until, seasons = self.position.phase, self.form.fields.until, list(Season)
        options, first = [Option("", "The end of the game", not until)], seasons.index(phase.season)
        for number in range(first, first + TURNS_AHEAD):
            years, season = divmod(number, len(seasons))
            turn = DealTurn(seasons[season], phase.year + years)
            options.append(Option(str(turn), f"The end of {turn.title}", str(turn) == until))
        return options

    def _list_places(self) -> list[Option]:
        """Return the alternatives that a clause can join, and a new one; empty without a choice."""
        count = len(self._alternatives)
        if len(self.parties) > 2 or not count:
            return []
        last = min(count, MAX_ALTERNATIVES - 1)
        return [
            Option(
                str(number),
                f"Alternative {LETTERS[number]}" if number < count else "A new alternative",
                number == min(self.form.fields.alternative, last),
            )
            for number in range(last + 1)
        ]

    def _present_alternatives(self) -> list[tuple[str, list[tuple[str, str, str, str]]]]:
        """Return the names and clauses of alternatives, also those that no longer fit the parties.

        A clause has its sentence, its place, its line in the form, and which of its countries is no
        longer a party. With one alternative, the name is blank.
        """
        many = len(self._alternatives) > 1
        return [
            (
                LETTERS[number] if many else "",
                [
                    (
                        describe_clause(clause, self.names),
                        f"{number}.{index}",
                        f"{number} {json.dumps(clause_to_json(clause), sort_keys=True)}",
                        self._describe_outsiders([clause]),
                    )
                    for index, clause in enumerate(clauses)
                ],
            )
            for number, clauses in enumerate(self._alternatives)
        ]

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

    def _group_orders(self) -> list[tuple[str, str, list[Option]]]:
        """Return the orders by unit: a heading, the unit's province, and its orders."""
        groups: dict[tuple[str, str], list[Option]] = {}
        for order in self._list_orders():
            country, choice = (
                self.names.country(power_of(order)),
                describe_choice(self.board, order),
            )
            head = f"{country}: builds", ""
            if not isinstance(order, Waive | Build):
                head = f"{country}: {unit_title(self.board, order.unit)}", order.unit.province
            is_chosen = _value(order) == self.form.fields.order
            option = Option(_value(order), choice.label, is_chosen, to=choice.to, kind=choice.kind)
            groups.setdefault(head, []).append(option)
        return [(*head, options) for head, options in groups.items()]


def _value(order: Order) -> str:
    return f"{power_of(order)} {order}"
