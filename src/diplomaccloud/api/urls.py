"""URLs of the developer pages; the URLs of the API itself are in `service`."""

from django.urls import path

from diplomaccloud.api import views

app_name = "api"
urlpatterns = [
    path("api/", views.show_calls, name="calls"),
    path("account/tokens/", views.show_tokens, name="tokens"),
    path("account/tokens/<int:key>/revoke/", views.revoke, name="revoke"),
    path("account/apps/", views.show_apps, name="apps"),
    path("account/apps/<int:key>/revoke/", views.revoke_grant, name="revoke-grant"),
    path("account/apps/<str:key>/delete/", views.delete_app, name="delete-app"),
    path(".well-known/oauth-authorization-server", views.describe_server, name="metadata"),
]
