"""SQL of the triggers that protect the history of games from the site's own role.

They check which role is connected, so migrations, which run as the owner, are allowed.
"""

from collections.abc import Iterator
from typing import Final

from django.apps import apps
from django.db.models import ForeignKey, Model

from diplomaccloud.games.guests.actions import GAME_ROWS

_MUTABLE_PHASE_FIELDS: Final = {"superseded_at", "open", "lease_until", "lease_owner"}
"""The fields of a processed phase that may still change, for example in a rollback."""
_FINAL_GAME_FIELDS: Final = (
    *(
        "ending",
        "finished_at",
        "started_at",
        "options",
        "branch",
        "world",
        "private",
        "code",
        "master",
    ),
)
"""The fields of a game that cannot change while it is over."""
PHASE_TABLES: Final = {
    "games.Draft": ("phase",),
    "games.OrderRow": ("draft", "phase"),
    "games.ConditionalOrders": ("phase",),
    "games.Submission": ("phase",),
    "games.TalkDone": ("phase",),
    "games.BotPlan": ("phase",),
}
"""Tables whose rows are fixed once their phase is processed, with the path to the phase."""
_ROWS_OF_GAMES: Final = {label: (*path.split("__"), "creator") for label, path in GAME_ROWS}
"""Tables with rows of games, with the path to the person who created the game."""
_PEOPLE: Final = {
    "games.Tenure": "user",
    "games.SaveReceipt": "user",
    "games.Attendance": "user",
    "games.LogEntry": "by",
    "games.Vote": "asked_by",
}
"""Tables with a column that names a person and changes only when a guest gets an account."""


def write_postgresql(role: str) -> Iterator[str]:
    """Yield statements that each replace a function or a trigger."""
    for name, table, verbs, condition in _list_triggers('OLD."{0}" IS DISTINCT FROM NEW."{0}"'):
        yield (
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$"
            f" BEGIN IF session_user = '{role}' AND ({condition}) THEN"
            f"  RAISE EXCEPTION '{_message(table)}';"
            " END IF; IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$"
        )
        yield (
            f"CREATE OR REPLACE TRIGGER {name} BEFORE {' OR '.join(verbs)}"
            f' ON "{table}" FOR EACH ROW EXECUTE FUNCTION {name}()'
        )


