"""Playing before signing up: the board of a game that is not stored yet, and its first orders."""

import secrets
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from allauth.account.views import LoginView
from allauth.core import ratelimit
from allauth.mfa.base.views import authenticate
from allauth.mfa.webauthn.views import login_webauthn
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from diplomaccloud.accounts.backends import BACKEND
from diplomaccloud.accounts.forms import UniqueSignup
from diplomaccloud.accounts.guests import is_guest
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.sessions import limit_challenge
from diplomaccloud.bots.seats import BEGINNERS_BOT
from diplomaccloud.entry.orders import (
    OrderTextTooLong,
    Problem,
    Reading,
    compose_rejected_text,
    read_orders,
)
from diplomaccloud.games.creation.actions import random_text
from diplomaccloud.games.creation.forms import QuickGameForm
from diplomaccloud.games.creation.views import resolve_map
from diplomaccloud.games.guests import actions
from diplomaccloud.games.guests.read import read_unsaved_game
from diplomaccloud.games.orders.actions import Saved
from diplomaccloud.games.orders.forms import OrderForm, PreviewForm
from diplomaccloud.games.orders.page import describe_saved
from diplomaccloud.games.orders.views import describe_unready
from diplomaccloud.games.page.page import present_unsaved_game
from diplomaccloud.games.page.views import render_game
from diplomaccloud.games.results.page import draw_orders
from diplomaccloud.games.table.errors import Refused, TooMuchText, WrongMoment
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import GameNotes, process_if_due
from diplomaccloud.maps.stock import choose_stock_map
from diplomaccloud.shared.responses import see_other

_KEPT_FOR = (
    "This browser remembers your game. It will be deleted a week after your last visit unless you "
    "sign up to keep it."
)
_PLAYED = "Your first turn is over. The map shows what happened."
_TOO_MANY = (
    "Too many games were started from your network in a short time, so nothing was saved. "
    "Wait a while, then send your orders again, or sign up."
)


@never_cache
@require_safe
def new_game(request: HttpRequest) -> HttpResponse:
    """Redirect to the board of a new solo game, which is not stored."""
    form = QuickGameForm(request.GET or {"map": "standard"})
    if not form.is_valid():
        raise Refused("Choose a map and a bot from the list.")
    bot, wanted = form.cleaned_data["bot"] or BEGINNERS_BOT, form.cleaned_data["map"]
    if wanted == "new":
        # A new map comes from the stock, so there is no wait.
        wanted = choose_stock_map() or "standard"
    ticket = actions.Ticket(resolve_map(wanted), bot, secrets.token_urlsafe(9))
    return see_other(reverse("games:play", args=[ticket.dump()]))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, ticket: str) -> HttpResponse:
    """Show the board of a solo game with the order form; the first orders create the game."""
    loaded = actions.load_ticket(ticket)
    if request.method != "POST":
        return _render_board(request, loaded)
    form = OrderForm.read(request)
    user = request.user
    if isinstance(user, User) and not user.guest:
        # The person has signed up or logged in on another page.
        messages.info(request, "You are logged in now. Start the game from your account.")
        return see_other(f"{reverse('games:quick')}?{urlencode({'map': loaded.map_hash})}")
    if not ratelimit.consume(request, action="guest_game"):
        return _render_board(request, loaded, form, message=_TOO_MANY, status=429)
    return _save_first_orders(request, loaded, form)


def _save_first_orders(
    request: HttpRequest, ticket: actions.Ticket, form: OrderForm
) -> HttpResponse:
    user = request.user
    asks_ready, confirmed = form.cleaned_data["ready"], form.cleaned_data["anyway"]
    try:
        guest, game_id, saved = actions.play_as_guest(
            ticket=ticket,
            guest_id=user.pk if isinstance(user, User) else None,
            name=random_text(10),
            choices=form.cleaned_data["order"],
            sheet=form.cleaned_data["sheet"],
            ready=asks_ready or confirmed,
            confirmed=confirmed,
            now=timezone.now(),
        )
    except actions.OrdersRefused as error:
        return _render_board(request, ticket, form, problems=error.saved.problems)
    except TooMuchText as error:
        nothing = Problem(form.cleaned_data["sheet"], str(error))
        return _render_board(request, ticket, form, problems=(nothing,), status=error.status)
    except WrongMoment as error:
        if isinstance(user, User) and actions.owns_game(ticket.slug, user.pk):
            # The same orders were sent twice, by a double click or after a lost response.
            return see_other(reverse("games:detail", args=[ticket.slug]))
        return _render_board(request, ticket, form, message=str(error), status=error.status)
    if not is_guest(user):
        login(request, guest, backend=BACKEND)
    # Bots order now; if the guest is ready, the turn ends at once.
    played = process_if_due(game_id)
    _announce_start(request, saved, played=bool(played), new=not is_guest(user))
    url = reverse("games:detail", args=[ticket.slug])
    return HttpResponseClientRedirect(url) if HtmxDetails(request) else see_other(url)


