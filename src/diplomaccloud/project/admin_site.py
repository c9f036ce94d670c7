"""Read-only pages for administrators at `/admin/`: lists of games, people and cases.

These pages never write rows themselves: changes go through the functions in `actions`, which lock
the game and write its log. The pages don't show orders, messages, secrets, passwords, or who plays
in a game. They are for staff in sessions that used a second factor; anyone else gets a 404 page.

Editable pages with checks in their forms would know nothing about a game's lock, log and record.
"""

from functools import cached_property
from typing import Any, Final

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.apps import apps
from django.contrib import messages
from django.contrib.admin import AdminSite, ModelAdmin, action
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import resume_game
from diplomaccloud.games.table.errors import Refused

MAX_ROWS: Final = 1000
"""The most rows in a list, so that its pages do not get slower as the site grows."""
_FACTORS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


class StaffSite(AdminSite):
    """Django's admin pages, for staff with two-factor log-in."""

    site_header = site_title = "Diplomaccloud administration"
    index_title = "Games, people and cases"
    site_url = "/"

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the person is staff, is not banned, and logged in with two factors."""
        user = request.user
        return _is_staff(user) and is_mfa_enabled(user, _FACTORS) and _used_factor(request)

    def login(self, request: HttpRequest, *_about: object, **_more: object) -> HttpResponse:
        """Redirect visitors to the log-in page, and staff to use or set up a second factor."""
        if not request.user.is_authenticated:
            return HttpResponseRedirect(f"{reverse('account_login')}?next={reverse('admin:index')}")
        if not _is_staff(request.user):
            raise Http404
        if self.has_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        if is_mfa_enabled(request.user, _FACTORS):
            has_app = is_mfa_enabled(request.user, _FACTORS[:1])
            ask = reverse("mfa_reauthenticate" if has_app else "mfa_reauthenticate_webauthn")
            return HttpResponseRedirect(f"{ask}?next={reverse('admin:index')}")
        messages.warning(request, "Administrators need two-factor log-in. Set it up here.")
        return HttpResponseRedirect(reverse("mfa_index"))

    def logout(self, *_about: Any, **_more: Any) -> Any:
        """Redirect to the site's own log-out page."""
        return HttpResponseRedirect(reverse("account_logout"))

    def password_change(self, *_about: Any, **_more: Any) -> Any:
        """Redirect to the site's own page, which also revokes API tokens."""
        return HttpResponseRedirect(reverse("account_change_password"))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Return the view for staff, which raises a 404 error for other people."""
        shown = super().admin_view(view, cacheable)

        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.user.is_authenticated and not _is_staff(request.user):
                raise Http404
            response: HttpResponseBase = shown(request, *args, **kwargs)
            return response

        return checked


def _is_staff(user: object) -> bool:
    return isinstance(user, User) and user.is_active and user.is_staff and user.banned_at is None


def _used_factor(request: HttpRequest) -> bool:
    """Return whether the session logged in with a passkey or a code, not just a password."""
    used = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in used)


class _NewestPages(Paginator[Any]):
    """Pages of only the first `MAX_ROWS` rows, without counting the rest."""

    @cached_property
    def count(self) -> int:
        """Return how many rows are listed."""
        rows: Any = self.object_list
        return len(rows.values_list("pk", flat=True)[:MAX_ROWS])


class ReadOnly(ModelAdmin):  # type: ignore[type-arg]
    """Lists and shows rows without changing them."""

    actions: Any = ()
    list_per_page = 50
    ordering = ("-pk",)
    paginator = _NewestPages
    show_full_result_count = False

    def get_readonly_fields(self, *_about: object, **_more: object) -> Any:
        """Return all fields."""
        return self.fields or ()

    def _allow(self, *_about: object, **_more: object) -> bool:
        return True

    def _refuse(self, *_about: object, **_more: object) -> bool:
        return False

    # The site has already checked the person.
    has_module_permission = has_view_permission = _allow
    has_add_permission = has_change_permission = has_delete_permission = _refuse
    # Conditions in the address could reveal facts that the lists hide.
    lookup_allowed = _refuse


@action(description="Resume suspended games", permissions=["view"])
def resume_games(_admin: ReadOnly, request: HttpRequest, rows: "QuerySet[Model]") -> None:
    """Resume games that were suspended after an error, as `manage release` does."""
    for slug in rows.values_list("slug", flat=True):
        try:
            resume_game(slug=slug, now=timezone.now)
        except Refused as refusal:
            messages.error(request, f"{slug}: {refusal}")
        else:
            messages.success(request, f"{slug}: the game continues.")


class GameList(ReadOnly):
    """Games, without their players and secrets."""

    actions = (resume_games,)
    fields = ("slug", "world", "status", "private", "suspended_reason", "started_at", "finished_at")
    list_display = ("slug", "world", "status", "suspended_reason", "started_at", "finished_at")
    search_fields = ("=slug", "=world")


class PeopleList(ReadOnly):
    """People, without passwords and the times of their last log-ins."""

    fields = (
        *("username", "email", "status", "date_joined", "guest", "moderator", "is_staff"),
        *("banned_at", "deleted_at"),
    )
    list_display = ("username", "date_joined", "moderator", "is_staff", "banned_at", "deleted_at")
    search_fields = ("=folded_name",)


class CaseList(ReadOnly):
    """Cases, without their contents, which are on the moderation pages."""

    fields = ("key", "stage", "opened_at", "taken_at")
    list_display = fields
    search_fields = ("=key",)


site = StaffSite(name="admin")
site.register(apps.get_model("games", "Game"), GameList)
site.register(apps.get_model("press", "Case"), CaseList)
site.register(User, PeopleList)
site.disable_action("delete_selected")

app_name = "admin"
urlpatterns = site.urls[0]
