"""Records what tests exchange with the site, as examples for the OpenAPI description.

`scripts/openapi --examples` runs tests with `EXAMPLES_FILE`, the file to write. Of each
operation, it keeps the exchange that shows most and is still short. Lists are cut to two entries,
and long texts within JSON to a part.
"""

import atexit
import json
import os
import re
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from diplomaccloud.api.service import service

FILE = os.environ.get("EXAMPLES_FILE", "")
MOST = 4_000
"""The longest answer, in characters, that is a good example."""
FEW = 2
MOST_TEXT = 300
_PREFIX = "/api/v1/"
_kept = {}


@cache
def list_operations():
    """Return a pattern of paths, the method and the operation for each operation."""
    paths = service.get_openapi_schema(path_prefix=_PREFIX)["paths"]
    return [
        (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)), method.upper(), operation)
        # Paths without parameters first: `/seat` would match `/{name}`.
        for path, operations in sorted(paths.items(), key=lambda item: item[0].count("{"))
        for method, operation in operations.items()
    ]


def shorten(value):
    """Return a value with only the first entries of its lists."""
    if isinstance(value, list):
        return [shorten(part) for part in value[:FEW]]
    if isinstance(value, dict):
        return {name: shorten(part) for name, part in value.items()}
    if isinstance(value, str) and len(value) > MOST_TEXT:
        return value[:MOST_TEXT] + "…"
    return value


def read_answer(answer):
    """Return what an example shows of an answer; None for pictures."""
    kind = answer.headers.get("Content-Type", "")
    if kind.startswith("application/json") and not answer.streaming:
        return shorten(answer.json())
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if answer.streaming:
        # The test reads it, too.
        answer.streaming_content = [content]
    if kind.startswith("application/jsonl"):
        return content.decode().partition("\n")[0] + "\n"
    return None


def record(method, path, body, answer):
    """Keep the exchange if it is the best example so far."""
    if not FILE or not 200 <= answer.status_code < 300:
        return
    split = urlsplit(_PREFIX + path.removeprefix("/"))
    found = (
        (match, operation)
        for pattern, name, operation in list_operations()
        if name == method and (match := pattern.fullmatch(split.path))
    )
    match, operation = next(found, (None, None))
    if match is None:
        return
    example = {"path": {part: unquote(text) for part, text in match.groupdict().items()}}
    example["query"] = dict(parse_qsl(split.query, keep_blank_values=True))
    if body is not None:
        example["body"] = body
    shown = read_answer(answer)
    if shown is not None:
        example["answer"] = shown
    size = len(json.dumps(shown))
    score = (size <= MOST, len(json.dumps(body or {})) <= MOST, size if size <= MOST else -size)
    best = _kept.get(operation["operationId"])
    if best is None or score > best[0]:
        _kept[operation["operationId"]] = (score, example)


@atexit.register
def write():
    """Write the examples that were kept, if they are wanted."""
    if FILE:
        rows = {name: example for name, (_, example) in sorted(_kept.items())}
        text = json.dumps(rows, indent=1, ensure_ascii=False, sort_keys=True)
        Path(FILE).write_text(text + "\n", encoding="utf-8")
