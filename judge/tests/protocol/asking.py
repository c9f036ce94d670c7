"""Requests to the judge in its protocol, and answers checked against the published schema."""

import json

from diplomaccloud.judge.protocol import answer
from diplomaccloud.judge.schemas import read_schema

try:
    import jsonschema
except ImportError:  # the judge's tests also run without the site's packages
    jsonschema = None

SCHEMA = json.loads(read_schema("protocol"))


def check(part: str, value: object) -> None:
    """Validate `value` against one part of the published schema, if there is a validator."""
    if jsonschema is None:
        return
    schema = {"$ref": f"#/$defs/{part}", "$defs": SCHEMA["$defs"]}
    jsonschema.Draft202012Validator(schema).validate(value)


def ask(request: dict[str, object]) -> dict[str, object]:
    check("request", request)
    reply = answer(request)
    check("answer", reply)
    assert "error" not in reply, reply
    return reply


WAR = {
    "id": "x1",
    "map": "standard",
    "rules": "2000",
    "phase": "S1901M",
    "units": {"AUSTRIA": ["A VIE", "A TRI"], "ITALY": ["A TYR"], "RUSSIA": ["F STP/SC"]},
    "centers": {"AUSTRIA": ["VIE", "TRI", "BUD"], "RUSSIA": ["STP"]},
    "orders": {
        "AUSTRIA": ["A VIE - TYR", "A TRI S A VIE - TYR"],
        "RUSSIA": ["F STP/SC - BOT"],
        "ITALY": ["A TYR - MUN"],
    },
}


def dump(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"
