"""The import page, which validates a map file and adds it to the gallery."""

import datetime as dt
from dataclasses import replace

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import clean_name
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import ChartError, check_chart
from diplomaccloud.atlas.validation import Fault
from diplomaccloud.maps.forms import MAX_NAME_LENGTH
from diplomaccloud.maps.library import store_chart
from diplomaccloud.maps.quotas import QuotaError, count_new_map, save_map

MAX_UPLOAD = 4_000_000
"""In bytes, four times the size of the largest generated maps."""

PLAYER_COUNTS = range(2, 11)
MAX_LISTED_FAULTS = 200


class ImportForm(forms.Form):
    """A map file, and optionally a name to replace its own."""

    file = forms.FileField(
        label="Map file", widget=forms.ClearableFileInput(attrs={"accept": ".json"})
    )
    name = forms.CharField(
        max_length=MAX_NAME_LENGTH,
        required=False,
        label="Map name",
        help_text="Leave blank to use the name in the file.",
    )

    def clean_file(self) -> object:
        """Return the file; reject one that is too large to validate."""
        file: object = self.cleaned_data["file"]
        if getattr(file, "size", 0) > MAX_UPLOAD:
            megabytes = MAX_UPLOAD // 1_000_000
            raise ValidationError(f"Map files are limited to {megabytes} MB.")
        return file

    def clean_name(self) -> str:
        """Return the cleaned name, as pages show it."""
        try:
            return clean_name(self.cleaned_data["name"])
        except ValueError as error:
            raise ValidationError(str(error)) from error


def read_map(content: bytes, name: str = "") -> Chart:
    """Return the map in `content`, renamed to `name` unless that is empty.

    Raises `ChartError` with every fault, including an unsupported number of powers.
    """
    chart = check_chart(content)
    powers = len(chart.board.powers)
    if powers not in PLAYER_COUNTS:
        raise ChartError(
            [Fault("board.powers", f"has {powers} powers; this site supports 2 to 10")]
        )
    try:
        world = clean_name(name or chart.world)[:60]
    except ValueError as error:
        raise ChartError([Fault("world", str(error))]) from error
    if not world:
        raise ChartError([Fault("world", "is empty; give the map a name")])
    return replace(chart, world=world)


def import_map(content: bytes, *, name: str = "", now: dt.datetime) -> str:
    """Store the map in `content` and return its hash.

    Raises `ChartError` without storing anything.
    """
    return store_chart(read_map(content, name), now=now)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Add an uploaded map file to the gallery, or list all its faults."""
    if request.method != "POST":
        return render(request, "maps/import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "maps/import.html", {"form": form}, status=422)
    if not isinstance(request.user, User):
        raise Http404
    try:
        count_new_map(user_id=request.user.pk, address=get_adapter().get_client_ip(request))
        chart = read_map(form.cleaned_data["file"].read(), form.cleaned_data["name"])
        key = save_map(chart, chart.world, user_id=request.user.pk, now=timezone.now())
    except QuotaError as error:
        form.add_error(None, str(error))
        return render(request, "maps/import.html", {"form": form}, status=429)
    except ChartError as error:
        count = len(error.faults) + error.unlisted
        context = {
            "form": form,
            "faults": error.faults[:MAX_LISTED_FAULTS],
            "count": count,
            "more": max(0, count - MAX_LISTED_FAULTS),
        }
        return render(request, "maps/import.html", context, status=422)
    messages.success(request, f"{chart.world} was added to the gallery.")
    return redirect("maps:detail", key)
