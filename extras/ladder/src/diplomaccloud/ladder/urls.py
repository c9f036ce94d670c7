"""URLs of the ladder."""

from django.urls import path

from diplomaccloud.ladder import views

app_name = "ladder"
urlpatterns = [
    path("", views.show_ladder, name="ladder"),
    path("games/<int:number>/", views.show_game, name="game"),
    path("games/<int:number>/board.svg", views.show_board, name="board"),
]
