"""Set up games with everything that press has, for pictures of every page.

Prints JSON: the paths of the games by name, and the addresses of pages that differ on each site.
Runs as a separate process on the data directory in the environment variables.
"""

import dataclasses
import datetime as dt
import hashlib
import json
import secrets
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402
from tests.browser.game_setup import find_or_create_user  # noqa: E402

from diplomaccloud.entry.votes import agreed_draw  # noqa: E402
from diplomaccloud.games.creation.actions import create_game, random_text  # noqa: E402
from diplomaccloud.games.creation.presets import GamePlan  # noqa: E402
from diplomaccloud.games.lobby.actions import (  # noqa: E402
    join_game,
    start_game,
)
from diplomaccloud.games.orders.actions import save_orders  # noqa: E402
from diplomaccloud.games.results.actions import finish_game  # noqa: E402
from diplomaccloud.games.table.models import Game  # noqa: E402
from diplomaccloud.games.table.options import (  # noqa: E402
    Master,
    Options,
    Press,
    Talk,
)
from diplomaccloud.games.turn.claims import advance  # noqa: E402
from diplomaccloud.games.visibility.read import Viewer  # noqa: E402
from diplomaccloud.judge.board import Location  # noqa: E402
from diplomaccloud.judge.drawing.chart import (  # noqa: E402
    Mark,
    MarkKind,
)
from diplomaccloud.judge.orders import Move  # noqa: E402
from diplomaccloud.maps.library import store_standard  # noqa: E402
from diplomaccloud.notices.consumer import consume_events, consume_press  # noqa: E402
from diplomaccloud.press.conversations.actions import (  # noqa: E402
    Mode,
    send_message,
)
from diplomaccloud.press.conversations.read import PressReader  # noqa: E402
from diplomaccloud.press.documents.actions import (  # noqa: E402
    DocumentAttachment,
    sign_document,
)
from diplomaccloud.press.ledger.actions import judge_deals  # noqa: E402
from diplomaccloud.press.maps.actions import (  # noqa: E402
    MapAttachment,
    make_map,
)
from diplomaccloud.press.moderation.actions import appoint_moderator  # noqa: E402
from diplomaccloud.press.moderation.models import Case  # noqa: E402
from diplomaccloud.press.openings.actions import agree_to_open  # noqa: E402
from diplomaccloud.press.personal.actions import send_personal  # noqa: E402
from diplomaccloud.press.proposals.actions import (  # noqa: E402
    ProposalAttachment,
    answer_proposal,
)
from diplomaccloud.press.proposals.wording import Answer  # noqa: E402
from diplomaccloud.press.reports.actions import report_message  # noqa: E402
from diplomaccloud.press.reports.read import copy_evidence  # noqa: E402
from diplomaccloud.press.table.addresses import parse_address  # noqa: E402
from diplomaccloud.sandbox.address import encode_state  # noqa: E402
from diplomaccloud.sandbox.engine import add_mark, open_position  # noqa: E402
from diplomaccloud.schedule import Interval, Lengths, Schedule  # noqa: E402

POWERS = ("ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA")
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus")
MASTER, MODERATOR, ADMIN, FRIEND = "Max", "Judy", "Root", "Zoe"
LONG = (
    "If you leave Burgundy alone this year, I promise to stay out of the Channel, and we can both "
    "look east. I would send F LON - NTH and A LVP - YOR; you could try A PAR - PIC and then "
    "A PIC - BEL with my support. More at https://example.org/openings?name=burgundy. Think it "
    "over, and tell me before Thursday."
)


