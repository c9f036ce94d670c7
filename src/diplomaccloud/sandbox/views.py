"""Views of a board without a game, its explanations and its exports. Nothing is stored."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.middleware import HtmxDetails

from diplomaccloud.atlas.chart import INKS, Chart, MarkKind
from diplomaccloud.judge.explain import explain_order
from diplomaccloud.maps.library import QuotaError, UnknownMapError, find_chart
from diplomaccloud.maps.views import picture_response
from diplomaccloud.sandbox import exports
from diplomaccloud.sandbox.commands import Done, run_command, section_of
from diplomaccloud.sandbox.engine import (
    MAX_LENGTH,
    SandboxError,
    SandboxState,
    read_state,
    start_state,
)
from diplomaccloud.sandbox.engine.state import SEED
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

    @property
    def chart(self) -> Chart:
        """The map."""
        return self.host.chart

    @property
    def links(self) -> Links:
        """The addresses."""
        return self.host.links


@dataclass(frozen=True, slots=True)
class _Notes:
    """The messages on the page, and refused texts to edit again."""

    notice: str = ""
    problems: tuple[str, ...] = ()
    sheet: str = ""
    position: str = ""


# Forms change nothing on the site: the response is a new address. So they don't need a token, and
# the page works without cookies.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def board(request: HttpRequest, content_hash: str) -> HttpResponse:
    """Show a position on a map, after applying any posted form."""
    try:
        return answer_board(request, _open_host(content_hash))
    except UnknownMapError:
        return _unknown_map(request)


def answer_board(request: HttpRequest, host: Host) -> HttpResponse:
    """Answer a request for a host's page; see `board`."""
    asked = _read_state(request, host)
    choices = _read_choices(request)
    if request.method != "POST":
        return _show(request, asked, choices, _Notes(problems=asked.problems))
    fields = {name: str(request.POST[name]) for name in request.POST}
    try:
        done = _run(asked, fields)
        text = asked.links.encode(done.state)
    except SandboxError as error:
        return _refuse_form(request, asked, choices, fields.get("do", ""), error)
    return _answer_form(request, asked, choices, done, text)


def _run(asked: _Request, fields: Mapping[str, str]) -> Done:
    most = asked.host.max_steps
    if fields.get("do") == "adjudicate" and most is not None and len(asked.state.past) >= most:
        raise SandboxError(f"A map can be adjudicated for {most} phases. Go back to change one.")
    return run_command(asked.chart.board, asked.state, fields.get("do", ""), fields)


def _answer_form(
    request: HttpRequest, asked: _Request, choices: Choices, done: Done, text: str
) -> HttpResponse:
    shown = replace(choices, view=done.view, line="")
    url = asked.links.link(text, **_list_choices(shown))
    if not HtmxDetails(request) and not done.problems:
        return HttpResponseRedirect(url, status=303)
    after = _Request(asked.host, done.state)
    notes = _Notes(done.notice, done.problems, done.sheet, done.position)
    response = _show(request, after, shown, notes, status=422 if done.problems else 200)
    response.headers["HX-Push-Url"] = url
    return response


def _refuse_form(
    request: HttpRequest, asked: _Request, choices: Choices, name: str, error: SandboxError
) -> HttpResponse:
    """Return the page as it was, with the reason; the visitor goes on where the form is."""
    shown = replace(choices, view=section_of(name))
    response = _show(request, asked, shown, _Notes(problems=(str(error),)), status=422)
    text = asked.links.encode(asked.state)
    response.headers["HX-Push-Url"] = asked.links.link(text, **_list_choices(shown))
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


@require_safe
def why(request: HttpRequest, content_hash: str, number: int) -> HttpResponse:
    """Explain the outcome of one order in the last adjudicated phase."""
    try:
        return answer_why(request, _open_host(content_hash), number)
    except UnknownMapError:
        return _unknown_map(request)


def answer_why(request: HttpRequest, host: Host, number: int) -> HttpResponse:
    """Answer a request for an explanation on a host's page; see `why`."""
    asked = _read_state(request, host)
    choices = replace(_read_choices(request), view=View.RESULTS)
    explanation = _explain(_situation(asked, choices), number)
    if explanation is None:
        notes = _Notes(problems=(*asked.problems, "There is no such order to explain."))
        return _show(request, asked, choices, notes, status=404)
    if HtmxDetails(request):
        context = {"why": explanation, "arrived": True}
        return render(request, "games/results/_explanation.html", context)
    return _show(request, asked, choices, _Notes(problems=asked.problems), explanation)


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


# Exports.


@require_safe
def picture(request: HttpRequest, content_hash: str, kind: str) -> HttpResponse:
    """Send the board as an `svg` or a `png`."""
    try:
        asked = _read_request(request, content_hash)
    except UnknownMapError:
        return _unknown_map(request)
    share = Choices(View.SHARE)
    if asked.problems:
        return _show(request, asked, share, _Notes(problems=asked.problems), status=404)
    try:
        count_picture(get_adapter().get_client_ip(request), png=kind == "png")
        if kind == "svg":
            content = exports.draw_svg(asked.chart, asked.state).encode()
            return picture_response(content, "image/svg+xml", _PRIVATE)
        with take_png_slot():
            content = exports.draw_png(asked.chart, asked.state)
        return picture_response(content, "image/png", _PRIVATE)
    except QuotaError as error:
        return _show(request, asked, share, _Notes(problems=(str(error),)), status=429)
    except PictureBusyError as error:
        return _show(request, asked, share, _Notes(problems=(str(error),)), status=503)


@require_safe
def send_text(request: HttpRequest, content_hash: str, name: str) -> HttpResponse:
    """Send the board as one of the text files."""
    try:
        asked = _read_request(request, content_hash)
    except UnknownMapError:
        return _unknown_map(request)
    if asked.problems:
        return _show(request, asked, Choices(), _Notes(problems=asked.problems), status=404)
    kinds = {"json": "application/json", "jsonl": "application/jsonl"}
    kind = kinds.get(name.rpartition(".")[2], "text/plain; charset=utf-8")
    return HttpResponse(
        exports.TEXTS[name](asked.chart.board, asked.state),
        content_type=kind,
        headers={
            "Cache-Control": _PRIVATE,
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )


# Helpers of all views.


def _open_host(content_hash: str) -> Host:
    """Return the sandbox's own page for a map; raise `UnknownMapError`."""
    chart = find_chart(content_hash)
    links = Links(content_hash, chart.board)
    return Host(chart, links, lambda: start_state(chart.board))


def _read_request(request: HttpRequest, content_hash: str) -> _Request:
    """Return the request for a map; raise `UnknownMapError`."""
    return _read_state(request, _open_host(content_hash))


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
    notes: _Notes,
    explanation: ExplanationView | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    situation = _situation(asked, choices)
    page = present_sandbox(situation, explanation)
    context = {"page": page, "notes": notes, "address": request.build_absolute_uri(page.url)}
    if asked.host.describe is not None:
        context |= asked.host.describe(situation)
    template = "sandbox/_board.html" if HtmxDetails(request) else "sandbox/sandbox.html"
    response = render(request, template, context, status=status)
    if request.GET:
        # Every board links to endlessly more boards.
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _situation(asked: _Request, choices: Choices) -> Situation:
    return Situation(asked.chart, asked.links, asked.state, choices)


def _unknown_map(request: HttpRequest) -> HttpResponse:
    return render(request, "sandbox/unknown_map.html", status=404)
