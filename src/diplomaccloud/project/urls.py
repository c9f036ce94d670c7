"""The URLs of the site."""

from typing import Any

from django.urls import URLResolver, include, path, re_path
from django.urls.resolvers import RoutePattern
from django.utils.datastructures import MultiValueDict

from diplomaccloud.accounts.addresses import ask_to_confirm, show_email
from diplomaccloud.accounts.data_exports import send_export, show_export
from diplomaccloud.accounts.deletion import ask_to_delete
from diplomaccloud.accounts.renaming import ask_for_name
from diplomaccloud.accounts.sessions import show_sessions
from diplomaccloud.games.following import views as following
from diplomaccloud.games.guests.views import (
    GuestLogin,
    GuestSignup,
    guest_authenticate,
    guest_passkey_login,
)
from diplomaccloud.games.people.views import invite, people, person
from diplomaccloud.games.ratings.views import hide, leaderboard
from diplomaccloud.games.record.views import keys, keys_file
from diplomaccloud.learn.reference import glossary, rules, show_guide
from diplomaccloud.pages.errors import raise_not_found
from diplomaccloud.project.extras import list_extras
from diplomaccloud.worker.views import status_page


class LateURLs(URLResolver):
    """URLs in a namespace whose module is only loaded when one of them is needed.

    Workers make links to pages, and the API would take 20 MB of their memory.
    """

    def __init__(self, route: str, module: str, namespace: str) -> None:
        super().__init__(RoutePattern(route), module, app_name=namespace, namespace=namespace)
        self._is_known = False

    def _populate(self) -> None:
        """Load nothing while the names of the whole site are collected."""

    @property
    def namespace_dict(self) -> dict[str, Any]:
        """The namespaces in this one."""
        _ = self.reverse_dict
        return super().namespace_dict

    @property
    def reverse_dict(self) -> "MultiValueDict[Any, Any]":
        """The names in this namespace."""
        if not self._is_known:
            super()._populate()
            self._is_known = True
        return super().reverse_dict


urlpatterns = [
    # First: a call costs little, and Django tries each pattern before it.
    LateURLs("api/v1/", "diplomaccloud.api.service", "api-v1"),
    path("", include("diplomaccloud.pages.urls")),
    # The site doesn't confirm addresses this way, but the library's page would claim to send mail.
    re_path("^accounts/confirm-email/", raise_not_found),
    # Before the library's own pages, so that guests who sign up or log in keep their games.
    path("accounts/signup/", GuestSignup.as_view(), name="account_signup"),
    path("accounts/login/", GuestLogin.as_view(), name="account_login"),
    path("accounts/name/", ask_for_name, name="account_name"),
    path("accounts/email/", show_email, name="account_email"),
    path("account/email/confirm/<str:token>/", ask_to_confirm, name="account_confirm_address"),
    path("accounts/", include("allauth.account.urls")),
    # The last step of logging in: guests keep their games here too.
    path("accounts/two-factor/authenticate/", guest_authenticate, name="mfa_authenticate"),
    path("accounts/two-factor/webauthn/login/", guest_passkey_login, name="mfa_login_webauthn"),
    path("accounts/two-factor/", include("allauth.mfa.urls")),
    path("admin/", include("diplomaccloud.project.admin_site")),
    path("account/delete/", ask_to_delete, name="account_delete"),
    path("account/sessions/", show_sessions, name="account_sessions"),
    path("account/following/", following.following, name="following"),
    path("account/following/followers/", following.choose_followers, name="followers"),
    path("account/following/stop/<str:token>/", following.unfollow, name="unfollow"),
    path("account/export/", show_export, name="account_export"),
    path("account/export/file/", send_export, name="account_export_file"),
    re_path("^maps/(?P<content_hash>[0-9a-f]{64})/sandbox/", include("diplomaccloud.sandbox.urls")),
    path("maps/", include("diplomaccloud.maps.urls")),
    path("learn/", include("diplomaccloud.learn.urls")),
    path("rules/", rules, name="rules"),
    path("glossary/", glossary, name="glossary"),
    path("guides/<slug:name>/", show_guide, name="guide"),
    path("games/", include("diplomaccloud.games.urls")),
    path("", include("diplomaccloud.press.urls")),
    path("announcements/", include("diplomaccloud.announcements.urls")),
    path("notices/", include("diplomaccloud.notices.urls")),
    *(path(one.address, include(f"{one.name}.urls")) for one in list_extras() if one.address),
    LateURLs("", "diplomaccloud.api.urls", "api"),
    LateURLs("oauth/", "diplomaccloud.api.oauth_views", "idp"),
    path("keys/", keys, name="keys"),
    path("keys.json", keys_file, name="keys-file"),
    path("status/", status_page, name="status"),
    path("people/", people, name="people"),
    path("people/<str:name>/follow/", following.follow_person, name="follow-person"),
    path("people/<str:name>/invite/", invite, name="invite-person"),
    path("people/<str:name>/", person, name="person"),
    path("ratings/", leaderboard, name="ratings"),
    path("ratings/hide/", hide, name="hide-ratings"),
    path("ratings/<str:kind>/", leaderboard, name="ratings-of"),
]

handler400 = "diplomaccloud.pages.errors.bad_request"
handler403 = "diplomaccloud.pages.errors.forbidden"
handler404 = "diplomaccloud.pages.errors.not_found"
handler500 = "diplomaccloud.pages.errors.server_error"
