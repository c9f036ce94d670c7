"""DAIDE press in a game on the site: offers become proposals, and proposals become offers."""

import logging
import random

import pytest
from django.utils import timezone
from extras.daide.tests.clients import Clients
from tests.api.calls import token_of
from tests.games.large_games import begin
from tests.games.steps import remove_centers, remove_units
from tests.press.bots.test_bot_answers import SECOND
from tests.press.deals import answer, facts, order, peace, process, propose, terms, verdicts
from tests.press.people import TalkingGame

from diplomaccloud.accounts.models import User
from diplomaccloud.api.tokens import Scope
from diplomaccloud.daide.language import STANDARD, read_text
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.bots.actions import answer_for_bots
from diplomaccloud.press.proposals.models import Proposal
from diplomaccloud.press.table.models import Message

PEOPLE = ("Anna", "Bruno", "Clara")


class Table:
    """Anna, Bruno and Clara among greedy bots; the seats of some of them are open to clients."""

    def __init__(self, open_to=("Anna", "Bruno"), scopes=tuple(Scope), **options):
        people = [User.objects.create(username=name).pk for name in PEOPLE]
        self.game = TalkingGame(begin(people, 1, now=timezone.now(), bot="greedy"))
        self.options, self.scopes = options, scopes
        held = [Seat.objects.get(user=key).power for key in people]
        self.powers = dict(zip(PEOPLE, held, strict=True))
        self.bot = Seat.objects.exclude(bot="").order_by("number").first().power
        self.open_to = open_to

    def open(self):
        """Return the clients, and the number and the first answer of each by its player."""
        scopes = [scope for scope in self.scopes if scope in (Scope.READ, Scope.PLAY, Scope.PRESS)]
        tokens = [
            token_of(self.game.user_id(name), *scopes, slug=self.game.slug, name=name)
            for name in self.open_to
        ]
        self.clients = Clients(self.game, *tokens, **self.options)
        return self.clients, *(self.clients.enter()[0] for _ in self.open_to)

    def token(self, who):
        """Return the token of the power of a person, or of a power."""
        return self.powers.get(who, who)[:3]


@pytest.fixture
def at_table(db):
    return Table


def level_in(heard):
    return heard[0].split("(LVL ")[1].split(")")[0]


@pytest.mark.parametrize(
    ("press", "options", "level"),
    [("full", {}, "30"), ("public", {}, "30"), ("none", {}, "0"), ("full", {"level": 10}, "10")],
)
def test_the_level_follows_from_the_rule_of_press(at_table, press, options, level):
    table = at_table(**options)
    table.game.agree(press=press)
    clients, anna, _ = table.open()
    assert level_in(clients.ask(anna, "HLO")) == level
    said = f"SND ({table.token('Bruno')}) (PRP (XDO (({table.token('Anna')} AMY PAR) HLD)))"
    if level == "0":
        assert clients.ask(anna, said) == [f"HUH (ERR {said})"]
    if level == "10":
        assert clients.ask(anna, said)[0].startswith("HUH (SND")
    assert not Message.objects.exists()


def test_a_token_without_press_opens_a_seat_without_press(at_table):
    table = at_table(scopes=(Scope.READ, Scope.PLAY))
    clients, anna, _ = table.open()
    assert level_in(clients.ask(anna, "HLO")) == "0"
    pair = table.powers["Anna"], table.powers["Clara"]
    propose(table.game, pair[1], pair[0], terms([peace(*pair)], parties=pair))
    assert clients.wait() == {}


def test_an_offer_of_a_client_becomes_a_deal_in_the_ledger(at_table):
    table = at_table()
    clients, anna, bruno = table.open()
    one, other = table.token("Anna"), table.token("Bruno")
    # Not in the order in which the site writes them.
    offer = f"PRP (PCE ({max(one, other)} {min(one, other)}))"
    said = f"SND ({other}) ({offer})"
    assert clients.ask(anna, said) == [f"YES ({said})"]
    assert clients.wait() == {bruno: [f"FRM ({one}) ({other}) ({offer})"]}
    assert clients.wait() == {}
    reply = f"SND ({one}) (YES ({offer}))"
    assert clients.ask(bruno, reply) == [f"YES ({reply})"]
    assert clients.wait() == {anna: [f"FRM ({other}) ({one}) (YES ({offer}))"]}
    assert clients.wait() == {}
    pair = table.powers["Anna"], table.powers["Bruno"]
    assert facts(table.game, *pair, 1).state == "accepted"
    again = f"SND ({one}) (REJ ({offer}))"
    assert clients.ask(bruno, again) == [f"REJ ({again})"]
    assert process(table.game)
    kept = ", ".join(f"{power} kept" for power in sorted(pair))
    assert verdicts(table.game, *pair, 1) == [f"S1901M: {kept}"]


