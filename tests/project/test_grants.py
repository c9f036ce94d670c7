"""The site's own role serves the whole site and cannot rewrite history."""

import datetime as dt
import os
import re
import secrets
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import pytest
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone
from judge.tests.drawing.toy_map import toy_chart
from tests.tables import copy_tables, drop_database
from tests.worker.separate_site import connect

from diplomaccloud.accounts.models import NameWord, User
from diplomaccloud.games.conditional_orders.actions import save_conditional_orders
from diplomaccloud.games.deadlines.actions import resume_game, suspend_game
from diplomaccloud.games.guests.actions import GAME_ROWS, purge_guests
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.next_game.actions import confirm, open_missing, tend_next_games
from diplomaccloud.games.next_game.models import NextGame, measure_muster
from diplomaccloud.games.orders.actions import save_orders, set_ready, unset_ready
from diplomaccloud.games.seats.actions import name_country
from diplomaccloud.games.table.log_models import Event, RecordLine, SaveReceipt, SigningKey
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import (
    ConditionalOrders,
    Draft,
    OrderRow,
    Phase,
    Submission,
)
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import cast_ballot, open_vote, withdraw_vote
from diplomaccloud.games.votes.models import Ballot, Vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.maps.library import store_chart
from diplomaccloud.project import db_triggers, grants
from diplomaccloud.project.databases import (
    connect_as_owner,
    parse_database_url,
    parse_owner_url,
    require_owner_of,
)

ROLE = "site_of_the_test"


def test_somebody_has_thought_about_every_table():
    assert grants.list_unclassified() == []
    labels = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    assert set(grants.RIGHTS) <= labels


RATINGS = {
    *("games.Annulment", "games.HiddenRating", "games.PersonRating", "games.PowerRating"),
    *("games.RatedGame", "games.RatingChange", "games.RatingRequest"),
}
"""What is computed again from the games whenever one of them changes."""


def test_what_may_be_deleted_from_a_game_is_guarded_once_it_is_history():
    free = {label for label, rights in grants.RIGHTS.items() if rights.delete}
    not_history = {
        "games.CountryFigures",
        "games.FeaturedGame",
        "games.RivalFigures",
        "games.WorldFigures",
        "games.GameFollow",
        "games.PersonFollow",
        "games.Unfollowable",
    }
    of_games = {label for label in free if label.startswith("games.")} - not_history - RATINGS
    assert of_games == {label for label, _ in GAME_ROWS} | {"games.Game", "games.PlayerFigures"}
    triggers = "\n".join(db_triggers.write_postgresql(ROLE))
    for label in sorted(of_games):
        table = apps.get_model(label)._meta.db_table
        assert re.search(rf'BEFORE (UPDATE OR )?DELETE ON "{table}"', triggers), label


@pytest.mark.parametrize("name", ["", "a b", "a'b", 'a"; DROP TABLE x', "1a", "a" * 32])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(ValueError, match="cannot be the name of the site's role"):
        grants._require_role(None, name)


def find_server():
    """Return the address of the checks' database server, or skip the test."""
    if not settings.CHECKS_DATABASE:
        pytest.skip("SQLite has no roles; ./check postgresql and ./check mariadb run this")
    return urlsplit(settings.CHECKS_DATABASE)


@pytest.fixture
def as_site(transactional_db, monkeypatch):
    """A function that connects as the site's role, which has got its rights."""
    find_server()
    given, owner = connection.settings_dict, connection.settings_dict["USER"]
    monkeypatch.setattr(settings, "OWNER_DATABASE", dict(given))

    def become(user):
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()
        given["USER"] = user

    become(ROLE)
    with connect_as_owner():
        assert grants.renew_rights() == ROLE
    become(owner)
    yield lambda: become(ROLE)
    become(owner)
    _drop_triggers()


