"""What press adds to the home page: unread messages, and proposals to answer."""

from tests.press.deals import answer, peace, propose, terms

from diplomaccloud.press.inbox.read import list_unread
from diplomaccloud.press.proposals.read import list_unanswered


def test_a_proposal_waits_for_its_party_alone(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))

    def waiting(who):
        return [words for _, words in list_unanswered(talking.user_id(who))]

    assert {who: waiting(who) for who in ("ENGLAND", "FRANCE", "ITALY")} == {
        "ENGLAND": ["Proposal to answer"],
        "FRANCE": [],
        "ITALY": [],
    }
    assert [words for _, words in list_unread(talking.user_id("ENGLAND"))] == ["1 new message"]
    for who in ("FRANCE", "ITALY"):
        assert list_unread(talking.user_id(who)) == []
    answer(talking, "ENGLAND", "FRANCE", number)
    assert waiting("ENGLAND") == []
