"""What the log leaves out, in our lines and in Django's."""

import logging

import pytest
from django.test import RequestFactory

from diplomaccloud.project.logs import logging_settings

PATH = "/accounts/password/reset/key/1-sesame/"


@pytest.mark.parametrize("kind", ["text", "json"])
def test_django_s_lines_do_not_contain_the_key_of_a_link(kind, tmp_path):
    given = dict(logging_settings(tmp_path, role="web", level="INFO")["formatters"][kind])
    formatter = given.pop("()")(**given)
    parts = {"msg": "Internal Server Error: %s", "args": (PATH,), "levelname": "ERROR"}
    record = logging.makeLogRecord(parts | {"request": RequestFactory().get(PATH)})
    line = formatter.format(record)
    assert "Internal Server Error: /accounts/password/reset/key/" in line
    assert "sesame" not in line
