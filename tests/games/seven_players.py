"""Seven people, a game master and a volunteer, each at a browser, and a clock to move."""

import datetime as dt
import re

from django.utils import timezone
from tests.games.browsing import Browser

from diplomaccloud.accounts.models import User
from diplomaccloud.games.page.page import present_summary
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.turn.claims import advance, due_games, phases_to_lock
from diplomaccloud.games.turn.turn import lock_phase
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.games.votes.actions import close_expired_votes

PASSWORD = "a long enough word"
SEVEN = ("Anna", "Bruno", "Clara", "Dieter", "Elena", "Fabio", "Greta")
SECOND = dt.timedelta(seconds=1)


class Clock:
    """The clock that everyone reads."""

    def __init__(self, monkeypatch):
        self.now = timezone.now()
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def pass_by(self, span=SECOND):
        """Let time pass."""
        self.now += span


class SevenPlayers:
    """People around one game; the player of a country is found by its name."""

    def __init__(self, clock):
        self.clock = clock
        self.people = {name: self._sign_up(name) for name in ("Morgan", *SEVEN, "Viktor")}
        self.of: dict[str, str] = {}
        self.address = ""

    def _sign_up(self, name):
        person = Browser()
        person.open("/accounts/signup/")
        person.send("/signup/", username=name, password1=PASSWORD)
        return person

    def visit(self, who, rest=""):
        """Return the browser of a person or a country once it has opened a page of the game."""
        name = self.of.get(who, who)
        person = self.people[name]
        shown = person.open(self.address + rest)
        if not shown.wsgi_request.user.is_authenticated:
            # Weeks have passed, so the person has to log in again.
            person.open("/accounts/login/")
            person.send("/login/", login=name, password=PASSWORD)
            person.open(self.address + rest)
        return person

    def at(self, who, rest=""):
        """Return the browser of a person or a country, showing a page of the game."""
        person = self.visit(who, rest)
        assert person.shown.status_code == 200, (who, rest, person.shown.status_code)
        return person

    def view(self, who="Morgan"):
        """Return the game as a person may see it, without the work of rendering it."""
        user = User.objects.get(username=self.of.get(who, who))
        reader = Reader(self.address.split("/")[2], viewer_of(user))
        return present_summary(reader)

    def seat_all(self):
        """Note which country each person was assigned."""
        self.of = {self.view(name).you.power: name for name in SEVEN}

    def give(self, power, orders, *, typed=False, ready=False):
        """Save orders, from the lists or typed, and be ready if asked, unless one is already."""
        player = self.at(power)
        button = ("ready", "1") if ready and not player.forms("/ready/") else None
        given = {"sheet": "\n".join(orders)} if typed else {"choose": orders}
        # An answer that leads elsewhere has no question, so that page is not opened.
        status = player.send("/orders/", button=button, **given)
        if status != 303 and player.shown.context.get("can_confirm"):
            player.send("/orders/", button=("anyway", "1"))
        return player

    def master(self, act, *, reason, where=None, choose=(), to=None, **values):
        """Do one thing in the game master's console, with its reason."""
        master = self.at("Morgan", "master/")
        master.send(f"/master/{act}/", where=where, choose=choose, to=to, reason=reason, **values)
        return master

    def propose(self, power, question, **terms):
        """Call a vote."""
        self.at(power).send("/votes/", where={"question": question}, **terms)

    def agree(self, *powers):
        """Vote yes on the newest open vote."""
        for power in powers:
            self.at(power).send("/votes/answer/", button=("answer", "yes"))

    def tick(self):
        """Do what the clock's worker does in a round."""
        for key in phases_to_lock(now=self.clock.now):
            lock_phase(phase_id=key, now=self.clock.now)
        close_expired_votes(now=self.clock.now)
        for game_id in due_games(now=self.clock.now):
            advance(game_id=game_id, owner="the test", now=self.clock.now)

    def pass_deadline(self):
        """Move the clock to the deadline of the open phase."""
        due = self.view().header.due_at
        self.clock.now = max(self.clock.now, due)
        self.tick()

    def log(self, since=0):
        """Return the lines of the public log with their reasons, oldest first, from `since` on."""
        lines, page = [], 1
        while True:
            found = self.at("Morgan", f"log/?page={page}").shown.context["log"]
            lines += [f"{line.text} {line.reason}".strip() for line in found.lines]
            if page >= found.pages:
                return lines[::-1][since:]
            page += 1

    def offered(self, power):
        """Return what each select of the order form offers, blanks left out."""
        (form,) = self.at(power).forms("/orders/")
        return [[value for value in one.offered if value] for one in form.controls if one.offered]


def plain(text):
    """Return the source of a page as it reads, roughly."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))
