"""Older votes and ballots get their tenures, the people who asked, and the final counts."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery


def fill_votes(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Fill the new columns from what is stored; a ballot that fits no tenure keeps NULL."""
    tenures = apps.get_model("games", "Tenure").objects.order_by("-pk")
    ballots = apps.get_model("games", "Ballot").objects
    ballots.filter(tenure=None).update(
        tenure=Subquery(_held_at(tenures, OuterRef("cast_at")).values("pk")[:1])
    )
    votes = apps.get_model("games", "Vote").objects
    asker = tenures.exclude(user=None)
    votes.filter(asked_by=None).update(
        asked_by=Subquery(_held_at(asker, OuterRef("opened_at")).values("user")[:1])
    )
    counted = (
        votes.exclude(closed_at=None)
        .filter(agreed=None)
        .annotate(
            yes=Count("ballots", filter=Q(ballots__yes=True)),
            no=Count("ballots", filter=Q(ballots__yes=False)),
        )
    )
    for key, yes, no in list(counted.values_list("pk", "yes", "no")):
        votes.filter(pk=key).update(agreed=yes, against=no)


def _held_at(tenures: QuerySet[Any], at: OuterRef) -> QuerySet[Any]:
    """Return the tenures of the outer row's seat that lasted at the time `at`."""
    lasting = Q(until_at=None) | Q(until_at__gte=at)
    return tenures.filter(lasting, seat=OuterRef("seat"), since_at__lte=at)


class Migration(migrations.Migration):
    """Fill the columns of `0008_tenure_of_ballots`."""

    dependencies = [("games", "0008_tenure_of_ballots")]

    operations = [migrations.RunPython(fill_votes, migrations.RunPython.noop)]
