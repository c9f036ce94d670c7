"""The Django app `ladder`."""

from diplomaccloud.project.extras import Extra


class LadderConfig(Extra):
    """The app's configuration for Django."""

    name = "diplomaccloud.ladder"
    label = "ladder"
    address = "ladder/"