@dataclass
class Owned:
    """A database with its owner, and the name and the password of the role that the site uses."""

    place: Path
    name: str
    owner: str
    role: str
    password: str = "a password"

    def find_address(self, user, password=""):
        who = f"{user}:{quote(password)}" if password else user
        server = find_server()
        netloc = f"{who}@{server.netloc.rpartition('@')[2]}"
        return urlunsplit(server._replace(path=f"/{self.name}", netloc=netloc))

    def run(self, *arguments, as_owner=True):
        """Return what the command did, with the address of the owner or without."""
        variables = os.environ | {
            "DATABASE_URL": self.find_address(self.role, self.password),
            "DIPLOMACCLOUD_OWNER_DATABASE_URL": self.find_owner() if as_owner else "",
            "DIPLOMACCLOUD_DATA": str(self.place),
            "DIPLOMACCLOUD_SECRET_KEY": "",
            "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
        }
        command = [sys.executable, "-m", "diplomaccloud", *map(str, arguments)]
        done = subprocess.run(command, env=variables, capture_output=True, text=True)
        place, _, done.stderr = done.stderr.partition("\n")
        assert place.startswith("The site is in "), done.stderr
        return done

    def require_done(self, *arguments):
        done = self.run(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout

    def renew(self, monkeypatch):
        """Renew the rights in this process, as the commands do."""
        site = self.find_address(self.role, self.password)
        with monkeypatch.context() as changed:
            for name, address in (("DATABASES", site), ("OWNER_DATABASE", self.find_owner())):
                read = parse_database_url(address, default=Path())
                changed.setattr(settings, name, {"default": read} if name == "DATABASES" else read)
            with connect_as_owner():
                assert grants.renew_rights() == self.role

    def find_owner(self):
        return self.find_address(self.owner)

    @contextmanager
    def ask(self, user):
        """Yield a cursor of a user."""
        password = self.password if user == self.role else ""
        with closing(connect(self.find_address(user, password))) as asking:
            yield asking.cursor()

    def require_rights(self):
        """Fail unless the site's role can use the tables and cannot rewrite history."""
        with self.ask(self.role) as cursor:
            cursor.execute("SELECT count(*) FROM games_game")
            for statement in (
                "DELETE FROM games_storedrules",
                "DROP TABLE games_event",
                "CREATE TABLE x (y integer)",
                "UPDATE games_phase SET position = NULL",
                "INSERT INTO auth_group (name) VALUES ('x')",
            ):
                with pytest.raises(DatabaseError, match=r"must be owner|denied"):
                    cursor.execute(statement)


@pytest.fixture
def server_account(django_db_setup, django_db_blocker):
    """A cursor of the administrator of the server."""
    find_server()
    with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
        yield cursor


@pytest.fixture
def owned(tmp_path, server_account, request):
    """A database with tables, whose owner has no rights elsewhere."""
    number, run = secrets.token_hex(4), server_account.execute
    given = Owned(tmp_path, f"owned_{number}", f"owner_{number}", f"site_{number}")
    if getattr(request, "param", "tables") == "tables":
        copy_tables(given.name)
    else:
        run(f"CREATE DATABASE {given.name}")
    if connection.vendor == "postgresql":
        run(f"CREATE ROLE {given.owner} LOGIN")
        run(f"ALTER DATABASE {given.name} OWNER TO {given.owner}")
        with given.ask("checks") as cursor:
            cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            for (table,) in cursor.fetchall():
                cursor.execute(f'ALTER TABLE "{table}" OWNER TO {given.owner}')
    else:
        run(f"CREATE USER {given.owner}")
        run(f"GRANT ALL ON {given.name}.* TO {given.owner} WITH GRANT OPTION")
    yield given
    drop_database(given.name)
    kind = "ROLE" if connection.vendor == "postgresql" else "USER"
    run(f"DROP {kind} IF EXISTS {given.role}")
    run(f"DROP {kind} {given.owner}")


def allow_roles(owned, server_account):
    """Let the owner create the site's role."""
    if connection.vendor == "postgresql":
        server_account.execute(f"ALTER ROLE {owned.owner} CREATEROLE")
    else:
        server_account.execute(f"GRANT CREATE USER ON *.* TO {owned.owner}")


def create_role(owned, server_account):
    """Create the role as the administrator of the server."""
    kind, words = ("ROLE", "LOGIN PASSWORD") if connection.vendor == "postgresql" else ("USER", "")
    words = words or "IDENTIFIED BY"
    server_account.execute(f"CREATE {kind} {owned.role} {words} '{owned.password}'")


@pytest.mark.real_database
def test_renewing_creates_the_role_and_gives_it_its_rights(owned, server_account, monkeypatch):
    allow_roles(owned, server_account)
    owned.renew(monkeypatch)
    owned.require_rights()
    if connection.vendor == "postgresql":
        server_account.execute("SELECT rolpassword FROM pg_authid WHERE rolname = %s", [owned.role])
        assert server_account.fetchone()[0].startswith("SCRAM-SHA-256$")
    who = owned.role if connection.vendor == "postgresql" else f"{owned.role}@'%'"
    with owned.ask(owned.owner) as cursor:
        cursor.execute(f"GRANT DELETE, UPDATE (name) ON auth_group TO {who}")
        cursor.execute(f"REVOKE SELECT ON games_game FROM {who}")  # noqa: S608 our own names
        if connection.vendor == "mysql":
            cursor.execute(f"GRANT ALL ON {owned.name}.* TO {who} WITH GRANT OPTION")
    owned.renew(monkeypatch)
    owned.require_rights()
    with owned.ask(owned.role) as cursor, pytest.raises(DatabaseError, match="denied"):
        cursor.execute("UPDATE auth_group SET name = ''")


@pytest.mark.real_database
def test_an_owner_who_may_not_create_the_role_learns_what_to_ask_for(
    owned, server_account, monkeypatch
):
    with pytest.raises(ValueError, match=r"let an administrator .* run CREATE") as refusal:
        owned.renew(monkeypatch)
    assert owned.password not in str(refusal.value)
    create_role(owned, server_account)
    owned.renew(monkeypatch)
    owned.require_rights()


@pytest.mark.long
@pytest.mark.real_database
@pytest.mark.parametrize("owned", ["empty"], indirect=True)
def test_a_role_that_does_not_own_the_tables_learns_whose_address_is_missing(owned, server_account):
    create_role(owned, server_account)
    if connection.vendor == "mysql":
        server_account.execute(f"GRANT SELECT ON {owned.name}.* TO {owned.role}")
    refused = owned.run("manage", "migrate", "--no-input", as_owner=False)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "set DIPLOMACCLOUD_OWNER_DATABASE_URL" in refused.stderr


@pytest.mark.long
@pytest.mark.real_database
def test_commands_migrate_back_up_and_restore_as_the_owner(owned, server_account, tmp_path):
    create_role(owned, server_account)
    assert owned.role in owned.require_done("manage", "migrate", "--no-input")
    owned.require_rights()
    file = tmp_path / "backup"
    refused = owned.run("backup", file, as_owner=False)
    assert refused.returncode == 2
    assert "set DIPLOMACCLOUD_OWNER_DATABASE_URL" in refused.stderr
    owned.require_done("backup", file)
    assert "OWNER" not in owned.require_done("restore", "--replace", file)
    owned.require_rights()


@pytest.mark.parametrize(
    ("owner", "part"),
    [
        ("postgresql://owner@host/other", "must name the same database"),
        ("mysql://owner@host/games", "must name the same database"),
        ("postgresql://site@host/games", "must name different users"),
        ("postgresql://owner@host/games?pol=3", "no option 'pol'"),
    ],
)
def test_an_owner_of_another_database_is_refused(owner, part):
    site = parse_database_url("postgresql://site:word@host/games", default=Path())
    with pytest.raises(ImproperlyConfigured, match=part) as refusal:
        require_owner_of(parse_owner_url(owner), site)
    assert str(refusal.value).startswith("DIPLOMACCLOUD_OWNER_DATABASE_URL cannot be used: ")


def test_a_file_has_no_owner():
    with pytest.raises(ImproperlyConfigured, match="SQLite"):
        require_owner_of(
            parse_owner_url("postgresql://owner@host/games"),
            parse_database_url("", default=Path("x")),
        )


def _drop_triggers():
    """Remove the triggers, which would keep the rows of other tests from being deleted."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT trigger_name, event_object_table FROM information_schema.triggers"
            " WHERE trigger_schema IN ('public', %s)",
            [connection.settings_dict["NAME"]],
        )
        for name, table in cursor.fetchall():
            on = f' ON "{table}"' if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on}")


def who():
    with connection.cursor() as cursor:
        cursor.execute("SELECT CURRENT_USER")
        return cursor.fetchone()[0].split("@")[0]


def pass_time(cast, phases):
    for _ in range(phases):
        past = timezone.now() - dt.timedelta(seconds=1)
        Phase.objects.filter(processed_at=None).update(
            opens_at=past, due_at=past, adjudicate_at=past
        )
        advance(game_id=cast.game_id, owner="test", now=timezone.now())
    assert Game.objects.get(pk=cast.game_id).suspended_reason == ""


@pytest.mark.django_db(transaction=True)
def test_the_site_runs_as_that_role(as_site, forming):
    as_site()
    assert who() == ROLE
    now = timezone.now()
    newcomer = Client()
    signed = newcomer.post(
        "/accounts/signup/", {"username": "Dora", "password1": "long enough word"}
    )
    assert signed.status_code == 302
    assert newcomer.post(f"/games/{forming.slug}/join/").status_code == 303
    assert newcomer.post(f"/games/{forming.slug}/leave/").status_code == 303
    join_game(slug=forming.slug, user_id=forming.bob, now=now)
    start_game(slug=forming.slug, user_id=forming.alice, now=now)
    advance(game_id=forming.game_id, owner="test", now=now)
    alice = forming.client("alice")
    hers = Seat.objects.get(user=forming.alice)
    for order in ("A VIE - GAL", "A VIE - TRI"):
        sent = alice.post(forming.url("orders/"), {"phase": 1, "sheet": order})
        assert sent.status_code < 400
        sent = alice.post(forming.url("orders/save/"), {"phase": 1, "order": order})
        assert sent.status_code == 200
    set_ready(slug=forming.slug, user_id=forming.alice, sequence=1, now=timezone.now())
    unset_ready(slug=forming.slug, user_id=forming.alice, sequence=1, now=timezone.now())
    name_country(slug=forming.slug, user_id=forming.bob, country="Porte", now=now)
    pass_time(forming, 4)
    suspend_game(game_id=forming.game_id, reason="test", now=timezone.now())
    resume_game(slug=forming.slug, now=timezone.now())
    store_chart(toy_chart(), now=now)
    assert alice.get(forming.url()).status_code == 200
    assert alice.post("/accounts/logout/").status_code == 302
    assert Phase.objects.exclude(processed_at=None).count() >= 4
    assert OrderRow.objects.filter(draft__phase__sequence=1, draft__seat=hers).exists()


@pytest.mark.django_db(transaction=True)
def test_that_role_opens_next_games_and_starts_them(as_site, standard, settings):
    settings.NEXT_GAMES = True
    people = [User.objects.create_user(name) for name in ("Ann", "Ben", "Cem", "Dot", "Eve")]
    as_site()
    now = timezone.now()
    open_missing(now=now)
    row = NextGame.objects.get(waiting=True)
    for person in people:
        join_game(slug=row.game.slug, user_id=person.pk, now=now)
    for person in people[:3]:
        confirm(slug=row.game.slug, user_id=person.pk, now=now)
    ends_at = now + measure_muster(row.game.options.schedule)
    assert tend_next_games(now=ends_at) == [row.pk]
    assert NextGame.objects.get(waiting=True).pk != row.pk


@pytest.mark.django_db(transaction=True)
def test_the_role_cannot_delete_or_rewrite_history(as_site, cast):
    alice, bob = Seat.objects.get(user=cast.alice), Seat.objects.get(user=cast.bob)
    choices = ["A VIE - GAL"]
    now = timezone.now()
    save_orders(slug=cast.slug, user_id=cast.alice, sequence=1, choices=choices, sheet="", now=now)
    motion = open_vote(
        slug=cast.slug,
        user_id=cast.alice,
        sequence=1,
        question=Question.DRAW,
        terms=Terms(),
        now=now,
    )
    withdraw_vote(slug=cast.slug, user_id=cast.alice, sequence=1, vote_id=motion.pk, now=now)
    pass_time(cast, 1)
    first = Phase.objects.get(sequence=1)
    tables = {
        model._meta.db_table
        for label, model in grants._find_models().items()
        if label.startswith(("games.", "maps.", "accounts."))
    }
    before = {table: _count(table) for table in tables}
    as_site()
    for table in sorted(tables):
        _refused(f"DROP TABLE {table}")
        _refused(f"TRUNCATE TABLE {table}")
        _refused(f"ALTER TABLE {table} ADD COLUMN more integer")
        # The words of a name are written again when a person changes it.
        if before[table] and table != NameWord._meta.db_table:
            _refused(f"DELETE FROM {table}")  # noqa: S608 our own names
    for change in (
        lambda: Phase.objects.filter(pk=first.pk).update(results={}),
        lambda: Phase.objects.filter(pk=first.pk).update(processed_at=None, results=None),
        lambda: Phase.objects.filter(pk=first.pk).update(position={}),
        lambda: Phase.objects.filter(processed_at=None).update(position={}),
        lambda: OrderRow.objects.filter(draft__phase=first).update(written="A VIE H"),
        lambda: Submission.objects.filter(phase=first).update(ready_at=None),
        lambda: Submission.objects.filter(phase=first).delete(),
        lambda: Event.objects.filter(game=cast.game_id).update(kind="x"),
        lambda: Game.objects.filter(pk=cast.game_id).update(seed="x"),
        lambda: Game.objects.filter(pk=cast.game_id).update(draw_secret="x"),
        lambda: Game.objects.filter(pk=cast.game_id).update(record_length=1),
        lambda: Game.objects.filter(pk=cast.game_id).update(record_head="0" * 64),
        lambda: Phase.objects.filter(processed_at=None).update(bots_secret="x"),
        lambda: RecordLine.objects.filter(game=cast.game_id).update(text="{}"),
        lambda: SaveReceipt.objects.update(text="x"),
        lambda: SaveReceipt.objects.all()._raw_delete("default"),
        lambda: SigningKey.objects.update(private="x"),
        lambda: Seat.objects.filter(pk=alice.pk).update(number=9),
        lambda: Seat.objects.filter(pk=alice.pk)._raw_delete("default"),
        lambda: Seat.objects.filter(pk=alice.pk).update(power=None),
        lambda: Vote.objects.filter(pk=motion.pk).update(outcome="carried"),
        lambda: Ballot.objects.filter(vote=motion).update(yes=False),
        lambda: Draft.objects.create(phase=first, seat=alice, name="Later", saved_at=now),
        lambda: Submission.objects.create(phase=first, seat=bob, saved_at=now),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    # What the site must still do to a processed phase, and to one that is open.
    assert Phase.objects.filter(pk=first.pk).update(superseded_at=now) == 1
    assert Phase.objects.filter(processed_at=None).update(lease_owner="x") == 1
    assert {table: _count(table) for table in tables} == before


@pytest.mark.django_db(transaction=True)
def test_only_guests_and_their_games_can_be_deleted_or_moved(as_site, cast, standard):
    as_site()
    now, guests = timezone.now(), []
    for _ in range(2):
        client = Client()
        url = client.get("/games/play/").url
        assert client.post(url, {"phase": 1, "order": [], "anyway": "1"}).status_code == 303
        guests.append((client, url))
    (mover, _), _ = guests
    member = User.objects.create_user("Dora", password="long enough word")
    sent = {"login": "Dora", "password": "long enough word"}
    assert mover.post("/accounts/login/", sent).status_code == 302
    moved = Game.objects.get(creator=member)
    assert purge_guests(now=now + dt.timedelta(days=8)) == 2
    assert set(Game.objects.values_list("pk", flat=True)) == {moved.pk, cast.game_id}
    for change in (
        lambda: User.objects.filter(pk=member.pk)._raw_delete("default"),
        lambda: User.objects.filter(pk=member.pk).update(guest=True),
        lambda: Game.objects.filter(pk=moved.pk).update(creator=cast.alice),
        lambda: Game.objects.filter(pk=moved.pk)._raw_delete("default"),
        lambda: Event.objects.filter(game=moved)._raw_delete("default"),
        lambda: RecordLine.objects.filter(game=moved)._raw_delete("default"),
        lambda: SaveReceipt.objects.update(user=cast.alice),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


@pytest.mark.django_db(transaction=True)
def test_what_was_written_ahead_is_kept_once_its_phase_is_processed(as_site, cast):
    alice, bob = Seat.objects.get(user=cast.alice), Seat.objects.get(user=cast.bob)
    ahead = {"slug": cast.slug, "user_id": cast.alice, "text": "if VIE is dislodged: BOH"}
    save_conditional_orders(**ahead, sequence=1, now=timezone.now())
    pass_time(cast, 1)
    save_conditional_orders(**ahead, sequence=2, now=timezone.now())
    first, before = (
        Phase.objects.get(sequence=1),
        list(ConditionalOrders.objects.order_by("pk").values()),
    )
    assert len(before) == 2
    as_site()
    plans = ConditionalOrders.objects.filter(phase=first)
    late = {"written": "x", "canonical": {}, "saved_at": timezone.now()}
    for change in (
        lambda: plans.update(written="if VIE is dislodged: TYR"),
        lambda: plans.update(canonical={}),
        lambda: plans.update(phase=Phase.objects.get(sequence=2), seat=bob),
        plans.delete,
        lambda: ConditionalOrders.objects.create(phase=first, seat=bob, **late),
    ):
        with pytest.raises(DatabaseError, match="history cannot be changed"), transaction.atomic():
            change()
    assert list(ConditionalOrders.objects.order_by("pk").values()) == before
    # A phase that is not yet history can be undone as before.
    save_conditional_orders(**{**ahead, "text": ""}, sequence=2, now=timezone.now())
    open_row = ConditionalOrders.objects.get(phase__sequence=2)
    assert (open_row.seat, open_row.text_for("AUSTRIA")) == (alice, "")


@pytest.mark.django_db(transaction=True)
def test_how_a_game_ended_is_kept_unless_it_goes_on(as_site, cast):
    Game.objects.update(master_id=cast.charlie)
    pass_time(cast, 1)
    as_site()
    about = {"slug": cast.slug, "sequence": 2, "now": timezone.now()}
    terms = {"question": Question.DRAW, "terms": Terms()}
    motion = open_vote(user_id=cast.alice, **terms, **about)
    cast_ballot(user_id=cast.bob, vote_id=motion.pk, yes=True, **about)
    game = Game.objects.filter(pk=cast.game_id)
    before = game.values().get()
    assert before["status"] == "finished"
    won = {"v": 1, "winners": ["AUSTRIA"], "reason": "solo"}
    for change in (
        {"ending": won},
        {"finished_at": timezone.now()},
        {"options": {}},
        {"branch": 1},
        {"master": cast.alice},
        {"status": "running", "finished_at": None, "ending": None},
    ):
        with pytest.raises(DatabaseError, match="history cannot be changed"), transaction.atomic():
            game.update(**change)
    assert game.values().get() == before
    # The game master can still roll back, and forward again.
    master = {"slug": cast.slug, "user_id": cast.charlie, "reason": "r", "now": timezone.now()}
    roll_back(**master, sequence=2, to=1)
    assert game.get().status == "running"
    roll_forward(**master, sequence=3)
    assert game.values().get()["ending_json"] == before["ending_json"]


def _refused(statement):
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def _count(table):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table}")  # noqa: S608 our own names
        return cursor.fetchone()[0]
