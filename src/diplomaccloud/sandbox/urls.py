"""URLs of a map's sandbox, below `/maps/<hash>/sandbox/`."""

from django.urls import path

from diplomaccloud.sandbox import views

app_name = "sandbox"
urlpatterns = [
    path("", views.board, name="board"),
    path("why/<int:number>/", views.why, name="why"),
    path("board.svg", views.picture, {"kind": "svg"}, name="svg"),
    path("board.png", views.picture, {"kind": "png"}, name="png"),
    path("position.txt", views.position, name="position"),
    path("orders.txt", views.orders, name="orders"),
    path("request.json", views.judge_request, name="request"),
    path("record.jsonl", views.record, name="record"),
]
