"""Optional error reports to Sentry, without anything that people wrote.

A report contains the type of the error, the lines of our code where it happened, the release and
the role of the process. It contains no other text, which could quote orders, messages, names or
addresses.
"""

from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.judge.version import tell_install
from diplomaccloud.project.variables import SENTRY_DSN

_KEPT: Final = {
    *("event_id", "timestamp", "level", "platform", "release", "environment", "logger"),
    *("exception", "sdk", "tags", "transaction"),
}
_FRAME: Final = {"filename", "abs_path", "module", "function", "lineno", "in_app"}


def start_reports(dsn: str, *, role: str, release: str) -> None:
    """Send reports to the address `dsn`, which contains a key; do nothing if it is blank.

    Raises `ImproperlyConfigured` if the address is invalid or the library is missing.
    """
    if not dsn:
        return
    try:
        import sentry_sdk  # noqa: PLC0415 an extra
    except ImportError:
        raise ImproperlyConfigured(
            f"{SENTRY_DSN.variable} needs a library; in a checkout: " + tell_install("site,sentry")
        ) from None
    try:
        sentry_sdk.init(
            dsn=dsn,
            release=release,
            before_send=scrub_report,
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            traces_sample_rate=None,
            send_client_reports=False,
            server_name=role,
        )
    except ValueError:
        # The library's message contains the address with its key.
        raise SENTRY_DSN.build_error(f"{SENTRY_DSN.variable} is not a Sentry address.") from None
    sentry_sdk.set_tag("role", role)


def scrub_report(report: Any, _hint: object = None) -> Any:
    """Return the report with only the parts that the module's docstring lists."""
    kept = {name: value for name, value in report.items() if name in _KEPT}
    if "exception" in report:
        errors = report["exception"].get("values") or []
        kept["exception"] = {"values": [_scrub_error(error) for error in errors]}
    kept["tags"] = {"role": (report.get("tags") or {}).get("role", "")}
    # If no view was found, this is a path, which may contain names of games.
    if not str(kept.get("transaction", "")).startswith("diplomaccloud."):
        kept.pop("transaction", None)
    return kept


def _scrub_error(error: Any) -> dict[str, object]:
    frames = ((error.get("stacktrace") or {}).get("frames")) or []
    lines = [{name: frame[name] for name in _FRAME & set(frame)} for frame in frames]
    return {
        "type": error.get("type"),
        "module": error.get("module"),
        "value": "(left out)",
        "stacktrace": {"frames": lines},
    }
