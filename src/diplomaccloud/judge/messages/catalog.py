"""All message keys of the judge with their English sentences: the only English that it writes."""

from diplomaccloud.judge.messages.forms import Plural
from diplomaccloud.judge.messages.notation import NOTATION
from diplomaccloud.judge.messages.refusals import REFUSALS
from diplomaccloud.judge.messages.requests import REQUESTS
from diplomaccloud.judge.messages.results import REASONS

MESSAGES: dict[str, str | Plural] = {**REASONS, **REFUSALS, **NOTATION, **REQUESTS}
"""The sentence of every key."""
