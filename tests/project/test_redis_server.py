"""The Redis server on which tests of several machines share their counters."""

import pytest
import redis
import servers
from tests.redis_server import NEEDED, run_redis


def test_a_server_survives_its_death_at_the_same_address(redis_server):
    client = redis.Redis.from_url(redis_server.url)
    assert client.set("key", "value")
    redis_server.kill()
    with pytest.raises(redis.ConnectionError):
        client.get("key")
    redis_server.start()
    assert client.get("key") is None, "nothing is kept"


def test_a_stranger_on_this_machine_reads_nothing(redis_server):
    url = redis_server.url
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url("redis://" + url.rpartition("@")[2]).get("key")


@pytest.mark.parametrize(
    ("needed", "outcome"), [("redis", pytest.fail.Exception), ("", pytest.skip.Exception)]
)
def test_a_missing_server_skips_a_test_or_fails_it(monkeypatch, needed, outcome):
    monkeypatch.setenv(NEEDED, needed)
    monkeypatch.setattr(servers.shutil, "which", lambda *_args, **_options: None)
    with pytest.raises(outcome, match="apt install redis-server"), run_redis():
        pass
