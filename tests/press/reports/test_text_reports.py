"""Reports of names and statuses: who can report and judge them, and what everyone sees next."""

import datetime as dt
import json
import re

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.models import User
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.library import find_chart, save_map, standard_hash
from diplomaccloud.press.account import read_choices
from diplomaccloud.press.moderation.models import AuditEntry, TextCase, TextReport
from diplomaccloud.press.reports import actions as texts
from diplomaccloud.press.reports.actions import MAX_A_DAY, judge_text, report_text
from diplomaccloud.press.table.errors import AlreadyReported, CaseTaken, NoSuchCase, TooManyMessages
from diplomaccloud.press.table.models import PressEvent
from diplomaccloud.schedule.timer import Refused

PASSWORD = "a long enough word"
STATUS = "Something rude."
GROUNDS = {"grounds": "abuse", "note": ""}
REASON = {"reason": "It insults people."}


@pytest.fixture
def site(people):
    """Bob has a status; Mina and Mo are moderators."""
    User.objects.filter(username="Bob").update(status=STATUS)
    for name in ("Mina", "Mo"):
        User.objects.create_user(name, password=PASSWORD, moderator=True)
    return people


@pytest.fixture
def browse(site):
    """A function that returns a browser in which someone has logged in."""

    def browse(name):
        client = Client()
        client.force_login(User.objects.get(username=name))
        return client

    return browse


def report(site, kind="name", of="Bob", who="alice", **more):
    report_text(user_id=site[who], kind=kind, of=of, now=timezone.now(), **{**GROUNDS, **more})
    return TextCase.objects.latest("pk").key


def judge(key, stage, who="", reason="It insults people."):
    """Judge a case as its moderator, or as `who`."""
    case = TextCase.objects.get(key=key)
    user_id = User.objects.get(username=who).pk if who else case.assigned_to_id
    judge_text(user_id=user_id, key=key, stage=stage, reason=reason, now=timezone.now())


def bob(site):
    return User.objects.get(pk=site["bob"])


def test_a_name_is_reported_hidden_and_restored_with_plain_forms(site, browse):
    alice, mina = browse("Alice"), browse("Mina")
    form = "/reports/new/name/Bob/"
    assert form in alice.get("/people/Bob/").content.decode()
    assert "Bob" in alice.get(form).content.decode()
    assert alice.post(form, {"grounds": "", "note": "<b>x"}).status_code == 400
    assert alice.post(form, GROUNDS).status_code == 303
    assert alice.post(form, GROUNDS).status_code == 409
    again = alice.get(form).content.decode()
    assert "You reported this screen name." in again
    assert 'name="grounds"' not in again
    assert 'name="grounds"' in browse("Charlie").get(form).content.decode()
    key = TextCase.objects.get().key
    page = f"/moderation/text/{key}/"
    assert page in mina.get("/moderation/").content.decode()
    assert "Bob" in mina.get(page).content.decode()
    assert mina.post(page, {"stage": "hidden", "reason": " "}).status_code == 400
    assert mina.post(page, {"stage": "hidden"} | REASON).status_code == 303
    name = bob(site).username
    assert name.startswith("Player-")
    assert mina.post(page, {"stage": "kept"} | REASON).status_code == 409
    assert alice.get("/people/Bob/").status_code == 404
    assert form not in alice.get(f"/people/{name}/").content.decode()
    assert alice.get(f"/reports/new/name/{name}/").status_code == 404
    assert "Decided" in alice.get("/reports/").content.decode()
    own = Client()
    own.force_login(bob(site))
    told = own.get("/reports/").content.decode()
    for text in ("A moderator hid your screen name", "It insults people.", "/accounts/name/"):
        assert text in told
    assert "Mina" not in told
    assert "Alice" not in told
    assert mina.post(page, {"stage": "restored"} | REASON).status_code == 303
    assert bob(site).username == "Bob"
    assert alice.get("/people/Bob/").status_code == 200
    assert own.get("/accounts/name/").status_code == 403
    acts = list(
        AuditEntry.objects.exclude(act="assigned").order_by("pk").values_list("act", "person")
    )
    assert acts == [("hidden", site["bob"]), ("restored", site["bob"])]


def test_the_page_of_a_person_links_to_the_report_of_each_text(browse):
    page = browse("Alice").get("/people/Bob/").content.decode()
    links = re.findall(r'href="/reports/new/(\w+)/Bob/">[^<]* (\w+)</a>', page)
    assert links == [("name", "name"), ("status", "status")]


def test_only_moderators_who_are_not_involved_judge(site, browse):
    key = report(site)
    page, invented = f"/moderation/text/{key}/", "/moderation/text/abcdefabcdef/"
    User.objects.filter(pk__in=(site["bob"], site["alice"])).update(moderator=True)
    for who in ("Alice", "Bob", "Charlie"):
        client = browse(who)
        for address in (page, invented):
            assert client.get(address).status_code == 404
            assert client.post(address, {"stage": "hidden"} | REASON).status_code == 404
    for who in ("Alice", "Bob"):
        assert page not in browse(who).get("/moderation/").content.decode()
    assert browse("Charlie").get("/moderation/").status_code == 404
    assert Client().get(page).status_code == 302
    User.objects.filter(username="Mo").update(banned_at=timezone.now())
    with pytest.raises(NoSuchCase):
        judge(key, "hidden", "Mo")
    judge(key, "hidden")
    # Nobody sees cases about their own name in the audit.
    log = browse(bob(site).username).get("/moderation/log/").content.decode()
    assert "hid a text" not in log
    assert "hid a text" in browse("Mina").get("/moderation/log/").content.decode()


