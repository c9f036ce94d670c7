"""The app's configuration."""

from django.apps import AppConfig


class SandboxConfig(AppConfig):
    """The sandbox."""

    name = "diplomaccloud.sandbox"
