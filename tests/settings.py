"""Settings for the tests: nothing is kept, passwords are cheap, the log is quiet."""

import os
import tempfile
from pathlib import Path

os.environ["DIPLOMACCLOUD_SECRET_KEY"] = "of the tests alone"
os.environ["DIPLOMACCLOUD_DATA"] = str(Path(tempfile.gettempdir(), f"diplomaccloud-{os.getpid()}"))

from diplomaccloud.project.settings import *  # noqa: F403
from diplomaccloud.project.settings import DATABASES, LOGGING

DATABASES["default"]["NAME"] = ":memory:"
DATABASES["default"]["OPTIONS"] = {"transaction_mode": "IMMEDIATE"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
LOGGING["handlers"].pop("file", None)
LOGGING["root"] = {"handlers": ["console"], "level": "WARNING"}
ACCOUNT_RATE_LIMITS = False
