"""The site in this process, for the blocking client: no socket, and the same database."""

import httpx
from django.test import Client as Browser
from tests.api.calls import token_of

from diplomaccloud.client import Client, Retries

QUICK = Retries(first_pause=0.001)


class Site(httpx.BaseTransport):
    """Passes each request to the site as a program would send it."""

    def handle_request(self, request):
        names = {name: value for name, value in request.headers.items() if name != "host"}
        kind = names.pop("content-type", "")
        answer = Browser(enforce_csrf_checks=True).generic(
            request.method,
            request.url.raw_path.decode(),
            data=request.read(),
            content_type=kind,
            headers=names,
        )
        content = b"".join(answer) if answer.streaming else answer.content
        return httpx.Response(answer.status_code, headers=dict(answer.headers), content=content)


def connect(token="", **more):
    """Return a client of the site with a token."""
    return Client("http://testserver", token, transport=Site(), retries=QUICK, **more)


def connect_as(table, name, *scopes, **more):
    """Return a client of one of the cast."""
    return connect(token_of(table.user_id(name), *scopes, **more))