class Scene:
    """A game and its people by power."""

    def __init__(self, world: str, *, start: bool = True, **options: object) -> None:
        self.people = dict(zip(POWERS, map(find_or_create_user, NAMES), strict=True))
        now, day = timezone.now(), dt.timedelta(days=1)
        plain = Options(schedule=Schedule(Interval(Lengths(day, day, day))), master=Master.CREATOR)
        plan = GamePlan(
            world=world,
            map_hash=store_standard(now=now),
            options=dataclasses.replace(plain, **options),
        )
        master = find_or_create_user(MASTER)
        text = random_text
        game = create_game(
            plan=plan, creator_id=master.pk, now=now, slug=text(10), code=text(10), seed="scene"
        )
        self.slug = game.slug
        for person in self.people.values():
            join_game(slug=self.slug, user_id=person.pk, now=now)
        if start:
            self._start(master.pk, now)

    def _start(self, master: int, now: dt.datetime) -> None:
        start_game(slug=self.slug, user_id=master, now=now)
        advance(game_id=self.game.pk, owner="scene", now=now)
        seats = {person.pk: power for power, person in self.people.items()}
        rows = list(self.game.seats.all())
        self.game.seats.update(power=None)
        for seat in rows:
            seat.power = seats[seat.user_id]
            seat.save()

    @property
    def game(self) -> Game:
        return Game.objects.get(slug=self.slug)

    def find(self, who: str) -> int:
        return self.people[who].pk if who in self.people else find_or_create_user(who).pk

    def say(self, who: str, to: str, body: str = "", **more: object) -> int:
        sent = send_message(
            slug=self.slug,
            user_id=self.find(who),
            to=parse_address(to),
            mode=more.pop("mode", Mode.TOGETHER),
            subject=more.pop("subject", ""),
            body=body,
            key=secrets.token_hex(16),
            now=timezone.now(),
            **more,
        )
        return sent.messages[0].number if sent.messages else 0

    def draw(self, who: str, moves: dict[str, str]) -> int:
        game = self.game
        phase = game.newest_phase()
        state = open_position(phase.board, phase.position, (), game.rules.name)
        units = phase.position.units
        orders = [
            Move(unit, Location(to))
            for start, to in moves.items()
            for unit in units
            if unit.province == start
        ]
        state = state.with_orders(orders)
        state = add_mark(phase.board, state, Mark(MarkKind.PIN, "gold", "BEL", text="Yours"))
        content = encode_state(state, phase.board, game.chart.content_hash)
        return make_map(slug=self.slug, user_id=self.find(who), content=content, now=timezone.now())

    def offer(self, who: str, to: str, *clauses: dict[str, object], body: str = "") -> int:
        parties = sorted({who, *to.split("+")})
        terms = {
            "v": 1,
            "phase": str(self.game.newest_phase().name),
            "parties": parties,
            "alternatives": [list(clauses)],
        }
        return self.say(who, to, body, attachment=ProposalAttachment(terms))

    def answer(self, who: str, to: str, number: int, word: Answer) -> None:
        answer_proposal(
            slug=self.slug,
            user_id=self.find(who),
            to=parse_address(to),
            number=number,
            answer=word,
            alternative=0,
            now=timezone.now(),
        )

    def order(self, who: str, *orders: str) -> None:
        phase = self.game.newest_phase()
        save_orders(
            slug=self.slug,
            user_id=self.find(who),
            sequence=phase.sequence,
            choices=orders,
            sheet="",
            now=timezone.now(),
        )

    def turn(self) -> None:
        """Adjudicate the open phase, and open the next one now."""
        due = self.game.newest_phase().adjudicate_at
        advance(game_id=self.game.pk, owner="scene", now=due)
        phase = self.game.newest_phase()
        early = phase.opens_at - timezone.now()
        phase.opens_at -= early
        phase.due_at -= early
        phase.adjudicate_at -= early
        phase.save()


def order_clause(unit: tuple[str, str, str], to: str) -> dict[str, object]:
    move = {"order": "move", "unit": list(unit), "to": to, "via": False}
    return {"clause": "order", "order": move}


def talk(scene: Scene) -> None:
    """Let people write to each other in every kind of conversation, over two phases."""
    scene.say("FRANCE", "ENGLAND", LONG, subject="The Channel")
    scene.say("ENGLAND", "FRANCE", "Then help me keep it. What do you want for it?")
    peace = {"clause": "peace", "powers": ["ENGLAND", "FRANCE"]}
    zone = {"clause": "dmz", "powers": ["ENGLAND", "FRANCE"], "provinces": ["ENG", "BUR"]}
    for who, to, clauses in (
        ("FRANCE", "ENGLAND", (peace, zone)),
        ("FRANCE", "GERMANY", (order_clause(("A", "MUN", "GERMANY"), "KIE"),)),
    ):
        number = scene.offer(who, to, *clauses, body="A quiet year for both of us?")
        scene.answer(to, who, number, Answer.ACCEPT)
    scene.order("ENGLAND", "F LON - ENG", "A LVP - YOR", "F EDI - NTH")
    scene.order("FRANCE", "A PAR - PIC", "A MAR - SPA", "F BRE - MAO")
    scene.order("GERMANY", "A MUN - KIE", "A BER - PRU", "F KIE - DEN")
    scene.turn()
    judge_deals(now=timezone.now)
    scene.say("ITALY", "ENGLAND", "Germany took Burgundy's support as an insult.")
    scene.say("ENGLAND", "ITALY", "Ok.")
    scene.say("FRANCE", "ENGLAND", "You went to the Channel after all!")
    plan = scene.draw("FRANCE", {"PIC": "BEL", "NTH": "HOL", "ENG": "NTH"})
    scene.say("FRANCE", "ENGLAND", "A plan for the fall:", attachment=MapAttachment(plan))
    scene.draw("ENGLAND", {"ENG": "BEL", "YOR": "NWY"})
    scene.draw("ENGLAND", {"NTH": "NWY"})
    until = {"clause": "peace", "powers": ["ENGLAND", "FRANCE"], "until": "F1902"}
    scene.offer("FRANCE", "ENGLAND", until, order_clause(("F", "ENG", "ENGLAND"), "IRI"))
    scene.offer("ENGLAND", "FRANCE+GERMANY", {**peace, "powers": ["ENGLAND", "FRANCE", "GERMANY"]})
    treaty = "England, France and Germany leave Belgium empty until the end of 1902."
    paper = DocumentAttachment(text=treaty)
    number = scene.say("GERMANY", "ENGLAND+FRANCE", "Sign this, both of you.", attachment=paper)
    sign_document(
        slug=scene.slug,
        user_id=scene.find("FRANCE"),
        to=parse_address("ENGLAND+GERMANY"),
        number=number,
        digest=hashlib.sha256(treaty.encode()).hexdigest(),
        now=timezone.now(),
    )
    scene.say("RUSSIA", "everyone", "Peace to all, and to all a good night.")
    scene.say("AUSTRIA", "everyone", "Does anyone know where Turkey has gone?")
    scene.say("TURKEY", "ENGLAND", "You are all cheats, and I hope that your fleet sinks.")
    scene.say("ENGLAND", "notes", "Italy lies. France might keep to the Channel deal.")
    scene.say("ENGLAND", "game-master", "May we extend the deadline over Christmas?")
    scene.say(MASTER, "ENGLAND", "Yes, I will add two days.")
    if scene.game.options.talk.gray:
        scene.say("ENGLAND", "gray", "One of you has already signed with the Sultan.")
    copies = {"mode": Mode.APART}
    scene.say("ENGLAND", "AUSTRIA+TURKEY", "Do you trust Russia?", **copies)


