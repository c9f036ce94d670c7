"""A typed client of the HTTP API, blocking or asynchronous. It needs httpx and nothing else.

`Client` and `AsyncClient` have a method for every operation of the API. `operations` and `values`
are written from its OpenAPI description by `scripts/client`; what is written by hand sends, tries
again, pages, and turns refusals into exceptions. `docs/client.md` is the guide.
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
