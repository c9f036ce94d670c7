"""The pages of reports and moderation: who sees what, byte by byte where that must not differ."""

import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from tests.press.moderation.test_reports import INSULT, decide, report
from tests.press.page.test_press_pages import still
from tests.press.people import new_key

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game
from diplomaccloud.press.moderation.models import AuditEntry, Case, Report
from diplomaccloud.press.personal.actions import send_personal
from diplomaccloud.press.table.models import Block, Message, SeatMute

GONE = re.compile(rb"(?s).*<main")
"""What comes before the content, which names the viewer."""


@pytest.fixture
def reported(talking):
    """Italy has insulted France, who has reported it; Mina and Mo are moderators."""
    for name in ("Mina", "Mo"):
        User.objects.create(username=name, moderator=True)
    talking.send("ITALY", "FRANCE", INSULT)
    Game.objects.update(master=None)
    talking.key = report(talking, "FRANCE", "ITALY", 1)
    return talking


@pytest.fixture
def browse(reported):
    """Return a function that returns a browser in which someone has logged in."""

    def browse(who):
        client = Client()
        client.force_login(User.objects.get(pk=reported.user_id(who)))
        return client

    return browse


def main_of(response):
    return GONE.sub(b"", still(response)).replace(b"0", b"")


def test_only_those_who_judge_have_the_pages_of_a_case(reported, browse):
    User.objects.filter(pk__in=(reported.user_id("ITALY"), reported.user_id("FRANCE"))).update(
        moderator=True
    )
    real, invented = f"/moderation/{reported.key}/", "/moderation/abcdefabcdef/"
    for who in ("AUSTRIA", "Sam", "Morgan"):
        client = browse(who)
        for page in ("/moderation/", "/moderation/log/", "/moderation/moderators/", real):
            assert client.get(page).status_code == 404, page
        for act in ("take/", "decide/", "inspect/"):
            answers = [client.post(page + act) for page in (real, invented)]
            assert {answer.status_code for answer in answers} == {404}
            assert main_of(answers[0]) == main_of(answers[1])
    # A moderator who is involved has a queue, in which the case is not.
    for who in ("ITALY", "FRANCE"):
        client = browse(who)
        assert b"No reports are waiting" in client.get("/moderation/").content
        assert main_of(client.get(real)) == main_of(client.get(invented))
        assert b"No lines yet" in client.get("/moderation/log/").content
    assert Client().get(real).status_code == 302
    mina = browse("Mina")
    page = mina.get(real).content.decode()
    assert INSULT in page
    assert mina.get("/moderation/moderators/").status_code == 404


def test_a_case_is_judged_with_plain_forms(reported, browse):
    mina, url = browse("Mina"), f"/moderation/{reported.key}/"
    assert mina.post(url + "take/").status_code == 303
    assert browse("Mo").post(url + "take/").status_code == 404
    # What was typed stays in the form.
    sent = {"outcome": "limited", "days": "14", "reason": "x" * 1001}
    refused = mina.post(url + "decide/", sent)
    assert refused.status_code == 400
    assert "x" * 1001 in refused.content.decode()
    looked = mina.post(url + "inspect/", {"what": "name", "reason": "Unclear."})
    assert reported.name_of("ITALY") in looked.content.decode()
    assert "The audit records that you saw this" not in mina.get(url).content.decode()
    looked = mina.post(url + "inspect/", {"what": "conversation", "reason": "Unclear."})
    assert "The conversation now" in looked.content.decode()
    assert mina.post(url + "decide/", sent | {"reason": "Be kind."}).status_code == 303
    italy = browse("ITALY")
    page = italy.get("/reports/").content.decode()
    for text in ("Be kind.", "Press limited", INSULT, f"/reports/{reported.key}/appeal/"):
        assert text in page
    for name in (reported.name_of("FRANCE"), "Mina", "France"):
        assert name not in page
    assert browse("FRANCE").get(f"/reports/{reported.key}/appeal/").status_code == 404
    assert italy.post(f"/reports/{reported.key}/appeal/", {"text": " "}).status_code == 400
    assert italy.post(f"/reports/{reported.key}/appeal/", {"text": "No."}).status_code == 303
    assert italy.post(f"/reports/{reported.key}/appeal/", {"text": "No."}).status_code == 409
    assert "Decided" in browse("FRANCE").get("/reports/").content.decode()
    assert b"No reports are waiting" in mina.get("/moderation/").content
    assert b"Appeal" in browse("Mo").get("/moderation/").content


