"""URLs of the pages that do not belong to another app."""

from django.urls import path

from diplomaccloud.pages import installation, operator_texts, views

urlpatterns = [
    path("", views.home, name="home"),
    path("robots.txt", views.robots),
    path("manifest.webmanifest", installation.manifest, name="manifest"),
    path("favicon.ico", installation.favicon),
    path("apple-touch-icon.png", installation.touch_icon),
    path("service-worker.js", installation.service_worker, name="service-worker"),
    path("about/<str:name>/", operator_texts.show_text, name="operator-text"),
    path("offline/", installation.offline, name="offline"),
]
