"""The app `announcements`."""

from django.apps import AppConfig


class AnnouncementsConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.announcements"
