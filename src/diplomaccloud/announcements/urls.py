"""URLs of announcements."""

from django.urls import path

from diplomaccloud.announcements import views

app_name = "announcements"
urlpatterns = [
    path("", views.show_all, name="list"),
    path("<int:key>/dismiss/", views.dismiss_one, name="dismiss"),
]
