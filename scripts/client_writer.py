"""Writes the parts of `diplomaccloud.client` that follow from the description of the HTTP API."""

import keyword
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "src" / "diplomaccloud" / "client"
PREFIX = "/api/v1"
KEY = "Idempotency-Key"
CACHING = ("If-None-Match",)
"""Headers that the client sends by itself."""
HEADER = """\"\"\"%s

Written by `scripts/client` from the description of the API: change that instead.
\"\"\"

"""
VALUES = (
    HEADER
    + "import datetime as dt\nfrom collections.abc import Mapping, Sequence\n"
    + "from dataclasses import dataclass\nfrom typing import Any, Literal, TypeAlias\n\n"
)
OPERATIONS = (
    HEADER
    + "import datetime as dt\nfrom collections.abc import Mapping, Sequence\n"
    + "from typing import Any, Literal\n\n"
    + "from diplomaccloud.client.call import Call, fill, operation\n"
    + "from diplomaccloud.client.values import *\n\n\n"
)
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def describe_api():
    """Return the OpenAPI description of the API, and the titles of its problems by kind."""
    sys.path.insert(0, str(ROOT / "src"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomaccloud.project.settings")
    import django

    django.setup()
    from diplomaccloud.api.problems import KINDS
    from diplomaccloud.api.service import service

    return service.get_openapi_schema(path_prefix=PREFIX + "/"), KINDS


def write_all(schema, kinds):
    """Return the text of each file by its path within the package, formatted."""
    by_tag = {}
    for path, operations in schema["paths"].items():
        for method, found in operations.items():
            for text in write_operation(path, method, found, schema):
                by_tag.setdefault(found["tags"][0], []).append(text)
    files = {"values.py": write_values(schema), "problems.py": write_problems(kinds)}
    for tag, methods in sorted(by_tag.items()):
        about = "%s: a method for each operation." % tag.capitalize()
        body = "class %s:\n    %s\n\n" % (tag.capitalize(), '"""The operations of `%s`."""' % tag)
        files["operations/%s.py" % tag] = OPERATIONS % about + body + "\n\n".join(methods)
    files["operations/__init__.py"] = write_index(sorted(by_tag))
    known = set(schema["components"]["schemas"])
    return {name: tidy(name, text, known) for name, text in files.items()}


def write_index(tags):
    """Return the module that joins the operations of all tags."""
    lines = [HEADER % "All operations of the API."]
    lines += [
        "from diplomaccloud.client.operations.%s import %s" % (t, t.capitalize()) for t in tags
    ]
    bases = ", ".join(tag.capitalize() for tag in tags)
    lines += ["\n\nclass Operations(%s):" % bases, '    """A method for each operation."""']
    return "\n".join(lines) + "\n"


def write_problems(kinds):
    """Return the module with an exception for each kind of problem."""
    lines = [HEADER % "Refusals by their kinds.", "from collections.abc import Mapping\n"]
    lines += ["from typing import Final\n\nfrom diplomaccloud.client.problem import Problem\n"]
    for kind, title in kinds.items():
        lines.append(
            'class %s(Problem):\n    """%s."""\n\n    kind = "%s"\n\n'
            % (name_problem(kind), title, kind)
        )
    entries = ", ".join(name_problem(kind) for kind in kinds)
    lines.append(
        "PROBLEMS: Final[Mapping[str, type[Problem]]] = {p.kind: p for p in (%s)}" % entries
    )
    return "\n".join(lines) + '\n"""The exception for each kind."""\n'


def name_problem(kind):
    """Return the class of a kind of problem."""
    return "".join(word.capitalize() for word in kind.split("-")) + "Problem"


def write_values(schema):
    """Return the module with a class for each value that the API takes or answers."""
    bodies = set().union(*(mentioned(find_body(o)) for o in list_operations(schema)))
    parts = set().union(*map(mentioned, schema["components"]["schemas"].values()))
    text = VALUES % "What the API takes and answers."
    for name, found in sorted_schemas(schema):
        if name in bodies - parts or name == "ProblemDocument":
            continue  # the fields of a body are arguments of its method
        if "enum" in found:
            text += "%s: TypeAlias = %s\n\n" % (name, write_type(found))
            continue
        text += "@dataclass(frozen=True, slots=True)\nclass %s:\n" % name
        text += write_docstring(found.get("description", name), found.get("properties", {}), 4)
        required = found.get("required", ())
        fields = sorted(found.get("properties", {}).items(), key=lambda f: f[0] not in required)
        for field, kind in fields:
            end = "" if field in required else " = " + write_default(kind)
            text += "    %s: %s%s\n" % (rename(field), write_type(kind, end == " = None"), end)
        text += "\n\n"
    return text


def write_default(kind):
    """Return the default of a field that may be missing."""
    default = kind.get("default")
    return "()" if default == [] else repr(default)


def sorted_schemas(schema):
    """Return the schemas, each behind those that it mentions."""
    left, done = dict(schema["components"]["schemas"]), []
    while left:
        ready = [
            name for name, found in left.items() if not (mentioned(found) & set(left) - {name})
        ]
        assert ready, "values mention each other in a circle: %s" % sorted(left)
        done += [(name, left.pop(name)) for name in ready]
    return done


def mentioned(found):
    """Return the names of the schemas that one mentions."""
    return set(re.findall(r"'#/components/schemas/(\w+)'", repr(found)))


def list_operations(schema):
    """Return all operations."""
    return [found for path in schema["paths"].values() for found in path.values()]


def find_body(operation):
    """Return the schema of the body, or None."""
    content = (operation.get("requestBody") or {}).get("content", {})
    return content.get("application/json", {}).get("schema")


def find_answer(operation):
    """Return the type of the answer, and whether it can be text as well."""
    (found,) = [a for status, a in operation["responses"].items() if str(status).startswith("2")]
    content = found.get("content", {})
    if "application/json" in content:
        answer = write_type(content["application/json"]["schema"])
        return answer.replace("Mapping[", "dict["), "text/plain" in content
    return ("bytes" if content else "None"), False


def name_method(operation_id):
    """Return the method for an operation."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation_id).lower()


def write_operation(path, method, found, schema):
    """Return the methods of an operation: a second one if it can answer with text."""
    answer, has_text = find_answer(found)
    name = name_method(found["operationId"])
    parameters = [p for p in found.get("parameters", ()) if p["name"] not in CACHING]
    given = {"schema": schema, "answer": answer, "parameters": parameters}
    if not has_text:
        return [write_method(name, path, method, found, fixed={}, **given)]
    given["parameters"] = [p for p in parameters if p["name"] != "format"]
    text = {**given, "answer": "str", "fixed": {"format": "text"}}
    return [
        write_method(name, path, method, found, fixed={}, **given),
        write_method(name + "_text", path, method, found, **text),
    ]


def write_method(name, path, method, found, *, schema, answer, parameters, fixed):
    """Return the method that describes a call."""
    needed, optional, query, headers = [], [], [], []
    for p in parameters:
        if p["name"] == KEY or p["in"] == "path":
            continue
        argument = name_argument(p["name"])
        place = query if p["in"] == "query" else headers
        place.append('"%s": %s' % (p["name"], argument))
        (needed if p.get("required") else optional).append(
            write_argument(argument, p["schema"], p.get("required"))
        )
    query += ['"%s": "%s"' % item for item in fixed.items()]
    body, body_schema = [], find_body(found)
    if body_schema:
        values = schema["components"]["schemas"][body_schema["$ref"].rpartition("/")[2]]
        for field, kind in values.get("properties", {}).items():
            is_needed = field in values.get("required", ())
            body.append('"%s": %s' % (field, name_argument(field)))
            (needed if is_needed else optional).append(
                write_argument(name_argument(field), kind, is_needed)
            )
    has_key = any(p["name"] == KEY for p in parameters)
    in_path = [p for p in parameters if p["in"] == "path"]
    places = [name_argument(p["name"]) for p in in_path]
    path_types = [
        "%s: %s" % (place, write_type(p["schema"]))
        for place, p in zip(places, in_path, strict=True)
    ]
    keywords = needed + optional + (['key: str = ""'] if has_key else [])
    arguments = ", ".join(["self", *path_types, *(["*"] if keywords else []), *keywords])
    short = re.sub(r"\{\w+\}", "{}", path.removeprefix(PREFIX))
    address = "fill(%s)" % ", ".join(['"%s"' % short, *places]) if places else '"%s"' % short
    call = ['"%s"' % method.upper(), address, answer]
    call += ["query={%s}" % ", ".join(query)] if query else []
    call += ["body={%s}" % ", ".join(body)] if body else []
    if headers:
        pairs = "(%s)" % "".join("(%s), " % h.replace(":", ",", 1) for h in headers)
        call += ["headers={n: v for n, v in %s if v is not None}" % pairs]
    call += ["key=key"] if has_key else []
    described = found.get("description", "") or found.get("summary", "")
    if fixed:
        described = "Return what `%s` returns as one page of prose." % name.removesuffix("_text")
    return "    @operation\n    def %s(%s) -> Call[%s]:\n%s        return Call(%s)\n" % (
        name,
        arguments,
        answer,
        write_docstring(described, {}, 8),
        ", ".join(call),
    )


def write_argument(name, kind, needed):
    """Return a parameter of a method; one that is not needed is sent only if it is given."""
    if needed:
        return "%s: %s" % (name, write_type(kind, False, True))
    return "%s: %s = None" % (name, write_type(kind, True, True))


def write_docstring(text, fields, indent):
    """Return a docstring with what is known of the fields."""
    lines = text.strip().splitlines() or ["No description."]
    lines[0] = lines[0].rstrip()
    about = [
        "`%s`: %s" % (rename(name), kind["description"])
        for name, kind in fields.items()
        if kind.get("description")
    ]
    body = [line for n, line in enumerate(lines) if n or line]
    if about:
        body += ["", *(wrapped for line in about for wrapped in textwrap.wrap(line, 96 - indent))]
    end = "" if len(body) == 1 else "\n"
    return textwrap.indent('"""%s%s"""\n' % ("\n".join(body), end), " " * indent) + (
        "\n" if indent == 4 else ""
    )


def name_argument(name):
    """Return the argument for a field; `key` is the key of the request itself."""
    return "key_" if name == "key" else rename(name)


def rename(name):
    """Return the name of a field in Python."""
    plain = name.replace("-", "_").lower()
    return plain + "_" if keyword.iskeyword(plain) else plain


def write_type(kind, optional=False, given=False):
    """Return the type in Python of a schema; `given` for what callers give."""
    text = _write_plain_type(kind, given)
    return text + " | None" if optional and "| None" not in text and text != "Any" else text


def _write_plain_type(kind, given):  # noqa: PLR0911 a line for each kind of schema
    if "$ref" in kind:
        return kind["$ref"].rpartition("/")[2]
    if "allOf" in kind and len(kind["allOf"]) == 1:
        return _write_plain_type(kind["allOf"][0], given)
    if "anyOf" in kind or "oneOf" in kind:
        parts = [p for p in kind.get("anyOf", kind.get("oneOf")) if p.get("type") != "null"]
        assert given or len(parts) == 1, "an answer has one type, or null: %s" % kind
        is_nullable = len(parts) < len(kind.get("anyOf", kind.get("oneOf")))
        types = [_write_plain_type(part, given) for part in parts]
        return " | ".join(types + ["None"] * is_nullable)
    if "enum" in kind or "const" in kind:
        return "Literal[%s]" % ", ".join(map(repr, kind.get("enum", [kind.get("const")])))
    if kind.get("format") == "date-time":
        return "dt.datetime"
    if kind.get("type") == "array":
        inner = _write_plain_type(kind.get("items", {}), given)
        return "Sequence[%s]" % inner if given else "tuple[%s, ...]" % inner
    if kind.get("type") == "object":
        inner = kind.get("additionalProperties", True)
        return "Mapping[str, %s]" % ("Any" if inner is True else _write_plain_type(inner, given))
    return PLAIN.get(kind.get("type"), "Any")


def tidy(name, text, known):
    """Return the text of a module as `ruff` formats it, with the imports that it needs."""
    values = sorted(known & set(re.findall(r"\b\w+\b", text)))
    text = text.replace("import *", "import (%s)" % ", ".join(values))
    ruff = [str(Path(sys.executable).with_name("ruff"))]
    own = 'lint.isort.known-first-party = ["diplomaccloud"]'
    at = ["--stdin-filename", str(FOLDER / name), "-"]
    lint = ["check", "--fix", "--quiet", "--exit-zero", "--select", "F401,I", "--config", own]
    for command in (lint, ["format", "--quiet"]):
        done = subprocess.run(
            ruff + command + at, input=text, capture_output=True, text=True, check=True, cwd=ROOT
        )
        text = done.stdout
    return text


def main():
    """Write the files; with `--check` only name those that are not fresh, and exit with 1."""
    schema, kinds = describe_api()
    files = write_all(schema, kinds)
    present = {str(p.relative_to(FOLDER)) for p in (FOLDER / "operations").glob("*.py")}
    stale = sorted(present - set(files))
    for name, text in files.items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if "--check" in sys.argv:
        sys.exit("not fresh: %s; run scripts/client" % ", ".join(stale) if stale else 0)
    for name in stale:
        path = FOLDER / name
        if name not in files:
            path.unlink()
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_text(files[name], encoding="utf-8")
    print("written: %s" % (", ".join(stale) or "nothing, all is fresh"))


if __name__ == "__main__":
    main()
