"""Template context that every page has."""

from django.conf import settings
from django.http import HttpRequest

from diplomaccloud import __version__

TRADEMARK = "Diplomacy is a trademark of its owner, who is not affiliated with this project."


def site_context(_request: HttpRequest) -> dict[str, object]:
    """Return the values of the page footer, and whether the site sends mail or only prints it."""
    sends_mail = not settings.EMAIL_BACKEND.endswith(".console.EmailBackend")
    return {"trademark": TRADEMARK, "version": __version__, "sends_mail": sends_mail}
