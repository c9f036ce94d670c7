"""Django settings: safe by default, and changed with `DIPLOMACCLOUD_…` environment variables.

Importing this module must not write anything, because type checkers import it too: the log
directory is created when Django is set up, and the signing key when something is signed.
"""

from functools import partial
from pathlib import Path

from django.utils.functional import SimpleLazyObject

from diplomaccloud.project import variables
from diplomaccloud.project.databases import parse_database_url, require_owner_of
from diplomaccloud.project.environment import load_secret_key
from diplomaccloud.project.extras import list_extras, name_config
from diplomaccloud.project.logs import configure_structlog, find_role, logging_settings
from diplomaccloud.project.reports import start_reports
from diplomaccloud.project.service_urls import (
    build_caches,
    parse_storage_url,
)
from diplomaccloud.version import __version__

variables.require_valid_settings()
DATA_DIR = Path(variables.DATA.read()).resolve()
"""The directory of all data: database, drawn maps, logs and the signing key."""
OPERATOR_TEXTS = Path(variables.TEXTS.read() or DATA_DIR / "texts").resolve()
"""The directory with the administrator's own texts: see `pages/views.py`."""

DEBUG = variables.DEBUG.read()
SECRET_KEY = SimpleLazyObject(partial(load_secret_key, variables.SECRET_KEY.read(), DATA_DIR))
ALLOWED_HOSTS = variables.ALLOWED_HOSTS.read()
CSRF_TRUSTED_ORIGINS = variables.TRUSTED_ORIGINS.read()
# By default no proxy is trusted, and X-Forwarded-For is ignored.
ALLAUTH_TRUSTED_PROXY_COUNT = variables.PROXIES.read()
CONNECTIONS_PER_ADDRESS = variables.CONNECTIONS_PER_ADDRESS.read()
REQUESTS_PER_ADDRESS = variables.REQUESTS_PER_ADDRESS.read()
STREAMS_PER_ADDRESS = variables.STREAMS_PER_ADDRESS.read()
"""How many requests, streams and so on one address may have open per process; 0: no limit."""

INSTALLED_APPS = [
    "diplomaccloud.pages",
    "diplomaccloud.shared",
    "diplomaccloud.accounts.apps.AccountsConfig",
    "diplomaccloud.maps.apps.MapsConfig",
    "diplomaccloud.sandbox.apps.SandboxConfig",
    "diplomaccloud.learn.apps.LearnConfig",
    "diplomaccloud.games.apps.GamesConfig",
    "diplomaccloud.press.apps.PressConfig",
    "diplomaccloud.announcements.apps.AnnouncementsConfig",
    "diplomaccloud.notices.apps.NoticesConfig",
    "diplomaccloud.api.apps.ApiConfig",
    "diplomaccloud.worker.apps.WorkerConfig",
    *map(name_config, list_extras()),
    # Does not discover other apps' admin pages: see `project/admin_site.py`.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.idp.oidc",
    "allauth.mfa",
    "corsheaders",
    "django_tasks",
    "django_tasks_db",
]

MIDDLEWARE = [
    "diplomaccloud.pages.middleware.RequestIds",
    "diplomaccloud.pages.middleware.RequestLog",
    # Comes before everything that can refuse a request, so that programs can read the refusal.
    "corsheaders.middleware.CorsMiddleware",
    "diplomaccloud.worker.views.Probes",
    # Comes before the redirects, which could be endless.
    "diplomaccloud.pages.middleware.WrongSettings",
    "django.middleware.security.SecurityMiddleware",
    # Comes before the security headers, which are long and useless for static files.
    "diplomaccloud.pages.static_files.StaticFiles",
    "diplomaccloud.pages.middleware.SecurityHeaders",
    "diplomaccloud.pages.middleware.Compression",
    "diplomaccloud.pages.map_styles.MapStyles",
    "diplomaccloud.pages.color_scheme.ColorSchemes",
    "diplomaccloud.api.middleware.ApiAnswers",
    "diplomaccloud.pages.middleware.BodyLimit",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "diplomaccloud.pages.middleware.NulRefusal",
    "diplomaccloud.pages.middleware.WholePageLogin",
    "diplomaccloud.pages.middleware.ErrorPages",
    "diplomaccloud.accounts.guests.GuestLimits",
    "diplomaccloud.accounts.sessions.SessionsSeen",
    "diplomaccloud.accounts.guests.BannedLimits",
    "diplomaccloud.notices.bell.NoticesSeen",
    "diplomaccloud.pages.installation.AccountHeader",
]

