"""A game whose conversations can be opened after its end."""

from diplomaccloud.games.results.actions import finish_game, reopen_game
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.results import Ending
from diplomaccloud.press.chronicle.read import ChronicleReader
from diplomaccloud.press.openings.actions import agree_to_open, withdraw_consent
from diplomaccloud.press.table.addresses import EVERYONE, GAME_MASTER, NOTES, parse_address

SECRET, PUBLIC, NOTED, ASKED = "Burgundy by surprise", "Peace to all", "Trust nobody", "May I?"


class Archive:
    """A game in which France and England talk, which others must not find out."""

    def __init__(self, talking):
        self.talking, self.slug = talking, talking.slug
        talking.send("FRANCE", "ENGLAND", SECRET)
        talking.send("ITALY", EVERYONE, PUBLIC)
        talking.send("FRANCE", NOTES, NOTED)
        talking.send("FRANCE", GAME_MASTER, ASKED)

    def agree(self, who, to="ENGLAND", up_to=99):
        address = parse_address(to) if isinstance(to, str) else to
        return agree_to_open(
            slug=self.slug,
            user_id=self.talking.user_id(who),
            to={address: up_to},
            now=self.talking.tick(),
        )

    def withdraw(self, who, to="ENGLAND"):
        withdraw_consent(slug=self.slug, user_id=self.talking.user_id(who), to=parse_address(to))

    def end(self):
        finish_game(self.talking.game, Ending(("FRANCE",), "agreed_draw"), self.talking.tick())

    def go_back(self):
        game = self.talking.game
        game.branch += 1
        reopen_game(game, self.talking.tick())

    def chronicle(self, who=None):
        user_id = None if who is None else self.talking.user_id(who)
        return ChronicleReader(Reader(self.slug, Viewer(user_id)))

    def told(self, who=None, **asked):
        """Return the texts that a viewer finds in all chapters."""
        chronicle = self.chronicle(who)
        return [
            fact.message.body
            for chapter in chronicle.chapters
            for fact in chronicle.read_messages(chapter.name, **asked).messages
        ]
