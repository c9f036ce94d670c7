"""URLs of the developer pages; the URLs of the API itself are in `service`."""

from django.urls import path

from diplomaccloud.api import views

app_name = "api"
urlpatterns = [
    path("api/", views.show_calls, name="calls"),
    path("account/tokens/", views.show_tokens, name="tokens"),
    path("account/tokens/<int:key>/revoke/", views.revoke, name="revoke"),
]
