"""Maps that people bring: a map file looked over and put into the gallery."""

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

from diplomaccloud.accounts.lines import clean_name
from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import ChartError, check_chart
from diplomaccloud.atlas.checking import Fault
from diplomaccloud.maps.keeping import TooManyError, count_making, keep
from diplomaccloud.maps.library import store

LARGEST_UPLOAD = 4_000_000
"""Bytes; the largest generated maps have a quarter of it."""

PLAYERS = range(2, 11)
_SHOWN = 200


class ImportForm(forms.Form):
    """A map file, and a name if it is to have another than its own."""

    file = forms.FileField(
        label="Map file", widget=forms.ClearableFileInput(attrs={"accept": ".json"})
    )
    name = forms.CharField(
        max_length=40,
        required=False,
        label="Name of the world",
        help_text="Leave it empty to keep the name in the file.",
    )

    def clean_file(self) -> object:
        """Return the file, unless it is too large to be looked at."""
        file: object = self.cleaned_data["file"]
        if getattr(file, "size", 0) > LARGEST_UPLOAD:
            most = LARGEST_UPLOAD // 1_000_000
            raise ValidationError(f"A map file has at most {most} million bytes.")
        return file

    def clean_name(self) -> str:
        """Return the name as it will be shown."""
        try:
            return clean_name(self.cleaned_data["name"])
        except ValueError as error:
            raise ValidationError(str(error)) from error


def read_map(content: bytes, name: str = "") -> Chart:
    """Return the map written in `content`, called `name` unless that is empty.

    Raises `ChartError` with every fault, also for a number of powers that cannot play here.
    """
    chart = check_chart(content)
    powers = len(chart.board.powers)
    if powers not in PLAYERS:
        raise ChartError([Fault("board.powers", f"{powers} powers cannot play here: 2 to 10 can")])
    try:
        world = clean_name(name or chart.world)[:60]
    except ValueError as error:
        raise ChartError([Fault("world", str(error))]) from error
    if not world:
        raise ChartError([Fault("world", "is empty: give the map a name")])
    return replace(chart, world=world)


def import_map(content: bytes, *, name: str = "", now: dt.datetime) -> str:
    """Return the hash under which the map written in `content` is now in the gallery.

    Raises `ChartError`; then nothing is changed.
    """
    return store(read_map(content, name), now=now)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Take a map file and keep it in the gallery, or show everything that is wrong with it."""
    if request.method != "POST":
        return render(request, "maps/import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "maps/import.html", {"form": form}, status=422)
    if not isinstance(request.user, User):
        raise Http404
    try:
        count_making(person=request.user.pk, address=get_adapter().get_client_ip(request))
        chart = read_map(form.cleaned_data["file"].read(), form.cleaned_data["name"])
        key = keep(chart, chart.world, user_id=request.user.pk, now=timezone.now())
    except TooManyError as error:
        form.add_error(None, str(error))
        return render(request, "maps/import.html", {"form": form}, status=429)
    except ChartError as error:
        count = len(error.faults) + error.unlisted
        context = {
            "form": form,
            "faults": error.faults[:_SHOWN],
            "count": count,
            "more": max(0, count - _SHOWN),
        }
        return render(request, "maps/import.html", context, status=422)
    messages.success(request, f"{chart.world} is in the gallery.")
    return redirect("maps:detail", key)
