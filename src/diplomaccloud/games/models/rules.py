"""Rule sets, each stored once."""

import hashlib
import json
from functools import lru_cache
from typing import Final

from django.db import models

from diplomaccloud.games.models.fields import TypedJSONField, TypedModel
from diplomaccloud.judge.codec.values import rules_from_json, rules_to_json
from diplomaccloud.judge.rules import RuleSet

MAX_REMEMBERED: Final = 256
"""How many decoded rule sets a process caches; most games share a few."""


class StoredRules(TypedModel):
    """A rule set that games and phases refer to; rows never change.

    `digest` is the SHA-256 in hexadecimal of its JSON with sorted keys and without spaces.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    rules: "TypedJSONField[RuleSet, RuleSet]" = TypedJSONField(
        decode=rules_from_json, encode=rules_to_json
    )

    def __str__(self) -> str:
        return f"rules {self.digest[:8]}"


def store_rules(rules: RuleSet) -> str:
    """Store the rule set unless it is already stored, and return its digest."""
    plain = rules_to_json(rules)
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    StoredRules.objects.get_or_create(digest=digest, defaults={"rules_json": plain})
    return digest


@lru_cache(maxsize=MAX_REMEMBERED)
def find_rules(digest: str) -> RuleSet:
    """Return the rule set with this digest, cached; raise `DamagedData` if it can't be read."""
    return StoredRules.objects.get(pk=digest).rules
