"""Views: lessons, their steps and pictures, and the first game with a coach.

The state of the first game is in a signed cookie, not in the database.
"""

import secrets

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.learn.boards import WHOLE, draw_base, small_board
from diplomaccloud.learn.coach.first_game import (
    YEARS,
    LessonState,
    StateError,
    continue_game,
    dump_state,
    load_state,
    play,
    start_game,
)
from diplomaccloud.learn.coach.page import build_orders, build_review, draw_game_sketch
from diplomaccloud.learn.cutting import CUTS
from diplomaccloud.learn.diagrams import DIAGRAMS, draw_diagram, hash_diagram
from diplomaccloud.learn.page import (
    build_step_page,
    draw_sketch,
    find_lesson,
    list_lessons,
    read_progress,
    save_progress,
    step_key,
)
from diplomaccloud.learn.steps import Entry, Step, judge_attempt, read_choices
from diplomaccloud.maps.views import picture_response

_MAX_ORDERS = 40
"""More orders than anyone has units; the rest of a longer list is ignored."""
COOKIE = "first-game"
_MAX_AGE = 60 * 24 * 60 * 60
_SUGGESTED = Power("FRANCE")
"""The country that the start page suggests: it has few neighbors and free centers nearby."""


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
    if find_lesson(slug, 1) is None:
        return _not_found(request)
    return HttpResponseRedirect(reverse("learn:step", args=[slug, 1]))


@require_safe
def step(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a step of a lesson, and the result if the address has orders."""
    this_lesson = find_lesson(slug, number)
    if this_lesson is None:
        return _not_found(request)
    this_step = this_lesson.steps[number - 1]
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
    this_lesson = find_lesson(slug, number)
    if this_lesson is None:
        return HttpResponse("There is no such lesson.", status=404, content_type="text/plain")
    orders = tuple(request.POST.getlist("order")[:_MAX_ORDERS])
    drawn = draw_sketch(this_lesson.steps[number - 1], orders)
    return HttpResponse(drawn, content_type="image/svg+xml")


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


# The first game.


@require_safe
def review_game(request: HttpRequest) -> HttpResponse:
    """Show the last turn with the coach's comments, or how to start."""
    state = _read_state(request)
    if state is None:
        return render(request, "learn/coach/start.html", _describe_start())
    game = play(state)
    if not game.played:
        return redirect("learn:first-game-orders")
    return render(request, "learn/coach/review.html", {"page": build_review(game), "years": YEARS})


@require_POST
def begin_game(request: HttpRequest) -> HttpResponse:
    """Start a new first game."""
    power = Power(request.POST.get("country", ""))
    if power not in standard_board().power_info:
        context = {**_describe_start(), "problem": "Choose one of the seven countries."}
        return render(request, "learn/coach/start.html", context)
    return _store(redirect("learn:first-game-orders"), start_game(power, secrets.token_hex(8)))


@require_http_methods(["GET", "HEAD", "POST"])
def order_units(request: HttpRequest) -> HttpResponse:
    """Show the open phase, or carry out the orders for it."""
    state = _read_state(request)
    game = None if state is None else play(state)
    if state is None or game is None or game.over:
        return redirect("learn:first-game")
    if request.method != "POST":
        return render(request, "learn/coach/orders.html", {"page": build_orders(game)})
    if request.POST.get("phase") != str(game.position.phase):
        return redirect("learn:first-game")  # the form of an earlier turn
    sent = request.POST.getlist("order")[:_MAX_ORDERS]
    chosen, problems = read_choices(game.board, game.position, game.power, sent)
    if problems:
        page = build_orders(game, chosen, problems)
        return render(request, "learn/coach/orders.html", {"page": page})
    answer = redirect("learn:first-game")
    return _store(answer, continue_game(state, [str(order) for order in chosen]))


@csrf_exempt  # It changes nothing: it only draws arrows.
@require_POST
def sketch_game(request: HttpRequest) -> HttpResponse:
    """Send the arrows of the orders chosen so far, as SVG."""
    state = _read_state(request)
    if state is None:
        return HttpResponse("There is no game.", status=404, content_type="text/plain")
    texts = tuple(request.POST.getlist("order")[:_MAX_ORDERS])
    return HttpResponse(draw_game_sketch(play(state), texts), content_type="image/svg+xml")


def _read_state(request: HttpRequest) -> LessonState | None:
    """Return the learner's game; None without one, or if the site did not sign the cookie."""
    try:
        return load_state(request.COOKIES.get(COOKIE, ""))
    except StateError:
        return None


def _store(response: HttpResponseRedirect, state: LessonState) -> HttpResponse:
    response.set_cookie(
        COOKIE, dump_state(state), max_age=_MAX_AGE, path="/learn/", httponly=True, samesite="Lax"
    )
    return response


def _describe_start() -> dict[str, object]:
    palette = small_board(WHOLE).chart.palette
    countries = [
        (info.power, info.name, palette[info.power], info.power == _SUGGESTED)
        for info in standard_board().powers
    ]
    return {"countries": countries, "years": YEARS}
