"""A table and its visitors, who speak in texts."""

from diplomaccloud.bots import BOTS
from diplomaccloud.daide.board import words_of
from diplomaccloud.daide.language import read_text, write_text
from diplomaccloud.daide.play import Settings
from diplomaccloud.daide.table import Course
from diplomaccloud.judge.standard.europe import standard_board


class Guests:
    """A table with a clock that the test moves; the first passcode is 101, the next 102."""

    def __init__(self, clients=1, board=None, bots=("hold",), **settings):
        self.now = 0.0
        self.words = words_of(board or standard_board())
        passcodes = iter(range(101, 200))
        self.table = Course(
            self.words,
            [BOTS[name] for name in bots],
            Settings(**settings),
            clients=clients,
            seed="guests",
            choose_passcode=lambda: next(passcodes),
        )
        self.closed = set()

    def write(self, message):
        return write_text(message, self.words.vocabulary)

    def enter(self):
        return self.table.connect(self.now)

    def _read_outbox(self):
        heard = {}
        for number, message in self.table.take_outbox():
            if message is None:
                self.closed.add(number)
            else:
                heard.setdefault(number, []).append(self.write(message))
        return heard

    def say(self, number, text):
        """Return what everyone hears after a visitor has said something."""
        message = read_text(text, self.words.vocabulary)
        self.table.receive(number, message, self.now)
        return self._read_outbox()

    def ask(self, number, text):
        """Return what the visitor itself hears."""
        return self.say(number, text).get(number, [])

    def leave(self, number):
        self.table.disconnect(number, self.now)
        return self._read_outbox()

    def wait(self, seconds=0.0):
        """Return what everyone hears when this number of seconds has passed."""
        self.now += seconds
        self.table.tick(self.now)
        return self._read_outbox()

    def join(self, count=1):
        """Return visitors who play, once the game has begun, in the order of their passcodes."""
        players = [self.enter() for _ in range(count)]
        for number in players:
            self.say(number, f"NME ('Guest{number}') ('v1')")
        for number in players:
            self.say(number, f"YES (MAP ('{self.words.map_name}'))")
        return players

    def power_of(self, number):
        """Return the token of the power that a visitor plays."""
        return self.ask(number, "HLO")[0].split("(")[1].split(")")[0]

    def order_all(self, number, deed="HLD"):
        """Give every unit of a power that owes orders the same one."""
        missing = self.ask(number, "MIS")[0].removeprefix("MIS").strip()
        units = missing.replace(") (", ")|(").split("|") if missing else []
        orders = " ".join(f"({unit} {deed})" for unit in units)
        return self.ask(number, f"SUB {orders}") if orders else []
