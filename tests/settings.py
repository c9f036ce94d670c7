"""Settings for the tests: nothing is kept, password hashing is cheap, the log is quiet.

The database is SQLite in memory, or a test database beside `DIPLOMACCLOUD_CHECKS_DATABASE`; one
that the environment gives to the site itself is never touched.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

os.environ["DIPLOMACCLOUD_SECRET_KEY"] = "of the tests alone"
os.environ["DIPLOMACCLOUD_DATA"] = str(Path(tempfile.gettempdir(), f"diplomaccloud-{os.getpid()}"))
for name in ("DATABASE_URL", "DIPLOMACCLOUD_DATABASE_URL"):
    os.environ.pop(name, None)

from diplomaccloud.project.databases import parse_database_url  # noqa: E402
from diplomaccloud.project.settings import *  # noqa: E402, F403
from diplomaccloud.project.settings import DATABASES, LOGGING  # noqa: E402

CHECKS_DATABASE = os.environ.get("DIPLOMACCLOUD_CHECKS_DATABASE", "")
if CHECKS_DATABASE:
    DATABASES["default"] = parse_database_url(CHECKS_DATABASE, default=Path())
else:
    # A file, as on a site: in memory a thread that reads makes one that writes fail at once.
    place = tempfile.mkdtemp(prefix="diplomaccloud-checks-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    DATABASES["default"] = parse_database_url(f"sqlite:///{place}/checks.sqlite3", default=Path())
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )
    DATABASES["default"]["TEST"] = {"NAME": DATABASES["default"]["NAME"]}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
LOGGING["handlers"].pop("file", None)
LOGGING["root"] = {"handlers": ["console"], "level": "WARNING"}
ACCOUNT_RATE_LIMITS = False
API_LIMITS = False
NEWS_CHANNEL = ""
