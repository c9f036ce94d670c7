"""Views: the list of lessons, a step, the sketch of its orders, and the pictures of boards."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.learn.boards import CUTS, WHOLE, draw_base, small_board
from diplomaccloud.learn.diagrams import DIAGRAMS, draw_diagram, hash_diagram
from diplomaccloud.learn.game_views import COOKIE
from diplomaccloud.learn.page import (
    build_step_page,
    draw_sketch,
    find_step,
    list_lessons,
    read_progress,
    save_progress,
    step_key,
)
from diplomaccloud.learn.steps import Entry, Step, judge_attempt
from diplomaccloud.maps.views import picture_response

_MAX_ORDERS = 40
"""More orders than any step has units; the rest of a longer list is ignored."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the lessons and which of them are solved."""
    *lessons, puzzles = list_lessons(read_progress(request))
    first = next((lesson for lesson in (*lessons, puzzles) if not lesson.done), None)
    context = {
        "lessons": lessons,
        "puzzles": puzzles,
        "next": first,
        "started": any(lesson.solved for lesson in lessons),
        "in_first_game": COOKIE in request.COOKIES,
    }
    return render(request, "learn/index.html", context)


@require_safe
def lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the first step of a lesson."""
    if find_step(slug, 1) is None:
        return _not_found(request)
    return HttpResponseRedirect(reverse("learn:step", args=[slug, 1]))


@require_safe
def step(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a step of a lesson, and the result if the address has orders."""
    found = find_step(slug, number)
    if found is None:
        return _not_found(request)
    this_lesson, this_step = found
    solved = read_progress(request)
    attempt = judge_attempt(this_step, _read_entry(request, this_step)) if request.GET else None
    if attempt and attempt.solved:
        solved |= {step_key(slug, number)}
    page = build_step_page(this_lesson, number, solved, attempt)
    response = render(request, "learn/step.html", {"page": page})
    if attempt and attempt.solved:
        save_progress(response, solved)
    return response


@csrf_exempt  # It changes nothing: it only draws arrows.
@require_POST
def sketch(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the arrows of the orders chosen so far, as SVG."""
    found = find_step(slug, number)
    if found is None:
        return HttpResponse("There is no such lesson.", status=404, content_type="text/plain")
    orders = tuple(request.POST.getlist("order")[:_MAX_ORDERS])
    return HttpResponse(draw_sketch(found[1], Entry(orders)), content_type="image/svg+xml")


@require_safe
def board(_request: HttpRequest, name: str, digest: str, theme: str) -> HttpResponse:
    """Send the picture of a small board, cacheable forever because its address has its hash."""
    if name not in {*CUTS, WHOLE} or digest != small_board(name).digest:
        return HttpResponse("There is no such board.", status=404, content_type="text/plain")
    return picture_response(draw_base(name, theme), "image/svg+xml")


@require_safe
def diagram(_request: HttpRequest, name: str, digest: str, theme: str) -> HttpResponse:
    """Send the picture of a diagram, cacheable forever because its address has its hash."""
    if name not in DIAGRAMS or digest != hash_diagram(name):
        return HttpResponse("There is no such diagram.", status=404, content_type="text/plain")
    return picture_response(draw_diagram(name, theme), "image/svg+xml")


def _read_entry(request: HttpRequest, this_step: Step) -> Entry:
    letter = request.GET.get("letter", "")
    count = len(this_step.letters)
    is_letter = letter.isascii() and letter.isdecimal() and len(letter) < 3
    return Entry(
        orders=tuple(request.GET.getlist("order")[:_MAX_ORDERS]),
        letter=int(letter) if is_letter and int(letter) < count else None,
        vote=request.GET.get("vote", ""),
    )


def _not_found(request: HttpRequest) -> HttpResponse:
    return render(request, "learn/not_found.html", status=404)
