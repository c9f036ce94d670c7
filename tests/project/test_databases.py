from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.project import variables
from diplomaccloud.project.databases import MAX_AGE_SECONDS, POOL_SIZE, parse_database_url

FILE = Path("/data/games.sqlite3")


def read(url):
    return parse_database_url(url, default=FILE)


def test_the_default_is_a_file_whose_commits_are_written_to_disk():
    found = read("")
    assert found["NAME"] == str(FILE)
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in found["OPTIONS"]["init_command"]


@pytest.mark.parametrize(
    ("url", "name"), [("sqlite:///games.db", "games.db"), ("sqlite:////a/g%20s.db", "/a/g s.db")]
)
def test_a_sqlite_path_is_relative_after_three_slashes_and_absolute_after_four(url, name):
    assert read(url)["NAME"] == name


@pytest.mark.parametrize(
    ("url", "engine", "port"),
    [
        ("postgresql://u%40x:p%2Fw@db.example:5433/games", "django.db.backends.postgresql", 5433),
        ("postgres://u%40x:p%2Fw@db.example/games", "django.db.backends.postgresql", ""),
        ("mysql://u%40x:p%2Fw@db.example:3307/games", "diplomaccloud.project.mysql", 3307),
        ("mariadb://u%40x:p%2Fw@db.example/games", "diplomaccloud.project.mysql", ""),
    ],
)
def test_the_url_of_a_server_is_read_with_escapes(url, engine, port):
    found = read(url)
    assert found["ENGINE"] == engine
    assert (found["USER"], found["PASSWORD"]) == ("u@x", "p/w")
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example", port, "games")
    assert found["CONN_HEALTH_CHECKS"]


def test_postgresql_has_a_pool_unless_told_otherwise():
    assert read("postgresql://h/n")["OPTIONS"]["pool"]["max_size"] == POOL_SIZE
    assert read("postgresql://h/n?pool=3")["OPTIONS"]["pool"]["max_size"] == 3
    assert read("postgresql://h/n?pool=0")["OPTIONS"]["pool"] is False


def test_options_reach_the_driver_with_their_types():
    settings = read(
        "postgresql://h/n?application_name=games&keepalives_idle=30&target_session_attrs=read-write"
        "&options=-c%20statement_timeout%3D5000&server_side_binding=true"
    )
    assert (
        settings["OPTIONS"].items()
        >= {
            "application_name": "games",
            "keepalives_idle": 30,
            "target_session_attrs": "read-write",
            "options": "-c statement_timeout=5000",
            "server_side_binding": True,
        }.items()
    )
    assert read("mysql://h/n?ssl_verify_cert=true&charset=utf8mb4")["OPTIONS"]["ssl_verify_cert"]
    assert read("mysql://h/n?ssl-ca=/ca.pem")["OPTIONS"]["ssl"] == {"ca": "/ca.pem"}
    assert read("sqlite:///games.db?timeout=5")["OPTIONS"]["timeout"] == 5


def test_shortcuts_of_the_library_are_understood():
    options = read("pgsql://h/n?currentSchema=games&ssl_require=true")["OPTIONS"]
    assert (options["options"], options["sslmode"]) == ("-c search_path=games", "require")
    assert "currentSchema" not in options
    assert "ssl_require" not in options
    assert read("mysql2://h/n")["ENGINE"] == "diplomaccloud.project.mysql"


def test_options_of_django_become_settings():
    found = read(
        "postgresql://h/n?pool=0&conn_max_age=60&conn_health_checks=false"
        "&disable_server_side_cursors=true"
    )
    assert (found["CONN_MAX_AGE"], found["CONN_HEALTH_CHECKS"]) == (60, False)
    assert found["DISABLE_SERVER_SIDE_CURSORS"]
    assert found["OPTIONS"] == {"pool": False}
    assert read("mysql://h/n")["CONN_MAX_AGE"] == MAX_AGE_SECONDS
    assert read("mysql://h/n?conn_max_age=0")["CONN_MAX_AGE"] == 0
    assert read("sqlite:///games.db?conn_max_age=0")["CONN_MAX_AGE"] == 0
    assert read("")["CONN_MAX_AGE"] == read("sqlite:///games.db")["CONN_MAX_AGE"] == MAX_AGE_SECONDS


def test_mysql_is_strict_and_reads_what_is_committed():
    options = read("mysql://h/n?unix_socket=/run/s")["OPTIONS"]
    assert options["unix_socket"] == "/run/s"
    assert "TRADITIONAL" in options["init_command"]
    assert options["isolation_level"] == "read committed"


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("games.sqlite3", "must look like"),
        ("oracle://u:secret@h/n", "begins with 'oracle'"),
        ("postgresql://u:secret@h:port/n", "its port"),
        ("postgresql://u:secret@h:99999/n", "its port"),
        ("mysql://u:sec/ret@h:3306/n", "%2F"),
        ("mysql://u:secret@[::1/n", "%5B"),
        ("postgresql://u:secret@h/", "name of the database is missing"),
        ("postgresql://u:secret@h/n/m", "name of the database is missing"),
        ("mysql://u:secret@h/n?speed=9", "no option 'speed' for mysql"),
        ("postgresql://u:secret@h/n?pool=many", "option pool is not a number"),
        ("postgresql://u:secret@h/n?pool=", "option pool is not a number"),
        ("postgresql://u:secret@h/n?pool=1&pool=2", "option pool is given twice"),
        ("mysql://u:secret@h/n?ssl_disabled=perhaps", "option ssl_disabled is not true or false"),
        ("postgresql://u:secret@h/n?conn_max_age=60", "conn_max_age requires the option pool=0"),
        ("mysql://u:secret@h/n?init_command=x", "no option 'init_command' for mysql"),
        ("sqlite://games.db", "sqlite:///path"),
        ("sqlite://:memory:", "sqlite:///path"),
    ],
)
def test_an_error_names_the_fault_but_not_the_password(url, fault):
    with pytest.raises(ImproperlyConfigured) as raised:
        read(url)
    assert fault in str(raised.value)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize(
    ("ours", "theirs", "used"),
    [
        ("", "", ""),
        ("sqlite:///a", "sqlite:///b", "sqlite:///a"),
        ("", " sqlite:///b ", "sqlite:///b"),
    ],
)
def test_our_own_variable_wins_over_the_usual_one(monkeypatch, ours, theirs, used):
    monkeypatch.setenv("DIPLOMACCLOUD_DATABASE_URL", ours)
    monkeypatch.setenv("DATABASE_URL", theirs)
    assert variables.DATABASE_URL.read() == used
