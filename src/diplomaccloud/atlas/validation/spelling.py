"""Faults of names as people read and write them: labels that say another, names alike."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from diplomaccloud.atlas.validation.chart_data import BoardData, ChartData
from diplomaccloud.atlas.validation.faults import Faults, quoted
from diplomaccloud.judge.notation.words import name_tokens

Spelling = tuple[str, str, str]
"""The path of a spelling, the spelling, and whose it is."""


def find_spelling_faults(data: ChartData, found: Faults) -> None:
    """Add labels that are not their province's name, and spellings that stand for two things.

    Spellings are compared as orders are read: without accents, capitals and signs.
    """
    _find_bad_labels(data, found)
    _find_alike(_of_spaces(data["board"]), found)
    _find_alike(_of_powers(data["board"]), found)


def _find_bad_labels(data: ChartData, found: Faults) -> None:
    names = {one["code"]: one["name"] for one in data["board"]["provinces"] if one is not None}
    for i, shape in enumerate(data["shapes"]):
        # Without lines the code is printed, as where no name fits.
        if shape is None or not shape["label_lines"] or None in shape["label_lines"]:
            continue
        name = names.get(shape["province"])
        label = " ".join(line for line in shape["label_lines"] if line is not None)
        # A name may be parted at a hyphen as well as at a space.
        if name is not None and _bare(label) != _bare(name):
            at = f"shapes[{i}].label_lines"
            found.add(at, f"is {quoted(label)}, but {shape['province']} is called {quoted(name)}")


def _bare(text: str) -> str:
    return "".join(text.split()).replace("-", "").casefold()


def _of_spaces(board: BoardData) -> Iterator[Spelling]:
    for i, one in enumerate(board["provinces"]):
        if one is None:
            continue
        at = f"board.provinces[{i}]"
        yield f"{at}.code", one["code"], at
        if one["name"] is not None:
            yield f"{at}.name", one["name"], at
        for j, alias in enumerate(one["aliases"]):
            if alias is not None:
                yield f"{at}.aliases[{j}]", alias, at
    for i, space in enumerate(board["impassable"]):
        if space is not None:
            yield f"board.impassable[{i}][0]", space[0], f"board.impassable[{i}]"
            yield f"board.impassable[{i}][1]", space[1], f"board.impassable[{i}]"


def _of_powers(board: BoardData) -> Iterator[Spelling]:
    for i, power in enumerate(board["powers"]):
        for j, spelling in enumerate(power or ()):
            yield f"board.powers[{i}][{j}]", spelling, f"board.powers[{i}]"


def _find_alike(spellings: Iterable[Spelling], found: Faults) -> None:
    first: dict[tuple[str, ...], Spelling] = {}
    told: dict[str, set[str]] = defaultdict(set)
    for path, spelling, owner in spellings:
        # Letters that no order is written with leave nothing to be compared.
        words = name_tokens(spelling)
        before, other, other_owner = first.setdefault(words, (path, spelling, owner))
        if not words or other_owner == owner or other_owner in told[owner]:
            continue
        told[owner].add(other_owner)
        found.add(path, f"{quoted(spelling)} reads like {quoted(other)}, {before}")
