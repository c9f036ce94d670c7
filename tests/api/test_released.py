"""The committed description is the site's, and takes nothing from what a release has promised."""

import copy
import importlib.machinery
import importlib.util
import json
from pathlib import Path

import pytest
from tests.api.test_operations import SCHEMA

ROOT = Path(__file__).parents[2]
LOADER = importlib.machinery.SourceFileLoader("openapi_script", str(ROOT / "scripts" / "openapi"))
SPEC = importlib.util.spec_from_loader("openapi_script", LOADER)
script = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(script)
RELEASED = json.loads(script.RELEASED.read_text("utf-8"))
NOW = json.loads(script.write_reduced(SCHEMA))
REFUSED = "Sites have always refused this."
CORRECTED = {
    "GameGiven.options.schedule.adjudication.clock: is required": REFUSED,
    "GameGiven.options.schedule.adjudication.days: is required": REFUSED,
    "GameGiven.options.schedule.adjustments: minItems is higher": REFUSED,
    "GameGiven.options.schedule.days.weekdays: minItems is higher": REFUSED,
    "GameGiven.options.schedule.days.zone: is required": REFUSED,
    "GameGiven.options.schedule.days.zone: minLength is higher": REFUSED,
    "GameGiven.options.schedule.movement: minItems is higher": REFUSED,
    "GameGiven.options.schedule.retreats: minItems is higher": REFUSED,
    "GameGiven.options.schedule.zone: minLength is higher": REFUSED,
    "JudgeGiven.rules: minLength is higher": REFUSED,
    "KeptMapGiven.provinces: minimum is higher": "The generator makes no smaller maps.",
    "MessageGiven.proposal.terms.alternatives: is required": REFUSED,
    "MessageGiven.proposal.terms.parties: is required": REFUSED,
    "MessageGiven.proposal.terms.phase: is required": REFUSED,
    "MessageGiven.proposal.terms.v: is required": REFUSED,
    "NewMapGiven.provinces: minimum is higher": "The generator makes no smaller maps.",
    "SoloGiven.bot: minLength is higher": REFUSED,
    "listGallery order: refuses ['fairest']": "It is called `most-even`.",
}
"""What the last release described and no longer holds, and why; empty after the next release."""
LEAST = ("minimum", "minLength", "minItems")
MOST = ("maximum", "maxLength", "maxItems")


def resolve(schema, schemas):
    while "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    return schema["allOf"][0] if len(schema.get("allOf", ())) == 1 else schema


def list_kinds(schema, schemas):
    """Return the alternatives of a schema, by their types."""
    schema = resolve(schema, schemas)
    if "anyOf" not in schema:
        return {schema.get("type", "any"): schema}
    found = {}
    for part in schema["anyOf"]:
        found |= list_kinds(part, schemas)
    return found


class Comparison:
    """Finds what later schemas take away from earlier ones."""

    def __init__(self, old, new):
        self.old, self.new, self.breaks, self._seen = old, new, [], set()

    def say(self, place, what):
        self.breaks.append(f"{place}: {what}")

    def compare(self, old, new, place, *, is_given):
        """Compare what a client sends (`is_given`) or gets."""
        names = old.get("$ref"), new.get("$ref"), is_given
        if names[0] and names in self._seen:
            return
        self._seen.add(names)
        if names[0]:
            place = names[0].rpartition("/")[2]
        before, after = (
            list_kinds(part, side["schemas"]) for part, side in ((old, self.old), (new, self.new))
        )
        for kind, part in before.items():
            if kind in after:
                self._compare_kind(part, after[kind], place, is_given=is_given)
            elif "any" not in after and is_given:
                self.say(place, f"{kind} is refused")
        if not is_given and "any" not in before and (more := set(after) - set(before)):
            self.say(place, f"may be {', '.join(sorted(more))}")

    def _compare_kind(self, old, new, place, *, is_given):
        for name, part in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                self.say(f"{place}.{name}", "is gone")
                continue
            self.compare(part, new["properties"][name], f"{place}.{name}", is_given=is_given)
        needed, promised = set(new.get("required", ())), set(old.get("required", ()))
        for name in sorted(needed - promised if is_given else promised - needed):
            self.say(f"{place}.{name}", "is required" if is_given else "may be missing")
        for word in ("items", "additionalProperties"):
            if isinstance(old.get(word), dict) and isinstance(new.get(word), dict):
                self.compare(old[word], new[word], f"{place}[]", is_given=is_given)
        if is_given:
            self._compare_limits(old, new, place)

    def _compare_limits(self, old, new, place):
        gone = set(old.get("enum", ())) - set(new.get("enum", old.get("enum", ())))
        if gone or ("enum" in new and "enum" not in old):
            self.say(place, f"refuses {sorted(map(str, gone)) or 'other values'}")
        for word in LEAST:
            if new.get(word, 0) > old.get(word, 0):
                self.say(place, f"{word} is higher")
        for word in MOST:
            if new.get(word, float("inf")) < old.get(word, float("inf")):
                self.say(place, f"{word} is lower")
        if new.get("pattern") not in (None, old.get("pattern")):
            self.say(place, "has another pattern")


