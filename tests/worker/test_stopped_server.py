"""The database server stops while a site serves pages: 503 with the text, then recovery."""

import contextlib
import re

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django.utils import timezone
from tests.worker.separate_site import connect, make_games
from tests.worker.test_faults import require_server, servers

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow

pytestmark = [pytest.mark.real_database, pytest.mark.long]


def test_a_server_that_stops_loses_no_text(django_db_setup, django_db_blocker):
    kind = require_server()
    with django_db_blocker.unblock(), contextlib.ExitStack() as stack:
        base = stack.enter_context(servers.server(kind, durable=True))
        before = connections["default"]
        connections["default"] = connect(base.url)
        stack.callback(connections.__setitem__, "default", before)
        call_command("migrate", verbosity=0)
        (person, _) = next(iter(make_games(1, now=timezone.now()).values()))
        Game.objects.update(slug="stoppedabc")
        client = Client(raise_request_exception=False, enforce_csrf_checks=True)
        client.force_login(User.objects.get(pk=person))
        page = client.get("/games/stoppedabc/")
        assert page.status_code == 200
        token = client.cookies[settings.CSRF_COOKIE_NAME].value
        form = {"phase": 1, "sheet": "A nowhere - somewhere", "csrfmiddlewaretoken": token}
        base.kill()
        answer = client.post("/games/stoppedabc/orders/", form)
        text = answer.content.decode()
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
        assert "A nowhere - somewhere" in text
        assert client.get("/health").status_code == 503
        base.start()
        connections["default"].close()  # as a server does after each request
        again = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text)[1]
        answer = client.post(
            "/games/stoppedabc/orders/", {"phase": 1, "sheet": "", "csrfmiddlewaretoken": again}
        )
        assert answer.status_code in (200, 303)
        assert not OrderRow.objects.exists()
        connections["default"].close()
