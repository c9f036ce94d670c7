"""The game master's page: every action takes a reason, which all players can read."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games.deadlines.actions import try_again
from diplomaccloud.games.master import actions, rollback
from diplomaccloud.games.master.forms import (
    BotForm,
    OnceForm,
    PlayerForm,
    ReasonForm,
    RemovalForm,
    RollbackForm,
    TimeForm,
)
from diplomaccloud.games.master.page import present_game_master
from diplomaccloud.games.results.page import PhaseReport, preview_phase
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.actions import remove_player
from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.table.errors import PlayersDecide
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import (
    View,
    game_login_required,
    keep_late_input,
    process_if_due,
    read_game,
    show_page,
)
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.shared.responses import see_other

NO_TERMS: Final = Terms()
_TIME_CHANGED: Final = {
    Question.PAUSE: "The game is paused.",
    Question.RESUME: "The game continues.",
}


@never_cache
@game_login_required
@require_safe
def console(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the game master can do now."""
    return _show_console(request, read_game(request, slug))


@never_cache
@game_login_required
@require_POST
@keep_late_input
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the results of the orders as they stand; the log records the preview."""
    form = ReasonForm.read(request)
    resolution = actions.preview_results(
        **form.action(request, slug), reason=form.cleaned_data["reason"]
    )
    reader = read_game(request, slug)
    report = preview_phase(reader, present_seats(reader), resolution)
    return _show_console(request, reader, report)


def _show_console(
    request: HttpRequest, reader: Reader, report: PhaseReport | None = None
) -> HttpResponse:
    context = {"master": present_game_master(reader, present_seats(reader)), "report": report}
    return show_page(request, reader, "games/master/console.html", context)


def _make_view(act: Callable[[HttpRequest, str], str], page: str = "games:master") -> View:
    """Return the view of one form; `act` changes the game and returns a message for `page`."""

    @game_login_required
    @require_POST
    @keep_late_input
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        messages.success(request, act(request, slug))
        return see_other(reverse(page, args=[slug]))

    return view


def _act_or_ask(
    request: HttpRequest,
    slug: str,
    form: ReasonForm,
    act: Callable[[], str],
    *,
    question: Question,
    terms: Terms = NO_TERMS,
) -> str:
    """Return the message after the action, or after asking the players if they decide on it."""
    try:
        return act()
    except PlayersDecide:
        terms = replace(terms, reason=form.cleaned_data["reason"])
        actions.ask_players(**form.action(request, slug), question=question, terms=terms)
        return "The other players have been asked. They can vote on the game's page for three days."


def _change_time(request: HttpRequest, slug: str) -> str:
    form = TimeForm.read(request)
    question, length = form.cleaned_data["question"], form.cleaned_data["length"]

    def act() -> str:
        actions.change_time(
            **form.action(request, slug),
            question=question,
            length=length,
            reason=form.cleaned_data["reason"],
            key=_log_key(form),
        )
        return _TIME_CHANGED.get(question, "Deadline changed.")

    return _act_or_ask(request, slug, form, act, question=question, terms=Terms(length=length))


def _end_phase(request: HttpRequest, slug: str) -> str:
    form = OnceForm.read(request)

    def act() -> str:
        game_id = actions.force_phase(
            **form.action(request, slug), reason=form.cleaned_data["reason"], key=_log_key(form)
        )
        if process_if_due(game_id):
            return "Phase ended."
        # Bots may still be thinking, or another worker may have claimed the phase.
        return "Orders are closed. The results will follow shortly."

    return _act_or_ask(request, slug, form, act, question=Question.END_PHASE)


def _resume(request: HttpRequest, slug: str) -> str:
    form = OnceForm.read(request)

    def act() -> str:
        game_id = try_again(
            **form.action(request, slug), reason=form.cleaned_data["reason"], key=_log_key(form)
        )
        process_if_due(game_id)
        return "The game is resumed. If processing fails again, it will be suspended again."

    return _act_or_ask(request, slug, form, act, question=Question.TRY_AGAIN)


def _roll_back(request: HttpRequest, slug: str) -> str:
    form = RollbackForm.read(request)
    to, reason = form.cleaned_data["to"], form.cleaned_data["reason"]

    def act() -> str:
        rollback.roll_back(**form.action(request, slug), to=to, reason=reason)
        return "The game is rolled back. The later phases stay visible under History."

    return _act_or_ask(request, slug, form, act, question=Question.ROLL_BACK, terms=Terms(to=to))


def _roll_forward(request: HttpRequest, slug: str) -> str:
    form = ReasonForm.read(request)

    def act() -> str:
        rollback.roll_forward(**form.action(request, slug), reason=form.cleaned_data["reason"])
        return "The rollback is undone."

    return _act_or_ask(request, slug, form, act, question=Question.ROLL_FORWARD)


def _remove(request: HttpRequest, slug: str) -> str:
    form = RemovalForm.read(request)
    power, reason = form.cleaned_data["power"], form.cleaned_data["reason"]

    def act() -> str:
        game_id = remove_player(
            **form.action(request, slug), power=power, tenure=form.tenure, reason=reason
        )
        if game_id is not None:
            process_if_due(game_id)
        return "The player is removed. Orders that have not been locked will not be used."

    terms = Terms(power=power, tenure=form.tenure, cause=form.cleaned_data["cause"])
    return _act_or_ask(request, slug, form, act, question=Question.REMOVE, terms=terms)


def _reprimand(request: HttpRequest, slug: str) -> str:
    form = PlayerForm.read(request)
    power, reason = form.cleaned_data["power"], form.cleaned_data["reason"]
    actions.reprimand(
        **form.action(request, slug),
        power=power,
        tenure=form.tenure,
        reason=reason,
        key=form.cleaned_data["key"],
    )
    return "The reprimand is recorded in the public log."


def _seat_bot(request: HttpRequest, slug: str) -> str:
    form = BotForm.read(request)
    power, bot = form.cleaned_data["power"], form.cleaned_data["bot"]

    def act() -> str:
        game_id = seats_actions.seat_bot(
            **form.action(request, slug), power=power, bot=bot, reason=form.cleaned_data["reason"]
        )
        process_if_due(game_id)
        return "A bot now plays this country."

    return _act_or_ask(
        request, slug, form, act, question=Question.SEAT_BOT, terms=Terms(power=power, bot=bot)
    )


def _log_key(form: OnceForm) -> str:
    return f"master {form.cleaned_data['key']}"


change_time = _make_view(_change_time)
end_phase = _make_view(_end_phase)
resume = _make_view(_resume)
remove = _make_view(_remove)
reprimand = _make_view(_reprimand)
roll_back = _make_view(_roll_back)
roll_forward = _make_view(_roll_forward)
seat_bot = _make_view(_seat_bot, page="games:detail")
