"""URLs of orders by Slack."""

from django.urls import path

from diplomaccloud.slack import views

app_name = "slack"
urlpatterns = [
    path("", views.show_settings, name="settings"),
    path("code/", views.make_code, name="code"),
    path("unlink/", views.unlink, name="unlink"),
    path("requests/", views.receive, name="requests"),
]
