"""Every operation succeeds at least once, in one session from a waiting room to the archive.

Each answer has the form that the description promises.
"""

import datetime as dt

import pytest
from django.utils import timezone
from tests.api.calls import token_of
from tests.api.test_described import CHECKS, GROUPS, reachable  # noqa: F401 - a fixture
from tests.press.archive import Archive
from tests.press.conftest import talking  # noqa: F401 - a fixture
from tests.press.deals import peace, process, terms
from tests.press.moderation.test_reports import decide

from diplomaccloud.accounts.models import User
from diplomaccloud.announcements.actions import announce
from diplomaccloud.announcements.read import forget_current
from diplomaccloud.games.next_game.actions import open_missing
from diplomaccloud.games.table.models import Seat
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.maps.previews import MAP_WORKER
from diplomaccloud.notices.models import Destination
from diplomaccloud.press.moderation.actions import assign_waiting_cases
from diplomaccloud.press.moderation.models import Case

OPERATIONS = {
    operation.definition.raw["operationId"]: operation
    for operations in GROUPS.values()
    for operation in operations
}


class Session:
    """Programs that call the site; `answered` has the operations that have succeeded."""

    def __init__(self, talking):  # noqa: F811
        self.talking, self.answered, self._tokens = talking, set(), {}

    def ask(self, who, operation_id, body=None, /, **given):
        """Return the answer to a call, which must succeed; `given` is of the path or the query."""
        operation = OPERATIONS[operation_id]
        in_path = {one.name for one in operation.path_parameters}
        path = {key: value for key, value in given.items() if key in in_path}
        if "game" in in_path:
            path.setdefault("game", self.talking.slug)
        query = {key.rstrip("_"): value for key, value in given.items() if key not in in_path}
        content = {} if body is None else {"body": body, "media_type": "application/json"}
        case = operation.Case(path_parameters=path, query=query, **content)
        if who not in self._tokens:
            self._tokens[who] = token_of(self.talking.user_id(who))
        headers = {"Authorization": f"Bearer {self._tokens[who]}", "Accept-Encoding": "identity"}
        answer = case.call(headers=headers)
        assert answer.status_code in (200, 201), (operation_id, answer.text)
        case.validate_response(answer, checks=CHECKS)
        self.answered.add(operation_id)
        return answer.json() if answer.headers["content-type"] == ["application/json"] else None


@pytest.fixture
def session(talking, reachable, monkeypatch, settings):  # noqa: F811
    settings.NEXT_GAMES = True
    monkeypatch.setattr(MAP_WORKER, "make", lambda _: standard_chart())
    talking.agree(press="rulebook", writing=300, master_reads=True)
    return Session(talking)


@pytest.mark.long
@pytest.mark.every_database
def test_every_operation_succeeds(session):
    gather(session)
    look_around(session)
    play(session)
    talk(session)
    draw(session)
    be_a_person(session)
    be_told(session)
    look_at_people(session)
    wait_for_the_next_game(session)
    judge(session)
    look_back(session)
    open_archive(session)
    assert session.answered == set(OPERATIONS)


def gather(session):
    """Make games, gather people, and start one."""
    ask = session.ask
    room = ask("ENGLAND", "createGame", {"world": "Tea", "private": True})["id"]
    code = ask("ENGLAND", "getWaitingRoom", game=room)["code"]
    ask("ENGLAND", "invite", {"name": "Sam"}, game=room)
    ask("ENGLAND", "withdrawInvitation", game=room, name="Sam")
    assert ask("Sam", "findCode", code=code)["game"] == room
    ask("Sam", "takeSeat", {"code": code}, game=room)
    seats = ask("Sam", "setReadyToStart", {"ready": True}, game=room)["seats"]
    (seat,) = (row["key"] for row in seats if row["you"])
    ask("ENGLAND", "dismiss", {"seat": seat}, game=room)
    ask("Sam", "takeSeat", {"code": code}, game=room)
    ask("Sam", "leaveSeat", game=room)
    ask("ENGLAND", "nameCountry", {"country": "Ruritania"}, game=room)
    ask("ENGLAND", "addBot", {"bot": "hold"}, game=room)
    ask("ENGLAND", "startGame", {"bot": "hold"}, game=room)
    other = ask("ENGLAND", "createGame", {"world": "Cake"})["id"]
    ask("ENGLAND", "cancelGame", game=other)
    alone = ask("ENGLAND", "createSoloGame", {"bot": "hold", "world": "Alone"})["id"]
    ask("ENGLAND", "askHint", {"phase": 1}, game=alone)
    ask("ENGLAND", "getHint", game=alone)
    ask("Sam", "listVacancies")


