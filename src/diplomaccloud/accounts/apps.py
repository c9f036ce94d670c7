"""The app `accounts`."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_login_failed

from diplomaccloud import metrics


class AccountsConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.accounts"

    def ready(self) -> None:
        """Count refused log-ins."""
        user_login_failed.connect(_count_refused, dispatch_uid="metrics")


def _count_refused(**_: object) -> None:
    metrics.LOGINS_REFUSED.inc()
