"""The app `notices`."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.notices"

    def ready(self) -> None:
        """Make logging out end the push messages of the device."""
        from django.contrib.auth.signals import user_logged_out  # noqa: PLC0415

        from diplomaccloud.notices.destinations import forget_device  # noqa: PLC0415

        user_logged_out.connect(forget_device, dispatch_uid="notices.devices")
