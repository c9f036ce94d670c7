"""All of the judge's message keys with their English sentences."""

from diplomaccloud.judge.messages.endings import ENDINGS
from diplomaccloud.judge.messages.forms import Plural
from diplomaccloud.judge.messages.notation import NOTATION
from diplomaccloud.judge.messages.refusals import REFUSALS
from diplomaccloud.judge.messages.requests import REQUESTS
from diplomaccloud.judge.messages.results import REASONS

MESSAGES: dict[str, str | Plural] = {
    **REASONS,
    **REFUSALS,
    **NOTATION,
    **REQUESTS,
    **ENDINGS,
}
"""The sentence of every key."""