def test_a_message_is_reported_muted_and_blocked_from_its_menu(reported, browse):
    france, talk = browse("FRANCE"), f"/games/{reported.slug}/press/ITALY/"
    reported.send("ITALY", "FRANCE", "Again.")
    page = france.get(talk).content.decode()
    assert f"{talk}2/report/" in page
    own = browse("ITALY").get(talk.replace("ITALY", "FRANCE")).content.decode()
    assert "2/report/" not in own
    form = france.get(f"{talk}2/report/")
    assert INSULT in form.content.decode()
    sent = {"grounds": "other", "note": "<script>"}
    assert france.post(f"{talk}2/report/", {"grounds": "", "note": "<b>x"}).status_code == 400
    assert "&lt;b&gt;x" in france.post(f"{talk}2/report/", {"note": "<b>x"}).content.decode()
    assert france.post(f"{talk}2/report/", sent).status_code == 303
    assert france.post(f"{talk}2/report/", sent).status_code == 409
    for wrong in (f"{talk}9/", f"{talk}0/", talk.replace("ITALY", "MARS") + "1/"):
        assert france.get(f"{wrong}report/").status_code == 404
    assert browse("ENGLAND").get(f"{talk}1/report/").status_code == 404
    assert Report.objects.count() == 2
    france.post(f"{talk}mute-seat/", {"mute": "ITALY"})
    assert SeatMute.objects.count() == 1
    assert "Unmute Italy" in france.get(talk).content.decode()
    france.post(f"{talk}mute-seat/", {"unmute": "ITALY"})
    france.post(f"{talk}block/", {"name": reported.name_of("ITALY")})
    assert (SeatMute.objects.count(), Block.objects.count()) == (0, 1)
    reported.agree(anonymous=True)
    assert ">Block " not in france.get(talk).content.decode()


def test_a_reporter_is_told_where_the_report_is_and_reports_only_once(reported, browse):
    france, talk = browse("FRANCE"), f"/games/{reported.slug}/press/ITALY/"
    reported.send("ITALY", "FRANCE", "Again.")
    sent = {"grounds": "abuse", "note": ""}
    told = france.post(f"{talk}2/report/", sent, follow=True).content.decode()
    assert '<a href="/reports/">Reports page</a> will show when it is decided.' in told
    reported.send("ITALY", "FRANCE", "Once more.")
    for number, is_reported in ((1, True), (2, True), (3, False)):
        page = france.get(f"{talk}{number}/report/").content.decode()
        assert ("You reported this message." in page) is is_reported
        assert ('name="grounds"' in page) is not is_reported
    refused = france.post(f"{talk}2/report/", sent)
    assert refused.status_code == 409
    assert "You reported this message." in refused.content.decode()
    # Others who can read it are not told.
    reported.send("ITALY", "everyone", INSULT)
    report(reported, "FRANCE", "everyone", 1)
    everyone = f"/games/{reported.slug}/press/everyone/1/report/"
    assert "You reported" in france.get(everyone).content.decode()
    assert "You reported" not in browse("ENGLAND").get(everyone).content.decode()


def test_a_personal_message_is_reported_only_once(reported, browse):
    italy, france = reported.name_of("ITALY"), browse("FRANCE")
    send_personal(
        user_id=reported.user_id("ITALY"),
        to=reported.name_of("FRANCE"),
        body=INSULT,
        key=new_key(),
        now=reported.tick(),
    )
    page = f"/messages/with/{italy}/1/report/"
    assert 'name="grounds"' in france.get(page).content.decode()
    told = france.post(page, {"grounds": "abuse", "note": ""}, follow=True).content.decode()
    assert '<a href="/reports/">Reports page</a>' in told
    assert "You reported this message." in france.get(page).content.decode()