def test_a_proposal_made_on_a_page_arrives_and_is_answered(at_table):
    table = at_table()
    clients, anna, bruno = table.open()
    own, clara = table.powers["Anna"], table.powers["Clara"]
    pair = sorted((own, clara))
    zone = {"clause": "dmz", "powers": pair, "provinces": ["BUR"], "until": "F1905"}
    offered = [[zone, peace(*pair)], [zone], [{"clause": "draw", "powers": pair}]]
    numbers = [propose(table.game, clara, own, terms(part, parties=pair)) for part in offered]
    heard = clients.wait()
    tokens = " ".join(power[:3] for power in pair)
    texts = [
        f"PRP (AND (DMZ ({tokens}) (BUR)) (PCE ({tokens})))",
        f"PRP (DMZ ({tokens}) (BUR))",
        "PRP (DRW)",
    ]
    frame = f"FRM ({clara[:3]}) ({own[:3]})"
    assert heard == {anna: [f"{frame} ({text})" for text in texts]}
    for word, text in zip(("YES", "REJ", "BWX"), texts, strict=True):
        reply = f"SND ({clara[:3]}) ({word} ({text}))"
        assert clients.ask(anna, reply) == [f"YES ({reply})"]
    states = [facts(table.game, clara, own, number).state for number in numbers]
    assert states == ["accepted", "refused", "declined"]
    assert bruno not in clients.wait()


def test_one_of_several_alternatives_is_chosen(at_table):
    table = at_table()
    clients, anna, _ = table.open()
    own, clara = table.powers["Anna"], table.powers["Clara"]
    pair = sorted((own, clara))
    choice = terms([peace(*pair)], [{"clause": "draw", "powers": pair}], parties=pair)
    numbers = [propose(table.game, clara, own, choice) for _ in range(2)]
    assert "(PRP (ORR (PCE (" in clients.wait()[anna][0]
    clients.ask(anna, f"SND ({clara[:3]}) (YES (PRP (DRW)))")
    found = [facts(table.game, clara, own, number) for number in numbers]
    assert {(fact.state, fact.alternative) for fact in found} == {("open", None), ("accepted", 1)}
    offer = f"PRP (ORR (PCE ({pair[0][:3]} {pair[1][:3]})) (DRW))"
    clients.ask(anna, f"SND ({clara[:3]}) ({offer})")
    number = max(row.message.number for row in Proposal.objects.all())
    answer(table.game, clara, own, number, alternative=1)
    frame = f"FRM ({clara[:3]}) ({own[:3]})"
    assert clients.wait()[anna] == [f"{frame} (YES ({offer}))", f"{frame} (YES (PRP (DRW)))"]


def test_a_counter_offer_is_a_refusal_and_an_offer(at_table):
    table = at_table()
    clients, anna, _ = table.open()
    own, clara = table.powers["Anna"], table.powers["Clara"]
    pair = sorted((own, clara))
    offer = f"PRP (PCE ({pair[0][:3]} {pair[1][:3]}))"
    clients.ask(anna, f"SND ({clara[:3]}) ({offer})")
    draw = terms([{"clause": "draw", "powers": pair}], parties=pair)
    propose(table.game, clara, own, draw, counters=1)
    frame = f"FRM ({clara[:3]}) ({own[:3]})"
    assert sorted(clients.wait()[anna]) == [f"{frame} (PRP (DRW))", f"{frame} (REJ ({offer}))"]


def test_a_bot_of_the_site_answers_a_client(at_table):
    table = at_table()
    clients, anna, _ = table.open()
    own, bot = table.token("Anna"), table.bot[:3]
    said = f"SND ({bot}) (PRP (PCE ({own} {bot})))"
    assert clients.ask(anna, said) == [f"YES ({said})"]
    assert answer_for_bots(now=table.game.now + 60 * SECOND) == 1
    assert clients.wait() == {anna: [f"FRM ({bot}) ({own}) (YES (PRP (PCE ({own} {bot}))))"]}
    (row,) = Proposal.objects.all()
    assert row.terms["alternatives"][0][0]["until"] == "W1903"


