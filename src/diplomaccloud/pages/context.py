"""What every template may use."""

from django.conf import settings
from django.http import HttpRequest

from diplomaccloud import __version__

TRADEMARK = "Diplomacy is a trademark of its owner, who has nothing to do with this project."


def house(_request: HttpRequest) -> dict[str, object]:
    """Return the values of the page footer, and whether mail is sent, not printed."""
    sends_mail = not settings.EMAIL_BACKEND.endswith(".console.EmailBackend")
    return {"trademark": TRADEMARK, "version": __version__, "sends_mail": sends_mail}