def test_a_banned_person_can_only_read_why_appeal_and_leave(reported, browse):
    italy = browse("ITALY")
    decide(reported, "Mina", reported.key, "banned")
    for page in ("/messages/", f"/games/{reported.slug}/press/", "/notices/"):
        assert italy.get(page).status_code == 403
    assert italy.post("/games/new/").status_code == 403
    for page in ("/", "/reports/", f"/reports/{reported.key}/appeal/", "/account/delete/"):
        assert italy.get(page).status_code == 200
    assert b"banned from this site" in italy.get("/").content
    italy.post(f"/reports/{reported.key}/appeal/", {"text": "Sorry."})
    decide(reported, "Mo", reported.key, "none")
    assert italy.get("/messages/").status_code == 200


def test_administrators_appoint_moderators_on_a_page_and_by_command(reported, browse, capsys):
    User.objects.filter(username="Mina").update(is_superuser=True)
    mina = browse("Mina")
    assert mina.post("/moderation/moderators/", {"name": "Sam"}).status_code == 303
    assert b"><bdi>Sam</bdi></a>" in mina.get("/moderation/moderators/").content
    assert mina.post("/moderation/moderators/", {"name": "nobody"}).status_code >= 400
    call_command("moderator", "Sam", "--dismiss")
    call_command("moderator")
    assert capsys.readouterr().out == "Sam is not a moderator now.\nMina\nMo\n"
    with pytest.raises(CommandError):
        call_command("moderator", "nobody")
    acts = AuditEntry.objects.exclude(act="assigned").order_by("pk")
    acts = acts.values_list("act", "by__username")
    assert list(acts) == [("appointed", "Mina"), ("dismissed", None)]


def test_an_administrator_blanks_a_message_with_its_copies(reported, browse, capsys):
    members = {"game": reported.slug, "members": "ITALY+FRANCE", "reason": "Order 12."}
    with pytest.raises(CommandError):
        call_command("blankmessage", number=2, **members)
    with pytest.raises(CommandError):
        call_command("blankmessage", case=reported.key, reason=" ")
    call_command("blankmessage", number=1, **members)
    assert Message.objects.get().body == ""
    assert INSULT not in repr(Report.objects.get().evidence)
    page = browse("Mina").get(f"/moderation/{reported.key}/").content.decode()
    assert "does not match its digest" in page
    assert Case.objects.count() == 1
    assert AuditEntry.objects.get(act="blanked").detail == "Order 12."


def test_a_player_is_reported_with_a_plain_form(reported, browse):
    france, url = browse("FRANCE"), f"/games/{reported.slug}/report/"
    assert f'href="{url}"' in france.get(f"/games/{reported.slug}/").content.decode()
    assert 'value="FRANCE"' not in france.get(url).content.decode()
    refused = france.post(url, {"power": "ITALY", "grounds": "other", "note": " "})
    assert refused.status_code == 400
    refused = france.post(url, {"power": "ITALY", "note": "<b>x"})
    assert "&lt;b&gt;x" in refused.content.decode()
    assert 'value="ITALY" selected' in " ".join(refused.content.decode().split())
    sent = {"power": "ITALY", "grounds": "accounts", "note": "Two names, one voice."}
    assert france.post(url, sent).status_code == 303
    assert france.post(url, sent).status_code == 409
    assert "Italy" in france.get("/reports/").content.decode()
    case = Case.objects.exclude(seat=None).get()
    mina = browse(case.assigned_to.username)
    page = f"/moderation/{case.key}/"
    assert page in mina.get("/moderation/").content.decode()
    mina.post(f"{page}take/")
    shown = mina.get(page).content.decode()
    assert "Two names, one voice." in shown
    assert reported.name_of("FRANCE") not in shown
    assert mina.post(f"{page}inspect/", {"what": "name", "reason": "Who?"}).status_code == 200
    decided = mina.post(f"{page}decide/", {"outcome": "warning", "reason": "Play alone."})
    assert decided.status_code == 303
    own = browse("ITALY").get("/reports/").content.decode()
    assert "Play alone." in own
    assert f"/reports/{case.key}/appeal/" in own
    assert browse("ITALY").get(f"/reports/{case.key}/appeal/").status_code == 200
    Game.objects.update(private=True)
    assert browse("Sam").get(url).status_code == 404
    assert Client().get(url).status_code == 302
