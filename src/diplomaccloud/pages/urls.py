"""URLs of the pages that belong to no other app."""

from django.urls import path

from diplomaccloud.pages import installation, views

urlpatterns = [
    path("", views.home, name="home"),
    path("robots.txt", views.robots),
    path("manifest.webmanifest", installation.manifest, name="manifest"),
    path("favicon.ico", installation.favicon),
    path("apple-touch-icon.png", installation.touch_icon),
    path("service-worker.js", installation.service_worker, name="service-worker"),
    path("offline/", installation.offline, name="offline"),
]