def write_mysql(role: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name of each trigger, when it runs, and what it runs, in SQL."""
    for name, table, verbs, condition in _list_triggers("NOT (OLD.`{0}` <=> NEW.`{0}`)"):
        body = (
            f"IF SUBSTRING_INDEX(USER(), '@', 1) = '{role}' AND ({condition}) THEN"
            f" SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '{_message(table)}'; END IF"
        )
        for verb in verbs:
            yield f"{name}_{verb.lower()}", f"BEFORE {verb} ON `{table}` FOR EACH ROW", body


def _list_triggers(differs: str) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """Yield the name, the table, the verbs, and the condition under which they are refused."""
    phase = apps.get_model("games", "Phase")
    fixed = [
        differs.format(field.column)
        for field in phase._meta.concrete_fields
        if field.name not in _MUTABLE_PHASE_FIELDS
    ]
    processed = f"OLD.processed_at IS NOT NULL AND ({' OR '.join(fixed)})"
    yield "phase_kept", phase._meta.db_table, ("UPDATE",), processed
    for label, keys in PHASE_TABLES.items():
        model = apps.get_model(label)
        condition = _condition_on(model, keys, "processed_at IS NOT NULL")
        name, table = model._meta.model_name, model._meta.db_table
        yield f"{name}_kept", table, ("UPDATE",), condition
        of_member = _condition_on_creator(label)
        yield f"{name}_deleted", table, ("DELETE",), f"{condition} AND {of_member}"
        written = condition.replace("OLD.", "NEW.")
        yield f"{name}_late", table, ("INSERT",), written
    game = apps.get_model("games", "Game")
    # A finished game changes only if a rollback continues it on a new branch.
    changed = [
        differs.format(field.column)
        for field in game._meta.concrete_fields
        if field.name in _FINAL_GAME_FIELDS
    ]
    over = f"OLD.status = 'finished' AND NEW.status = 'finished' AND ({' OR '.join(changed)})"
    reopened = "OLD.status = 'finished' AND NEW.status <> 'finished' AND NEW.branch <= OLD.branch"
    yield "game_over", game._meta.db_table, ("UPDATE",), f"({over}) OR ({reopened})"
    shorter = "NEW.record_length < OLD.record_length"
    same = "NEW.record_length = OLD.record_length"
    rewritten = f"{same} AND ({differs.format('record_head')})"
    yield "record_kept", game._meta.db_table, ("UPDATE",), f"{shorter} OR ({rewritten})"
    seat = apps.get_model("games", "Seat")
    started = _condition_on(seat, ("game",), "status <> 'forming'")
    of_member = _condition_on_creator("games.Seat")
    yield "seat_kept", seat._meta.db_table, ("DELETE",), f"{started} AND {of_member}"
    moved = " OR ".join(map(differs.format, ("power", "number", "game_id")))
    drawn = f"OLD.power IS NOT NULL AND ({moved})"
    yield "seat_drawn", seat._meta.db_table, ("UPDATE",), drawn
    vote, ballot = apps.get_model("games", "Vote"), apps.get_model("games", "Ballot")
    closed = f"OLD.closed_at IS NOT NULL AND {_condition_on_creator('games.Vote')}"
    yield "vote_closed", vote._meta.db_table, ("UPDATE",), closed
    counted = _condition_on(ballot, ("vote",), "closed_at IS NOT NULL")
    yield "ballot_closed", ballot._meta.db_table, ("UPDATE",), counted
    message = apps.get_model("press", "Message")
    of_others = _condition_on(message, ("conversation",), "kind <> 'notes'")
    written = "NEW.subject <> '' OR NEW.body <> ''"
    sent_map = apps.get_model("press", "SentMap")
    in_others = _condition_on(sent_map, ("message", "conversation"), "kind <> 'notes'")
    yield "sentmap_kept", sent_map._meta.db_table, ("DELETE",), in_others
    yield "message_kept", message._meta.db_table, ("UPDATE",), f"{of_others} OR {written}"
    yield from _list_guest_triggers(differs)


def _list_guest_triggers(differs: str) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """Yield the triggers that let only guests and their games be deleted or change hands."""
    user, game = apps.get_model("accounts", "User"), apps.get_model("games", "Game")
    yield "user_kept", user._meta.db_table, ("DELETE",), "OLD.guest = FALSE"
    became = "OLD.guest = FALSE AND NEW.guest = TRUE"
    yield "user_guest", user._meta.db_table, ("UPDATE",), became
    of_member = _deny(_condition_on(game, ("creator",), "guest = TRUE"))
    yield "game_kept", game._meta.db_table, ("DELETE",), of_member
    given = f"({differs.format('creator_id')}) AND {of_member}"
    yield "game_given", game._meta.db_table, ("UPDATE",), given
    guarded = {*PHASE_TABLES, "games.Seat"}
    for label in _ROWS_OF_GAMES:
        meta, of_member = apps.get_model(label)._meta, _condition_on_creator(label)
        if label not in guarded:
            stays = f"{_condition_on_stay(label)}{of_member}"
            yield f"{meta.model_name}_deleted", meta.db_table, ("DELETE",), stays
        if name := _PEOPLE.get(label):
            column = meta.get_field(name).column
            given = f"({differs.format(column)}) AND {of_member}"
            yield f"{meta.model_name}_given", meta.db_table, ("UPDATE",), given
    figures = apps.get_model("games", "PlayerFigures")
    of_member = _condition_on(figures, ("user",), "guest = FALSE")
    yield "figures_deleted", figures._meta.db_table, ("DELETE",), of_member


def _condition_on_stay(label: str) -> str:
    """Return SQL, with AND at its end, that checks that the old row is not one to be replaced.

    Until the lock, the next automatic receipt of a phase replaces the one before it.
    """
    if label != "games.SaveReceipt":
        return ""
    locked = _condition_on(apps.get_model(label), ("phase",), "locked_at IS NOT NULL")
    return f"(OLD.automatic = FALSE OR {locked}) AND "


def _condition_on_creator(label: str) -> str:
    """Return SQL that checks that the old row belongs to a game that no guest created."""
    return _deny(_condition_on(apps.get_model(label), _ROWS_OF_GAMES[label], "guest = TRUE"))


def _deny(condition: str) -> str:
    """Return the opposite of the condition; games that the site created have no creator."""
    return f"NOT {condition}"


def _condition_on(model: type[Model], keys: tuple[str, ...], condition: str) -> str:
    """Return SQL that checks `condition` on the row that the keys of the old row lead to."""
    (first, *rest) = keys
    at, column = _follow_key(model, first)
    joins, alias = "", "t0"
    source = f"{at._meta.db_table} t0"
    for number, key in enumerate(rest, 1):
        target, joined = _follow_key(at, key)
        joins += f" JOIN {target._meta.db_table} t{number} ON t{number}.id = {alias}.{joined}"
        at, alias = target, f"t{number}"
    where = f"t0.id = OLD.{column} AND {alias}.{condition}"
    return f"EXISTS (SELECT 1 FROM {source}{joins} WHERE {where})"  # noqa: S608 our own names


def _follow_key(model: type[Model], name: str) -> tuple[type[Model], str]:
    field = model._meta.get_field(name)
    if not isinstance(field, ForeignKey):
        raise TypeError(f"{model._meta.label} has no foreign key {name!r}")
    return field.related_model, field.column


def _message(table: str) -> str:
    return f"history cannot be changed: {table}"
