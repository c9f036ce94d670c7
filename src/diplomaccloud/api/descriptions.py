"""The sentences of the OpenAPI description about fields and parameters, from `descriptions.toml`.

Fields with the same meaning share a sentence. What the schema knows is added to what people wrote:
the limits of a value in a request, and what it means to leave it out.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]
_FILE: Final = Path(__file__).with_name("descriptions.toml")
_EXAMPLES: Final = Path(__file__).with_name("examples.json")
_REF: Final = "#/components/schemas/"


@cache
def load_sentences() -> Mapping[str, Mapping[str, str]]:
    """Return the sentences by schema and field; `fields`, `inline` and `parameters` are shared."""
    return tomllib.loads(_FILE.read_text("utf-8"))


def load_examples() -> Mapping[str, Json]:
    """Return an exchange with the site for each operation: its parameters, body and answer.

    They are read each time, since nobody needs them after the description is made.
    """
    found: Mapping[str, Json] = json.loads(_EXAMPLES.read_text("utf-8"))
    return found


def find_sentence(schema: str, field: str) -> str:
    """Return the sentence for a field of a schema, or a blank string."""
    sentences = load_sentences()
    return sentences.get(schema, {}).get(field) or sentences["fields"].get(field, "")


def find_parameter_sentence(operation: str, name: str) -> str:
    """Return the sentence for a parameter of an operation, or a blank string."""
    shared = load_sentences()["parameters"]
    return shared.get(f"{operation}.{name}") or shared.get(name, "")


def describe_all(schema: Json) -> None:
    """Add a description to each field and parameter of the API that has none."""
    schemas, given = schema["components"]["schemas"], set[str]()
    for operations in schema["paths"].values():
        for operation in operations.values():
            content = operation.get("requestBody", {}).get("content", {})
            given |= {_name(part["schema"]) for part in content.values()}
            for parameter in operation.get("parameters", ()):
                name = parameter["name"]
                found = find_parameter_sentence(operation["operationId"], name)
                about = parameter.get("description") or found
                if parameter["in"] != "header":
                    about += _write_limits(about, parameter["schema"], parameter["required"])
                parameter["description"] = about
    given = _reach(schemas, given)
    for name, found in schemas.items():
        _describe_fields(name, found, is_given=name in given)


def add_examples(schema: Json) -> None:
    """Add an example to each parameter, body and answer of the API."""
    examples = load_examples()
    for operations in schema["paths"].values():
        for operation in operations.values():
            if example := examples.get(operation["operationId"]):
                _add_example(operation, example)


def _add_example(operation: Json, example: Json) -> None:
    for parameter in operation.get("parameters", ()):
        values = example.get(parameter["in"], {})
        if parameter["name"] in values:
            value, schema = values[parameter["name"]], parameter["schema"]
            kinds = {kind.get("type") for kind in schema.get("anyOf", [schema])}
            is_text = kinds.isdisjoint({"integer", "boolean"})
            parameter["example"] = value if is_text else json.loads(value)
    if "body" in example:
        operation["requestBody"]["content"]["application/json"]["example"] = example["body"]
    for status, answer in operation["responses"].items():
        if int(status) < 300 and "answer" in example:
            kinds = answer["content"]
            kind = "application/json" if "application/json" in kinds else next(iter(kinds))
            kinds[kind]["example"] = example["answer"]


def _name(schema: Json) -> str:
    return str(schema.get("$ref", "")).removeprefix(_REF)


def _list_parts(schema: Json) -> Iterator[Json]:
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield schema[word]
    for word in ("anyOf", "oneOf", "allOf"):
        yield from schema.get(word, ())


def _reach(schemas: Mapping[str, Json], names: set[str]) -> set[str]:
    """Return the names of schemas, and of those that they refer to."""
    found, left = set[str](), [name for name in names if name]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += _find_names(schemas[name])
    return found


def _find_names(schema: Json) -> Iterator[str]:
    if name := _name(schema):
        yield name
    for part in (*_list_parts(schema), *schema.get("properties", {}).values()):
        yield from _find_names(part)


def _describe_fields(name: str, schema: Json, *, is_given: bool) -> None:
    for field, part in schema.get("properties", {}).items():
        inline = load_sentences()["inline"].get(field, "") if name == "" else ""
        about = part.get("description") or inline or find_sentence(name, field)
        if is_given:
            about += _write_limits(about, part, field in schema.get("required", ()))
        part["description"] = about
        _describe_fields("", part, is_given=False)
    for part in _list_parts(schema):
        _describe_fields("" if "properties" in part else name, part, is_given=False)


def _write_limits(about: str, schema: Json, is_required: bool) -> str:
    """Return sentences about the limits of a value and its absence, each with a space before it."""
    kinds = schema.get("anyOf", [schema])
    kind = next((part for part in kinds if part.get("type") != "null"), schema)
    said = []
    if "maxLength" in kind and "pattern" not in kind:
        said.append(f"At most {kind['maxLength']:,} characters.")
    if "maxItems" in kind:
        said.append(f"At most {kind['maxItems']:,} items.")
    if "maximum" in kind:
        said.append(f"From {kind.get('minimum', 0):,} to {kind['maximum']:,}.")
    if not is_required:
        default = schema.get("default")
        if default is None and len(kinds) > 1 and "ull" not in about:
            said.append("Null is the same as leaving it out.")
        elif default in ("", [], {}) and "lank" not in about:
            said.append(f"{'Blank' if default == '' else 'Empty'} if left out.")
        elif default not in (None, "", [], {}):
            value = default if isinstance(default, str) else json.dumps(default)
            said.append(f"If left out: `{value}`.")
    return "".join(f" {sentence}" for sentence in said)