def _announce_start(request: HttpRequest, saved: Saved, *, played: bool, new: bool) -> None:
    """Say what became of a guest's first orders; to a `new` guest, also how long games are kept."""
    kept = [_KEPT_FOR] if new else []
    if played:
        # One message, because the map plays the turn, and on a phone messages cover it.
        messages.success(request, " ".join([_PLAYED, *kept]))
        return
    messages.success(request, describe_saved(saved.counts, ready=saved.ready))
    if saved.not_ready:
        hint = "You are not ready yet: choose “Save and ready” again to end the turn."
        messages.warning(request, f"{describe_unready(saved)} {hint}")
    elif new:
        messages.info(request, _KEPT_FOR)


@never_cache
@require_POST
def sketch(request: HttpRequest, ticket: str) -> HttpResponse:
    """Draw orders on the map of a game that is not stored."""
    form = PreviewForm.read(request)
    reader = _read_game(actions.load_ticket(ticket))
    reading = _read_orders(reader, form.cleaned_data["order"], form.cleaned_data["sheet"])
    return HttpResponse(draw_orders(reader, reading.orders))


def _render_board(
    request: HttpRequest,
    ticket: actions.Ticket,
    form: OrderForm | None = None,
    *,
    problems: tuple[Problem, ...] = (),
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the board, with the orders that were sent if they could not be saved."""
    reader, sheet = _read_game(ticket), ""
    if form is not None:
        choices = form.cleaned_data["order"]
        reading = _read_orders(reader, choices, form.cleaned_data["sheet"])
        reader = _read_game(ticket, reading)
        sheet, problems = compose_rejected_text(problems)
        status = 422 if status == 200 else status
    if message:
        messages.error(request, message)
    text = ticket.dump()
    view = present_unsaved_game(
        reader,
        url=reverse("games:play", args=[text]),
        sketch_url=reverse("games:play-preview", args=[text]),
    )
    refused = message or "; ".join(problem.message for problem in problems)
    notes = GameNotes(problems=problems, sheet=sheet)
    return render_game(request, view, notes, status=status, refused=refused)


def _read_game(ticket: actions.Ticket, reading: Reading | None = None) -> Reader:
    orders, now = reading.orders if reading else (), timezone.now()
    return read_unsaved_game(ticket.plan, ticket.slug, ticket.secrets, now=now, orders=orders)


def _read_orders(reader: Reader, choices: list[str], sheet: str) -> Reading:
    try:
        return read_orders(
            reader.board,
            reader.position,
            reader.own_powers,
            choices=choices,
            text=sheet,
            rules=reader.game.rules,
        )
    except OrderTextTooLong as error:
        raise TooMuchText(str(error)) from error


class GuestSignup(UniqueSignup):
    """Sign-up; a guest's row becomes the account, so the guest keeps all games."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Return the page, or a redirect once the person has an account."""
        if is_guest(request.user):
            # The library would send a person who is logged in away from this page.
            request.guest = request.user  # type: ignore[attr-defined]
            request.user = AnonymousUser()
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response


class GuestLogin(LoginView):  # type: ignore[misc]
    """Log-in; a guest's games move to the account."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Return the page, or a redirect once the person is logged in."""
        return _keep_games(super().dispatch)(request, *args, **kwargs)


def _keep_games(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Return a login view that also moves a guest's games to the account."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        guest_id = request.user.pk if is_guest(request.user) else None
        if guest_id is not None:
            request.user = AnonymousUser()
        response = view(request, *args, **kwargs)
        if guest_id is not None and isinstance(request.user, User):
            games = actions.adopt_guest(guest_id=guest_id, user_id=request.user.pk)
            if games:
                messages.success(request, "The game you started as a guest is now in your account.")
        return response

    return wrapped


guest_authenticate = _keep_games(authenticate)
"""The second step of logging in: a code or a passkey."""
guest_passkey_login = _keep_games(limit_challenge(login_webauthn))
"""Logging in with a passkey alone."""
