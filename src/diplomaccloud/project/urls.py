"""Every address of the site."""

from django.urls import include, path

from diplomaccloud.clock.views import health_page
from diplomaccloud.games.views.people import people, person

urlpatterns = [
    path("", include("diplomaccloud.pages.urls")),
    path("health", health_page, name="health"),
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