def test_several_powers_agree_and_nobody_else_hears(at_table):
    table = at_table(open_to=PEOPLE)
    clients, anna, bruno, clara = table.open()
    tokens = {name: table.token(name) for name in PEOPLE}
    offer = f"PRP (PCE ({tokens['Anna']} {tokens['Bruno']} {table.bot[:3]}))"
    said = f"SND ({tokens['Bruno']} {table.bot[:3]}) ({offer})"
    assert clients.ask(anna, said) == [f"YES ({said})"]
    assert clients.wait().keys() == {bruno}
    clients.ask(bruno, f"SND ({tokens['Anna']} {table.bot[:3]}) (YES ({offer}))")
    heard = clients.wait()
    assert heard.keys() == {anna}
    assert heard[anna][0].startswith(f"FRM ({tokens['Bruno']})")
    answer_for_bots(now=table.game.now + 60 * SECOND)
    assert clients.wait().keys() == {anna, bruno}
    assert Proposal.objects.get().state == "accepted"
    assert clara not in clients.wait()


def test_press_that_is_no_proposal_reaches_clients_of_open_seats_alone(at_table):
    table = at_table()
    clients, anna, bruno = table.open()
    own, other, clara = (table.token(name) for name in PEOPLE)
    for press in (
        f"PRP (SLO ({own}))",
        f"PRP (PCE ({own} {other} {clara}))",
        f"PRP (XDO (({other} FLT LON) MTO MOS))",
        f"YES (YES (PRP (PCE ({own} {other}))))",
        f"HUH (PRP (PCE ({own} {other} ERR)))",
        "TRY (PRP PCE)",
    ):
        said = f"SND ({other}) ({press})"
        heard = clients.say(anna, said)
        assert heard == {anna: [f"YES ({said})"], bruno: [f"FRM ({own}) ({other}) ({press})"]}
        for goals in (clara, f"{other} {table.bot[:3]}"):
            said = f"SND ({goals}) ({press})"
            assert clients.ask(anna, said) == [f"REJ ({said})"]
    clients.table.disconnect(bruno, clients.now)
    said = f"SND ({other}) (TRY ())"
    assert clients.ask(anna, said) == [f"YES ({said})"]
    assert not Message.objects.exists()


def test_rubbish_is_refused(at_table):
    table = at_table()
    clients, anna, _ = table.open()
    own, other = table.token("Anna"), table.token("Bruno")
    for said in (
        f"SND ({own}) (PRP (DRW))",
        f"SND (FAL 1901) ({other}) (PRP (DRW))",
        f"SND ({other}) (REJ (PRP (PCE ({own} {other}))))",
        f"SND ({other}) (HUH ('Meet me behind the mill'))",
    ):
        assert clients.ask(anna, said) == [f"REJ ({said})"]
    for said in (
        f"SND ({other}) (PRP (FCT))",
        f"SND ({other}) (PRP (PCE ()))",
        f"SND ({other}) (1)",
    ):
        assert clients.ask(anna, said)[0].startswith("HUH (")
    assert not Message.objects.exists()


def test_no_press_does_harm(at_table):
    table = at_table()
    clients, anna, bruno = table.open()
    own, other = table.token("Anna"), table.token("Bruno")
    sources = [
        f"SND ({other}) (PRP (AND (PCE ({own} {other})) (DMZ ({own}) (BUR MUN))))",
        f"SND ({other}) (PRP (ORR (DRW) (NOT (XDO (({own} FLT LON) SUP ({own} AMY PAR))))))",
        f"SND ({other}) (YES (PRP (ALY ({own} {other}) VSS ({table.bot[:3]}))))",
    ]
    rng = random.Random(7)
    words = sorted(STANDARD.names)
    for _ in range(150):
        message = list(read_text(rng.choice(sources)))
        for _ in range(rng.randint(0, 3)):
            message[rng.randrange(1, len(message))] = rng.choice(words)
        clients.table.receive(rng.choice((anna, bruno)), tuple(message), clients.now)
        assert clients.read_outbox()
    clients.wait()


def test_impossible_terms_are_no_proposal(at_table):
    table = at_table()
    clients, anna, bruno = table.open()
    own, other = table.token("Anna"), table.token("Bruno")
    for press in (f"PRP (PCE ({own}))", "PRP (AND (DRW) (DRW))"):
        heard = clients.say(anna, f"SND ({other}) ({press})")
        assert heard[bruno] == [f"FRM ({own}) ({other}) ({press})"]
    assert not Message.objects.exists()


