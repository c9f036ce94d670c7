"""The values of a lesson's page, in plain words."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from diplomaccloud.entry.votes import Vote
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import render_orders, render_overlay
from diplomaccloud.judge.explain import explain_order
from diplomaccloud.judge.orders import Waive, power_of
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.learn.boards import Picture, RestingBoard, build_replay, rest_after, rest_before
from diplomaccloud.learn.lessons import LESSONS, PUZZLES
from diplomaccloud.learn.steps import Attempt, Lesson, Letter, Step, read_choices
from diplomaccloud.learn.wording import join, name_country, name_foreign, name_own, name_phase
from diplomaccloud.sandbox.animation import JudgedPhase
from diplomaccloud.sandbox.explanation import (
    ExplanationView,
    ResultLine,
    present_explanation,
    present_result,
)
from diplomaccloud.sandbox.order_choices import Slot, describe_choice, list_slots

COURSE = (*LESSONS, PUZZLES)
"""The lessons and the puzzles, in the order in which they are learned."""

_VOTES = (("", "No vote: continue"), ("draw", "Draw"), ("surrender", "Surrender"))


@dataclass(frozen=True, slots=True)
class OrderReport:
    """What a unit was ordered to do, in words, and what happened."""

    unit: str
    action: str
    is_own: bool
    line: ResultLine
    why: ExplanationView | None


@dataclass(frozen=True, slots=True)
class LessonCard:
    """A lesson in the list: how many of its steps are solved, and where to continue."""

    number: int
    title: str
    summary: str
    url: str
    solved: int
    total: int

    @property
    def done(self) -> bool:
        """Whether all steps are solved."""
        return self.solved == self.total


@dataclass(frozen=True, slots=True)
class ReportView:
    """The result of an attempt."""

    solved: bool
    problems: tuple[str, ...]
    reports: tuple[OrderReport, ...]
    answer: str
    ending: str


@dataclass(frozen=True, slots=True)
class StepPage:
    """A page with one step of a lesson.

    `links` are the marks above it: of each step, the title, the address, and whether it is solved.
    """

    lesson: Lesson
    step: Step
    number: int
    country: str
    season: str
    picture: Picture
    slots: tuple[Slot, ...]
    links: tuple[tuple[str, str, bool], ...]
    letters: tuple[tuple[int, Letter, bool], ...]
    votes: tuple[tuple[str, str, bool], ...]
    report: ReportView | None
    next_url: str
    next_title: str
    sketch_url: str
    replay: Mapping[str, object] | None

    @property
    def solved(self) -> bool:
        """Whether this attempt solved the step."""
        return self.report is not None and self.report.solved


Solved: TypeAlias = frozenset[str]
"""The solved steps, each as `lesson:number`."""


def list_lessons(solved: Solved) -> tuple[LessonCard, ...]:
    """Return the lessons, the puzzles last."""
    cards = []
    for number, lesson in enumerate(COURSE, start=1):
        keys = [step_key(lesson.slug, place) for place in range(1, len(lesson.steps) + 1)]
        first = next((place for place, key in enumerate(keys, start=1) if key not in solved), 1)
        cards.append(
            LessonCard(
                number=number,
                title=lesson.title,
                summary=lesson.summary,
                url=step_url(lesson, first),
                solved=sum(key in solved for key in keys),
                total=len(keys),
            )
        )
    return tuple(cards)


def find_lesson(slug: str, number: int) -> Lesson | None:
    """Return the lesson, or None if it has no step of this number, counted from 1."""
    lesson = next((each for each in COURSE if each.slug == slug), None)
    return lesson if lesson and 1 <= number <= len(lesson.steps) else None


def build_step_page(
    lesson: Lesson, number: int, solved: Solved, attempt: Attempt | None
) -> StepPage:
    """Return the page of a step, with the result of an attempt if there is one."""
    step = lesson.steps[number - 1]
    board, position = step.small.board, step.position
    saved = attempt.own_orders if attempt else ()
    judged = attempt and JudgedPhase(
        step.small.chart, board, position, attempt.resolution, labels=Labels.NAMES
    )
    resting = None
    if attempt and judged:
        # The board after the turn, or before it if the learner tries again.
        resting = (
            rest_after(judged.chart, [attempt.resolution], judged.labels)
            if attempt.solved
            else rest_before(judged)
        )
    next_url, next_title = _find_next(lesson, number)
    letter = attempt.entry.letter if attempt else None
    vote = attempt.entry.vote if attempt else ""
    return StepPage(
        lesson=lesson,
        step=step,
        number=number,
        country=board.power_info[step.you].name,
        season=name_phase(position.phase),
        picture=_draw(step, resting),
        slots=list_slots(board, position, step.you, saved),
        links=tuple(
            (each.title, step_url(lesson, n), step_key(lesson.slug, n) in solved)
            for n, each in enumerate(lesson.steps, start=1)
        ),
        letters=tuple((n, each, n == (letter or 0)) for n, each in enumerate(step.letters)),
        votes=tuple((value, label, value == vote) for value, label in _VOTES if step.votes),
        report=_report(step, attempt) if attempt else None,
        next_url=next_url,
        next_title=next_title,
        sketch_url=reverse("learn:sketch", args=[lesson.slug, number]),
        replay=build_replay(judged, resting) if judged and resting else None,
    )


def draw_sketch(step: Step, choices: Sequence[str]) -> str:
    """Return the arrows of the orders that a learner has chosen so far."""
    own_orders, _ = read_choices(step.small.board, step.position, step.you, choices)
    announced = step.orders_of_others() if step.announced else ()
    orders = (*own_orders, *announced)
    return render_orders(step.small.chart, step.position, orders, labels=Labels.NAMES)


def _draw(step: Step, resting: RestingBoard | None) -> Picture:
    small, position = step.small, step.position
    title = f"{position.phase.title}: {step.task}"
    if resting:
        drawn = resting.draw(title)
    else:
        orders = step.orders_of_others() if step.announced else ()
        drawn = render_overlay(
            small.chart, position, orders=orders, labels=Labels.NAMES, title=title
        )
    return small.show(drawn)


def _report(step: Step, attempt: Attempt) -> ReportView:
    board, reports = step.small.board, []
    for number, result in enumerate(attempt.resolution.results):
        is_own = power_of(result.order) == step.you
        if result.implicit and isinstance(result.order, Waive) and not is_own:
            continue  # another country, which the lesson is not about, did not build
        reports.append(
            OrderReport(
                unit=_name_unit(step, result),
                action=describe_choice(board, result.order).label,
                is_own=is_own,
                line=present_result(step.position, attempt.resolution, number),
                why=_explain(step, attempt, number) if is_own else None,
            )
        )
    return ReportView(
        solved=attempt.solved,
        problems=attempt.problems,
        reports=tuple(sorted(reports, key=lambda report: not report.is_own)),
        answer=step.letters[attempt.entry.letter or 0].answer if step.letters else "",
        ending=_describe_ending(step, attempt),
    )


def _describe_ending(step: Step, attempt: Attempt) -> str:
    """Return how the game ended, or "" if it goes on; the learner may be who surrendered."""
    ending = attempt.ending
    if ending is None:
        return ""
    by_votes = attempt.resolution.ending is None
    if not by_votes or attempt.entry.vote != Vote.SURRENDER or step.you in ending.winners:
        return ending.reason
    names = [name_country(step.small.board, winner) for winner in ending.winners]
    return f"You surrendered. {join(names)} {'share' if len(names) > 1 else 'wins'} the game."


def _explain(step: Step, attempt: Attempt, number: int) -> ExplanationView | None:
    """Return why the learner's order had its outcome; None if there is nothing to say."""
    board, results = step.small.board, tuple(attempt.resolution.results)
    explanation = explain_order(board, step.position, attempt.orders, number)
    if explanation is None:
        return None
    view = present_explanation(explanation, board, results, number, sequence=0, phase_url="")
    return view if view.causes or view.alternatives else None


