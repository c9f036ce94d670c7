"""The record of a game: every public fact is a line, and an honest record passes."""

import io
import json
import random
import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test import AsyncClient
from django.utils import timezone
from tests.games.steps import HOUR, ballot, begun, call_vote, due, game, phase, save

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.conditional_orders.actions import save_conditional_orders
from diplomaccloud.games.deadlines.actions import resume_game, suspend_game
from diplomaccloud.games.drafts.actions import new_draft
from diplomaccloud.games.master.actions import change_time, reprimand
from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.seats.actions import remove_player, resign, seat_bot, take_seat
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.log_models import RecordLine
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import vote_with_orders, withdraw_vote
from diplomaccloud.games.votes.wording import Question
from diplomaccloud.judge.cli import main
from diplomaccloud.metrics import RECORDS
from diplomaccloud.project.doctor import Level, _check_records
from diplomaccloud.record.chain import make_lines
from diplomaccloud.record.command import LATE
from diplomaccloud.record.verification import verify_record
from diplomaccloud.worker.record_samples import check_random_game, replay_sample

REPLAY = (sys.executable, "-m", "diplomaccloud", "replay")
SITE_ONLY = "import django; raise SystemExit('the site was loaded')"


def download(cast, who="nobody", name="record.jsonl"):
    answer = cast.client(who).get(cast.url(name))
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def verify(record):
    report = verify_record(io.BytesIO(record), BoardLoader())
    assert [str(fault) for fault in report.faults] == []
    return report


def kinds():
    return list(RecordLine.objects.order_by("number").values_list("kind", flat=True))


def lines(kind):
    texts = RecordLine.objects.filter(kind=kind).order_by("number").values_list("text", flat=True)
    return [json.loads(text) for text in texts]


def about(cast, who, **more):
    """Return the arguments of an action in the open phase."""
    known = {"slug": cast.slug, "user_id": cast.user_id(who), "sequence": phase().sequence}
    return {**known, "now": timezone.now(), **more}


def test_a_game_of_two_turns(cast):
    save(cast, "alice", "A VIE - GAL", "F TRI H")
    due(cast)
    save(cast, "bob", "A CON - BUL")
    due(cast)
    expected = ["game", "draw", "open", *["lock", "resolve", "open"] * 2]
    assert [kind for kind in kinds() if kind != "log"] == expected
    report = verify(download(cast))
    assert report.phases == 2
    assert report.checked["digests of orders"] == 14
    assert report.checked["order sets of bots"] == 10


def test_the_game_s_row_has_the_end_of_the_record(cast):
    due(cast)
    last = RecordLine.objects.order_by("number").last()
    assert (game().record_length, game().record_head) == (last.number, last.hash)
    assert [line.number for line in RecordLine.objects.order_by("number")] == [
        *range(1, last.number + 1)
    ]


