"""The role of `diplomaccloud dbgrants` serves the whole site and cannot rewrite history."""

import datetime as dt
import re
import secrets
import subprocess
from dataclasses import dataclass

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone
from judge.tests.drawing.toy_map import toy_chart

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
from diplomaccloud.judge.cli import main
from diplomaccloud.maps.library import store_chart
from diplomaccloud.project import grants

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
    script = grants.build_script("postgresql", role=ROLE, database="x")
    for label in sorted(of_games):
        table = apps.get_model(label)._meta.db_table
        deletion = rf'BEFORE (UPDATE OR )?DELETE\n  ON "{table}"'
        assert re.search(deletion, script), label


@pytest.mark.parametrize("vendor", grants.VENDORS)
def test_the_command_prints_a_line_for_every_table_and_writes_nothing(
    vendor, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert main(["dbgrants", "--vendor", vendor, "--role", "a_role", "--database", "a_base"]) == 0
    printed = capsys.readouterr().out
    for model in apps.get_models(include_auto_created=True):
        assert re.search(rf"^GRANT SELECT.*{model._meta.db_table}\W", printed, re.MULTILINE)
    assert not re.search(r"^GRANT.*(ALL|TRUNCATE|DROP|ALTER|TRIGGER)", printed, re.MULTILINE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "a b", "a'b", 'a"; DROP TABLE x', "1a", "a" * 32])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(ValueError, match="not a valid name"):
        grants.build_script("mysql", role=name, database="x")


@pytest.fixture
def as_site(transactional_db):
    """A function that grants the rights and then connects as the role."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no roles; ./check postgresql and ./check mariadb run this")
    given, owner = connection.settings_dict, connection.settings_dict["USER"]
    made = grants.build_script(connection.vendor, role=ROLE, database=given["NAME"])
    subprocess.run(_client(given), input=made, text=True, check=True, stdout=subprocess.DEVNULL)

    def become(user):
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()
        given["USER"] = user

    yield lambda: become(ROLE)
    become(owner)
    _drop_triggers()


@pytest.fixture
def owned(transactional_db):
    """A database with tables, and its owner, who is not a superuser and has no other rights."""
    if connection.vendor != "postgresql":
        pytest.skip("on MariaDB only an administrator can create users and grant rights")
    number = secrets.token_hex(4)
    owner, database, role = (f"{name}_{number}" for name in ("owner", "owned", "site"))
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE ROLE {owner} LOGIN")
        cursor.execute(f"CREATE DATABASE {database} OWNER {owner}")
    given = {**connection.settings_dict, "USER": owner, "NAME": database}
    mine = type(connections["default"])(
        {**given, "OPTIONS": {**given["OPTIONS"], "pool": False}}, "default"
    )
    before = connections["default"]
    connections["default"] = mine
    call_command("migrate", verbosity=0)
    connections["default"] = before
    mine.close()
    yield Owned(given, owner, role)
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE {database} WITH (FORCE)")
        cursor.execute(f"DROP ROLE IF EXISTS {role}")
        cursor.execute(f"DROP ROLE {owner}")


@dataclass
class Owned:
    """A database and its owner, and the name of the role that the site is to have."""

    given: dict
    owner: str
    role: str

    def run(self, text, user=""):
        """Return what `psql` did with the text, as the owner or another user."""
        given = {**self.given, "USER": user or self.owner}
        return subprocess.run(
            _client(given), input=text, text=True, check=False, capture_output=True
        )

    def grant(self):
        name = self.given["NAME"]
        return self.run(grants.build_script("postgresql", role=self.role, database=name))


def check_rights(owned):
    assert owned.run("SELECT count(*) FROM games_game", owned.role).returncode == 0
    for statement in (
        "DELETE FROM games_storedrules",
        "DROP TABLE games_event",
        "CREATE TABLE x ()",
    ):
        refused = owned.run(statement, owned.role)
        assert "must be owner" in refused.stderr or "permission denied" in refused.stderr


def test_an_owner_who_may_create_roles_needs_no_superuser(owned):
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER ROLE {owned.owner} CREATEROLE")
    for _ in range(2):  # as after an upgrade
        done = owned.grant()
        assert (done.returncode, done.stderr) == (0, "")
    check_rights(owned)


def test_an_owner_who_may_not_is_told_what_to_ask_for(owned):
    refused = owned.grant()
    assert refused.returncode != 0
    assert f"There is no role {owned.role}, and {owned.owner} cannot create it." in refused.stderr
    assert f'Let a superuser run: CREATE ROLE "{owned.role}" LOGIN;' in refused.stderr
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE ROLE "{owned.role}" LOGIN')
    done = owned.grant()
    assert (done.returncode, done.stderr) == (0, "")
    check_rights(owned)


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


def _client(given):
    options, user, name = given["OPTIONS"], given["USER"], given["NAME"]
    if connection.vendor == "postgresql":
        return ["psql", "-qv", "ON_ERROR_STOP=1", "-h", options["host"], "-U", user, name]
    return ["mariadb", "--no-defaults", "-u", user, "-S", options["unix_socket"], name]


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
