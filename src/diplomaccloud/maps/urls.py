"""URLs of the map pages; a hash has 64 hexadecimal digits."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from diplomaccloud.maps import views
from diplomaccloud.maps.pictures import BASE_THEMES

app_name = "maps"
_OLD_THUMBNAIL = RedirectView.as_view(pattern_name="maps:thumbnail", permanent=True)
_HASH = r"^(?P<content_hash>[0-9a-f]{64})/"
_THEME = "|".join(BASE_THEMES)
urlpatterns = [
    path("", views.gallery, name="gallery"),
    path("new/", views.new_world, name="new"),
    # The page's old address.
    path("test/", RedirectView.as_view(pattern_name="maps:new", permanent=True, query_string=True)),
    path("import/", views.import_page, name="import"),
    re_path(
        rf"^new/(?P<key>[0-9a-f]{{64}})/(?P<theme>{_THEME})\.svg$",
        views.preview_svg,
        name="preview-svg",
    ),
    re_path(r"^cards/(?P<name>[0-9a-f]{64})\.webp$", views.card_picture, name="card"),
    re_path(_HASH + "$", views.detail, name="detail"),
    re_path(_HASH + rf"(?P<theme>{_THEME})\.svg$", views.send_text, name="svg"),
    re_path(_HASH + r"shapes\.json$", views.send_text, name="shapes"),
    re_path(
        _HASH + r"(?P<theme>light|dark)-(?P<size>small|large|card)\.webp$",
        views.thumbnail,
        name="thumbnail",
    ),
    # The addresses of thumbnails from before they were WebP.
    re_path(_HASH + r"thumb\.png$", _OLD_THUMBNAIL, {"theme": "light", "size": "large"}),
    re_path(_HASH + r"thumb-dark\.png$", _OLD_THUMBNAIL, {"theme": "dark", "size": "large"}),
    re_path(_HASH + r"preview\.png$", views.preview, name="preview"),
    re_path(
        _HASH + r"print/(?P<kind>(?:poster|tiles)-a[123])\.pdf$", views.print_map, name="print"
    ),
    re_path(_HASH + r"print/(?P<kind>picture)\.png$", views.print_map, name="print-picture"),
    re_path(_HASH + r"map\.(?P<kind>json|svg|png)$", views.download, name="download"),
]
