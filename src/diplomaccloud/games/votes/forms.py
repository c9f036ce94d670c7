"""Forms about votes, and about draw votes written with the orders."""

import datetime as dt
from collections.abc import Iterable

from django import forms

from diplomaccloud.games.table.forms import (
    MAX_ROW_KEY,
    FlagField,
    NumberField,
    PhaseForm,
    RawTextField,
)
from diplomaccloud.games.votes.wording import Question

MAX_SECONDS = 10**7
_NO_LENGTH = "Choose a length of time."
_NO_QUESTION = "There is no such vote."
_NO_ANSWER = "Answer yes or no."


class DrawVoteForm(PhaseForm):
    """DRAW, SURRENDER or neither; a surrender must be confirmed unless `sure`."""

    vote = RawTextField()
    sure = FlagField()


class LengthField(forms.IntegerField):
    """A length of time in seconds, None if blank."""

    def __init__(self) -> None:
        kinds = ("invalid", "min_value", "max_value")
        messages = dict.fromkeys(kinds, _NO_LENGTH)
        super().__init__(
            min_value=0, max_value=MAX_SECONDS, required=False, error_messages=messages
        )

    def clean(self, value: object) -> dt.timedelta | None:
        """Return the length."""
        seconds = super().clean(value)
        return None if seconds is None else dt.timedelta(seconds=seconds)


class QuestionField(forms.TypedChoiceField):
    """One of the questions that the form may ask."""

    def __init__(self, questions: Iterable[Question]) -> None:
        super().__init__(
            choices=[(question.value, question.value) for question in questions],
            coerce=Question,
            error_messages={"required": _NO_QUESTION, "invalid_choice": _NO_QUESTION},
        )


class OpenVoteForm(PhaseForm):
    """A question for all players; `power` is the winner of a concession."""

    question = QuestionField(question for question in Question if not question.is_masters)
    length = LengthField()
    power = RawTextField()


class AnswerForm(PhaseForm):
    """An answer to an open vote, or its withdrawal by the player who opened it."""

    vote_id = NumberField("which vote it is for", MAX_ROW_KEY)
    answer = forms.ChoiceField(
        choices=[(answer, answer) for answer in ("yes", "no", "withdraw")],
        error_messages={"required": _NO_ANSWER, "invalid_choice": _NO_ANSWER},
    )
