"""Resetting a forgotten password: what the pages promise and what is mailed."""

import datetime as dt
import re

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from tests.accounts.mailbox import mail_server

from diplomaccloud.accounts.mail_queue import send_due_mail
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.project.service_urls import CONSOLE, parse_mail_url

RESET = "/accounts/password/reset/"
NEW_PASSWORD = "quite another word"


@pytest.fixture
def alice(people):
    User.objects.filter(username="Alice").update(email="alice@example.org")
    return User.objects.get(username="Alice")


def deliver(after=0):
    """Do the work of a worker `after` seconds from now: look up accounts, then send."""
    while send_due_mail(now=lambda: timezone.now() + dt.timedelta(seconds=after)):
        pass


def ask(email="alice@example.org"):
    client = Client()
    page = client.post(RESET, {"email": email}, follow=True)
    deliver()
    return client, page


def ask_for_page(*email):
    """Return the page after asking for a new password, without the server's time."""
    return re.sub(rb'name="server-time" content="[^"]*"', b"", ask(*email)[1].content)


def log_in(name):
    """Return a browser in which the user is logged in and has just confirmed the password."""
    user = User.objects.get(username=name)
    user.set_password(NEW_PASSWORD)
    user.save()
    client = Client()
    client.force_login(user)
    client.post("/accounts/reauthenticate/", {"password": NEW_PASSWORD})
    return client


def find_link(text):
    return re.search(r"http://testserver(/accounts/password/reset/key/\S+)", text)[1]


def use_server(settings, port):
    for name, value in parse_mail_url(f"smtp://127.0.0.1:{port}").items():
        setattr(settings, name, value)
    settings.DEFAULT_FROM_EMAIL = "games@example.org"


def test_a_password_is_reset_from_the_log_in_page(alice, settings):
    assert f'href="{RESET}"'.encode() in Client().get("/accounts/login/").content
    with mail_server() as (port, received):
        use_server(settings, port)
        client, page = ask()
        (message,) = received
    assert "Check your e-mail" in page.content.decode()
    assert (message["To"], message["From"]) == ("alice@example.org", "games@example.org")
    assert message["Subject"] == "Reset your password on testserver"
    text = message.get_content()
    assert "the account Alice on testserver" in text
    form = client.get(find_link(text), follow=True)
    action = form.context["action_url"]
    done = client.post(action, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}, follow=True)
    assert "Your password has been changed" in done.content.decode()
    assert Client().login(username="Alice", password=NEW_PASSWORD)
    again = Client().get(find_link(text), follow=True)
    assert "This link is not valid" in again.content.decode()


def test_without_a_mail_server_the_pages_promise_no_mail(alice, settings, capsys):
    settings.EMAIL_BACKEND = CONSOLE
    before = Client().get(RESET).content.decode()
    _, after = ask()
    for page in (before, after.content.decode()):
        assert "This site does not send e-mail" in page
        assert "on its way" not in page
        assert "send you" not in page
    printed = capsys.readouterr().out
    assert Client().get(find_link(printed), follow=True).context["action_url"]


def test_with_a_mail_server_the_pages_do_not_mention_a_console(alice):
    for page in (Client().get(RESET), ask()[1]):
        assert "console" not in page.content.decode()


def test_the_pages_do_not_reveal_who_has_an_account(alice):
    assert ask_for_page() == ask_for_page("zoe@example.org")
    assert [message.to for message in mail.outbox] == [["alice@example.org"]]


def test_the_request_is_the_same_work_for_every_address(alice):
    statements = []
    for email in ("alice@example.org", "zoe@example.org"):
        client = Client()
        with CaptureQueriesContext(connection) as queries:
            client.post(RESET, {"email": email})
        assert mail.outbox == []
        statements.append([hide_values(query["sql"]) for query in queries])
    assert statements[0] == statements[1]
    assert any("INSERT" in sql for sql in statements[0])
    deliver()
    assert [message.to for message in mail.outbox] == [["alice@example.org"]]


def hide_values(sql):
    """Return the statement without texts, times, numbers and names of savepoints."""
    return re.sub(r"\bs\d+_x\d+\b|'(?:[^']|'')*'|\b\d+\b", "?", sql)


def test_the_database_holds_no_link_and_no_unknown_address(alice):
    for email in ("alice@example.org", "zoe@example.org"):
        ask(email)
    (row,) = OutgoingMail.objects.all()
    key = find_link(mail.outbox[0].body).split("/")[5]
    stored = [str(value) for value in [*OutgoingMail.objects.values_list(), *tasks()]]
    assert row.recipient == "alice@example.org"
    assert row.sent_at
    for text in stored:
        assert "zoe@" not in text
        assert key not in text
        assert "password/reset" not in text


def tasks():
    return DBTaskResult.objects.values_list()


def test_signing_up_does_not_reveal_who_has_an_address(alice):
    given = {"username": "Zoe", "email": "alice@example.org", "password1": NEW_PASSWORD}
    page = Client().post("/accounts/signup/", given)
    assert page.status_code == 302
    ask()
    texts = [message.body for message in mail.outbox]
    assert sorted("the account Zoe" in text for text in texts) == [False, True]
    assert {message.to[0] for message in mail.outbox} == {"alice@example.org"}