def look_around(session):
    """Read what everyone may see, and make a map."""
    ask, chart = session.ask, {"map_hash": standard_hash()}
    ask("ENGLAND", "getMe")
    ask("Sam", "listGames")
    ask("Sam", "getGame")
    ask("Sam", "getMap", **chart)
    ask("Sam", "listGallery")
    ask("Sam", "getMapCard", **chart)
    ask("Sam", "getMapPicture", **chart, theme="dark")
    ask("Sam", "getMapStart", **chart)
    seed = {"seed": "amber 1", "players": 7}
    ask("Sam", "makeMap", seed)
    ask("Sam", "keepMap", {**seed, "name": "Amber"})
    ask("Sam", "listPlayers")
    ask("Sam", "getPlayer", name="Morgan")
    ask("Sam", "saveStatus", {"status": "On holiday."})


def play(session):
    """Order, plan, vote, and act as game master."""
    ask, phase = session.ask, {"phase": 1}
    ask("ENGLAND", "getSeat")
    order = ask("ENGLAND", "listLegalOrders")["units"][0]["orders"][0]
    ask("ENGLAND", "saveOrders", {**phase, "orders": [order]})
    ask("ENGLAND", "saveDraft", {**phase, "copied": True}, name="Plan B")
    ask("ENGLAND", "renameDraft", {**phase, "new_name": "Plan C"}, name="Plan B")
    ask("ENGLAND", "deleteDraft", name="Plan C", phase=1)
    ask("ENGLAND", "saveConditionalOrders", {**phase, "text": ""})
    ask("ENGLAND", "setDrawVote", {**phase, "vote": "none"})
    ask("ENGLAND", "colorCountry", {"power": "ENGLAND", "color": "#246c6c"})
    seat = ask("ENGLAND", "openVote", {**phase, "question": "extend", "seconds": 86_400})
    ask("FRANCE", "answerVote", {**phase, "answer": "no"}, vote=seat["votes"][0]["id"])
    because = {**phase, "reason": "The storm."}
    ask("Morgan", "actAsMaster", {**because, "seconds": 3600}, act="extend")
    ask("Morgan", "previewResults", because)


def talk(session):
    """Send messages with deals and documents, and answer them."""
    ask = session.ask
    proposal = {"to": ["FRANCE"], "body": "Peace?", "proposal": {"terms": terms([peace()])}}
    number = ask("ENGLAND", "sendMessage", proposal)["sent"][0]["number"]
    ask("FRANCE", "listConversations")
    ask("FRANCE", "listMessages", with_="ENGLAND")
    here, there = {"with": "ENGLAND", "number": number}, {"with": "FRANCE"}
    ask("FRANCE", "markMessages", here, act="read")
    ask("FRANCE", "answerProposal", {**here, "answer": "accept"})
    ask("FRANCE", "listDeals")
    text = {"to": ["FRANCE"], "document": {"text": "We divide Belgium."}}
    number = ask("ENGLAND", "sendMessage", text)["sent"][0]["number"]
    change = {**there, "number": number, "text": "We divide Holland."}
    digest = ask("ENGLAND", "changeDocument", change)["document"]["digest"]
    ask("FRANCE", "signDocument", {**here, "number": number, "digest": digest})
    ask("FRANCE", "muteSeat", {"power": "ITALY", "muted": True})
    ask("ENGLAND", "setTalk", {"phase": 1, "done": True})
    look = {"powers": ["ENGLAND", "FRANCE"], "reason": "A report."}
    assert ask("Morgan", "lookAtConversation", look)["messages"]


def draw(session):
    """Draw a map, keep it, and copy its orders."""
    ask = session.ask
    orders = {"orders": ["F LON - ENG"], "adjudicate": False}
    board = ask("ENGLAND", "whatIf", orders)["board"]
    number = ask("ENGLAND", "saveMap", {"board": board})["number"]
    ask("ENGLAND", "listMaps")
    ask("ENGLAND", "getConferenceMap", number=number)
    ask("ENGLAND", "drawConferenceMap", number=number)
    ask("ENGLAND", "adoptMap", {"number": number})


