"""The rules and options of a game in plain sentences."""

from diplomaccloud.bots.seats import is_seat_bot, word_bot, word_bots
from diplomaccloud.endings import Measure
from diplomaccloud.games.record.page import SHOWS_ORDER
from diplomaccloud.games.results.read import MIN_PEOPLE, Unrated
from diplomaccloud.games.seats.read import list_promised, read_seats
from diplomaccloud.games.table.options import (
    Ends,
    Master,
    Opening,
    Options,
    Press,
    Start,
    Successor,
    Watch,
)
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.rules import RuleSet, Victory, list_changes
from diplomaccloud.schedule import describe_schedule, format_day, format_duration
from diplomaccloud.schedule.descriptions import join_words

PRESS = {
    Press.FULL: "Players may write to each other and to everyone at any time.",
    Press.PUBLIC: "Players may write to everyone, but not privately to each other.",
    Press.RULEBOOK: "Players may write during movement phases, but not during retreats and builds.",
    Press.NONE: "Players may not write to each other.",
}
_SUCCESSOR = {
    Successor.ARCHIVE: "A player who takes over a seat can read its earlier messages.",
    Successor.BLANK: "A player who takes over a seat can read only new messages.",
}
_OPENING = {
    Opening.CONSENT: (
        "After the game, a private conversation opens if everyone who could ever read it agrees."
    ),
    Opening.END: (
        "After the game, everyone who may see it can read the players' private "
        "conversations, but not notes or messages to the game master."
    ),
    Opening.NEVER: "Private conversations stay private forever.",
}
_MASTER_READS = (
    "The game master may read private conversations after giving a reason in the public log. The "
    "players whose messages are read are notified."
)
WATCH = {
    Watch.ANYONE: "Anyone may watch.",
    Watch.PLAYERS: "Once the game has started, only its players may watch.",
}
START = {
    Start.CREATOR: "The creator starts the game.",
    Start.FULL: "The game starts automatically when the last seat is taken.",
    Start.MUSTER: "The game starts with the players who confirm during a muster.",
}
MASTER = {
    Master.SOFTWARE: "The site is the game master.",
    Master.CREATOR: "The creator is the game master and does not play.",
    Master.PLAYING: (
        "The creator is the game master and plays too. The other players vote on what the game "
        "master wants to do."
    ),
}

BOTS_GIVE_WAY = (
    "People may take the seats of bots until three quarters of a phase are over. The deals of that "
    "bot end."
)
_RESULT = (
    f"The result counts on the players' profiles if at least {MIN_PEOPLE} people play in the game "
    "and it is not given up: ended by a concession, or because the others surrendered or left."
)
_RATED = (
    "The game is rated: if its result counts, it changes the players' ratings. People who have "
    "declared that they know each other count as one. A player who leaves or loses the seat is "
    "last, and one who takes over after the first game year can only rise."
)
_NOT_RATED = "The game changes no rating."
_UNRATED = "An unrated game does not count on its players' profiles and changes no rating."


RuleLine = tuple[str, str]
"""A title, and plain sentences about one rule or option."""


def describe_rules(reader: Reader) -> tuple[RuleLine, ...]:
    """Return all rules and options of the game, in the order in which players ask about them."""
    game, options = reader.game, reader.game.options
    lines = [
        ("Players", _describe_players(reader)),
        ("Countries", _describe_reserved(reader)),
        ("Rules", _describe_edition(game.rules)),
        ("Victory", _describe_victory(reader)),
        ("End of the game", _describe_end(options.ends)),
        ("Result", _RESULT),
        ("Rating", _RATED if game.rated else _NOT_RATED),
        ("Deadlines", describe_schedule(options.schedule)),
        ("Grace", _describe_grace(options)),
        ("Extensions", _describe_caps(options)),
        ("Missed turns", _describe_missed(options)),
        ("Reliability", describe_least(options.reliability)),
        ("Bots", BOTS_GIVE_WAY if options.bots_give_way else ""),
        ("Press", _describe_press(options)),
        ("Slack", "Players may send orders by Slack." if options.slack else ""),
        ("Hints", _describe_hints(reader)),
        ("Visibility", _describe_visibility(reader)),
        ("Start", _describe_start(options)),
        ("Game master", MASTER[options.master]),
    ]
    return tuple((title, text) for title, text in lines if text)


def describe_rating(reader: Reader) -> str:
    """Return why the game is unrated as things stand, and what that means; blank if it is rated."""
    match reader.unrated:
        case None:
            return ""
        case Unrated.GIVEN_UP:
            why = "This game is unrated, because it was given up."
        case _ if len(reader.game.players) < MIN_PEOPLE:
            why = f"This game is unrated, because fewer than {MIN_PEOPLE} people can play in it."
        case _ if reader.is_finished:
            why = f"This game is unrated, because fewer than {MIN_PEOPLE} people played in it."
        case _:
            why = f"This game is unrated until at least {MIN_PEOPLE} people play in it."
    return f"{why} {_UNRATED}"


def _describe_hints(reader: Reader) -> str:
    """Return whether there are hints; blank in games with other people."""
    if (
        sum(seat.held and not seat.holder.bot for seat in read_seats(reader)) != 1
        or reader.is_forming
    ):
        return ""
    if reader.game.options.hints:
        return "A button shows what a General would order."
    return "None."


