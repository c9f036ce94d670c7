"""URLs of notices."""

from django.urls import path

from diplomaccloud.notices import views

app_name = "notices"
urlpatterns = [
    path("", views.notice_list, name="list"),
    path("settings/", views.settings_page, name="settings"),
    path("settings/kinds/", views.change_kinds, name="kinds"),
    path("settings/quiet-hours/", views.change_quiet_hours, name="quiet-hours"),
    path("settings/calendar/", views.change_calendar, name="calendar-address"),
    path("settings/webhooks/", views.add_address, {"name": "hook"}, name="add-webhook"),
    path("settings/addresses/", views.add_address, {"name": "email"}, name="add-email"),
    path("settings/browsers/", views.add_device, name="add-browser"),
    path("settings/destinations/<int:key>/", views.change_destination, name="change"),
    path("confirm/<str:token>/", views.confirm_address, name="confirm"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("calendar/<str:key>.ics", views.send_calendar, name="calendar"),
]
