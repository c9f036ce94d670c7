"""Faults of names: labels that differ from the name, and names that orders cannot tell apart."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from diplomaccloud.atlas.validation.chart_schema import BoardData, ChartData
from diplomaccloud.atlas.validation.faults import Faults, quote_text
from diplomaccloud.judge.notation.words import name_tokens

Spelling = tuple[str, str, str]
"""The path of a spelling, the spelling, and the path of its owner."""


def find_spelling_faults(data: ChartData, faults: Faults) -> None:
    """Add labels that are not their province's name, and spellings with two meanings.

    Spellings are compared as orders are read: without accents, case and punctuation.
    """
    _find_wrong_labels(data, faults)
    _find_ambiguous_spellings(_list_space_spellings(data["board"]), faults)
    _find_ambiguous_spellings(_list_power_spellings(data["board"]), faults)


def _find_wrong_labels(data: ChartData, faults: Faults) -> None:
    names = {
        province["code"]: province["name"]
        for province in data["board"]["provinces"]
        if province is not None
    }
    for i, shape in enumerate(data["shapes"]):
        # Without label lines the map shows the code.
        if shape is None or not shape["label_lines"] or None in shape["label_lines"]:
            continue
        name = names.get(shape["province"])
        label = " ".join(line for line in shape["label_lines"] if line is not None)
        # A name may be divided at a hyphen as well as at a space.
        if name is not None and _normalize(label) != _normalize(name):
            at = f"shapes[{i}].label_lines"
            faults.add(
                at,
                f"is {quote_text(label)},"
                f" but the name of {shape['province']} is {quote_text(name)}",
            )


def _normalize(text: str) -> str:
    return "".join(text.split()).replace("-", "").casefold()


def _list_space_spellings(board: BoardData) -> Iterator[Spelling]:
    for i, province in enumerate(board["provinces"]):
        if province is None:
            continue
        at = f"board.provinces[{i}]"
        yield f"{at}.code", province["code"], at
        if province["name"] is not None:
            yield f"{at}.name", province["name"], at
        for j, alias in enumerate(province["aliases"]):
            if alias is not None:
                yield f"{at}.aliases[{j}]", alias, at
    for i, space in enumerate(board["impassable"]):
        if space is not None:
            yield f"board.impassable[{i}][0]", space[0], f"board.impassable[{i}]"
            yield f"board.impassable[{i}][1]", space[1], f"board.impassable[{i}]"


def _list_power_spellings(board: BoardData) -> Iterator[Spelling]:
    for i, power in enumerate(board["powers"]):
        for j, spelling in enumerate(power or ()):
            yield f"board.powers[{i}][{j}]", spelling, f"board.powers[{i}]"


def _find_ambiguous_spellings(spellings: Iterable[Spelling], faults: Faults) -> None:
    first: dict[tuple[str, ...], Spelling] = {}
    reported: dict[str, set[str]] = defaultdict(set)
    for path, spelling, owner in spellings:
        # Spellings without letters that occur in orders cannot be compared.
        words = name_tokens(spelling)
        other_path, other, other_owner = first.setdefault(words, (path, spelling, owner))
        if not words or other_owner == owner or other_owner in reported[owner]:
            continue
        reported[owner].add(other_owner)
        faults.add(path, f"{quote_text(spelling)} reads like {quote_text(other)} in {other_path}")
