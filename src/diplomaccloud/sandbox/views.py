"""Views of a board without a game, its explanations and its exports. Nothing is stored."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_cookie
from django_htmx.middleware import HtmxDetails

from diplomaccloud.judge.drawing.chart import INKS, Chart, MarkKind
from diplomaccloud.judge.explain import explain_order
from diplomaccloud.maps.library import QuotaError, UnknownMapError
from diplomaccloud.maps.map_styles import find_theme
from diplomaccloud.maps.pictures import find_chart_to_show
from diplomaccloud.maps.views import picture_response
from diplomaccloud.sandbox import exports
from diplomaccloud.sandbox.address import MAX_LENGTH, read_state
from diplomaccloud.sandbox.commands import SECTIONS, Done, Notes, run_command
from diplomaccloud.sandbox.engine import SEED, SandboxError, SandboxState, start_state
from diplomaccloud.sandbox.explanation import ExplanationView, present_explanation
from diplomaccloud.sandbox.exports import PictureBusyError, count_picture, take_png_slot
from diplomaccloud.sandbox.page import present_sandbox
from diplomaccloud.sandbox.situation import Choices, Links, Situation, Tool, View

_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)
_PRIVATE = "private, max-age=600"
_NOTHING_LEFT = "The board shows the starting position instead."


@dataclass(frozen=True, slots=True)
class Host:
    """A page that shows the sandbox: its map and addresses, and its differences.

    `start` returns the state to show if the address has none. Up to `max_steps` phases can be
    adjudicated. `describe` returns additional template values, of which `extends`, `bar` and
    `share` replace the sandbox's templates.
    """

    chart: Chart
    links: Links
    start: Callable[[], SandboxState]
    max_steps: int | None = None
    describe: Callable[[Situation], Mapping[str, object]] | None = None


@dataclass(frozen=True, slots=True)
class _Request:
    """A request for a map's sandbox: the state in its address, and any problems with it."""

    host: Host
    state: SandboxState
    problems: tuple[str, ...] = ()


def answer_board(request: HttpRequest, host: Host) -> HttpResponse:
    """Show a position on a host's page, after applying any posted form."""
    asked = _read_state(request, host)
    choices = _read_choices(request)
    if request.method != "POST":
        return _show(request, asked, choices, Notes(problems=asked.problems))
    fields = {name: str(request.POST[name]) for name in request.POST}
    name, most = fields.get("do", ""), host.max_steps
    try:
        if name == "adjudicate" and most is not None and len(asked.state.past) >= most:
            raise SandboxError(
                f"A map can be adjudicated for {most} phases. Go back to change one."
            )
        done = run_command(host.chart.board, asked.state, name, fields)
        text, line = host.links.encode(done.state), ""
    except SandboxError as error:
        # The page as it was, with the reason; the visitor goes on where the form is.
        done = Done(asked.state, SECTIONS.get(name, View.ORDERS), Notes(problems=(str(error),)))
        text, line = host.links.encode(asked.state), choices.line
    shown = replace(choices, view=done.view, line=line)
    url = host.links.link(text, **_list_choices(shown))
    if not HtmxDetails(request) and not done.notes.problems:
        return HttpResponseRedirect(url, status=303)
    status = 422 if done.notes.problems else 200
    response = _show(request, _Request(host, done.state), shown, done.notes, status=status)
    response.headers["HX-Push-Url"] = url
    return response


def _list_choices(choices: Choices) -> dict[str, str]:
    """Return the visitor's choices as parameters of an address."""
    query = {} if choices.view is View.ORDERS else {"view": str(choices.view)}
    if choices.view is View.SETUP:
        query |= {"tool": str(choices.tool), "power": choices.power}
    if choices.view is View.MARKS:
        query |= {"mark": str(choices.mark), "ink": choices.ink}
    if choices.view is View.RESULTS and choices.phase is not None:
        query |= {"phase": str(choices.phase)}
    return query


def answer_why(request: HttpRequest, host: Host, number: int) -> HttpResponse:
    """Explain the outcome of one order in the last adjudicated phase on a host's page."""
    asked = _read_state(request, host)
    choices = replace(_read_choices(request), view=View.RESULTS)
    explanation = _explain(Situation(host.chart, host.links, asked.state, choices), number)
    if explanation is None:
        notes = Notes(problems=(*asked.problems, "There is no such order to explain."))
        return _show(request, asked, choices, notes, status=404)
    if HtmxDetails(request):
        context = {"why": explanation, "arrived": True}
        return render(request, "games/results/_explanation.html", context)
    return _show(request, asked, choices, Notes(problems=asked.problems), explanation)


