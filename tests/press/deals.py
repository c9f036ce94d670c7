"""Steps with proposals that several tests share."""

import datetime as dt

from django.utils import timezone

from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.press.conversations.actions import Mode, send_message
from diplomaccloud.press.ledger.actions import judge_deals
from diplomaccloud.press.proposals.actions import ProposalAttachment, answer_proposal
from diplomaccloud.press.proposals.wording import Answer
from diplomaccloud.press.table.addresses import parse_address

MOVE = {"order": "move", "unit": ["A", "PAR", "FRANCE"], "to": "BUR", "via": False}
TO_BURGUNDY = {"clause": "order", "order": MOVE}
TO_BREST = {"clause": "order", "order": {**MOVE, "unit": ["F", "BRE", "FRANCE"], "to": "ENG"}}
IN_THE_CHANNEL = {
    "clause": "order",
    "order": {**MOVE, "unit": ["F", "LON", "ENGLAND"], "to": "ENG"},
}


def peace(*powers):
    return {"clause": "peace", "powers": list(powers or ("ENGLAND", "FRANCE"))}


def zone(*codes, powers=("ENGLAND", "FRANCE")):
    return {"clause": "dmz", "powers": list(powers), "provinces": list(codes)}


def terms(*alternatives, parties=("ENGLAND", "FRANCE"), phase="S1901M"):
    return {
        "v": 1,
        "phase": phase,
        "parties": sorted(parties),
        "alternatives": [list(clauses) for clauses in alternatives],
    }


def propose(talking, who, to, data, *, counters=None, **more):
    """Send a proposal and return its number as its author sees it."""
    attachment = ProposalAttachment(data, counters)
    sent = send_message(
        slug=talking.slug,
        user_id=talking.user_id(who),
        to=parse_address(to),
        mode=Mode.TOGETHER,
        body=more.pop("body", ""),
        key=more.pop("key", "") or f"{propose.count:032x}",
        now=more.pop("now", None) or talking.tick(),
        attachment=attachment,
    )
    propose.count += 1
    return sent.messages[0].number


propose.count = 1


def answer(talking, who, to, number, word="accept", *, alternative=0, now=None):
    """Answer a proposal and return its state."""
    return answer_proposal(
        slug=talking.slug,
        user_id=talking.user_id(who),
        to=parse_address(to),
        number=number,
        answer=Answer(word),
        alternative=alternative,
        now=now or talking.tick(),
    )


def facts(talking, who, to, number):
    """Return what a person reads of a proposal."""
    messages = talking.reader(who).conversation(parse_address(to)).messages
    (found,) = [m for m in messages if m.number == number]
    return found.attachments[0]


def order(talking, power, *orders):
    save_orders(
        slug=talking.slug,
        user_id=talking.user_id(power),
        sequence=talking.phase.sequence,
        choices=orders,
        sheet="",
        now=timezone.now(),
    )


def process(talking):
    """Process the open phase, then let the ledger judge it; return how many entries it wrote."""
    at = talking.phase.adjudicate_at
    assert advance(game_id=talking.game_id, owner="test", now=at)
    talking.now = at + dt.timedelta(minutes=1)
    return judge_deals(now=at)


def verdicts(talking, who, to, number):
    """Return what the ledger says, by phase: `S1901M: FRANCE kept, ENGLAND broken`."""
    return [
        f"{entry.phase}: " + ", ".join(f"{found.power} {found.verdict}" for found in entry.findings)
        for entry in facts(talking, who, to, number).ledger
    ]
