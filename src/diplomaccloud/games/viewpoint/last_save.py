"""A viewer's newest signed receipt, read with the submissions of the open phase."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery

from diplomaccloud.games.models import SaveReceipt, Submission


@dataclass(frozen=True, slots=True)
class LastSave:
    """The digest and the time of the newest signed receipt."""

    digest: str
    at: dt.datetime


def with_last_save(submissions: QuerySet[Submission], user_id: int) -> QuerySet[Submission]:
    """Return the submissions, each with the newest receipt that the person got for it."""
    own = SaveReceipt.objects.filter(
        phase=OuterRef("phase"), seat=OuterRef("seat"), user=user_id
    ).order_by("-pk")
    return submissions.annotate(
        receipt_digest=Subquery(own.values("digest")[:1]), receipt_at=Subquery(own.values("at")[:1])
    )


def last_save_of(submission: Submission | None) -> LastSave | None:
    """Return the receipt that `with_last_save` read, if there is one."""
    read: dict[str, object] = vars(submission) if submission else {}
    digest, at = read.get("receipt_digest"), read.get("receipt_at")
    return LastSave(digest, at) if isinstance(digest, str) and isinstance(at, dt.datetime) else None
