"""The game master's page: every action takes a reason, which all players can read."""

from collections.abc import Callable
from typing import Final, TypeVar

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
    ReasonedAction,
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
from diplomaccloud.games.votes.wording import Question
from diplomaccloud.shared.responses import see_other

_Form = TypeVar("_Form", bound=ReasonForm)
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
    action = ReasonForm.read(request).reasoned_action(request, slug)
    resolution = actions.preview_results(**action)
    reader = read_game(request, slug)
    report = preview_phase(reader, present_seats(reader), resolution)
    return _show_console(request, reader, report)


def _show_console(
    request: HttpRequest, reader: Reader, report: PhaseReport | None = None
) -> HttpResponse:
    context = {"master": present_game_master(reader, present_seats(reader)), "report": report}
    return show_page(request, reader, "games/master/console.html", context)


def _make_view(
    form_type: type[_Form],
    act: Callable[[_Form, ReasonedAction], str],
    question: Question | None = None,
    page: str = "games:master",
) -> View:
    """Return the view of one form; `act` changes the game and returns a message for `page`.

    If the players decide on it, they are asked the form's question, which is `question` unless the
    person chose it.
    """

    @game_login_required
    @require_POST
    @keep_late_input
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        form = form_type.read(request)
        asked: Question | None = form.cleaned_data.get("question", question)
        try:
            message = act(form, form.reasoned_action(request, slug))
        except PlayersDecide:
            if asked is None:
                raise
            actions.ask_players(**form.action(request, slug), question=asked, terms=form.terms)
            message = (
                "The other players have been asked. They can vote on the game's page for three "
                "days."
            )
        messages.success(request, message)
        return see_other(reverse(page, args=[slug]))

    return view


def _change_time(form: TimeForm, action: ReasonedAction) -> str:
    question, length = form.cleaned_data["question"], form.cleaned_data["length"]
    actions.change_time(**action, question=question, length=length, key=form.log_key)
    return _TIME_CHANGED.get(question, "Deadline changed.")


def _end_phase(form: OnceForm, action: ReasonedAction) -> str:
    if process_if_due(actions.force_phase(**action, key=form.log_key)):
        return "Phase ended."
    # Bots may still be thinking, or another worker may have claimed the phase.
    return "Orders are closed. The results will follow shortly."


def _resume(form: OnceForm, action: ReasonedAction) -> str:
    process_if_due(try_again(**action, key=form.log_key))
    return "The game is resumed. If processing fails again, it will be suspended again."


def _roll_back(form: RollbackForm, action: ReasonedAction) -> str:
    rollback.roll_back(**action, to=form.cleaned_data["to"])
    return "The game is rolled back. The later phases stay visible under History."


def _roll_forward(_: ReasonForm, action: ReasonedAction) -> str:
    rollback.roll_forward(**action)
    return "The rollback is undone."


def _remove(form: RemovalForm, action: ReasonedAction) -> str:
    power = form.cleaned_data["power"]
    process_if_due(remove_player(**action, power=power, tenure=form.tenure))
    return "The player is removed. Orders that have not been locked will not be used."


def _reprimand(form: PlayerForm, action: ReasonedAction) -> str:
    power, key = form.cleaned_data["power"], form.cleaned_data["key"]
    actions.reprimand(**action, power=power, tenure=form.tenure, key=key)
    return "The reprimand is recorded in the public log."


def _seat_bot(form: BotForm, action: ReasonedAction) -> str:
    power, bot = form.cleaned_data["power"], form.cleaned_data["bot"]
    process_if_due(seats_actions.seat_bot(**action, power=power, bot=bot))
    return "A bot now plays this country."


change_time = _make_view(TimeForm, _change_time)
end_phase = _make_view(OnceForm, _end_phase, Question.END_PHASE)
resume = _make_view(OnceForm, _resume, Question.TRY_AGAIN)
remove = _make_view(RemovalForm, _remove, Question.REMOVE)
reprimand = _make_view(PlayerForm, _reprimand)
roll_back = _make_view(RollbackForm, _roll_back, Question.ROLL_BACK)
roll_forward = _make_view(ReasonForm, _roll_forward, Question.ROLL_FORWARD)
seat_bot = _make_view(BotForm, _seat_bot, Question.SEAT_BOT, page="games:detail")
