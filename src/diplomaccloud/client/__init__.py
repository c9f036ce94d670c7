"""A typed client for the HTTP API, blocking or asynchronous. Its only dependency is httpx.

`Client` and `AsyncClient` have a method for every operation of the API. `operations` and `values`
are generated from its OpenAPI description by `scripts/client`. The handwritten modules send, retry
and page requests, and turn refusals into exceptions. `docs/client.md` is the guide.
"""

from diplomaccloud.client import problems, values
from diplomaccloud.client.client import AsyncClient, Client
from diplomaccloud.client.errors import ClientError, StrangeAnswer, Unreachable
from diplomaccloud.client.problem import Problem
from diplomaccloud.client.retries import Retries

__all__ = [
    "AsyncClient",
    "Client",
    "ClientError",
    "Problem",
    "Retries",
    "StrangeAnswer",
    "Unreachable",
    "problems",
    "values",
]
