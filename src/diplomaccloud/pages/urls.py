"""URLs of the pages that do not belong to another app."""

from django.urls import path

from diplomaccloud.pages import color_scheme, installation, views

urlpatterns = [
    path("", views.home, name="home"),
    path("robots.txt", views.robots),
    path("manifest.webmanifest", installation.manifest, name="manifest"),
    # The addresses that browsers and phones request on their own.
    path("favicon.ico", installation.send_icon, {"kind": "image/x-icon"}),
    path("apple-touch-icon.png", installation.send_icon, {"kind": "image/png"}),
    path("service-worker.js", installation.service_worker, name="service-worker"),
    path("about/<str:name>/", views.show_text, name="operator-text"),
    path("color-scheme/", color_scheme.choose_scheme, name="color-scheme"),
    path("offline/", installation.offline, name="offline"),
]
