"""The pages of the bot ladder."""

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from diplomaccloud.atlas.chartfile import hash_text
from diplomaccloud.bots import BOTS, name_bot
from diplomaccloud.bots.levels import LEVELS
from diplomaccloud.bots.seats import find_level
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.theme import LIGHT
from diplomaccloud.judge.phases import Phase, Season, Stage
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.ladder.published import (
    MAX_SAMPLES,
    PublishedLadder,
    Sample,
    SampleSeat,
    read_published,
)
from diplomaccloud.ladder.ratings import FIXED, Rating
from diplomaccloud.maps.views import picture_response
from diplomaccloud.sandbox.address import decode_state
from diplomaccloud.sandbox.engine import SandboxError
from diplomaccloud.sandbox.exports import draw_svg

_WIDTH = 100
"""The width of the strip that shows a bot's range."""
_CACHE = "public, max-age=86400"
_REACH = 2
"""How many sigmas the range extends to each side of mu."""
_WORDS = {
    (Season.SPRING, Stage.MOVEMENT): "Spring",
    (Season.SPRING, Stage.RETREATS): "Spring retreats",
    (Season.FALL, Stage.MOVEMENT): "Fall",
    (Season.FALL, Stage.RETREATS): "Fall retreats",
    (Season.WINTER, Stage.ADJUSTMENTS): "Winter",
}


@dataclass(frozen=True, slots=True)
class BotName:
    """A bot on a page: its level, or 0 if it has none, and its title."""

    level: int
    title: str


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A power in a sample game."""

    power: str
    bot: BotName
    centers: int
    won: bool


@require_safe
def show_ladder(request: HttpRequest) -> HttpResponse:
    """Show the bots, best first, and sample games."""
    ladder = _read_ladder()
    cards = [_present_sample(sample, n) for n, sample in enumerate(ladder.samples, start=1)]
    context = {
        "ladder": ladder,
        "lines": _present_bots(ladder),
        "cards": cards,
        "has_yardstick": FIXED in dict(ladder.bots),
    }
    return render(request, "ladder/ladder.html", context)


@require_safe
def show_game(request: HttpRequest, number: int) -> HttpResponse:
    """Show a sample game's result, and its phases with links to the sandbox."""
    sample, count = _find_sample(number), len(_read_ladder().samples)
    sandbox = reverse("sandbox:board", args=[sample.map_hash])
    years: dict[int, list[tuple[str, str]]] = {}
    for each in sample.phases:
        phase, url = Phase.parse(each.name), f"{sandbox}?{urlencode({'board': each.board})}"
        years.setdefault(phase.year, []).append((_WORDS[phase.season, phase.stage], url))
    context = {"card": _present_sample(sample, number), "years": years.items(), "count": count}
    return render(request, "ladder/game.html", context)


@require_safe
def show_board(_request: HttpRequest, number: int) -> HttpResponse:
    """Return a picture of the last phase of a sample game."""
    sample = _find_sample(number)
    svg = _draw_board(sample.map_hash, sample.phases[-1].board)
    return picture_response(svg, "image/svg+xml", _CACHE)


def _read_ladder() -> PublishedLadder:
    return read_published(settings.DATA_DIR / "ladder.json")


def _find_sample(number: int) -> Sample:
    samples = _read_ladder().samples
    if not 1 <= number <= len(samples):
        raise Http404
    return samples[number - 1]


@lru_cache(maxsize=MAX_SAMPLES)
def _draw_board(map_hash: str, board: str) -> bytes:
    chart = standard_chart()
    try:
        state = decode_state(board, chart.board, map_hash)
    except SandboxError as error:
        raise Http404 from error
    return draw_svg(chart, state, LIGHT).encode()


def _name(bot: str) -> BotName:
    level = find_level(bot)
    if 0 < level <= len(LEVELS):
        return BotName(level, LEVELS[level - 1].title)
    return BotName(0, name_bot(bot) if bot in BOTS else bot)


def _present_bots(ladder: PublishedLadder) -> list[dict[str, object]]:
    """Return the lines of the ladder; a range starts at `x` in the strip and is `width` wide."""

    def find_range(bot: Rating) -> tuple[float, float]:
        return bot.mu - _REACH * bot.sigma, bot.mu + _REACH * bot.sigma

    low = min((find_range(bot)[0] for _, bot in ladder.bots), default=0.0)
    high = max((find_range(bot)[1] for _, bot in ladder.bots), default=1.0)
    scale = _WIDTH / ((high - low) or 1.0)
    lines: list[dict[str, object]] = []
    for name, bot in ladder.bots:
        start, end = find_range(bot)
        bar = {
            "x": f"{(start - low) * scale:.1f}",
            "width": f"{max(1.0, (end - start) * scale):.1f}",
        }
        lines.append({"bot": _name(name), "rating": bot.value, "games": bot.games, **bar})
    return lines


def _present_sample(sample: Sample, number: int) -> dict[str, object]:
    """Return a game's number, its result, its players, largest first, and its picture."""

    def present(seat: SampleSeat) -> SeatLine:
        info = standard_board().power_info
        power = next((i.name for key, i in info.items() if key == seat.power), seat.power)
        won = seat.power == sample.winner
        return SeatLine(power, _name(seat.bot), seat.centers, won)

    seats = sorted(map(present, sample.seats), key=lambda seat: (-seat.centers, seat.power))
    survivors = ", ".join(f"{s.power} {s.centers} ({s.bot.title})" for s in seats if s.centers)
    year = Phase.parse(sample.phases[-1].name).year
    if sample.winner:
        title = f"{seats[0].bot.title} wins as {seats[0].power} in {year}"
    else:
        title = f"Nobody wins by {year}; {seats[0].bot.title} leads as {seats[0].power}"
    version = hash_text(sample.phases[-1].board)[:12]
    picture = f"{reverse('ladder:board', args=[number])}?{urlencode({'v': version})}"
    card = {"number": number, "title": title, "seats": seats, "survivors": survivors}
    return {**card, "picture": picture}
