"""Export a person's press data, or erase it; and blank messages as the law requires."""

import datetime as dt
import json
from collections.abc import Iterator

from django.db.models import Q

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.documents.models import Document
from diplomaccloud.press.inbox.read import export
from diplomaccloud.press.maps.models import ConferenceMap, SentMap
from diplomaccloud.press.maps.read import export_maps
from diplomaccloud.press.moderation.actions import clean_reason, release_cases, write_audit
from diplomaccloud.press.moderation.models import AuditEntry, Case, Report, TextCase, TextReport
from diplomaccloud.press.moderation.read import read_own_texts
from diplomaccloud.press.moderation.wording import TextKind, TextStage
from diplomaccloud.press.openings.models import OpeningConsent
from diplomaccloud.press.reports.read import read_own_decisions
from diplomaccloud.press.table.addresses import (
    AddressKind,
    key_of_game,
    key_of_people,
    key_of_seats,
    parse_address,
)
from diplomaccloud.press.table.errors import NoSuchCase, NoSuchConversation
from diplomaccloud.press.table.models import (
    Block,
    Conversation,
    Membership,
    Message,
    PressEvent,
    PressSettings,
    SeatMute,
    Send,
)


def erase_press(user_id: int, _now: dt.datetime) -> None:
    """Erase notes, mutes, blocks, consents and settings when the account is deleted.

    Runs within the caller's transaction. Messages to others stay, including waiting gray ones;
    database rights allow blanking notes only. Maps that were never sent are deleted, except those
    that a sent map is based on, which nobody can read.
    """
    notes = Conversation.objects.filter(kind=AddressKind.NOTES, memberships__user=user_id).values(
        "pk"
    )
    written = Message.objects.filter(conversation__in=list(notes.values_list("pk", flat=True)))
    written.update(subject="", body="")
    _erase_maps(user_id, list(written.values_list("pk", flat=True)))
    SeatMute.objects.filter(user=user_id).delete()
    Block.objects.filter(Q(user=user_id) | Q(blocked=user_id)).delete()
    PressSettings.objects.filter(user=user_id).delete()
    OpeningConsent.objects.filter(user=user_id).delete()
    Membership.objects.filter(user=user_id, muted_at__isnull=False).update(muted_at=None)
    cases = TextCase.objects.filter(person=user_id).exclude(kind=TextKind.MAP)
    cases.filter(stage=TextStage.OPEN).update(stage=TextStage.KEPT, open=None)
    cases.update(text="")
    PressEvent.objects.filter(user=user_id, waiting=True).update(waiting=None)


def _erase_maps(user_id: int, notes: list[int]) -> None:
    """Delete the maps of a person that are in notes, or in no message."""
    # `delete` would refuse protected rows: it does not know to delete maps before their parents.
    in_notes = SentMap.objects.filter(message__in=notes)
    in_notes._raw_delete(in_notes.db)
    maps = ConferenceMap.objects.filter(author=user_id)
    parents = dict(maps.values_list("pk", "parent"))
    for key in maps.filter(sent__isnull=False).values_list("pk", flat=True):
        part: int | None = key
        while part is not None:
            part = parents.pop(part, None)
    while parents:
        last = set(parents) - set(parents.values())
        rows = maps.filter(pk__in=last)
        rows._raw_delete(rows.db)
        for key in last:
            del parents[key]


@atomic_with_retries
def blank_case(*, key: str, reason: str, now: dt.datetime) -> None:
    """Blank the message of a case, as `blank_message` does.

    Raises `NoSuchCase`, or `Refused` also for a case about a player.
    """
    case = Case.objects.filter(key=key).select_related("message").first()
    if case is None:
        raise NoSuchCase
    if case.message is None:
        raise Refused("This case is about a player, not about a message.")
    _blank(case.message, reason, now)


