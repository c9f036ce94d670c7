"""Every lesson is judged by the real judge, so text and judge cannot disagree."""

import pytest

from diplomaccloud.judge import legal_orders
from diplomaccloud.judge.phases import Stage
from diplomaccloud.learn import cutting
from diplomaccloud.learn.cutting import CUTS, cut_apart, cut_chart
from diplomaccloud.learn.page import COURSE
from diplomaccloud.learn.steps import Entry, judge_attempt
from diplomaccloud.maps.line_worker import WorkerBusy

STEPS = [
    pytest.param(step, id=f"{lesson.slug}-{number}")
    for lesson in COURSE
    for number, step in enumerate(lesson.steps, start=1)
]


@pytest.mark.parametrize("step", STEPS)
def test_the_solution_of_a_step_fulfills_its_task(step):
    entry = Entry(step.orders_of_solution(), step.letter if step.letters else None, step.vote)
    attempt = judge_attempt(step, entry)
    assert attempt.problems == ()
    assert attempt.solved, [str(result.order) for result in attempt.resolution.results]


@pytest.mark.parametrize("step", STEPS)
def test_giving_no_orders_does_not_solve_a_step(step):
    assert not judge_attempt(step, Entry()).solved


@pytest.mark.parametrize("step", STEPS)
def test_every_unit_and_center_of_a_step_is_on_its_board(step):
    codes = step.small.board.by_code
    assert {unit.province for unit in step.position.units} <= set(codes)
    assert set(step.position.centers) <= set(step.small.board.centers)


@pytest.mark.parametrize("step", STEPS)
def test_the_orders_of_others_are_legal(step):
    legal = set(legal_orders(step.small.board, step.position))
    for number in range(len(step.letters)) if step.letters else [None]:
        orders = step.orders_of_others(number)
        assert set(orders) <= legal
        assert all(order.unit.power != step.you for order in orders)
    if step.position.phase.stage is Stage.MOVEMENT:
        assert all(unit.power in step.small.board.power_info for unit in step.position.units)


def test_only_the_good_letter_solves_the_letter_step():
    step = next(p.values[0] for p in STEPS if p.values[0].letters)
    solved = [
        judge_attempt(step, Entry(step.orders_of_solution(), number)).solved
        for number in range(len(step.letters))
    ]
    assert solved == [False, False, True]


@pytest.mark.parametrize("vote", ["", "surrender", "nonsense"])
def test_only_a_vote_for_a_draw_shares_the_game(vote):
    step = next(p.values[0] for p in STEPS if p.values[0].votes)
    assert not judge_attempt(step, Entry((), None, vote)).solved


@pytest.mark.parametrize("step", STEPS)
def test_the_words_of_a_step_are_true_in_both_color_schemes(step):
    words = " ".join((*step.text, step.task, *step.hints, step.done)).lower().split()
    assert not {"dark", "light", "black", "white"} & set(words)


@pytest.mark.parametrize("name", CUTS)
def test_the_process_cuts_the_boards_that_this_one_would_cut(name):
    assert (cut_apart(name) == cut_chart(name)) is True


def test_boards_are_cut_here_while_the_process_is_busy(monkeypatch):
    def ask(_):
        raise WorkerBusy

    monkeypatch.setattr(cutting._CUTTER, "ask", ask)
    assert cut_apart("germany").board.by_code


def test_there_is_no_board_of_another_name():
    with pytest.raises(KeyError):
        cut_apart("atlantis")