def _describe_players(reader: Reader) -> str:
    players, setup = reader.game.players, reader.game.setup
    info = reader.starting_board.power_info
    sentences = [f"{setup.title}." if setup else f"{len(players)} players, one country each."]
    for powers in players:
        if len(powers) > 1:
            names = join_words([info[power].name for power in powers])
            sentences.append(f"One player has {names}.")
    if setup is not None and setup.idle:
        names = join_words([info[power].name for power in setup.idle])
        sentences.append(f"Nobody plays {names}: their units hold.")
    if setup is not None and setup.coin is not None:
        name, joins = info[setup.coin.power].name, setup.coin.joins
        sentences.append(
            f"A coin, flipped before the adjustments of Fall {joins.year - 1}, decides which side "
            f"{name} joins in {joins.turn_title}. Until then, {name} may not be "
            "entered, and its centers count for no one."
        )
    return " ".join(sentences)


def _describe_reserved(reader: Reader) -> str:
    """Return which countries are not drawn; blank if all are."""
    reserved = {seat.reserved for seat in read_seats(reader)}.union(list_promised(reader))
    info = reader.starting_board.power_info
    if names := [info[power].name for power in info if power in reserved]:
        return (
            f"The creator of the game has chosen who plays {join_words(names)}. "
            "All other countries are drawn."
        )
    return ""


def _describe_edition(rules: RuleSet) -> str:
    changed = [
        f"{name} = {value if isinstance(value, str) else 'yes' if value else 'no'}"
        for name, value in list_changes(rules).items()
        if name != "victory"  # which has a line of its own
    ]
    if not changed:
        return f"The {rules.name} rules."
    return f"The {rules.name} rules with these switches: {join_words(changed)}."


def _describe_victory(reader: Reader) -> str:
    setup, needed = reader.game.setup, reader.game.centers_to_win
    if reader.game.rules.victory is Victory.PIECES:
        return "A player with more than half of all pieces on the board wins."
    if setup is not None and setup.shared_centers is not None:
        return f"A player whose countries together own {needed} centers wins."
    centers = "supply center" if needed == 1 else "supply centers"
    verb = "wins" if needed == 1 else "win"
    return f"{needed} {centers} after Fall {verb}, if nobody has more."


def _describe_end(ends: Ends) -> str:
    limits = []
    if ends.last_year is not None:
        limits.append(f"after {ends.last_year}")
    if ends.turns is not None:
        limits.append(f"after {ends.turns} turns (each Spring or Fall is one turn)")
    if ends.date is not None:
        day = f"{format_day(ends.date)}, {ends.date.year}"
        limits.append(f"with the first phase processed on or after {day}")
    if not limits:
        return "The game continues until someone wins or the players agree to end it."
    counted = "pieces" if ends.measure is Measure.PIECES else "supply centers"
    return (
        f"The game ends {join_words(limits, 'or')}. The player with the most {counted} wins; ties "
        "share the win."
    )


def _describe_grace(options: Options) -> str:
    if not options.schedule.grace:
        return ""
    if options.grace_locks:
        return (
            "Saved orders are locked when the extra time after a missed deadline begins. Only "
            "players who had not saved an order for every unit can order in it."
        )
    return "Everyone can change orders in the extra time after a missed deadline."


def _describe_caps(options: Options) -> str:
    caps = options.schedule.caps
    extension, total = format_duration(caps.extension), format_duration(caps.extensions)
    pause, outage = format_duration(caps.pause), format_duration(caps.credit_after)
    return (
        f"A phase can be extended by up to {extension} at a time and {total} in total. A pause "
        f"lasts {pause} at most. Outages of {outage} or longer are added to the deadline."
    )


def _describe_missed(options: Options) -> str:
    missed = options.missed
    if not missed.limit:
        return "Players do not lose their seats for missing turns."
    turns = "a turn" if missed.limit == 1 else f"{missed.limit} turns in a row"
    late = "A new player who takes over in the last third of a phase owes no orders in it."
    if missed.substitute:
        bot = word_bot(missed.substitute)
        return f"A player who misses {turns} is replaced by the {bot}. {late}"
    return (
        f"A player who misses {turns} loses the seat. Its units hold until someone takes over. "
        f"{late}"
    )


def describe_least(reliability: int) -> str:
    """Return who is reliable enough to play; blank if everyone is."""
    if not reliability:
        return ""
    return (
        f"Players need a reliability of at least {reliability}%: the share of their turns with "
        "orders, or of their games that they did not leave, whichever is lower. New players "
        "without a history may play."
    )


def _describe_press(options: Options) -> str:
    talk = options.talk
    sentences = [PRESS[options.press]]
    if options.press is Press.NONE:
        return sentences[0]
    if talk.gray:
        sentences.append("Messages to everyone may be unsigned.")
    if talk.writing and options.press is Press.RULEBOOK:
        length = format_duration(talk.writing)
        sentences.append(f"Nobody can write in the last {length} before moves are due.")
    if talk.silent:
        sentences.append("Eliminated players can read, but not write, until the game ends.")
    sentences.append(_SUCCESSOR[talk.successor])
    sentences.append(_OPENING[talk.opening])
    if talk.master_reads:
        sentences.append(_MASTER_READS)
    return " ".join(sentences)


def _describe_visibility(reader: Reader) -> str:
    game = reader.game
    watch = "The game is by invitation only." if game.private else WATCH[game.options.watch]
    if not game.options.anonymous:
        return watch
    order = f" {SHOWS_ORDER}" if game.shows_order else ""
    return f"{watch} Players' names are hidden until the game ends.{order}"


def _describe_start(options: Options) -> str:
    if not options.fill_with:
        return START[options.start]
    if is_seat_bot(options.fill_with):
        return f"{START[options.start]} The {word_bot(options.fill_with)} takes empty seats."
    return f"{START[options.start]} {word_bots(options.fill_with)} take empty seats in turn."
