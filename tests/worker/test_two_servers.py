"""Two web servers of one site: what is done at one is seen, counted and ended at the other."""

import copy
import json
from contextlib import contextmanager

import httpx
import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from judge.tests.effort import PATIENCE
from tests.client.real_site import RealSite
from tests.ports import hold_port
from tests.redis_server import run_redis
from tests.worker.separate_site import use_own_database, wait_until
from tests.worker.site_clients import Reader

from diplomaccloud.accounts.adapter import Adapter
from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Seat

pytestmark = pytest.mark.real_database
PASSWORD = "a long enough word"
WRONG = Adapter.error_messages["username_password_mismatch"]
TOO_MANY = Adapter.error_messages["too_many_login_attempts"]


@pytest.fixture(scope="module")
def servers(tmp_path_factory, django_db_setup, django_db_blocker):
    """Return two servers with one database and one Redis."""
    place = tmp_path_factory.mktemp("site")
    with django_db_blocker.unblock(), use_own_database(place) as database, run_redis() as redis:
        first = RealSite(database, place)
        first.environment["DIPLOMACCLOUD_CACHE_URL"] = redis.url
        password = Argon2PasswordHasher().encode(PASSWORD, "salt of some length")
        User.objects.update(password=password)
        try:
            first.start()
            second = copy.copy(first)
            second.port = hold_port()
            second.url = f"http://127.0.0.1:{second.port}"
            second.start()
            yield first, second
        finally:
            first.stop()
            second.stop()


@contextmanager
def open_browser(site, cookies=None):
    """Yield a browser at a server, perhaps with the cookies of another."""
    with httpx.Client(base_url=site.url, cookies=cookies) as browser:
        if cookies is None:
            browser.get("/accounts/login/")
        yield browser


def post(browser, path, **form):
    """Return the answer to a form; a log-in changes the token that it needs."""
    return browser.post(path, data=form, headers={"X-CSRFToken": browser.cookies["csrftoken"]})


def log_in(browser, name, password=PASSWORD):
    """Return the first of the known errors, blank if it worked."""
    answer = post(browser, "/accounts/login/", login=name, password=password)
    return next((error for error in (WRONG, TOO_MANY) if error in answer.text), "")


@pytest.mark.long
def test_what_happens_at_one_server_reaches_streams_of_the_other(servers):
    first, second = servers
    game = first.start_game("bob")
    reader = Reader([second.port], game, User.objects.get(username="bob").pk, second.tokens["bob"])
    reader.start()
    power = Seat.objects.get(game__slug=game, user__username="bob").power
    page = f"{second.url}/live/games/{game}"
    with (
        first.client() as alice,
        httpx.stream("GET", page, timeout=PATIENCE) as stream,
    ):
        pulses = (line for line in stream.iter_lines() if line.startswith("data:"))
        before = next(pulses)
        alice.save_orders(game, phase=1, ready=True, confirmed=True)
        assert read_version(next(pulses)) > read_version(before)
        wait_until(lambda: reader.ids)
        heard = len(reader.ids)
        alice.send_message(game, to=[power], body="Hello from the other server.")
        wait_until(lambda: len(reader.ids) > heard)
        reader.over.set()


def read_version(pulse):
    return json.loads(pulse.removeprefix("data:"))["version"]


@pytest.mark.long
def test_wrong_passwords_are_counted_at_both_servers(servers):
    answers = []
    for number in range(7):
        with open_browser(servers[number % 2]) as browser:
            answers.append(log_in(browser, "bob", "wrong"))
    assert answers == [WRONG] * 5 + [TOO_MANY] * 2


@pytest.mark.long
def test_a_log_out_everywhere_at_one_server_ends_a_session_at_the_other(servers):
    first, second = servers
    with open_browser(first) as here, open_browser(second) as there:
        assert log_in(here, "alice") == ""
        assert log_in(there, "alice") == ""
        assert there.get("/account/sessions/").status_code == 200
        assert post(here, "/account/sessions/", end="others").status_code == 303
        assert there.get("/account/sessions/").status_code == 302
        assert here.get("/account/sessions/").status_code == 200
        # A session that has begun at one server is one at the other.
        with open_browser(second, here.cookies) as again:
            assert again.get("/account/sessions/").status_code == 200
