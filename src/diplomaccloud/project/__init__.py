"""Settings, URLs, the ASGI application, and the supervisor behind `./play`."""
