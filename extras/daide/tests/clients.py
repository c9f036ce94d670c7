"""DAIDE clients in a game on the site, with messages as text."""

from itertools import count

from diplomaccloud.daide.language import read_text, write_text
from diplomaccloud.daide.site.meeting import SiteMeeting
from diplomaccloud.daide.site.play import OpenSeats


class Clients:
    """Clients of one game on the site, with messages as text; the test moves their clock."""

    def __init__(self, table, *tokens, by_token=False, **options):
        self.now = 0.0
        passcodes = count(101)
        seats = OpenSeats(table.slug, tokens)
        self.table = SiteMeeting(
            seats, by_token=by_token, choose_passcode=lambda: next(passcodes), **options
        )
        self.closed = set()

    def read_outbox(self):
        """Return what each client has received since the last call."""
        heard = {}
        for number, message in self.table.take_outbox():
            if message is None:
                self.closed.add(number)
            else:
                heard.setdefault(number, []).append(write_text(message))
        return heard

    def say(self, number, text):
        """Return what each client receives after one of them sends something."""
        self.table.receive(number, read_text(text), self.now)
        return self.read_outbox()

    def ask(self, number, text):
        """Return what a client receives after sending something; others must receive nothing."""
        heard = self.say(number, text)
        assert not heard.keys() - {number}
        return heard.get(number, [])

    def enter(self, word="NME ('us') ('1')"):
        """Return a client that has been admitted, and what it received."""
        number = self.table.connect(self.now)
        answer = self.ask(number, word)
        if not answer or not answer[0].startswith("YES"):
            return None, answer
        return number, self.ask(number, "YES (MAP ('standard'))")

    def wait(self, seconds=1.0):
        """Return what each client receives after the site is checked for news."""
        self.now += seconds
        self.table.tick(self.now)
        return self.read_outbox()
