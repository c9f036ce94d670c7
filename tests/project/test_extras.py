"""The site finds the packages in `extras` that are installed, and works without them."""

import os
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse

from diplomaccloud.project import extras
from diplomaccloud.shared import upgrades

# As if only the judge and the site were installed.
WITHOUT_EXTRAS = """
from importlib import metadata
metadata.entry_points = lambda group: ()
import django
django.setup()
from django.core.management import call_command
from django.template.loader import render_to_string
from diplomaccloud.project.grants import list_unclassified
call_command("check")
assert list_unclassified() == []
print(render_to_string("games/creation/_opponents.html"))
"""


def test_what_is_installed_has_its_pages_and_settings():
    labels = [extra.label for extra in extras.list_extras()]
    assert labels == sorted(labels)
    assert {"ladder", "slack"} <= set(labels)
    assert reverse("ladder:ladder") == "/ladder/"
    assert reverse("slack:settings") == "/slack/"


@pytest.mark.long
def test_a_site_without_extras_works_and_links_to_none(tmp_path):
    given = {
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
        "DIPLOMACCLOUD_DATA": str(tmp_path),
    }
    command = [sys.executable, "-c", WITHOUT_EXTRAS]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | given)
    assert done.returncode == 0, done.stderr
    assert "Opponents" in done.stdout
    assert "/ladder/" not in done.stdout


@pytest.mark.parametrize(
    "place", ["diplomaccloud.nowhere:Config", "diplomaccloud.judge:Config"], ids=["file", "name"]
)
def test_an_extra_that_is_damaged_is_named(monkeypatch, place):
    point = EntryPoint("nowhere", place, "diplomaccloud.site")
    monkeypatch.setattr(extras, "entry_points", lambda group: [point])
    with pytest.raises(ImproperlyConfigured, match="the extra 'nowhere' cannot be loaded"):
        extras.list_extras.__wrapped__()


def test_a_missing_package_is_named_if_the_database_has_its_tables(monkeypatch):
    own = upgrades._list_own()
    applied = {("slack", "0001_first"), *own}
    assert upgrades.find_missing_package(applied) is None
    monkeypatch.setattr(upgrades, "_list_own", lambda: {one for one in own if one[0] != "slack"})
    assert upgrades.find_missing_package(applied) == "diplomaccloud-slack"
    assert upgrades.find_missing_package(applied - {("slack", "0001_first")}) is None
