"""Triggers that keep what a game has left behind from the site's own role, as SQL.

They ask who is connected, so that a migration, run as the owner, passes.
"""

from collections.abc import Iterator
from typing import Final

from django.apps import apps
from django.db.models import ForeignKey, Model

_MAY_CHANGE: Final = {"superseded_at", "lease_until", "lease_owner"}
"""The fields of a processed phase that may change: a game may be rolled back behind it."""
_TOLD_AT_THE_END: Final = (
    *(
        "ending",
        "finished_at",
        "started_at",
        "options",
        "line",
        "world",
        "private",
        "code",
        "master",
    ),
)
"""The fields of a game that nothing may change while it is over."""
OF_A_PHASE: Final = {
    "games.Draft": ("phase",),
    "games.OrderRow": ("draft", "phase"),
    "games.Plan": ("phase",),
    "games.Submission": ("phase",),
}
"""Rows that are fixed once their phase is processed, with none to come; and the keys to it."""


def postgresql(role: str) -> Iterator[str]:
    """Yield statements for `psql`."""
    for name, table, verbs, condition in _guards('OLD."{0}" IS DISTINCT FROM NEW."{0}"'):
        message = _message(table)
        yield f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$"
        yield f"BEGIN IF session_user = '{role}' AND ({condition}) THEN"
        yield f"  RAISE EXCEPTION '{message}';"
        yield "END IF; IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$;"
        yield f"CREATE OR REPLACE TRIGGER {name} BEFORE {' OR '.join(verbs)}"
        yield f'  ON "{table}" FOR EACH ROW EXECUTE FUNCTION {name}();'


def mysql(role: str) -> Iterator[str]:
    """Yield statements for the program `mysql`, which has to be told where a trigger ends."""
    for name, table, verbs, condition in _guards("NOT (OLD.`{0}` <=> NEW.`{0}`)"):
        for verb in verbs:
            trigger = f"{name}_{verb.lower()}"
            yield f"DROP TRIGGER IF EXISTS {trigger};"
            yield "DELIMITER //"
            yield f"CREATE TRIGGER {trigger} BEFORE {verb} ON `{table}` FOR EACH ROW"
            yield f"IF SUBSTRING_INDEX(USER(), '@', 1) = '{role}' AND ({condition}) THEN"
            yield f"  SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '{_message(table)}';"
            yield "END IF//"
            yield "DELIMITER ;"


def _guards(differs: str) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """Yield a name, its table, the verbs, and when they are refused."""
    phase = apps.get_model("games", "Phase")
    kept = [
        differs.format(field.column)
        for field in phase._meta.concrete_fields
        if field.name not in _MAY_CHANGE
    ]
    processed = f"OLD.processed_at IS NOT NULL AND ({' OR '.join(kept)})"
    yield "phase_kept", phase._meta.db_table, ("UPDATE",), processed
    for label, keys in OF_A_PHASE.items():
        model = apps.get_model(label)
        condition = _leads_to(model, keys, "processed_at IS NOT NULL")
        yield (
            f"{model._meta.model_name}_kept",
            model._meta.db_table,
            ("UPDATE", "DELETE"),
            condition,
        )
        written = condition.replace("OLD.", "NEW.")
        yield f"{model._meta.model_name}_late", model._meta.db_table, ("INSERT",), written
    game = apps.get_model("games", "Game")
    # A game that is over changes only by going on: rolled back, on a new line.
    told = [
        differs.format(field.column)
        for field in game._meta.concrete_fields
        if field.name in _TOLD_AT_THE_END
    ]
    over = f"OLD.status = 'finished' AND NEW.status = 'finished' AND ({' OR '.join(told)})"
    reopened = "OLD.status = 'finished' AND NEW.status <> 'finished' AND NEW.line <= OLD.line"
    yield "game_over", game._meta.db_table, ("UPDATE",), f"({over}) OR ({reopened})"
    seat = apps.get_model("games", "Seat")
    begun = _leads_to(seat, ("game",), "status <> 'forming'")
    yield "seat_kept", seat._meta.db_table, ("DELETE",), begun
    drawn = f"OLD.power IS NOT NULL AND ({differs.format('power')} OR {differs.format('game_id')})"
    yield "seat_drawn", seat._meta.db_table, ("UPDATE",), drawn
    motion, ballot = apps.get_model("games", "Motion"), apps.get_model("games", "Ballot")
    yield "motion_closed", motion._meta.db_table, ("UPDATE",), "OLD.closed_at IS NOT NULL"
    counted = _leads_to(ballot, ("motion",), "closed_at IS NOT NULL")
    yield "ballot_closed", ballot._meta.db_table, ("UPDATE",), counted


def _leads_to(model: type[Model], keys: tuple[str, ...], condition: str) -> str:
    """Return whether the row that the keys lead to, from the old row, is as `condition` says."""
    (first, *rest) = keys
    at, column = _key(model, first)
    joins, alias = "", "t0"
    source = f"{at._meta.db_table} t0"
    for number, key in enumerate(rest, 1):
        target, joined = _key(at, key)
        joins += f" JOIN {target._meta.db_table} t{number} ON t{number}.id = {alias}.{joined}"
        at, alias = target, f"t{number}"
    where = f"t0.id = OLD.{column} AND {alias}.{condition}"
    return f"EXISTS (SELECT 1 FROM {source}{joins} WHERE {where})"  # noqa: S608 our own names


def _key(model: type[Model], name: str) -> tuple[type[Model], str]:
    field = model._meta.get_field(name)
    if not isinstance(field, ForeignKey):
        raise TypeError(f"{model._meta.label} has no key {name!r}")
    return field.related_model, field.column


def _message(table: str) -> str:
    return f"history is kept: {table}"
