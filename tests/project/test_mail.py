"""The URL of the mail server."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.project.service_urls import CONSOLE, parse_mail_url, parse_sender


@pytest.mark.parametrize(
    ("url", "host", "port", "tls", "ssl"),
    [
        ("smtp://localhost", "localhost", 25, False, False),
        ("smtp+tls://bob:a%2Fb@mail.example", "mail.example", 587, True, False),
        ("smtp+tls://bob:a%2Fb@mail.example:25", "mail.example", 25, True, False),
        ("SMTPS://bob:a%2Fb@mail.example/", "mail.example", 465, False, True),
    ],
)
def test_a_url_selects_the_server_and_its_encryption(url, host, port, tls, ssl):
    found = parse_mail_url(url)
    assert found["EMAIL_BACKEND"].endswith("smtp.EmailBackend")
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == (host, port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)
    given = ("bob", "a/b") if "@" in url else ("", "")
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == given


def test_without_a_url_mail_is_printed():
    assert parse_mail_url("") == {"EMAIL_BACKEND": CONSOLE}


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mail.example", "does not begin with smtp://"),
        ("http://mail.example", "begins with 'http'"),
        ("bob:sesame@mail.example", "does not begin with smtp://"),
        ("sesame", "does not begin with smtp://"),
        ("smtps://:sesame@mail.example", "a password without a name"),
        ("smtps://sesame@mail.example", "a name without a password"),
        ("smtp://", "a host"),
        ("smtps://bob:sesame@mail.example:99999", "port"),
        ("smtps://bob:ses/ame@mail.example", "port"),
        ("smtps://bob:sesame@mail.example/inbox", "nothing may follow the host"),
        ("smtps://bob:sesame@mail.example?tls=1", "nothing may follow the host"),
        ("smtp://bob:sesame@mail.example", "plain text"),
    ],
)
def test_an_error_names_the_fault_but_not_the_password(url, why):
    with pytest.raises(ImproperlyConfigured, match=why) as fault:
        parse_mail_url(url)
    assert "sesame" not in str(fault.value)
    assert "ses/ame" not in str(fault.value)


@pytest.mark.parametrize("text", ["a@example.org", "Games <games@example.org>"])
def test_mail_is_from_one_address(text):
    assert parse_sender(text) == text


@pytest.mark.parametrize("text", ["", "games", "games@", "@example.org", "a@b.org\nBcc: c@d.org"])
def test_a_bad_sender_is_rejected(text):
    with pytest.raises(ImproperlyConfigured, match="DIPLOMACCLOUD_EMAIL_FROM"):
        parse_sender(text)
