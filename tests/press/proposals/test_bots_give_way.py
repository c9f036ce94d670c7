"""The deals of a bot end when a person takes its seat, and the conversation says so."""

import pytest
from tests.press.deals import TO_BURGUNDY, answer, facts, propose, terms

from diplomaccloud.games.seats.actions import take_seat
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.press.proposals.models import list_deals
from diplomaccloud.press.proposals.read import list_unanswered
from diplomaccloud.press.proposals.wording import ProposalState
from diplomaccloud.press.table.errors import ProposalClosed


def agree_with_bot(talking, **options):
    """Let England, which a bot plays from then on, agree with France."""
    number = propose(talking, "FRANCE", "ENGLAND", terms([TO_BURGUNDY]))
    answer(talking, "ENGLAND", "FRANCE", number)
    let_bot_play(**options)
    assert len(list_deals(find_phase())) == 1


def let_bot_play(**options):
    """Give England's seat to a bot, as if it had played it from the start."""
    seat = Seat.objects.get(power="ENGLAND")
    seat.tenures.update(user=None, bot="hold")
    Seat.objects.filter(pk=seat.pk).update(user=None, bot="hold")
    game = Game.objects.get()
    game.options = {**game.options.to_json(), "bots_give_way": True, **options}
    game.save()


def find_phase():
    return Game.objects.get().newest_phase()


def take(talking):
    take_seat(
        slug=talking.slug,
        user_id=talking.user_id("Sam"),
        power="ENGLAND",
        now=talking.tick(),
    )


@pytest.mark.parametrize("successor", ["archive", "blank"])
def test_its_deals_end(talking, successor):
    game = Game.objects.get()
    talk = {**game.options.to_json()["talk"], "successor": successor}
    agree_with_bot(talking, talk=talk)
    take(talking)
    assert list_deals(find_phase()) == []


def test_the_conversation_says_so(talking, client_of):
    agree_with_bot(talking)
    take(talking)
    page = client_of("FRANCE").get(f"/games/{talking.slug}/press/ENGLAND/").content.decode()
    assert "from a bot" in page


def test_nobody_can_accept_what_it_offered(talking):
    number = propose(talking, "ENGLAND", "FRANCE", terms([TO_BURGUNDY]))
    let_bot_play()
    assert list_unanswered(talking.user_id("FRANCE"))
    take(talking)
    with pytest.raises(ProposalClosed, match="withdrawn"):
        answer(talking, "FRANCE", "ENGLAND", number)
    offered = facts(talking, "FRANCE", "ENGLAND", number)
    assert (offered.state, offered.may_answer) == (ProposalState.WITHDRAWN, False)
    assert list_unanswered(talking.user_id("FRANCE")) == []