def test_where_only_public_press_is_allowed_an_offer_goes_to_all_or_to_nobody(at_table):
    table = at_table()
    table.game.agree(press="public")
    clients, anna, bruno = table.open()
    other = table.token("Bruno")
    for press in ("PRP (DRW)", "TRY ()"):
        said = f"SND ({other}) ({press})"
        assert clients.ask(anna, said) == [f"REJ ({said})"]
    tokens = [
        seat.power[:3] for seat in Seat.objects.all() if seat.power[:3] != table.token("Anna")
    ]
    said = f"SND ({' '.join(tokens)}) (PRP (DRW))"
    assert clients.ask(anna, said) == [f"YES ({said})"]
    assert clients.wait()[bruno][0].endswith("(PRP (DRW))")
    assert Message.objects.get().conversation.kind == "public"


def test_press_waits_while_the_rule_closes_it(at_table):
    table = at_table()
    table.game.agree(press="rulebook")
    clients, anna, _ = table.open()
    Phase.objects.update(locked_at=timezone.now())
    for press in ("PRP (DRW)", "TRY ()"):
        said = f"SND ({table.token('Bruno')}) ({press})"
        assert clients.ask(anna, said) == [f"REJ ({said})"]


def test_too_many_offers_are_refused(at_table):
    table = at_table()
    clients, anna, _ = table.open()
    said = f"SND ({table.token('Clara')}) (PRP (DRW))"
    heard = [clients.ask(anna, said)[0].split()[0] for _ in range(21)]
    assert heard == ["YES"] * 20 + ["REJ"]


def test_an_eliminated_power_is_out(at_table):
    table = at_table()
    remove_units(table.bot)
    remove_centers(table.bot)
    clients, anna, _ = table.open()
    said = f"SND ({table.bot[:3]}) (PRP (DRW))"
    assert clients.ask(anna, said) == [f"OUT ({table.bot[:3]}) ({said})"]


def test_a_client_that_comes_late_or_again_hears_what_waits_for_it(at_table):
    table = at_table(open_to=("Anna",))
    own, clara = table.powers["Anna"], table.powers["Clara"]
    draw = terms([{"clause": "draw", "powers": [own, clara]}], parties=(own, clara))
    propose(table.game, clara, own, draw)
    propose(table.game, own, clara, draw)
    clients, anna = table.open()
    frame = f"FRM ({clara[:3]}) ({own[:3]}) (PRP (DRW))"
    clients.table.disconnect(anna, clients.now)
    assert clients.wait() == {}
    number = clients.table.connect(clients.now)
    heard = clients.ask(number, f"IAM ({own[:3]}) (102)")
    assert heard[-1] == frame
    clients.table.disconnect(number, clients.now)
    _, heard = clients.enter()
    assert heard[-1] == frame
    answer(table.game, own, clara, 1)
    assert clients.wait() == {}


def test_texts_and_terms_without_words_are_not_told(at_table, caplog):
    table = at_table(open_to=("Anna",))
    clients, _ = table.open()
    own, clara = table.powers["Anna"], table.powers["Clara"]
    pair = sorted((own, clara))
    table.game.send(clara, own, "Peace?")
    nested = terms([peace(*pair), {"clause": "draw", "powers": pair}], [peace(*pair)], parties=pair)
    propose(table.game, clara, own, nested)
    with caplog.at_level(logging.INFO):
        assert clients.wait() == {}
    assert len(caplog.messages) == 2
    assert not any(word in " ".join(caplog.messages) for word in ("Peace", clara, own))


def test_an_order_is_offered_and_kept(at_table):
    table = at_table()
    clients, anna, bruno = table.open()
    own, other = table.powers["Anna"], table.powers["Bruno"]
    unit = next(u for u in table.game.phase.position.units if u.power == own)
    kind = {"A": "AMY", "F": "FLT"}[unit.kind.value]
    code = {"ENG": "ECH", "LYO": "GOL"}.get(unit.province, unit.province)
    place = "(STP SCS)" if "/" in unit.location else code
    offer = f"PRP (XDO (({own[:3]} {kind} {place}) HLD))"
    clients.ask(anna, f"SND ({other[:3]}) ({offer})")
    assert clients.wait()[bruno] == [f"FRM ({own[:3]}) ({other[:3]}) ({offer})"]
    clients.ask(bruno, f"SND ({own[:3]}) (YES ({offer}))")
    order(table.game, own, f"{unit} H")
    process(table.game)
    assert verdicts(table.game, own, other, 1) == [f"S1901M: {own} kept"]
    # In the next phase, the offer is over.
    clients.wait()
    said = f"SND ({own[:3]}) (YES ({offer}))"
    assert clients.ask(bruno, said) == [f"REJ ({said})"]