def be_a_person(session):
    """Write to people outside games, search, block, report and appeal."""
    ask, talking = session.ask, session.talking  # noqa: F811
    ask("Sam", "sendPersonalMessage", {"to": "Morgan", "body": "You fool."})
    place = {"with": "Sam", "number": 1}
    ask("Morgan", "markPersonalMessages", {**place, "grounds": "abuse"}, act="report")
    ask("Morgan", "listPersonalMessages", with_="Sam")
    ask("Morgan", "listInbox")
    ask("Sam", "listSent")
    assert ask("Morgan", "searchMessages", q="fool")["found"]
    ask("Morgan", "exportMessages")
    ask("Morgan", "blockPerson", {"name": "Sam", "blocked": True})
    ask("Morgan", "setChoices", {"accepts_personal": False})
    ask("Morgan", "getChoices")
    User.objects.create(username="Mina", moderator=True)
    assign_waiting_cases(now=talking.now)
    key = Case.objects.get().key
    decide(talking, "Mina", key, "warning")
    ask("Sam", "listReports")
    ask("Sam", "appeal", {"text": "It was a quotation."}, key=key)
    ask("Sam", "reportName", {"kind": "name", "of": "Mina", "grounds": "abuse"})
    ask("FRANCE", "reportCountry", {"power": "ITALY", "grounds": "throwing"})


def be_told(session):
    """Choose notices, and add a webhook."""
    ask = session.ask
    ask("FRANCE", "listEvents")
    ask("FRANCE", "listOwnNotices")
    ask("FRANCE", "markNoticesSeen", {"up_to": "2026-11-23T18:00:00Z"})
    ask("FRANCE", "getNoticeSettings")
    ask("FRANCE", "saveNoticeSettings", {"kinds": {"message": {"chat": True}}})
    mail = {"kind": "email", "address": "me@example.com"}
    (row,) = ask("FRANCE", "addDestination", mail)["destinations"]
    ask("FRANCE", "listOwnDestinations")
    ask("FRANCE", "changeDestination", key=row["key"], act="remove")
    made = ask("FRANCE", "makeWebhook", {"address": "https://example.com/hook"})
    ask("FRANCE", "listWebhooks")
    ask("FRANCE", "testWebhook", webhook=made["id"])
    ask("FRANCE", "renewWebhook", webhook=made["id"])
    Destination.objects.update(off_at=session.talking.now)
    ask("FRANCE", "resumeWebhook", webhook=made["id"])
    ask("FRANCE", "deleteWebhook", webhook=made["id"])


def look_at_people(session):
    """Follow people and games, see ratings, and read what the host announces."""
    ask, now = session.ask, session.talking.now
    ask("ENGLAND", "followPlayer", name="Morgan")
    assert ask("ENGLAND", "listFollowed")["people"]
    ask("ENGLAND", "unfollowPlayer", name="Morgan")
    ask("Sam", "followGame")
    ask("Sam", "unfollowGame")
    ask("ENGLAND", "chooseFollowers", {"allowed": False})
    ask("ENGLAND", "getLeaderboard", kind="full")
    ask("ENGLAND", "saveRatings", {"hidden": True})
    ask("ENGLAND", "getRatings", name="Morgan")
    announce(text="News.", starts_at=now - dt.timedelta(days=9), ends_at=now + dt.timedelta(9999))
    forget_current()
    (announced,) = ask("ENGLAND", "listAnnouncements")["announcements"]
    ask("ENGLAND", "dismissAnnouncement", key=announced["key"])


def wait_for_the_next_game(session):
    """Join the next game, and confirm in its muster."""
    ask = session.ask
    open_missing(now=timezone.now())
    upcoming = ask("ENGLAND", "listUpcoming")["games"][0]["game"]
    for who in ("ENGLAND", "FRANCE", "ITALY", "TURKEY"):
        ask(who, "takeSeat", {}, game=upcoming)
    ask("ENGLAND", "confirmSeat", {}, game=upcoming)


def judge(session):
    """Ask the judge about any position."""
    position = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}}
    session.ask("Sam", "judge", {**position, "orders": {"FRANCE": ["A PAR - BUR"]}})


def look_back(session):
    """Read the past of a game after its first phase."""
    ask = session.ask
    process(session.talking)
    assert ask("Sam", "listPhases")["phases"]
    ask("Sam", "getPhase", phase="1")
    ask("Sam", "explainOrder", phase=1, number=0)
    for name in ("getLog", "getCenters", "getStatistics", "getReceipts", "getRecord", "getKeys"):
        ask("Sam", name)
    ask("ENGLAND", "getOwnRecord")
    ask("Sam", "getGamePicture")
    ask("ENGLAND", "getSeat")
    ask("ENGLAND", "listLegalOrders")


def open_archive(session):
    """Read a finished game, and open its conversations."""
    ask = session.ask
    Archive(session.talking).end()
    assert ask("Sam", "getGame")["status"] == "finished"
    ask("FRANCE", "listOpenings")
    consent = {"conversations": [{"with": "ENGLAND", "number": 1}]}
    ask("FRANCE", "agreeToOpen", consent)
    ask("FRANCE", "withdrawConsent", with_="ENGLAND")
    ask("Sam", "listChapters")
    ask("Sam", "listOpenMessages", chapter="1")
    assert Seat.objects.filter(game=session.talking.game_id).count() == 7
