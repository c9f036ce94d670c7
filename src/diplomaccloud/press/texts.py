"""The texts besides messages that can be reported. Only moderators judge these reports."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from diplomaccloud.accounts.models import User
from diplomaccloud.maps.library import is_name_chosen
from diplomaccloud.maps.models import SavedMap
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.judges import find_idle, shares_game
from diplomaccloud.press.models import TextCase, TextReport
from diplomaccloud.press.models.texts import TextKind, TextStage


@dataclass(frozen=True, slots=True)
class FoundText:
    """A public text and its owner; `chart_id` is set for the name of a map."""

    text: str
    person_id: int
    chart_id: int | None = None


def find_text(kind: str, of: str) -> FoundText:
    """Return a text that can be reported; raise `NoSuchCase` if there is none.

    Names of maps that nobody saved and names that are already hidden belong to the site itself.
    """
    if kind == TextKind.MAP:
        return _find_map_name(of)
    if kind not in (TextKind.NAME, TextKind.STATUS):
        raise NoSuchCase
    people = User.objects.filter(is_active=True, guest__in=[False], folded_name=of.lower()[:40])
    person = people.first()
    if person is None:
        raise NoSuchCase
    if kind == TextKind.NAME and person.hidden_name is None:
        return FoundText(person.username, person.pk)
    if kind == TextKind.STATUS and person.status:
        return FoundText(person.status, person.pk)
    raise NoSuchCase


def has_reported(user_id: int, kind: str, found: FoundText) -> bool:
    """Return whether the person has reported the text, and it has not been hidden since."""
    cases = TextCase.objects.filter(person=found.person_id, kind=kind, text=found.text)
    answered = cases.filter(stage__in=(TextStage.OPEN, TextStage.KEPT))
    return TextReport.objects.filter(reporter=user_id, case__in=answered).exists()


def read_current_text(case: TextCase) -> str:
    """Return the text that everyone now sees in place of the text of a case."""
    if case.chart is not None:
        return case.chart.name
    return case.person.username if case.kind == TextKind.NAME else case.person.status


def select_text_cases(user: User, now: dt.datetime) -> QuerySet[TextCase]:
    """Return the cases that the person may judge or has judged.

    Moderators judge those assigned to them, and administrators those that no moderator can judge or
    has judged in time, and hidden texts; never people who are involved.
    """
    if not user.is_active or user.banned_at is not None:
        return TextCase.objects.none()
    may = Q(judged_by=user) | Q(assigned_to=user) if user.moderator else Q()
    if user.is_superuser:
        late = Q(assigned_to=None) | find_idle(now, taken=False)
        may |= Q(stage=TextStage.HIDDEN) | late
    # A case that vanishes when an anonymous game begins would tell who plays in it.
    cases = select_assignable_texts(user, unseen=False)
    return cases.filter(may) if may else TextCase.objects.none()


def select_assignable_texts(user: User, *, unseen: bool = True) -> QuerySet[TextCase]:
    """Return the cases that the moderator could be assigned or, without `unseen`, may keep."""
    reported = TextReport.objects.filter(case=OuterRef("pk"), reporter=user)
    cases = TextCase.objects.exclude(person=user).exclude(Exists(reported))
    return cases.exclude(shares_game(user, "person", unseen=unseen))


def _find_map_name(content_hash: str) -> FoundText:
    saved = SavedMap.objects.filter(chart__content_hash=content_hash).order_by("pk")
    row = saved.select_related("chart").defer("chart__text").first()
    if row is None or not is_name_chosen(content_hash):
        raise NoSuchCase
    return FoundText(row.chart.name, row.user_id, row.chart_id)