def _explain(situation: Situation, number: int) -> ExplanationView | None:
    """Return the explanation of an order's outcome; None if there is no such order."""
    board, played, rules = situation.board, situation.played, situation.state.rules
    if played is None or number >= len(played.resolution.results):
        return None
    explanation = explain_order(board, played.position, played.orders, number, rules, seed=SEED)
    return present_explanation(
        explanation,
        board,
        tuple(played.resolution.results),
        number,
        sequence=1,
        phase_url=situation.links.page,
        query=situation.why_query,
    )


def _on_map(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view for the sandbox's own page of a map, from one for a host's page."""

    @wraps(view)
    def answer(request: HttpRequest, content_hash: str, **options: object) -> HttpResponse:
        try:
            chart = find_chart_to_show(content_hash)
        except UnknownMapError:
            return render(request, "sandbox/unknown_map.html", status=404)
        links = Links(content_hash, chart.board)
        return view(request, Host(chart, links, lambda: start_state(chart.board)), **options)

    return answer


# Forms change nothing on the site: the response is a new address. So they don't need a token, and
# the page works without cookies.
board = csrf_exempt(require_http_methods(["GET", "HEAD", "POST"])(_on_map(answer_board)))
why = require_safe(_on_map(answer_why))


# Exports.


@require_safe
@vary_on_cookie
@_on_map
def picture(request: HttpRequest, host: Host, kind: str) -> HttpResponse:
    """Send the board as an `svg` or a `png`, in the style that this browser remembers."""
    asked, share, theme = _read_state(request, host), Choices(View.SHARE), find_theme(request)
    if asked.problems:
        return _show(request, asked, share, Notes(problems=asked.problems), status=404)
    try:
        count_picture(get_adapter().get_client_ip(request), png=kind == "png")
        if kind == "svg":
            content = exports.draw_svg(host.chart, asked.state, theme).encode()
            return picture_response(content, "image/svg+xml", _PRIVATE)
        with take_png_slot():
            content = exports.draw_png(host.chart, asked.state, theme)
        return picture_response(content, "image/png", _PRIVATE)
    except QuotaError as error:
        return _show(request, asked, share, Notes(problems=(str(error),)), status=429)
    except PictureBusyError as error:
        return _show(request, asked, share, Notes(problems=(str(error),)), status=503)


@require_safe
@_on_map
def send_text(request: HttpRequest, host: Host, name: str) -> HttpResponse:
    """Send the board as one of the text files."""
    asked = _read_state(request, host)
    if asked.problems:
        return _show(request, asked, Choices(), Notes(problems=asked.problems), status=404)
    kinds = {"json": "application/json", "jsonl": "application/jsonl"}
    kind = kinds.get(name.rpartition(".")[2], "text/plain; charset=utf-8")
    return HttpResponse(
        exports.TEXTS[name](host.chart.board, asked.state),
        content_type=kind,
        headers={
            "Cache-Control": _PRIVATE,
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )


# Helpers of all views.


def _read_state(request: HttpRequest, host: Host) -> _Request:
    """Return the state in the address, or as much of it as can be read."""
    text = request.POST.get("board") or request.GET.get("board", "")
    if not text:
        return _Request(host, host.start())
    try:
        reading = read_state(text, host.chart.board, host.links.map_hash)
        host.links.encode(reading.state)
    except SandboxError as error:
        return _Request(host, host.start(), (f"{error} {_NOTHING_LEFT}",))
    return _Request(host, reading.state, reading.problems)


def _read_choices(request: HttpRequest) -> Choices:
    """Return the visitor's choices, with defaults for unknown values."""
    given = {**request.GET.dict(), **request.POST.dict()}
    view, tool = str(given.get("view", "")), str(given.get("tool", ""))
    phase = str(given.get("phase", ""))
    return Choices(
        next((known for known in View if known == view), View.ORDERS),
        str(given.get("line", ""))[:MAX_LENGTH],
        next((known for known in Tool if known == tool), Tool.ARMY),
        str(given.get("power", ""))[:MAX_LENGTH],
        int(phase) if _NUMBER.fullmatch(phase) else None,
        next((known for known in MarkKind if known == given.get("mark")), MarkKind.WASH),
        next((known for known in INKS if known == given.get("ink")), next(iter(INKS))),
    )


def _show(
    request: HttpRequest,
    asked: _Request,
    choices: Choices,
    notes: Notes,
    explanation: ExplanationView | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    situation = Situation(asked.host.chart, asked.host.links, asked.state, choices)
    context: dict[str, object] = {
        "situation": situation,
        "page": present_sandbox(situation, explanation),
        "notes": notes,
        "address": request.build_absolute_uri(situation.link()),
    }
    if asked.host.describe is not None:
        context |= asked.host.describe(situation)
    template = "sandbox/_board.html" if HtmxDetails(request) else "sandbox/sandbox.html"
    response = render(request, template, context, status=status)
    if request.GET:
        # Every board links to endlessly more boards.
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response