def report(scene: Scene) -> None:
    """Let England report what Turkey wrote, and Austria what Russia wrote to everyone."""
    for who, to, number, grounds in (
        ("ENGLAND", "TURKEY", 1, "abuse"),
        ("AUSTRIA", "everyone", 1, "other"),
    ):
        address = parse_address(to)
        reader = PressReader(scene.slug, Viewer(scene.find(who)))
        report_message(
            user_id=scene.find(who),
            slug=scene.slug,
            to=address,
            evidence=copy_evidence(reader, address, number),
            grounds=grounds,
            note="It is not the first time.",
            now=timezone.now(),
        )


def main() -> None:
    """Set everything up and print where it is."""
    talked = Scene("Aldmark", talk=Talk(gray=True), slack=True, fill_with="hold")
    talk(talked)
    report(talked)
    past = Scene("Oldland", fill_with="hold")
    talk(past)
    finish_game(past.game, agreed_draw(past.game.newest_phase().position), timezone.now())
    for who, to in (("FRANCE", "ENGLAND"), ("ENGLAND", "FRANCE"), ("ENGLAND", "ITALY")):
        address = parse_address(to)
        person = past.find(who)
        agree_to_open(slug=past.slug, user_id=person, to={address: 99}, now=timezone.now())
    forming = Scene("Newmark", start=False)
    forming.say("ENGLAND", "table", "Hello! First game for me here.")
    forming.say("FRANCE", "table", "Welcome. Do we wait for a seventh?")
    silent = Scene("Quietland", press=Press.NONE, fill_with="hold")
    closed = Scene("Restland", press=Press.RULEBOOK, fill_with="hold")
    closed.say("FRANCE", "ENGLAND", "Last words before the bell.")
    closed.game.phases.filter(processed_at=None).update(locked_at=timezone.now())
    masked = Scene("Maskland", anonymous=True, fill_with="hold")
    masked.say("FRANCE", "ENGLAND", "Who are you, really?")
    for name, body in ((FRIEND, "Well played last week!"), ("Ann", "Thanks. Another game?")):
        other = "Ann" if name == FRIEND else FRIEND
        find_or_create_user(other)
        send_personal(
            user_id=find_or_create_user(name).pk,
            to=other,
            subject="",
            body=body,
            key=secrets.token_hex(16),
            now=timezone.now(),
        )
    find_or_create_user(MODERATOR)
    appoint_moderator(name=MODERATOR, appointed=True, by=None, now=timezone.now())
    admin = find_or_create_user(ADMIN)
    admin.is_superuser = admin.is_staff = True
    admin.save()
    while consume_events(now=timezone.now()) or consume_press(now=timezone.now()):
        pass
    scenes = {
        "GAME": talked,
        "PAST": past,
        "FORMING": forming,
        "SILENT": silent,
        "CLOSED": closed,
        "MASKED": masked,
    }
    paths = {name: f"/games/{scene.slug}/" for name, scene in scenes.items()}
    cases = {"CASE": f"/moderation/{Case.objects.order_by('pk').first().key}/"}
    sys.stdout.write(json.dumps(paths | cases) + "\n")


if __name__ == "__main__":
    main()
