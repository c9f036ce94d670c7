"""What every template may use."""

from django.http import HttpRequest

from diplomaccloud import __version__

TRADEMARK = "Diplomacy is a trademark of its owner, who has nothing to do with this project."


def house(_request: HttpRequest) -> dict[str, object]:
    """Return the values of the page footer."""
    return {"trademark": TRADEMARK, "version": __version__}
