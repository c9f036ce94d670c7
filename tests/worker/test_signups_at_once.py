"""People who sign up with look-alike names in the same instant: one gets the name."""

import json

import pytest

from diplomaccloud.accounts.adapter import Adapter
from diplomaccloud.accounts.models import User

NAMES = ["Bobby", "B0bby", "bobby", "BOBBY", "Bob_by", "b.o.b.b.y"]
TAKEN = Adapter.error_messages["username_taken"]
ALIKE = Adapter.error_messages["username_alike"]


@pytest.mark.real_database
def test_the_others_are_asked_for_another_name(site, tmp_path):
    path = tmp_path / "answers"
    site.wait(site.start("newcomers", NAMES, str(path)))
    answers = json.loads(path.read_text())
    assert sorted(status for status, _ in answers) == [200] * (len(NAMES) - 1) + [302]
    assert all(TAKEN in page or ALIKE in page for status, page in answers if status == 200)
    assert User.objects.count() == 1