def _name_unit(step: Step, result: OrderResult) -> str:
    """Return `Your army in Munich` or `Austria’s army in Vienna`."""
    board, order = step.small.board, result.order
    if isinstance(order, Waive):
        return "Your build" if order.power == step.you else board.power_info[order.power].name
    unit = order.unit
    return (name_own if unit.power == step.you else name_foreign)(board, unit)


def _find_next(lesson: Lesson, number: int) -> tuple[str, str]:
    """Return the URL and the title of what comes after a step."""
    if number < len(lesson.steps):
        return step_url(lesson, number + 1), lesson.steps[number].title
    place = COURSE.index(lesson) + 1
    if place < len(COURSE):
        return step_url(COURSE[place], 1), COURSE[place].title
    return reverse("learn:index"), "All lessons"


def step_url(lesson: Lesson, number: int) -> str:
    """Return the URL of a step."""
    return reverse("learn:step", args=[lesson.slug, number])


COOKIE = "learn"
_MAX_AGE = 365 * 24 * 60 * 60
_MAX_STEPS = 100
"""More steps than there are; a cookie with more is not ours."""


def read_progress(request: HttpRequest) -> Solved:
    """Return the solved steps; an empty set if the cookie is missing or was changed by hand."""
    text = request.get_signed_cookie(COOKIE, "", salt=COOKIE)
    return frozenset((text or "").split()[:_MAX_STEPS])


def save_progress(response: HttpResponse, solved: Set[str]) -> None:
    """Store the solved steps in the browser."""
    response.set_signed_cookie(
        COOKIE,
        " ".join(sorted(solved)[:_MAX_STEPS]),
        salt=COOKIE,
        max_age=_MAX_AGE,
        path="/learn/",
        httponly=True,
        samesite="Lax",
    )


def step_key(slug: str, number: int) -> str:
    """Return how a solved step is written in the cookie."""
    return f"{slug}:{number}"