def test_too_many_requests_get_the_same_page_with_and_without_an_account(alice, settings):
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "1/m/key"}
    for email in ("alice@example.org", "zoe@example.org"):
        assert ask(email)[1].status_code == 200
        again = ask(email)[1]
        assert again.status_code == 429
        assert "Too many attempts" in again.content.decode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EMAIL_HOST_PASSWORD", "p\u00e4ss"),
        ("DEFAULT_FROM_EMAIL", "a@b.org\nBcc: c@d.org"),
    ],
    ids=["a password that SMTP cannot send", "an extra header line"],
)
def test_mail_that_cannot_be_written_does_not_break_the_page(alice, settings, name, value, caplog):
    with mail_server(EHLO="250-here\r\n250 AUTH PLAIN", AUTH="235 in") as (port, received):
        use_server(settings, port)
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "bob", "sesame"
        setattr(settings, name, value)
        assert ask_for_page() == ask_for_page("zoe@example.org")
    assert OutgoingMail.objects.get().tries == 1
    assert received == []


@pytest.mark.parametrize("answers", [{"MAIL": "451 later"}, {"DATA": "554 no"}, None])
def test_a_failing_mail_server_does_not_break_the_page(alice, settings, answers, caplog):
    with mail_server(**(answers or {})) as (port, _):
        use_server(settings, port)
        if answers is not None:
            _, page = ask()
    if answers is None:
        _, page = ask()
    assert page.status_code == 200
    assert OutgoingMail.objects.get().tries == 1


def test_failed_mail_is_retried(alice, settings):
    with mail_server(MAIL="451 later") as (port, _):
        use_server(settings, port)
        ask()
    with mail_server() as (port, received):
        use_server(settings, port)
        deliver()
        assert received == [], "not at once"
        deliver(after=15)
        deliver(after=10_000)
    (message,) = received
    assert message["To"] == "alice@example.org"


def test_mail_is_retried_only_for_the_account_whose_mail_failed(alice, people, monkeypatch):
    User.objects.filter(username="Bob").update(email="alice@example.org")
    bodies, send = [], EmailMessage.send

    def fail_once(message):
        bodies.append(message.body)
        if len(bodies) == 2:
            raise TimeoutError
        send(message)

    monkeypatch.setattr(EmailMessage, "send", fail_once)
    ask()
    deliver(after=15)
    assert len(bodies) == 3
    assert bodies[2].split("/key/")[0] == bodies[1].split("/key/")[0]
    assert len(mail.outbox) == 2


def test_a_mail_that_is_sent_again_has_the_same_message_id(alice, people, monkeypatch):
    User.objects.filter(username="Bob").update(email="alice@example.org")
    sent, send = [], EmailMessage.send

    def lose_answer(message):
        send(message)
        sent.append(message.extra_headers["Message-ID"])
        if len(sent) == 1:
            raise TimeoutError  # the server has the mail, and the worker does not know

    monkeypatch.setattr(EmailMessage, "send", lose_answer)
    ask()
    deliver(after=15)
    assert len(sent) == 3
    assert sent[0] == sent[2]
    assert sent[0] != sent[1]
    assert mail.outbox[0].message()["Message-ID"] == sent[0]


def test_the_key_of_a_link_is_not_logged(alice, caplog):
    caplog.set_level("INFO")
    ask()
    link = find_link(mail.outbox[0].body)
    Client().get(link)
    assert "/password/reset/key/…" in caplog.text
    assert link.split("/")[5] not in caplog.text


@pytest.mark.parametrize("path", [RESET, f"{RESET}done/", f"{RESET}key/done/", f"{RESET}key/1-a/"])
def test_each_page_extends_the_base_template(alice, path):
    page = Client().get(path, follow=True)
    assert "pages/base.html" in [template.name for template in page.templates]


@pytest.mark.parametrize("console", [True, False])
def test_an_address_added_later_receives_the_link(people, settings, console, capsys):
    if console:
        settings.EMAIL_BACKEND = CONSOLE
    client = log_in("Bob")
    profile = client.get("/people/Bob/").content.decode()
    assert 'href="/accounts/email/"' in profile
    page = client.get("/accounts/email/").content.decode()
    assert ("This site does not send e-mail" in page) == console
    client.post("/accounts/email/", {"email": "bob@example.org"})
    if not console:
        # Its owner has to agree first.
        send_due_mail(now=timezone.now)
        client.post(re.search(r"/account/email/confirm/\S+", mail.outbox.pop().body)[0])
    assert capsys.readouterr().out == ""
    assert mail.outbox == []
    ask("bob@example.org")
    text = capsys.readouterr().out if console else mail.outbox[0].body
    assert "of the account Bob" in text


def test_adding_an_address_requires_the_password(people, settings):
    settings.EMAIL_BACKEND = CONSOLE
    log_in("Bob").logout()
    client = Client()
    client.post("/accounts/login/", {"login": "Bob", "password": NEW_PASSWORD})
    asked = client.post("/accounts/email/", {"email": "bob@example.org"}, follow=True)
    assert "Confirm your password" in asked.content.decode()
    address = asked.redirect_chain[-1][0]
    for password, listed in (("a wrong one", False), (NEW_PASSWORD, True)):
        page = client.post(address, {"password": password}, follow=True)
        assert page.status_code == 200
        emails = client.get("/accounts/email/").content.decode()
        assert ("bob@example.org" in emails) == listed


def test_other_users_see_no_link_to_change_an_account(people):
    client = Client()
    client.force_login(User.objects.get(username="Alice"))
    for other in (client, Client()):
        page = other.get("/people/Bob/").content.decode()
        assert "/accounts/email/" not in page
