"""Every address of the site."""

from django.urls import include, path, re_path

from diplomaccloud.games.views.people import people, person
from diplomaccloud.pages.errors import nothing_here
from diplomaccloud.worker.views import health_page

urlpatterns = [
    path("", include("diplomaccloud.pages.urls")),
    path("health", health_page, name="health"),
    # No address is ever confirmed: the library's page would claim that mail was sent.
    re_path("^accounts/confirm-email/", nothing_here),
    path("accounts/", include("allauth.account.urls")),
    path("maps/", include("diplomaccloud.maps.urls")),
    path("games/", include("diplomaccloud.games.urls")),
    path("people/", people, name="people"),
    path("people/<str:name>/", person, name="person"),
]

handler400 = "diplomaccloud.pages.errors.bad_request"
handler403 = "diplomaccloud.pages.errors.forbidden"
handler404 = "diplomaccloud.pages.errors.not_found"
handler500 = "diplomaccloud.pages.errors.broken"
