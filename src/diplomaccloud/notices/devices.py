"""Ending a browser's push messages when its user logs out."""

from django.http import HttpRequest

from diplomaccloud.notices.destinations import forget_session


def forget_device(*, request: HttpRequest | None, **_signal: object) -> None:
    """Remove the subscriptions made in the session that ends."""
    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        forget_session(session.session_key)
