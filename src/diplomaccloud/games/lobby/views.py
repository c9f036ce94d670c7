"""The lobby and the waiting room: lists of games, joining, leaving and starting one."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.accounts.screen_names import isolate
from diplomaccloud.bots.seats import USUAL_BOT
from diplomaccloud.games.featured.page import present_featured_game
from diplomaccloud.games.hall.page import present_card
from diplomaccloud.games.lobby import actions
from diplomaccloud.games.lobby.forms import (
    LOBBY,
    BotForm,
    FilterForm,
    LobbyForm,
    WithdrawInvitationForm,
)
from diplomaccloud.games.lobby.page import list_older_urls, present_offers
from diplomaccloud.games.lobby.read import Status, find_by_code, list_games
from diplomaccloud.games.next_game.page import present_next_games
from diplomaccloud.games.seats.read import find_seat
from diplomaccloud.games.table.errors import NoSuchPlayer
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.views import (
    game_login_required,
    process_if_due,
    read_game,
    redirect_to_lobby,
    redirect_with_message,
)
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.shared.responses import see_other

_UNFILTERED = FilterForm({})
"""One form for everybody, so that its fields are rendered once."""
_UNFILTERED.full_clean()  # before threads share it


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """List the games to join, to watch and to look back on."""
    form = FilterForm(request.GET) if request.GET else _UNFILTERED
    query = LobbyForm(request.GET).query(form.filter()) if request.GET else LOBBY
    viewer = viewer_of(request.user)
    lists = list_games(viewer, query)
    is_whole, now = query == LOBBY, timezone.now()
    next_games = present_next_games(viewer) if is_whole else ()
    featured = present_featured_game(viewer, now) if is_whole else None
    boxed = {box.offer.slug for box in next_games}
    cards = {
        status: tuple(
            present_card(card, now)
            for card in listed.games
            if card.slug not in boxed and not (status is Status.FORMING and card.is_full)
        )
        for status, listed in lists.others.items()
    }
    parameters = form.parameters() if request.GET else {}
    context = {
        "lobby": lists,
        "next_games": next_games,
        "featured": featured,
        "open_games": cards.get(Status.FORMING),
        "running_games": cards.get(Status.RUNNING),
        "finished_games": cards.get(Status.FINISHED),
        "only": query.statuses[0].value if len(query.statuses) == 1 else "",
        "older_urls": list_older_urls(lists, parameters),
        "vacancies": present_offers(lists, now),
        "form": form,
        "unfiltered": form is _UNFILTERED,
        "filtered": len(parameters),
    }
    return render(request, "games/lobby/lobby.html", context)


@game_login_required
@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a free seat; the last one may start the game."""
    code, user_id = request.POST.get("code", ""), require_user_id(request)
    seat = actions.join_game(slug=slug, user_id=user_id, now=timezone.now, code=code)
    if seat.power:
        process_if_due(seat.game_id)
        return redirect_with_message(request, slug, "You took the last seat. The game has started.")
    return redirect_with_message(request, slug, "You have joined the game.")


@game_login_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a game that has not started."""
    actions.leave_game(slug=slug, user_id=require_user_id(request), now=timezone.now())
    return redirect_to_lobby(request)


@game_login_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Assign the countries and open the first phase; bots take the empty seats."""
    bot = BotForm.read(request).cleaned_data["bot"]
    user_id = require_user_id(request)
    game = actions.start_game(slug=slug, user_id=user_id, now=timezone.now, bot=bot)
    process_if_due(game.pk)
    return redirect_with_message(request, slug, "Countries assigned; the game has started.")


@game_login_required
@require_POST
def add_bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a free seat to a bot; the last one may start the game."""
    bot = BotForm.read(request).cleaned_data["bot"] or USUAL_BOT
    user_id = require_user_id(request)
    game = actions.add_bot(slug=slug, user_id=user_id, bot=bot, now=timezone.now)
    process_if_due(game.pk)
    return redirect_with_message(request, slug, "A bot took a seat.")


@game_login_required
@require_POST
def ready_to_start(request: HttpRequest, slug: str) -> HttpResponse:
    """Mark the player as ready for the start, or no longer ready."""
    ready, user_id = request.POST.get("ready") == "1", require_user_id(request)
    actions.mark_ready(slug=slug, user_id=user_id, ready=ready, now=timezone.now())
    text = "You are ready." if ready else "You are no longer marked as ready."
    return redirect_with_message(request, slug, text)


@game_login_required
@require_POST
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Cancel a game that has not started."""
    actions.cancel_game(slug=slug, user_id=require_user_id(request), now=timezone.now())
    messages.success(request, "The game is canceled, and its link says so.")
    return see_other(reverse("games:lobby"))


@game_login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite a person by screen name."""
    name, user_id = request.POST.get("name", ""), require_user_id(request)
    try:
        invitation = actions.invite(slug=slug, user_id=user_id, name=name, now=timezone.now())
    except NoSuchPlayer as error:
        messages.error(request, str(error))
        return see_other(reverse("games:detail", args=[slug]))
    shown = isolate(invitation.user.screen_name)
    return redirect_with_message(request, slug, f"{shown} is invited.")


@game_login_required
@require_POST
def uninvite(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw an invitation."""
    actions.withdraw_invitation(
        slug=slug,
        user_id=require_user_id(request),
        invited_id=WithdrawInvitationForm.read(request).cleaned_data["user"],
        now=timezone.now(),
    )
    return redirect_with_message(request, slug, "Invitation withdrawn.")


@game_login_required
@require_POST
def dismiss(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove a player before the game starts."""
    token = request.POST.get("seat", "")
    actions.dismiss(
        slug=slug,
        user_id=require_user_id(request),
        seat_id=find_seat(read_game(request, slug), token),
        now=timezone.now(),
    )
    return redirect_with_message(request, slug, "The seat is free again.")


@never_cache
@require_safe
def code(request: HttpRequest) -> HttpResponse:
    """Redirect a person with the code of a private game to that game."""
    viewer = viewer_of(request.user)
    text = request.GET.get("code", "").strip().lower()
    match = find_by_code(text, viewer)
    address = reverse("games:detail", args=[match.slug])
    return see_other(f"{address}?{urlencode({'code': text})}" if match.needs_code else address)