@pytest.fixture
def eventful(table, agree, tmp_path):
    """The downloads of Alice and of everyone after a game in which everything happens."""
    cast = table
    agree(ends={"last_year": 1903}, fill_with="hold")
    save(cast, "alice", "A VIE - GAL", "F TRI - ALB", "A BUD - SER")
    save_conditional_orders(**about(cast, "alice", text="if VIE is dislodged: TYR"))
    save(cast, "alice", "A VIE - BOH")
    resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
    take_seat(slug=cast.slug, user_id=cast.bob, power="TURKEY", now=timezone.now())
    due(cast)
    save_conditional_orders(**about(cast, "alice", text="if one gained: A BUD"))
    vote = call_vote(cast, "alice", "extend", length=HOUR)
    ballot(cast, "bob", vote)
    withdraw_vote(**about(cast, "alice", vote_id=call_vote(cast, "alice", "draw").pk))
    change_time(
        **about(cast, "charlie", reason="Holiday.", key="a", length=HOUR),
        question=Question.PAUSE,
    )
    change_time(
        **about(cast, "charlie", reason="Back.", key="b", length=None),
        question=Question.RESUME,
    )
    save(cast, "alice", "A SER H")
    due(cast)
    due(cast)
    roll_back(**about(cast, "charlie", to=2, reason="A mistake."))
    roll_forward(**about(cast, "charlie", reason="No mistake."))
    roll_back(**about(cast, "charlie", to=2, reason="A mistake after all."))
    dave = User.objects.create_user("Dave", password="a long enough word").pk
    take_seat(slug=cast.slug, user_id=dave, power="TURKEY", now=timezone.now())
    remove_player(**about(cast, "charlie", power="TURKEY", reason="Rude."))
    seat_bot(**about(cast, "charlie", power="TURKEY", bot="random", reason="So."))
    reprimand(**about(cast, "charlie", power="AUSTRIA", reason="Slow."))
    suspend_game(game_id=cast.game_id, reason="ValueError: x", now=timezone.now())
    resume_game(slug=cast.slug, now=timezone.now())
    save(cast, "alice", "A SER - GRE")
    while game().status == "running":
        due(cast)
    own, public = tmp_path / "own.jsonl", tmp_path / "public.jsonl"
    own.write_bytes(download(cast, "alice", "record-and-receipts.jsonl"))
    public.write_bytes(download(cast))
    (tmp_path / "keys.json").write_bytes(cast.client("nobody").get("/keys/").content)
    return own, public, tmp_path / "keys.json"


