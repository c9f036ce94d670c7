"""Addresses of games; a game is named by a short random text."""

from django.urls import path, register_converter

from diplomaccloud.games import views


class Slug:
    """Ten letters and digits that are hard to confuse."""

    regex = "[a-z2-9]{10}"

    def to_python(self, value: str) -> str:
        """Return the text itself."""
        return value

    def to_url(self, value: str) -> str:
        """Return the text itself."""
        return value


register_converter(Slug, "game")

app_name = "games"
urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("quick/", views.quick, name="quick"),
    path("new/", views.create, name="create"),
    path("<game:slug>/", views.detail, name="detail"),
    path("<game:slug>/join/", views.join, name="join"),
    path("<game:slug>/leave/", views.leave, name="leave"),
    path("<game:slug>/start/", views.start, name="start"),
    path("<game:slug>/orders/", views.orders, name="orders"),
    path("<game:slug>/sketch/", views.sketch, name="sketch"),
    path("<game:slug>/ready/", views.ready, name="ready"),
    path("<game:slug>/country/", views.country, name="country"),
    path("<game:slug>/phases/<int:sequence>/", views.phase, name="phase"),
    path("<game:slug>/centers/", views.centers, name="centers"),
    path("<game:slug>/state/", views.state, name="state"),
]
