"""URLs of notices."""

from django.urls import path

from diplomaccloud.notices.views import destinations, feeds, lists, preferences

app_name = "notices"
urlpatterns = [
    path("", lists.notice_list, name="list"),
    path("settings/", preferences.settings_page, name="settings"),
    path("settings/kinds/", preferences.kinds, name="kinds"),
    path("settings/quiet-hours/", preferences.quiet_hours, name="quiet-hours"),
    path("settings/calendar/", preferences.calendar_address, name="calendar-address"),
    path("settings/webhooks/", destinations.add_hook, name="add-webhook"),
    path("settings/addresses/", destinations.add_address, name="add-email"),
    path("settings/browsers/", destinations.add_device, name="add-browser"),
    path("settings/destinations/<int:key>/", destinations.change, name="change"),
    path("confirm/<str:token>/", feeds.confirmation, name="confirm"),
    path("unsubscribe/<str:token>/", feeds.unsubscribe, name="unsubscribe"),
    path("calendar/<str:key>.ics", feeds.calendar, name="calendar"),
]
