"""URLs of the lessons."""

from django.urls import path, re_path

from diplomaccloud.learn import views
from diplomaccloud.maps.pictures import BASE_THEMES

app_name = "learn"
urlpatterns = [
    path("", views.index, name="index"),
    re_path(
        r"^boards/(?P<name>[a-z-]+)-(?P<digest>[0-9a-f]{16}-[0-9a-z]+)/"
        rf"(?P<theme>{'|'.join(BASE_THEMES)})\.svg$",
        views.board,
        name="board",
    ),
    re_path(
        r"^diagrams/(?P<name>[a-z-]+)-(?P<digest>[0-9a-f]{16})-(?P<theme>light|dark)\.svg$",
        views.diagram,
        name="diagram",
    ),
    path("first-game/", views.review_game, name="first-game"),
    path("first-game/start/", views.begin_game, name="first-game-start"),
    path("first-game/orders/", views.order_units, name="first-game-orders"),
    path("first-game/sketch/", views.sketch_game, name="first-game-sketch"),
    path("<slug:slug>/", views.lesson, name="lesson"),
    path("<slug:slug>/<int:number>/", views.step, name="step"),
    path("<slug:slug>/<int:number>/sketch/", views.sketch, name="sketch"),
]
