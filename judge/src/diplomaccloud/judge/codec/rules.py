"""Rule sets as versioned JSON; reading checks every switch."""

from dataclasses import fields
from enum import StrEnum

from diplomaccloud.judge.codec.reader import Json, Node, open_versioned
from diplomaccloud.judge.rules import RuleSet

VERSION = 1


def rules_to_json(rules: RuleSet) -> Json:
    """Return `rules` as JSON with every switch."""
    return {"v": VERSION} | {field.name: getattr(rules, field.name) for field in fields(rules)}


def rules_from_json(data: object) -> RuleSet:
    """Return the rule set that `data` describes; raise `CodecError` if it is invalid.

    A missing switch has its default, because it may be newer than `data`.
    """
    node = open_versioned(data, VERSION)
    known = {field.name: getattr(RuleSet(), field.name) for field in fields(RuleSet)}
    values: dict[str, object] = {}
    for key, value in node.entries():
        name = key.word()
        if name == "v":
            continue
        if name not in known:
            raise value.error("no such switch")
        values[name] = _read_switch(value, known[name])
    return RuleSet(**values)  # type: ignore[arg-type]


def _read_switch(node: Node, default: object) -> object:
    if isinstance(default, bool):
        return node.truth()
    if isinstance(default, StrEnum):
        return node.member(type(default))
    return node.text()
