"""Views: the first game with a coach. Its state is in a signed cookie, not in the database."""

import secrets

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.learn.boards import WHOLE, small_board
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
from diplomaccloud.learn.steps import read_choices

COOKIE = "first-game"
_MAX_AGE = 60 * 24 * 60 * 60
_SUGGESTED = Power("FRANCE")
"""The country that the start page suggests: it has few neighbors and free centers nearby."""

_MAX_ORDERS = 40
"""More orders than a country has units; the rest of a longer list is ignored."""


@require_safe
def review(request: HttpRequest) -> HttpResponse:
    """Show the last turn with the coach's comments, or how to start."""
    state = _read_state(request)
    if state is None:
        return render(request, "learn/coach/start.html", _describe_start())
    game = play(state)
    if not game.played:
        return redirect("learn:first-game-orders")
    return render(request, "learn/coach/review.html", {"page": build_review(game), "years": YEARS})


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Start a new first game."""
    power = Power(request.POST.get("country", ""))
    if power not in standard_board().power_info:
        context = {**_describe_start(), "problem": "Choose one of the seven countries."}
        return render(request, "learn/coach/start.html", context)
    return _store(redirect("learn:first-game-orders"), start_game(power, secrets.token_hex(8)))


@require_http_methods(["GET", "HEAD", "POST"])
def orders(request: HttpRequest) -> HttpResponse:
    """Show the open phase, or carry out the orders for it."""
    state = _read_state(request)
    if state is None:
        return redirect("learn:first-game")
    game = play(state)
    if game.over:
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
def sketch(request: HttpRequest) -> HttpResponse:
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
