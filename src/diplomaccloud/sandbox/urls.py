"""URLs of a map's sandbox, below `/maps/<hash>/sandbox/`."""

from django.urls import path

from diplomaccloud.sandbox import exports, views

app_name = "sandbox"
urlpatterns = [
    path("", views.board, name="board"),
    path("why/<int:number>/", views.why, name="why"),
    path("board.svg", views.picture, {"kind": "svg"}, name="svg"),
    path("board.png", views.picture, {"kind": "png"}, name="png"),
    *(
        path(name, views.send_text, {"name": name}, name=name.partition(".")[0])
        for name in exports.TEXTS
    ),
]