ROOT_URLCONF = "diplomaccloud.project.urls"
ASGI_APPLICATION = "diplomaccloud.project.asgi.application"
WSGI_APPLICATION = "diplomaccloud.project.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["diplomaccloud.pages.compact_templates.CompactLoader"],
                )
            ],
            "builtins": ["diplomaccloud.pages.templatetags.icons"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "diplomaccloud.pages.views.site_context",
                "diplomaccloud.notices.bell.notices_context",
                "diplomaccloud.announcements.views.announcements_context",
            ],
        },
    },
]

DATABASES = {
    "default": parse_database_url(
        variables.DATABASE_URL.read(), default=DATA_DIR / "diplomaccloud.sqlite3"
    )
}
OWNER_DATABASE = variables.OWNER_DATABASE_URL.read()
"""How the owner of the tables logs in, for migrations and backups; None if the site owns them."""
if OWNER_DATABASE:
    require_owner_of(OWNER_DATABASE, DATABASES["default"])
CACHE_URL = variables.CACHE_URL.read()
"""The URL of the Redis or Valkey server that all machines share, or blank."""
CACHES = build_caches(CACHE_URL)
# How processes tell each other which games have changed: see `shared/news.py`.
NEWS_CHANNEL = "redis" if CACHE_URL else DATABASES["default"]["ENGINE"].rpartition(".")[2]
SILENCED_SYSTEM_CHECKS = ["models.W036", "mysql.W003"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "diplomaccloud.accounts.backends.NumberingBackend",
    # Sessions of older releases name this backend and would end without it. It logs nobody in.
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "diplomaccloud.accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "login": "diplomaccloud.accounts.forms.KeptLoginForm",
    "signup": "diplomaccloud.accounts.forms.KeptSignupForm",
    "reset_password": "diplomaccloud.accounts.forms.ResetForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_SIGNUP_FORM_HONEYPOT_FIELD = "website"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "diplomaccloud.accounts.two_factor.TwoFactorAdapter"
MFA_FORMS = {
    "add_webauthn": "diplomaccloud.accounts.two_factor.NewPasskeyForm",
    "edit_webauthn": "diplomaccloud.accounts.two_factor.PasskeyNameForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Accounts don't need an e-mail address.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1
IDP_OIDC_ADAPTER = "diplomaccloud.api.oauth.Provider"
IDP_OIDC_AUTH_METHODS = ["none"]
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = 90 * 24 * 60 * 60
IDP_OIDC_DEVICE_CODE_EXPIRES_IN = 15 * 60
API_LIMITS = True
"""Whether calls of the API are limited by token and by address: see `api/limits.py`."""
CORS_URLS_REGEX = r"^/(api/|oauth/(token|revoke|device/code)$|\.well-known/oauth-)"
"""The paths that pages of any origin may call, but without their cookies."""
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_HEADERS = (
    *("accept", "authorization", "cache-control", "content-type"),
    *("idempotency-key", "if-match", "if-none-match", "last-event-id"),
)
CORS_EXPOSE_HEADERS = (
    *("ETag", "Location", "Link", "Retry-After", "RateLimit", "RateLimit-Policy"),
    *("Idempotency-Replayed", "X-Request-ID"),
)
CORS_PREFLIGHT_MAX_AGE = 24 * 60 * 60
SAVES_PER_MINUTE = 60
"""How often a page may save a player's orders in one game after changes; 0 stands for no limit."""
ACCOUNT_RATE_LIMITS = {
    "guest_game": "10/h/ip,30/d/ip",
    # Checking a password takes a third of a second, even if it is right.
    "login_attempt": "30/m/ip",
    "address_change": "5/h/user",
    # The key is the name with the address, or with a browser that has logged in as it before.
    "login_failed": "10/m/ip,100/h/ip,5/5m/key",
    "login_failed_known": "10/10m/key",
    # This replaces `login_attempt`, which would also refuse known browsers.
    "login": None,
}
"""Rate limits for one address, name or browser; sign-up and the rest use the defaults."""
vars().update(variables.EMAIL_URL.read())
DEFAULT_FROM_EMAIL = variables.EMAIL_FROM.read()
MAIL_HANDLERS = {
    "reset request": "diplomaccloud.accounts.forms.find_accounts",
    "reset link": "diplomaccloud.accounts.forms.send_link",
    "address confirmation": "diplomaccloud.accounts.addresses.send_confirmation",
    "address changed": "diplomaccloud.accounts.addresses.send_change",
    "notices": "diplomaccloud.notices.mail.send_notices",
    "confirmation": "diplomaccloud.notices.mail.send_confirmation",
}
"""Functions that send mail, by kind: see `accounts.mail_queue`."""
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60

CODE_URL = variables.CODE_URL.read()
"""Where the code of this site is, or blank."""

ACCOUNT_PARTS = [
    "diplomaccloud.accounts.data_exports.PART",
    "diplomaccloud.games.people.actions.PART",
    "diplomaccloud.games.following.actions.PART",
    "diplomaccloud.games.ratings.actions.PART",
    "diplomaccloud.press.account.PART",
    "diplomaccloud.announcements.actions.PART",
    "diplomaccloud.notices.destinations.PART",
    "diplomaccloud.api.tokens.PART",
    "diplomaccloud.api.oauth.PART",
    *(part for extra in list_extras() for part in extra.account_parts),
]
"""How each app deletes and exports a person's data: see `accounts/deletion.py`."""

ACCOUNT_GRANTS = [
    "diplomaccloud.api.tokens.list_grants",
    "diplomaccloud.api.oauth.list_grants",
]
"""Functions that list what can act for a person besides sessions: `accounts/sessions.py`."""

PRIVATE_WEBHOOKS = variables.PRIVATE_WEBHOOKS.read()
"""Whether webhooks may go to private addresses, and without HTTPS: see `docs/operations.md`."""
WEBHOOK_LOOKUPS = True
"""Whether the host of an address for notices is looked up when a person enters it."""

GAME_PAGE = "diplomaccloud.games.page.views"
"""The module that shows the page of a game: see `games/table/views.py`."""
GAME_TURN = "diplomaccloud.games.turn.claims.advance"
"""The function that processes the due phases of a game: see `games/table/views.py`."""
GAME_PANELS = [
    "diplomaccloud.press.page.views.present_panel",
    "diplomaccloud.press.chronicle.views.present_panel",
]
"""Functions that add panels to the game page; see `games/table/panels.py`."""
PHASE_PANELS = ["diplomaccloud.press.chronicle.views.present_phase_panel"]
"""The same for the pages of past phases."""

WAITING = [
    "diplomaccloud.games.next_game.read.list_unconfirmed",
    "diplomaccloud.games.votes.read.list_unanswered",
    "diplomaccloud.press.proposals.read.list_unanswered",
    "diplomaccloud.press.inbox.read.list_unread",
]
"""Functions that return what waits for a person besides orders; see `games/home/read.py`."""

BOT_DEALERS = ["diplomaccloud.press.bots.actions.plan_orders"]
BOT_PROMISES = ["diplomaccloud.press.bots.read.read_promises"]
"""Functions that return what bots have promised; see `games/table/promises.py`."""
PROMISE_CHECKS = ["diplomaccloud.press.bots.read.list_broken"]
"""Functions that return which promises a hint would break; see `games/bots/read.py`."""

SEAT_BARS = ["diplomaccloud.press.moderation.judges.find_seat_bar"]
"""Functions that say why a person may not play in a game: see `games/table/lock.py`."""
FOLLOW_BARS = ["diplomaccloud.press.personal.read.blocks"]
"""Functions that say whether a person refuses another as a follower: see `games/following`."""
SEATS_FOLLOWER = "diplomaccloud.games.next_game.actions.follow_people"
"""The function that a next game calls when someone joins or leaves; see `games/table/lock.py`."""
CONFIRMED_ABUSE = "diplomaccloud.press.moderation.judges.has_confirmed_abuse"
"""The function that says whether a moderator has confirmed a player's abuse in a game."""

PERSON_COUNTERS = {
    "new_notices": "diplomaccloud.notices.bell.build_counter",
    "unread_messages": "diplomaccloud.press.inbox.read.build_counter",
}
"""Numbers in the page header: functions that build a query expression for a person's key."""

QUEUES = ("clock", "bots", "notices", "maps", "default")
"""Queues for work outside of requests; slow work has separate queues: see `worker/rounds.py`."""
BOTS_AT_ONCE = variables.BOTS_AT_ONCE.read()
"""How many bots may look ahead at a time, on all machines together; 0: no limit."""
NEXT_GAMES = variables.NEXT_GAMES.read()
BROKER_URL = variables.BROKER_URL.read()
"""The URL of Celery's broker, for example `redis://HOST:6379/0`; blank: no Celery."""
TASKS = {
    "default": {
        "BACKEND": "diplomaccloud.worker.broker.BrokerBackend"
        if BROKER_URL
        else "django_tasks_db.DatabaseBackend",
        "QUEUES": list(QUEUES),
    }
}

WARM_UP = "diplomaccloud.project.warming.warm_up"
"""The function that prepares a web server for its first page; see `worker/views.py`."""
CLOCK_WATCH = "diplomaccloud.worker.health.find_stop"
"""The function that says whether the clock has stopped; see `games/deadlines/read.py`."""
LIVE_COUNTERS = ["diplomaccloud.press.news.read.select_changes"]
SESSION_COOKIE_AGE = 14 * 24 * 60 * 60
ACCOUNT_SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
"""How long after its last use a session lasts that its owner wants to keep, in seconds."""
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "diplomaccloud.pages.errors.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
# `SecurityHeaders` adds it where it is needed.
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 128 * 1024
UPLOAD_LIMITS = {"/maps/import/": 4 * 1024 * 1024}
"""Maximum size of a request in bytes, for the paths where files are uploaded."""
DATA_UPLOAD_MAX_NUMBER_FIELDS = 400
if variables.HTTPS.read():
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000

STATIC_URL = "static/"
_file_store = variables.STORAGE_URL.read()
HAS_FILE_STORE = _file_store is not None
"""Whether there is a file store besides the data directories of the machines."""
STORAGES = {
    "default": _file_store or parse_storage_url(str(DATA_DIR)),
    "staticfiles": {"BACKEND": "diplomaccloud.pages.static_files.ReleaseStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
FORMAT_MODULE_PATH = ["diplomaccloud.pages.formats"]

METRICS = variables.METRICS.read()
"""Where each process publishes its metrics: see `diplomaccloud.metrics`."""
if METRICS:
    MIDDLEWARE.insert(0, "django_prometheus.middleware.PrometheusBeforeMiddleware")
    MIDDLEWARE.append("django_prometheus.middleware.PrometheusAfterMiddleware")

configure_structlog()
ROLE = find_role()
start_reports(variables.SENTRY_DSN.read(), role=ROLE, release=__version__)
LOGGING = logging_settings(
    DATA_DIR / "logs"
    if variables.belongs_to_play() and variables.LOG_FILES.read() != "none"
    else None,
    role=ROLE,
    level=variables.LOG_LEVEL.read(),
    console=variables.LOG_CONSOLE.read(),
    most_bytes=variables.LOG_MEGABYTES.read() * 1_000_000,
)

for _extra in list_extras():
    vars().update({_setting.name: _setting.read() for _setting in _extra.settings})
