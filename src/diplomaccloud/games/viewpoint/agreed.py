"""What the players of a game agreed on, in plain sentences."""

from diplomaccloud.games.models import Game
from diplomaccloud.games.options.options import Ends, Master, Options, Press, Start, Watch
from diplomaccloud.games.presenters.game_page import RuleLine
from diplomaccloud.judge.rules import RuleSet, Victory
from diplomaccloud.judge.victory import Measure
from diplomaccloud.schedule import describe_schedule, format_day, format_duration
from diplomaccloud.schedule.wording import join_words

PRESS = {
    Press.FULL: "Players may write to each other and to all, at any time.",
    Press.PUBLIC: "Players may write to all, but not to each other alone.",
    Press.RULEBOOK: "Players may write while moves are negotiated, not during retreats and builds.",
    Press.NONE: "Players do not write to each other.",
}
WATCH = {
    Watch.ANYONE: "Anybody may watch.",
    Watch.PLAYERS: "Only its players may watch, once it has started.",
}
START = {
    Start.CREATOR: "Whoever made the game starts it.",
    Start.FULL: "The game starts by itself when the last seat is taken.",
}
MASTER = {
    Master.SOFTWARE: "The software is game master.",
    Master.CREATOR: "Whoever made the game is game master, and does not play.",
    Master.PLAYING: "Whoever made the game is game master, plays too, and may not look at orders.",
}


def rules_in_words(game: Game) -> tuple[RuleLine, ...]:
    """Return everything agreed on, each with its title, in the order in which a player asks."""
    options, rules = game.options, game.rules
    lines = [
        RuleLine("Players", _players(game)),
        RuleLine("Rules", f"The {rules.name} rules."),
        RuleLine("Victory", _victory(game, rules)),
        RuleLine("The end", _end(options.ends)),
        RuleLine("Deadlines", describe_schedule(options.schedule)),
        RuleLine("More time", _caps(options)),
        RuleLine("Missed turns", _missed(options)),
        RuleLine("Press", PRESS[options.press]),
        RuleLine("Who sees what", _seen(game, options)),
        RuleLine("Start", _start(options)),
        RuleLine("Game master", MASTER[options.master]),
    ]
    return tuple(line for line in lines if line.text)


def _players(game: Game) -> str:
    players, setup = game.players, game.setup
    info = game.board.power_info
    text = f"{setup.title}." if setup else f"{len(players)} players, a country each."
    for powers in players:
        if len(powers) > 1:
            text += f" One player has {join_words([info[power].name for power in powers])}."
    if setup is not None and setup.idle:
        names = join_words([info[power].name for power in setup.idle])
        text += f" Nobody plays {names}: their units hold."
    if setup is not None and setup.coin is not None:
        name, joins = info[setup.coin.power].name, setup.coin.joins
        text += (
            f" A coin, flipped before the adjustments of Fall {joins.year - 1}, decides whom "
            f"{name} joins in {joins.season.word} {joins.year}; till then it is shut, and its "
            "centers count for nobody."
        )
    return text


def _victory(game: Game, rules: RuleSet) -> str:
    setup, needed = game.setup, game.centers_to_win
    if rules.victory is Victory.PIECES:
        return "Whoever has more than half of all pieces on the board wins."
    if setup is not None and setup.shared_centers is not None:
        return f"Whoever owns {needed} centers with all countries together wins."
    centers = "supply center" if needed == 1 else "supply centers"
    return f"Whoever owns {needed} {centers} after a Fall, and more than any other, wins."


def _end(ends: Ends) -> str:
    limits = []
    if ends.last_year is not None:
        limits.append(f"after {ends.last_year}")
    if ends.turns is not None:
        limits.append(f"after {ends.turns} turns (a Spring or a Fall each)")
    if ends.date is not None:
        day = f"{format_day(ends.date)} {ends.date.year}"
        limits.append(f"with the first phase processed on or after {day}")
    if not limits:
        return "The game lasts until somebody wins or the players agree to end it."
    most = "pieces" if ends.measure is Measure.PIECES else "centers"
    return f"The game ends {join_words(limits, 'or')}: most {most} win, shared if tied."


def _caps(options: Options) -> str:
    caps = options.schedule.caps
    return (
        f"A phase can be extended by up to {format_duration(caps.extension)} at a time and "
        f"{format_duration(caps.extensions)} in total. A pause ends after at most "
        f"{format_duration(caps.pause)}. Outages of {format_duration(caps.credit_after)} or longer "
        "are added to the deadline."
    )


def _missed(options: Options) -> str:
    missed = options.missed
    if not missed.limit:
        return "Nobody loses a seat for missing turns."
    turns = "a turn" if missed.limit == 1 else f"{missed.limit} turns in a row"
    text = f"Who gives no orders for {turns} loses the seat"
    if missed.substitute:
        return f"{text} to the {missed.substitute} bot."
    return f"{text}: its units hold until somebody takes it."


def _seen(game: Game, options: Options) -> str:
    names = "Nobody sees who plays until the game ends." if options.anonymous else ""
    watch = "By invitation only: nobody else sees it." if game.private else WATCH[options.watch]
    return f"{watch} {names}".strip()


def _start(options: Options) -> str:
    bot = options.fill_with
    filled = f" Empty seats go to the {bot} bot." if bot else ""
    return START[options.start] + filled
