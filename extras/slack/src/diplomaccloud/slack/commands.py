"""The commands that people can send from Slack, and the replies, which only the sender sees."""

import datetime as dt
import html
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from diplomaccloud.accounts.screen_names import isolate
from diplomaccloud.games.orders.actions import NotReady, Saved, save_orders, unset_ready
from diplomaccloud.games.orders.page import describe_gaps
from diplomaccloud.games.orders.read import OrderGame, list_order_games
from diplomaccloud.games.record.page import shorten_hash
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.read import DraftOrders, Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.slack.links import end_link, find_person, link_member

MAX_TEXT: Final = 6_000
HELP: Final = (
    "Send orders, for example `A PAR - BUR, F BRE - MAO`. `status` shows what is saved and when "
    "orders are due. `ready` says that your orders are final, and `not ready` undoes that. "
    "`unlink` ends the link to this Slack account. If you play in several games, start with the "
    "game's name: `Aldmark: A PAR - BUR`."
)
NOT_LINKED: Final = (
    "This Slack account is not linked to a player. Get a code on the site’s page “Orders by Slack” "
    "and send `link` and the code here."
)
LINKED: Final = f"Linked. {HELP}"
WRONG_CODE: Final = "This code is wrong, was used, or has expired. Get a new one on the site."
UNLINKED: Final = "This Slack account is no longer linked."
NO_GAME: Final = "None of your running games takes orders by Slack."
NOT_READY: Final = "You are not marked as ready."
_READY_WORDS: Final = ("ready", "ready anyway")
TOO_LONG: Final = f"Nothing was saved. A message can have at most {MAX_TEXT:,} characters."


def answer(*, team: str, member: str, text: str, now: dt.datetime) -> str:
    """Return the reply to a text from a member of a workspace."""
    # Slack escapes these three characters as entities.
    text = html.unescape(text).strip()
    word, _, rest = text.partition(" ")
    if len(text) > MAX_TEXT:
        return TOO_LONG
    if word.lower() == "link":
        is_valid = link_member(code=rest, team=team, member=member, now=now)
        return LINKED if is_valid else WRONG_CODE
    user_id = find_person(team, member)
    if user_id is None:
        return NOT_LINKED
    try:
        if text.lower() == "unlink":
            end_link(user_id)
            return UNLINKED
        return _answer_game(user_id, text, now)
    except Refused as error:
        return _plain(str(error))


def _answer_game(user_id: int, text: str, now: dt.datetime) -> str:
    if text.lower() in ("", "help"):
        return HELP
    games = list_order_games(user_id)
    if not games:
        return NO_GAME
    game, rest = _choose_game(games, text)
    if game is None:
        return _ask_which(games)
    reader = Reader(game.slug, Viewer(user_id))
    if reader.phase is None:
        return NO_GAME
    word = " ".join(rest.lower().split())
    if word in ("", "status"):
        return _describe_status(reader)
    return _save(reader, user_id, word, rest, now)


def _save(reader: Reader, user_id: int, word: str, rest: str, now: dt.datetime) -> str:
    """Save the orders in a text, or the readiness requested by its `word`."""
    slug, sequence = reader.game.slug, reader.phase.sequence if reader.phase else 0
    if word == "not ready":
        unset_ready(slug=slug, user_id=user_id, sequence=sequence, now=now)
        return _answer_with(reader, NOT_READY)
    wants_ready, before = word in _READY_WORDS, reader.live_draft
    saved = save_orders(
        slug=slug,
        user_id=user_id,
        sequence=sequence,
        choices=(),
        # Orders are separated by commas, semicolons or line breaks.
        sheet="" if wants_ready else rest.replace(";", "\n").replace(",", "\n"),
        ready=wants_ready,
        confirmed=word == _READY_WORDS[1],
        keep=wants_ready,
        now=now,
    )
    if wants_ready:
        return _answer_with(reader, *_describe_readiness(reader, saved))
    return _describe_saved(reader, before, saved, now)


