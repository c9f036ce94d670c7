"""A new site with an empty database, for measurements."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def fresh_site(database: str = "") -> Iterator[None]:
    """Set up Django with all tables, in a directory that is deleted afterward.

    `database` is the URL of an empty database; by default, a SQLite file in that directory.
    """
    with tempfile.TemporaryDirectory() as place:
        os.environ["DJANGO_SETTINGS_MODULE"] = "diplomaccloud.project.settings"
        os.environ["DIPLOMACCLOUD_DATA"] = place
        os.environ["DIPLOMACCLOUD_SECRET_KEY"] = "x"
        os.environ["DIPLOMACCLOUD_LOG_LEVEL"] = "CRITICAL"
        os.environ["DIPLOMACCLOUD_DATABASE_URL"] = database
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        yield