def test_a_hidden_name_logs_in_until_another_is_chosen(site):
    judge(report(site), "hidden")
    client, sent = Client(), {"login": "bob", "password": PASSWORD}
    assert client.post("/accounts/login/", sent).status_code == 302
    page = client.get(f"/people/{bob(site).username}/").content.decode()
    assert "/accounts/name/" in page
    assert client.get("/accounts/name/").status_code == 200
    for name in ("Bob", "B0b", "Alice", "admin", "x", "a/b", "Aб"):
        assert client.post("/accounts/name/", {"name": name}).status_code == 422, name
    assert client.post("/accounts/name/", {"name": "Robert"}).status_code == 303
    assert bob(site).username == "Robert"
    assert client.get("/people/Robert/").status_code == 200
    assert client.post("/accounts/name/", {"name": "Rob"}).status_code == 403
    assert Client().post("/accounts/login/", sent).status_code == 200
    assert Client().post("/accounts/login/", sent | {"login": "Robert"}).status_code == 302
    signup = {"username": "BOB", "password1": PASSWORD}
    assert "taken" in Client().post("/accounts/signup/", signup).content.decode()
    with pytest.raises(Refused):
        judge(TextCase.objects.get().key, "restored")
    assert bob(site).username == "Robert"


def test_a_status_is_hidden_and_restored(site, browse):
    key = report(site, "status")
    assert STATUS in browse("Charlie").get("/people/").content.decode()
    judge(key, "hidden")
    assert bob(site).status == ""
    assert STATUS not in browse("Charlie").get("/people/").content.decode()
    judge(key, "restored")
    assert bob(site).status == STATUS
    key = report(site, "status")
    User.objects.filter(pk=site["bob"]).update(status="Better.")
    with pytest.raises(Refused):
        judge(key, "hidden")
    assert bob(site).status == "Better."
    judge(key, "kept")


def test_the_name_of_a_saved_map_is_hidden_and_restored(site, browse, standard):
    key = save_map(standard_chart(), "Rude map", user_id=site["bob"], now=timezone.now())
    alice = browse("Alice")
    assert f"/reports/new/map/{key}/" in alice.get(f"/maps/{key}/").content.decode()
    # Nobody chose the name of one of the site's own maps.
    assert "/reports/new/" not in alice.get(f"/maps/{standard_hash()}/").content.decode()
    assert alice.get(f"/reports/new/map/{standard_hash()}/").status_code == 404
    case = report(site, "map", key)
    judge(case, "hidden")
    for page in ("/maps/", f"/maps/{key}/", reverse("sandbox:board", args=[key])):
        text = alice.get(page, follow=True).content.decode()
        assert "Rude map" not in text, page
        assert f"Map {key[:8]}" in text, page
    assert find_chart(key).world == f"Map {key[:8]}"
    assert alice.get(f"/reports/new/map/{key}/").status_code == 404
    judge(case, "restored")
    assert "Rude map" in alice.get("/maps/").content.decode()


def test_a_report_that_another_request_overtook_is_refused(site, monkeypatch):
    require = texts.require_report_left

    def overtake(user_id, now):
        monkeypatch.setattr(texts, "require_report_left", require)
        report(site)

    monkeypatch.setattr(texts, "require_report_left", overtake)
    with transaction.atomic():
        with pytest.raises(AlreadyReported):
            report(site)
        # The transaction around it still works.
        assert not TextReport.objects.filter(reporter=site["charlie"]).exists()


def test_reports_are_limited_and_collected_in_one_case(site):
    first = report(site)
    assert report(site, who="charlie") == first
    with pytest.raises(AlreadyReported):
        report(site)
    with pytest.raises(Refused):
        report(site, who="bob")
    for wrong in ({"of": "Nobody"}, {"kind": "game"}, {"kind": "map", "of": "a" * 64}):
        with pytest.raises(NoSuchCase):
            report(site, **wrong)
    with pytest.raises(Refused):
        report(site, of="Charlie", grounds="other")
    judge(first, "kept")
    with pytest.raises(CaseTaken):
        judge(first, "hidden")
    with pytest.raises(AlreadyReported):
        report(site)
    assert report(site, who="charlie", kind="status") != first
    for number in range(MAX_A_DAY - 1):
        User.objects.create(username=f"Rude-{number}")
        report(site, of=f"Rude-{number}")
    with pytest.raises(TooManyMessages):
        report(site, of="Charlie")
    TextReport.objects.update(at=timezone.now() - dt.timedelta(days=2))
    report(site, of="Charlie")


def test_those_concerned_are_notified_and_nobody_else(site):
    key = report(site)
    waiting = {row.user.username for row in PressEvent.objects.filter(kind="report waiting")}
    assert waiting == {"Mina"}
    judge(key, "hidden")
    assert PressEvent.objects.get(kind="report decided").user_id == site["alice"]
    assert PressEvent.objects.get(kind="judged").user_id == site["bob"]


def test_reports_and_what_was_hidden_are_in_the_download(site):
    judge(report(site, note="Look."), "hidden")
    (sent,) = read_choices(site["alice"])["reports"]
    assert (sent["grounds"], sent["note"]) == ("abuse", "Look.")
    (text,) = read_choices(site["bob"])["texts"]
    assert (text["kind"], text["text"], text["reason"]) == ("name", "Bob", "It insults people.")
    json.dumps(text)


def test_a_deleted_account_leaves_no_copy_of_its_texts(site):
    for kind in ("name", "status"):
        report(site, kind)
    judge(TextCase.objects.get(kind="name").key, "hidden")
    delete_account(user_id=site["bob"], now=timezone.now())
    assert set(TextCase.objects.values_list("text", "stage")) == {("", "hidden"), ("", "kept")}
    assert bob(site).hidden_name is None
    assert not Client().login(username="bob", password=PASSWORD)
