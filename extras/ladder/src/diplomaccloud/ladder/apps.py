"""The Django app `ladder`."""

from pathlib import Path

from diplomaccloud.project.extras import Extra


class LadderConfig(Extra):
    """The app's configuration for Django."""

    name = "diplomaccloud.ladder"
    label = "ladder"
    address = "ladder/"

    @classmethod
    def read_settings(cls, data: Path) -> dict[str, object]:
        """Return where the published ladder is."""
        return {"LADDER_FILE": data / "ladder.json"}