def _choose_game(games: Sequence[OrderGame], text: str) -> tuple[OrderGame | None, str]:
    """Return the game named at the start of the text, or the only one, and the rest."""
    name, colon, rest = text.partition(":")
    if colon:
        wanted = name.strip().lower()
        named = [game for game in games if wanted in (game.slug, game.world.lower())]
        if len(named) == 1:
            return named[0], rest.strip()
    return (games[0], text) if len(games) == 1 else (None, text)


def _ask_which(games: Sequence[OrderGame]) -> str:
    worlds = [game.world.lower() for game in games]
    names = [g.world if worlds.count(g.world.lower()) == 1 else g.slug for g in games]
    starts = ", ".join(f"`{_plain(name)}:`" for name in names)
    return f"Which game? Nothing was saved. Start with one of: {starts}"


def _answer_with(reader: Reader, *lines: str) -> str:
    """Return lines about a game, between its name and the deadline."""
    title, end = f"*{_plain(isolate(reader.game.world))}*, {reader.position.phase.title}", ""
    if reader.phase is not None:
        due = reader.phase.due_at
        end = f"Orders are due on {due:%a}, {due:%b} {due.day} at {due:%H:%M} UTC."
    return "\n".join([title, *lines, end])


def _describe_readiness(reader: Reader, saved: Saved) -> list[str]:
    """Return whether a person who sent `ready` is now ready, and with which orders."""
    if saved.ready:
        return [f"You are ready with: {_list(saved.counts)}", *_list_other_drafts(reader)]
    if saved.not_ready is NotReady.UNDECIDED:
        what = describe_gaps(**asdict(saved.gaps))
        return [f"{NOT_READY} {what} Send `{_READY_WORDS[1]}` if that is what you want."]
    return [NOT_READY]


def _describe_saved(reader: Reader, before: DraftOrders, saved: Saved, now: dt.datetime) -> str:
    lines = []
    if saved.orders:
        lines.append(f"Understood: {_list([str(order) for order in saved.orders])}")
    lines += [
        f"Refused: `{_code(problem.short)}`. {_plain(problem.message)}"
        for problem in saved.problems
    ]
    if saved.receipt:
        receipt = shorten_hash(saved.receipt)
        lines.append(f"Saved at {now:%H:%M:%S} UTC, receipt `{receipt}`: {_list(saved.counts)}")
        gone = [order for order in sorted(map(str, before.orders)) if order not in saved.counts]
        if gone and before.saved_at is not None:
            at = f"{before.saved_at:%H:%M:%S}"
            lines.append(f"This replaced the orders saved at {at} UTC: {_list(gone)}")
        lines += _list_other_drafts(reader)
    else:
        lines.append("Nothing was saved.")
    return _answer_with(reader, *lines)


def _list_other_drafts(reader: Reader) -> list[str]:
    """Return a line for each draft on the site that is newer than the one that counted."""
    counted = reader.live_draft.saved_at
    return [
        f"Your draft “{_code(draft.name)}” on the site, saved at {draft.saved_at:%H:%M:%S} UTC, "
        "does not count until you make it live there."
        for draft in reader.drafts
        if not draft.live and draft.saved_at and (counted is None or draft.saved_at > counted)
    ]


def _describe_status(reader: Reader) -> str:
    orders = [str(order) for order in reader.live_draft.orders]
    lines = []
    if not reader.must_order:
        lines.append("You have nothing to order in this phase.")
    elif reader.own_submission.saved_at is None:
        lines.append("You have not saved any orders yet.")
    else:
        at = reader.own_submission.saved_at
        last = reader.read_last_save()
        receipt = f", receipt `{shorten_hash(last.digest)}`" if last else ""
        lines.append(f"Saved at {at:%H:%M:%S} UTC{receipt}: {_list(orders)}")
        lines.append("You are ready." if reader.own_submission.ready else NOT_READY)
    return _answer_with(reader, *lines, *_list_other_drafts(reader))


def _list(orders: Sequence[str]) -> str:
    return ", ".join(f"`{_code(order)}`" for order in orders) or "no orders"


def _code(text: str) -> str:
    return _plain(text).replace("`", "'")


def _plain(text: str) -> str:
    """Return text in which Slack finds no links, mentions or emphasis."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
