"""Settings for the tests: nothing is kept, password hashing is cheap, the log is quiet.

The database is a SQLite file, or one beside `DIPLOMACCLOUD_CHECKS_DATABASE`; one that the
environment gives to the site itself is never touched.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
import leftovers

PLACE = Path(leftovers.enter_session())
os.environ["DIPLOMACCLOUD_SECRET_KEY"] = "of the tests alone"
os.environ["DIPLOMACCLOUD_DATA"] = str(PLACE / f"data-{os.getpid()}")
for name in ("DATABASE_URL", "DIPLOMACCLOUD_DATABASE_URL", "DIPLOMACCLOUD_OWNER_DATABASE_URL"):
    os.environ.pop(name, None)

from diplomaccloud.project.databases import parse_database_url  # noqa: E402
from diplomaccloud.project.settings import *  # noqa: E402, F403
from diplomaccloud.project.settings import DATABASES, LOGGING  # noqa: E402

CHECKS_DATABASE = os.environ.get("DIPLOMACCLOUD_CHECKS_DATABASE", "")
if CHECKS_DATABASE:
    DATABASES["default"] = parse_database_url(CHECKS_DATABASE, default=Path())
else:
    # A file, as on a site: in memory a thread that reads makes one that writes fail at once.
    file = PLACE / f"checks-{os.getpid()}.sqlite3"
    DATABASES["default"] = parse_database_url("", default=file)
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
        # A test that does the background work would wait 20 s to copy a long log.
        "PRAGMA journal_size_limit=1048576;"
    )
    DATABASES["default"]["TEST"] = {"NAME": DATABASES["default"]["NAME"]}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
LOGGING["handlers"].pop("file", None)
LOGGING["root"] = {"handlers": ["console"], "level": "WARNING"}
ACCOUNT_RATE_LIMITS = False
API_LIMITS = False
SAVES_PER_MINUTE = 0
NEWS_CHANNEL = ""
# Few tests are about the games that the site opens, and the others count games.
NEXT_GAMES = False
# Few tests have a worker, and the others are not about what pages say without one.
CLOCK_WATCH = ""
# Names in tests lead nowhere, and some resolvers take a while to say so.
WEBHOOK_LOOKUPS = False
WARM_UP = "builtins.list"
"""Does nothing: tests of probes need no pages."""