@atomic_with_retries
def blank_message(*, slug: str, members: str, number: int, reason: str, now: dt.datetime) -> None:
    """Blank the text of a message and its copies in reports, because the law requires it.

    `members` are the powers of all members joined by `+`, a word such as `everyone`, or, outside
    games, two screen names; `number` counts from the first message. Only the owner of the database
    may do this. Raises `NoSuchConversation` or `Refused`.
    """
    rows = Message.objects.filter(conversation__key=_find_key(slug, members), number=number)
    message = rows.first()
    if message is None:
        raise NoSuchConversation
    _blank(message, reason, now)


def _find_key(slug: str, members: str) -> str:
    """Return the key of a conversation, blank if there is none."""
    if not slug:
        names = [make_key(name) for name in members.split("+")]
        people = list(User.objects.filter(folded_name__in=names).values_list("pk", flat=True))
        return key_of_people(people)
    game = Game.objects.filter(slug=slug).first()
    if game is None:
        raise NoSuchConversation
    address = parse_address("+".join(sorted(members.split("+"))))
    if not address.powers:
        return key_of_game(game.pk, address.kind)
    numbers = game.seats.filter(power__in=address.powers).values_list("number", flat=True)
    return key_of_seats(game.pk, [number for number in numbers if number is not None])


def _blank(message: Message, reason: str, now: dt.datetime) -> None:
    """Blank the message and the text in its attachments: a document, and the pins of a map."""
    text = clean_reason(reason, "Give a reason. It is stored in the audit.")
    at = message.at.isoformat()
    for report in Report.objects.filter(message__conversation=message.conversation_id):
        copies = report.evidence.get("messages")
        for copy in copies if isinstance(copies, list) else []:
            if copy["at"] == at and copy["body"] == message.body:
                copy["body"], copy["subject"], copy["attached_text"] = "", "", ""
        report.save(update_fields=["evidence"])
    Message.objects.filter(pk=message.pk).update(subject="", body="")
    Document.objects.filter(copies__message=message).update(text="")
    SentMap.objects.filter(message=message).delete()
    Send.objects.filter(pk=message.send_id).exclude(body="").update(subject="", body="")
    write_audit(AuditEntry.Act.BLANKED, by=None, now=now, detail=text)


def read_choices(user_id: int) -> dict[str, object]:
    """Return the person's blocks, mutes, settings, reports and decisions as JSON values."""
    settings = PressSettings.objects.filter(user=user_id).first()
    blocks = Block.objects.filter(user=user_id).select_related("blocked").order_by("pk")
    mutes = SeatMute.objects.filter(user=user_id).select_related("seat__game").order_by("pk")
    reports = Report.objects.filter(reporter=user_id).select_related("message").order_by("pk")
    texts = TextReport.objects.filter(reporter=user_id).order_by("pk")
    return {
        "takes_personal_messages": settings is None or settings.personal,
        "blocked": [row.blocked.screen_name for row in blocks],
        "muted": [{"game": row.seat.game.slug, "country": row.seat.country_name} for row in mutes],
        "reports": [*map(_describe, reports), *map(_describe, texts)],
        "decisions": [
            {"at": row.at.isoformat(), "outcome": row.outcome.value, "reason": row.reason}
            for row in read_own_decisions(Viewer(user_id))
        ],
        "texts": [
            {"at": row.at.isoformat(), "kind": row.kind, "text": row.text, "reason": row.reason}
            for row in read_own_texts(user_id)
        ],
    }


def _describe(report: Report | TextReport) -> dict[str, str]:
    return {"at": report.at.isoformat(), "grounds": report.grounds, "note": report.note}


def _export(user_id: int) -> Iterator[ExportFile]:
    yield ExportFile("messages.jsonl", export(Viewer(user_id)))
    yield ExportFile("maps.jsonl", export_maps(Viewer(user_id)))
    choices = json.dumps(read_choices(user_id), ensure_ascii=False, indent=2)
    yield ExportFile("press.json", iter([choices]))


PART = AccountPart(
    erase=erase_press, leave=lambda user_id, _now: release_cases(user_id), export=_export
)
"""Listed in `settings.ACCOUNT_PARTS`."""