def find_breaks(old, new):
    """Return what clients of the old description can no longer do."""
    comparison = Comparison(old, new)
    for path, operations in old["paths"].items():
        for method, before in operations.items():
            name, after = before["operationId"], new["paths"].get(path, {}).get(method)
            if after is None or after["operationId"] != name:
                comparison.say(name, "is gone")
                continue
            _compare_operations(comparison, name, before, after)
    return comparison.breaks


def _compare_operations(comparison, name, before, after):
    first, then = (
        {(one["in"], one["name"]): one for one in side.get("parameters", ())}
        for side in (before, after)
    )
    for key, one in first.items():
        if key not in then:
            comparison.say(f"{name} {key[1]}", "is gone")
            continue
        place = f"{name} {key[1]}"
        comparison.compare(one["schema"], then[key]["schema"], place, is_given=True)
    for key, one in then.items():
        if one.get("required") and not first.get(key, {}).get("required"):
            comparison.say(f"{name} {key[1]}", "is required")
    bodies = [side.get("requestBody") for side in (before, after)]
    if bodies[1] and bodies[1].get("required") and not (bodies[0] or {}).get("required"):
        comparison.say(name, "needs a body")
    _compare_contents(comparison, f"{name} body", *bodies, is_given=True)
    for status, answer in before["responses"].items():
        if status.startswith("2"):
            found = after["responses"].get(status)
            if found is None:
                comparison.say(name, f"no longer answers {status}")
            _compare_contents(comparison, f"{name} answer", answer, found, is_given=False)
    scopes = [
        {tuple(scopes) for way in side["security"] for scopes in way.values()} or {()}
        for side in (before, after)
    ]
    if scopes[0] != scopes[1] or ({} in before["security"]) > ({} in after["security"]):
        comparison.say(name, "needs another scope")


def _compare_contents(comparison, place, old, new, *, is_given):
    for kind, found in (old or {}).get("content", {}).items():
        if kind not in (new or {}).get("content", {}):
            comparison.say(place, f"{kind} is gone")
            continue
        comparison.compare(
            found["schema"], new["content"][kind]["schema"], place, is_given=is_given
        )


def test_the_committed_description_is_that_of_the_site():
    written = script.FILE.read_text("utf-8")
    assert written == script.write_text(SCHEMA), "run scripts/openapi"


def test_nothing_is_removed_or_narrowed_since_the_last_release():
    assert sorted(find_breaks(RELEASED, NOW)) == sorted(CORRECTED)


def _drop_operation(api):
    del api["paths"]["/api/v1/me"]["get"]


def _drop_field(api):
    del api["schemas"]["GameState"]["properties"]["world"]


def _require_field(api):
    api["schemas"]["OrdersGiven"]["required"].append("draft")


def _lower_limit(api):
    api["schemas"]["StatusGiven"]["properties"]["status"]["maxLength"] = 5


def _drop_word(api):
    api["schemas"]["AnswerGiven"]["properties"]["answer"]["enum"].remove("no")


def _answer_null(api):
    api["schemas"]["Left"]["properties"]["game"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}


def _drop_parameter(api):
    api["paths"]["/api/v1/games"]["get"]["parameters"].pop()


@pytest.mark.parametrize(
    "change",
    [
        *(_drop_operation, _drop_field, _require_field, _lower_limit, _drop_word, _answer_null),
        _drop_parameter,
    ],
)
def test_what_breaks_clients_is_found(change):
    changed = copy.deepcopy(NOW)
    change(changed)
    assert len(find_breaks(NOW, changed)) == 1
    assert find_breaks(NOW, NOW) == []