@pytest.mark.long
def test_an_eventful_game_passes_on_a_machine_that_never_saw_the_site(eventful, tmp_path):
    own, public, keys = eventful
    assert set(kinds()) >= {"seat", "vote", "rollback", "reveal", "end"}
    (tmp_path / "django.py").write_text(SITE_ONLY)
    for path in (own, public):
        replayed = subprocess.run(
            [*REPLAY, path, "--keys", keys, "--head", game().record_head],
            env={"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    assert own.read_bytes().startswith(public.read_bytes())
    saved = [json.loads(line) for line in own.read_text().splitlines()]
    assert sum(line["kind"] == "receipt" for line in saved) == 4


def test_what_was_sealed_is_revealed_at_the_end(eventful):
    texts = [entry["text"] for line in lines("reveal") for entry in line["sealed"]]
    assert any("CONDITIONAL AUSTRIA if 1 gained: A BUD" in text for text in texts)
    assert kinds()[-1] == "end"


def test_no_line_names_a_person(eventful):
    _, public, _ = eventful
    text = public.read_text().lower()
    assert [name for name in ("alice", "bob", "charlie", "dave") if name in text] == []


def test_a_game_from_before_has_no_such_record(cast):
    Game.objects.update(record_length=0, record_head="", draw_secret="", seed="s")
    RecordLine.objects.all().delete()
    save(cast, "alice", "A VIE - GAL")
    due(cast)
    resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
    assert not RecordLine.objects.exists()
    heading = json.loads(download(cast).splitlines()[0])
    assert heading["v"] == 1
    assert cast.client("alice").get(cast.url("record-and-receipts.jsonl")).status_code == 404
    assert cast.client("alice").get(cast.url("record/")).status_code == 200
    assert cast.client("alice").get(cast.url("receipts/")).status_code == 200


def test_the_coin_of_1914_is_in_it(plan, people):
    made = begun(
        plan, people["alice"], seed="s", now=timezone.now(), setup="2000-2", fill_with="hold"
    )
    cast = made
    missed = replace(game().options, missed=replace(plan.options.missed, limit=0))
    Game.objects.update(options=missed.to_json())
    for _ in range(3):
        advance(game_id=cast.pk, owner="t", now=phase().adjudicate_at)
    assert kinds().count("coin") == 1
    text = "".join(f"{line.text}\n" for line in RecordLine.objects.order_by("number"))
    report = verify_record(io.BytesIO(text.encode()), BoardLoader())
    assert [str(fault) for fault in report.faults if "seal" not in str(fault)] == []
    assert report.checked["coin flips"] == 1


ACTS = (
    *("save", "ready", "draft", "conditions", "draw vote", "vote", "answer", "resign", "take"),
    *("bot", "time", "reprimand", "back", "forward", "due", "due", "due", "suspend", "resume"),
)


@pytest.mark.parametrize("seed", range(6))
def test_after_any_sequence_of_acts_the_record_passes(table, seed):
    """At every step: a chain that verifies, names no person, and changes only with public acts."""
    rng = random.Random(seed)
    cast = table
    for _ in range(14):
        before, act = game(), rng.choice(ACTS)
        try:
            _act(cast, act, rng)
        except Refused:
            continue
        after = game()
        if act in ("save", "draft", "conditions", "draw vote"):
            assert (after.record_length, after.record_head) == (
                before.record_length,
                before.record_head,
            )
        if after.status != "running":
            break
    record = download(cast)
    verify(record)
    text = record.decode().lower()
    assert [name for name in ("alice", "bob", "charlie") if name in text] == []


def site_time():
    """Return the time on a site whose clock never goes back, even after a turn that was due."""
    return max(timezone.now(), phase().opens_at)


def _act(cast, act, rng):  # noqa: PLR0912 - one branch for each act
    who = rng.choice(["alice", "bob"])
    now = site_time()

    def at(whose, **more):
        return about(cast, whose, now=now, **more)

    match act:
        case "save":
            save(cast, who, *rng.sample(["A VIE - GAL", "A CON - BUL", "F ANK H"], 2))
        case "ready":
            set_ready(**at(who))
        case "draft":
            new_draft(**at(who, name=f"Plan {rng.random()}"[:20], copy=True))
        case "conditions":
            save_conditional_orders(**at(who, text="if one gained: waive"))
        case "draw vote":
            vote_with_orders(**at(who, vote="draw"))
        case "vote":
            call_vote(cast, who, rng.choice(["extend", "pause", "cancel"]), length=HOUR)
        case "answer":
            vote = game().votes.filter(open=True).first()
            if vote:
                ballot(cast, who, vote, yes=rng.random() < 0.5)
        case "resign":
            resign(slug=cast.slug, user_id=cast.user_id(who), now=now)
        case "take":
            power = {"alice": "AUSTRIA", "bob": "TURKEY"}[who]
            take_seat(slug=cast.slug, user_id=cast.user_id(who), power=power, now=now)
        case "bot":
            vacant = Seat.objects.exclude(vacated_at=None).first()
            if vacant:
                bot = rng.choice(["hold", "random", "greedy"])
                more = {"power": vacant.power, "bot": bot, "reason": "So."}
                seat_bot(**at("charlie", **more))
        case "time":
            question = rng.choice([Question.EXTEND, Question.PAUSE])
            more = {"question": question, "length": HOUR, "reason": "So."}
            change_time(**at("charlie", key=str(rng.random()), **more))
        case "reprimand":
            reprimand(**at("charlie", power="TURKEY", reason="Slow."))
        case "back":
            to = rng.randint(1, phase().sequence)
            roll_back(**at("charlie", to=to, reason="So."))
        case "forward":
            roll_forward(**at("charlie", reason="So."))
        case "due":
            due(cast)
        case "suspend":
            suspend_game(game_id=cast.game_id, reason="x", now=now)
        case "resume":
            resume_game(slug=cast.slug, now=now)


def test_a_server_that_is_asynchronous_sends_the_same(cast):
    due(cast)

    async def read():
        answer = await AsyncClient().get(cast.url("record.jsonl"))
        return b"".join([chunk async for chunk in answer.streaming_content])

    assert async_to_sync(read)() == download(cast)


def test_a_game_in_the_lobby_has_a_record_already(forming):
    assert kinds() == ["game"]
    page = forming.client("nobody").get(forming.url("record/"))
    assert game().record_head in page.content.decode()
    assert game().draw_secret not in download(forming).decode()
    commits = json.loads(download(forming).splitlines()[0])["commits"]
    assert sorted(commits) == ["characters", "draw", "seats"]


def test_a_game_that_ended_can_go_on_and_end_again(table, agree):
    cast = table
    save(cast, "alice", "A VIE H")
    due(cast)
    for _ in range(2):
        vote = call_vote(cast, "alice", "cancel")
        ballot(cast, "bob", vote)
        assert game().status == "finished"
        verify(download(cast))
        roll_back(**about(cast, "charlie", to=phase().sequence - 1, reason="So."))
        save(cast, "alice", "A VIE H")
        due(cast)
        verify(download(cast))
    roll_back(**about(cast, "charlie", to=phase().sequence - 1, reason="So."))
    roll_forward(**about(cast, "charlie", reason="So."))
    due(cast)
    report = verify(download(cast, "alice", "record-and-receipts.jsonl"))
    assert kinds().count("end") == 2
    assert report.checked["receipts"] == 3


# Records without a draw.


def forget_draw():
    """Write the record as releases did for games that were created and started in one step."""
    kept = [
        row for row in RecordLine.objects.order_by("number") if row.kind not in ("draw", "open")
    ]
    first = RecordLine.objects.filter(kind="open").order_by("number").first()
    kept += RecordLine.objects.filter(kind="open").exclude(pk=first.pk)
    kept.sort(key=lambda row: row.number)
    bodies = [json.loads(row.text) for row in kept]
    for body in bodies:
        for name in ("n", "prev", "hash"):
            del body[name]
    made = list(make_lines(bodies))
    RecordLine.objects.all().delete()
    RecordLine.objects.bulk_create(
        RecordLine(game=game(), number=line.number, kind=row.kind, text=line.text, hash=line.hash)
        for row, line in zip(kept, made, strict=True)
    )
    Game.objects.update(record_length=made[-1].number, record_head=made[-1].hash)


def migrate_draws():
    late_draws = import_module("diplomaccloud.games.migrations.0002_late_draws")
    state = MigrationLoader(connection).project_state(("games", "0001_squashed_0028_event_order"))
    late_draws.add_late_draws(state.apps, None)


def test_a_record_that_lacks_the_draw_is_marked_and_proves_what_follows(cast, tmp_path, capsys):
    due(cast)
    due(cast)
    forget_draw()
    published = download(cast).splitlines()[:-1]
    assert main(["replay", write(tmp_path, download(cast))]) == 1
    migrate_draws()
    migrate_draws()
    assert download(cast).splitlines()[: len(published)] == published
    assert kinds().count("draw") == 1
    due(cast)
    capsys.readouterr()
    assert main(["replay", write(tmp_path, download(cast))]) == LATE
    opened = next(
        number
        for number, line in enumerate(published, start=1)
        if json.loads(line)["kind"] == "open" and json.loads(line)["sequence"] == 3
    )
    told = capsys.readouterr().out
    assert f"not verifiable before line {opened}\n" in told
    assert "1 games, 1 phases adjudicated, 0 differences" in told
    replayed = replay_sample(3)
    assert (replayed.faults, len(replayed.late)) == ((), 1)


def write(folder, record):
    path = folder / "record.jsonl"
    path.write_bytes(record)
    return str(path)


def test_an_alarm_is_raised_for_a_record_that_differs(cast, caplog):
    due(cast)
    before = RECORDS.labels("differs")._value.get()
    check_random_game()
    assert (RECORDS.labels("differs")._value.get(), caplog.records) == (before, [])
    row = RecordLine.objects.get(kind="resolve")
    row.text = row.text.replace('"at":"2', '"at":"1')
    row.save()
    check_random_game()
    assert RECORDS.labels("differs")._value.get() == before + 1
    assert cast.slug in caplog.text
    assert _check_records().level == Level.WRONG
