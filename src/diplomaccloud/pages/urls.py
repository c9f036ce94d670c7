"""URLs of the pages that belong to no other app."""

from django.urls import path

from diplomaccloud.pages import views

urlpatterns = [
    path("", views.home, name="home"),
    path("robots.txt", views.robots),
]
