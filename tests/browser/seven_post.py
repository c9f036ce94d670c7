"""What was written in the trial with seven browsers, and who may read it.

Each message contains a unique word. After each phase, everything that a person can get from
the site is searched for these words.
"""

import itertools
import json
import re
from collections import Counter
from dataclasses import dataclass, field

WORD = re.compile(r"zq\d{4}qz")
SEATS, MASTER, NOTES, TABLE, PERSONAL = "seats", "game-master", "notes", "table", "personal"
EVERYONE, GRAY = "everyone", "gray"


@dataclass(frozen=True)
class Talk:
    """A conversation: `members` are powers, or names of people outside the game."""

    kind: str
    members: tuple[str, ...] = ()

    @property
    def is_public(self):
        return self.kind in {EVERYONE, GRAY}

    def address_for(self, person):
        """Return what a member calls the conversation in addresses of pages."""
        if self.kind == SEATS:
            return "+".join(power for power in self.members if power != person.power)
        if self.kind == MASTER and not person.power:
            return self.members[0]
        if self.kind == PERSONAL:
            return next(name for name in self.members if name != person.name)
        return self.kind


def talk_of(*powers):
    """Return the conversation of powers."""
    return Talk(SEATS, tuple(sorted(powers)))


@dataclass
class Letter:
    """A message, and the names of those who may read it.

    A `carried` word is in a map or document that a message carries, and so not in the export.
    `judges` see it among the evidence of a report. `is_out` is false until a gray message is
    published.
    """

    word: str
    author: str
    talk: Talk
    readers: set[str]
    carried: bool = False
    judges: set[str] = field(default_factory=set)
    is_out: bool = True
    is_opened: bool = False

    def may_show(self, name):
        """Return whether a page of the person may contain the word."""
        if not self.is_out:
            return name == self.author
        if name in self.readers or name in self.judges:
            return True
        return self.talk.is_public or self.is_opened


class Post:
    """Everything that was written, and what was found of it."""

    def __init__(self, table):
        self.table = table
        self.letters = []
        self.guests = set()
        """People who left the game: what they read of public talk is checked on pages."""
        self.sent = 0
        self.pages = 0
        self._numbers = itertools.count(1)

    def write(self, author, talk, text="", *, carried=False):
        """Return a message with a new word, and note who may read it."""
        return self.copy(author, [talk], text, carried=carried)

    def copy(self, author, talks, text="", *, carried=False):
        """Return a message that goes to several conversations."""
        word = f"zq{next(self._numbers):04}qz"
        for talk in talks:
            readers = self.table.readers(talk) | {author.name}
            letter = Letter(word, author.name, talk, readers, carried, is_out=talk.kind != GRAY)
            self.letters.append(letter)
        self.sent += 0 if carried else len(talks)
        return f"{text or 'What do you think of'} {word}?"

    def publish_gray(self):
        """Note that the waiting gray messages are published; return their words."""
        waiting = [letter for letter in self.letters if not letter.is_out]
        for letter in waiting:
            letter.is_out = True
        return [letter.word for letter in waiting]

    def pass_on(self, power, heir):
        """Note that a person took over a seat, and reads the earlier messages of the seat."""
        for letter in self.letters:
            is_of_seat = letter.talk.kind == SEATS and power in letter.talk.members
            if is_of_seat or letter.talk.is_public:
                letter.readers.add(heir.name)

    def show_to_judges(self, talk, *names):
        """Note that a message of the conversation was reported."""
        for letter in self.letters:
            if letter.talk == talk:
                letter.judges.update(names)

    def share(self, text, person):
        """Note that a person was shown what was written to others."""
        for letter in self.letters:
            if letter.word in text:
                letter.readers.add(person.name)

    def open(self, talk):
        """Note that everyone agreed to open the conversation."""
        for letter in self.letters:
            if letter.talk == talk:
                letter.is_opened = True

    def words(self, talk):
        """Return the words in a conversation, those of each author in the order of sending."""
        return [
            letter.word for letter in self.letters if letter.talk == talk and not letter.carried
        ]

    def require_secret(self, name, text, place):
        """Raise unless the person may read every word in the text."""
        self.pages += 1
        for word in set(WORD.findall(text)):
            letters = [letter for letter in self.letters if letter.word == word]
            assert any(letter.may_show(name) for letter in letters), (
                f"{name} finds {word} in {place}, which is {letters}"
            )

    def check_exports(self, people):
        """Everyone has each message once, in the same order, under numbers without gaps."""
        found = {}
        for person in people:
            for talk, words in self._read_export(person).items():
                found.setdefault(talk, {})[person.name] = words
        for talk, lists in found.items():
            whole = max(lists.values(), key=len)
            for name, words in lists.items():
                expected = [word for word in whole if word in words]
                assert words == expected, f"{name} has another order in {talk}"
            if talk.kind != GRAY:
                self._check_authors(talk, whole)

    def _read_export(self, person):
        """Return the words of each conversation in the messages of the person's data export."""
        text = person.read_data()["messages.jsonl"]
        self.require_secret(person.name, text, "the export")
        found, numbers = {}, {}
        for line in map(json.loads, text.splitlines()):
            place = (bool(line["game"]), line["conversation"])
            numbers.setdefault(place, []).append(line["number"])
            found.setdefault(place, []).extend(WORD.findall(line["text"]))
        for place, listed in numbers.items():
            assert listed == list(range(1, len(listed) + 1)), (
                f"{person.name} has {listed} in {place}"
            )
        expected = {}
        for letter in self.letters:
            if person.name in letter.readers and letter.is_out and not letter.carried:
                expected.setdefault(letter.talk, []).append(letter.word)
        words = {}
        for talk, letters in expected.items():
            place = (talk.kind != PERSONAL, talk.address_for(person))
            words[talk] = found.pop(place, [])
            is_partial = talk.is_public and person.name in self.guests
            missing = Counter(letters) - Counter(words[talk])
            extra = Counter(words[talk]) - Counter(letters)
            assert not extra, f"{person.name} has in {place} too many: {extra}"
            assert is_partial or not missing, f"{person.name} lacks in {place}: {missing}"
        # The words of what messages carry are checked on pages.
        left = {place: listed for place, listed in found.items() if listed}
        assert not left, f"{person.name} has more: {left}"
        return words

    def _check_authors(self, talk, words):
        sent = {}
        for letter in self.letters:
            if letter.talk == talk and letter.word in words:
                sent.setdefault(letter.author, []).append(letter.word)
        for author, own in sent.items():
            assert [word for word in words if word in own] == own, f"{author} in {talk}: {words}"
