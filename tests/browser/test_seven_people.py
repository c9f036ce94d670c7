"""Seven people talk and play in seven browsers, while the site is killed several times.

Nobody may find what others wrote to each other. Everyone gets each message once, in order.
`scripts/long-trials press` plays two game years; the checks play one phase.
"""

import re
import sys
import time

import pytest
from playwright.sync_api import expect
from tests.browser.seven_people import LAPTOP, PATIENCE, SIZES, Person, Table, TrialSite
from tests.browser.seven_post import Post, talk_of
from tests.browser.seven_scenes import (
    PUBLIC,
    adopt_map,
    ask_master,
    check_deal,
    check_secrecy,
    draw_map,
    found_group,
    meet,
    propose,
    read_chronicle,
    replace_player,
    report_message,
    sign_document,
    spread_rumors,
    take_notes,
    talk_in_private,
    talk_live,
    talk_through_an_outage,
    write_letters,
)
from tests.worker.separate_site import require_intact

MASTER, HEIR, JUDGE, WATCHER = "Mona", "Hugo", "Judy", "Walt"
NAMES = ("Anna", "Bruno", "Clara", "David", "Elena", "Felix", "Greta")
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
KILLS = 3
END_PATIENCE = 600
"""Seconds that a busy machine may take for the last builds."""
ADOPTED = "A VIE - GAL\nA BUD - SER\nF TRI - ALB"
"""What Italy draws for Austria in the first phase."""
ORDERS = {
    "S1901M": {
        "ENGLAND": "F LON - NTH\nF EDI - NWG\nA LVP - YOR",
        "FRANCE": "F BRE - MAO\nA PAR - BUR\nA MAR - SPA",
        "GERMANY": "F KIE - DEN\nA BER - KIE\nA MUN - RUH",
        "ITALY": "F NAP - ION\nA ROM - APU\nA VEN - TUS",
        "RUSSIA": "A MOS - UKR\nA WAR - SIL\nF SEV - BLA\nF STP/SC - BOT",
        "TURKEY": "A CON - BUL\nA SMY - CON\nF ANK - ARM",
    },
    "F1901M": {
        "AUSTRIA": "A GAL - BUD\nA SER H\nF ALB - GRE",
        "ENGLAND": "F NTH C A YOR - NWY\nA YOR - NWY\nF NWG - BAR",
        "FRANCE": "F MAO - POR\nA BUR - BEL\nA SPA H",
        "GERMANY": "F DEN H\nA KIE - HOL\nA RUH - MUN",
        "ITALY": "F ION - TUN\nA APU H\nA TUS H",
        "RUSSIA": "A UKR - RUM\nA SIL - WAR\nF BLA H\nF BOT - SWE",
        "TURKEY": "A BUL H\nA CON - SMY\nF ARM - ANK",
    },
    "W1901A": {
        "AUSTRIA": "BUILD A VIE\nBUILD F TRI",
        "ENGLAND": "BUILD F LON",
        "FRANCE": "BUILD A PAR\nBUILD A MAR\nBUILD F BRE",
        "GERMANY": "BUILD A BER\nBUILD F KIE",
        "ITALY": "BUILD F NAP",
        "RUSSIA": "BUILD A MOS\nBUILD F STP/NC",
        "TURKEY": "BUILD F CON",
    },
    "S1902M": {
        "AUSTRIA": "A BUD - RUM\nA SER S A BUD - RUM\nF GRE H\nA VIE - BUD\nF TRI H",
        "ENGLAND": "F NTH H\nA NWY H\nF BAR H\nF LON H",
        "FRANCE": "A PAR - PIC\nA MAR - GAS\nF BRE H\nA BEL H\nA SPA H\nF POR H",
        "GERMANY": "A BER - PRU\nF KIE H\nA HOL H\nA MUN H\nF DEN H",
        "ITALY": "A TUS - ROM\nF NAP - TYS\nF TUN H\nA APU H",
        "RUSSIA": "A RUM H\nA MOS - LVN\nA WAR H\nF SWE H\nF STP/NC H\nF BLA H",
        "TURKEY": "A BUL H\nA SMY - ARM\nF ANK H\nF CON H",
    },
    "S1902R": {"RUSSIA": "A RUM - SEV"},
    "F1902M": {
        "AUSTRIA": "A RUM H\nA SER H\nF GRE H\nA BUD H\nF TRI H",
        "ENGLAND": "F NTH H\nA NWY H\nF BAR H\nF LON H",
        "FRANCE": "A PIC H\nA GAS H\nF BRE H\nA BEL H\nA SPA H\nF POR H",
        "GERMANY": "A PRU H\nF KIE H\nA HOL H\nA MUN H\nF DEN H",
        "ITALY": "A ROM H\nF TYS H\nF TUN H\nA APU H",
        "RUSSIA": "A SEV - UKR\nA LVN H\nA WAR H\nF SWE H\nF STP/NC H\nF BLA H",
        "TURKEY": "A BUL H\nA ARM H\nF ANK H\nF CON H",
    },
}
"""What the powers order. Only Austria breaks a deal, in the second spring."""


@pytest.fixture
def site(chromium, tables, tmp_path):
    """A site of these people alone, with a worker; a test starts and kills it."""
    site = TrialSite(tmp_path / "data", tables)
    yield site
    site.close()
    require_intact(site.database)


@pytest.fixture
def invite(browser, site):
    """Return a function that gives people browsers, from the keys of their sessions."""
    people: list[Person] = []

    def invite(sessions, *others):
        sizes = dict(zip(NAMES, SIZES, strict=True))
        by_name = {
            name: Person(browser, site, name, sessions.get(name, ""), sizes.get(name, LAPTOP))
            for name in (MASTER, *NAMES, *others)
        }
        people.extend(by_name.values())
        table = Table(site, by_name[MASTER], [by_name[name] for name in NAMES])
        table.others = [by_name[name] for name in others]
        return table, Post(table)

    yield invite
    for person in people:
        person.context.close()


def be_ready(table: Table, phase: str, *, besides: tuple[str, ...] = ()) -> None:
    """All players who have something to order give their orders, and are ready."""
    for power, orders in ORDERS[phase].items():
        if power not in besides:
            table.player(power).order(orders)


def look_at(table: Table, season: str, stage: str = "Movement") -> None:
    """Everyone sees the next phase at the table."""
    for player in table.players:
        player.open()
        player.wait_for_phase(season, stage)


@pytest.mark.long
def test_seven_people_talk_in_one_phase(site, invite):
    game = site.prepare("start", MASTER, *NAMES)
    site.open()
    table, post = invite(game["sessions"], WATCHER)
    table.sit(game["path"], game["powers"])
    group = found_group(post, table, "ENGLAND", "FRANCE", "GERMANY", rounds=1)
    others = [table.player(power) for power in POWERS if power not in group.members]
    talks = [(table.player(power), group) for power in group.members]
    talk_through_an_outage(post, table, [*talks, *((player, PUBLIC) for player in others)])
    table.player("AUSTRIA").order(ADOPTED)
    be_ready(table, "S1901M")
    table.player("TURKEY").wait_for_phase("Fall 1901", "Movement")
    check_secrecy(post, table, brief=True)
    post.check_exports(table.members)


def test_seven_people_play_two_years(site, invite, pytestconfig, capsys):
    if pytestconfig.getoption("--times") == 1:
        pytest.skip("takes minutes: scripts/long-trials press")
    start = time.monotonic()
    sessions = site.prepare("people", MASTER, *NAMES, HEIR, JUDGE)
    site.run("-m", "tests.browser.moderators_setup", JUDGE)
    site.open()
    table, post = invite(sessions, HEIR, JUDGE, WATCHER)
    heir, judge, watcher = table.others
    gather(post, table)
    peace, zone = play_first_spring(post, table)
    check_phase(post, table)
    play_first_fall(post, table, judge)
    check_phase(post, table)
    play_second_spring(post, table, peace, zone)
    check_phase(post, table)
    play_second_fall(post, table, heir)
    check_phase(post, table)
    open_archives(post, table, watcher)
    check_phase(post, table)
    assert site.kills == KILLS
    slowest = max(person.slowest for person in table.everyone)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{post.sent} messages, {site.kills} kills, {post.pages} pages searched, "
            f"slowest page {slowest[0]:.1f} s ({slowest[1]}), {time.monotonic() - start:.0f} s\n"
        )


def check_phase(post: Post, table: Table) -> None:
    """What was said up to now is where it belongs, and nowhere else."""
    check_secrecy(post, table)
    players = [person for person in table.everyone if person.name != WATCHER]
    post.check_exports(players)


def gather(post: Post, table: Table) -> None:
    """The game master makes a game, seven people join it, talk, and it starts."""
    page = table.master.page
    table.master.open("/games/new/?map=standard")
    page.get_by_label("Anyone").check()
    page.get_by_label("Name", exact=True).fill("Aldmark")
    page.locator("summary", has_text="Press").click()
    page.get_by_label("Gray messages").check()
    page.locator("summary", has_text="Victory").click()
    page.get_by_role("spinbutton", name="Turns", exact=True).fill("4")
    page.locator("summary", has_text="Game master").click()
    page.get_by_role("combobox", name="Game master").select_option(label="Me, and I don't play")
    table.master.button("Create game").click()
    page.wait_for_url(re.compile("/games/[a-z2-9]{10}/$"))
    path = page.url.removeprefix(table.site.url)
    table.sit(path, {})
    for player in table.players:
        player.open()
        player.button("Join game").click()
        player.see("Leave game")
    meet(post, table)
    table.master.open()
    table.master.button("Start game").click()
    powers = {}
    for player in table.players:
        player.open()
        country = player.page.locator(".bar__country")
        country.wait_for(state="attached")
        name = country.text_content()
        powers[player.name] = next(power for power in POWERS if power.capitalize() in name)
    table.sit(path, powers)


def play_first_spring(post: Post, table: Table):
    """Every kind of conversation, a map, two deals, a document, and the first outage."""
    write_letters(post, table, neighbors=2)
    found_group(post, table, "ENGLAND", "FRANCE", "GERMANY", rounds=2)
    found_group(post, table, "AUSTRIA", "RUSSIA", "TURKEY", rounds=2)
    talk_live(post, table, "ITALY", "TURKEY", rounds=3)
    ask_master(post, table, "ENGLAND", "TURKEY")
    take_notes(post, table, "AUSTRIA", "FRANCE", "ITALY")
    talk_in_private(post, table, "ENGLAND", "RUSSIA")
    talk_through_an_outage(post, table, [(player, PUBLIC) for player in table.players])
    spread_rumors(post, table, "TURKEY", "GERMANY")
    drawing = draw_map(post, table, "ITALY", "AUSTRIA", f"{ADOPTED}\n{ORDERS['S1901M']['ITALY']}")
    peace = propose(post, table, "AUSTRIA", "RUSSIA", "peace", until="Fall 1902")
    zone = propose(post, table, "ENGLAND", "FRANCE", "dmz", zone="ENG", until="Fall 1902")
    sign_document(post, table, "GERMANY", "FRANCE", "RUSSIA")
    adopt_map(post, table, drawing, "AUSTRIA", ADOPTED)
    be_ready(table, "S1901M")
    look_at(table, "Fall 1901")
    check_orders(table, 1, "AUSTRIA", ADOPTED)
    check_deal(table, zone, "kept this")
    return peace, zone


def check_orders(table: Table, sequence: int, power: str, orders: str) -> None:
    """Everyone reads the orders in the results of a phase."""
    player = table.player(power)
    player.open(f"phases/{sequence}/")
    for order in orders.splitlines():
        player.see(order)


def play_first_fall(post: Post, table: Table, judge: Person) -> None:
    """A report and its judgment, an outage among pairs, and builds."""
    report_message(post, table, talk_of("GERMANY", "RUSSIA"), "RUSSIA", judge)
    ring = [
        (table.player(power), talk_of(power, following))
        for power, following in zip(POWERS, (*POWERS[1:], POWERS[0]), strict=True)
    ]
    talk_through_an_outage(post, table, ring, lost=table.player("ITALY"))
    write_letters(post, table, neighbors=3)
    be_ready(table, "F1901M")
    look_at(table, "Winter 1901", "Adjustments")
    be_ready(table, "W1901A")
    look_at(table, "Spring 1902")


def play_second_spring(post: Post, table: Table, peace, zone) -> None:
    """The site is killed while groups talk; Austria breaks its word."""
    groups = [talk_of("ENGLAND", "FRANCE", "GERMANY"), talk_of("AUSTRIA", "RUSSIA", "TURKEY")]
    members = [(table.player(power), talk) for talk in groups for power in talk.members]
    talk_through_an_outage(post, table, [*members, (table.player("ITALY"), PUBLIC)])
    be_ready(table, "S1902M")
    look_at(table, "Spring 1902", "Retreats")
    check_deal(table, peace, "Austria broke this by ordering")
    check_deal(table, zone, "kept this")
    be_ready(table, "S1902R")
    look_at(table, "Fall 1902")


def play_second_fall(post: Post, table: Table, heir: Person) -> None:
    """Another person takes over Italy, reads what was said, and the time is up."""
    leaver = replace_player(post, table, "ITALY", heir)
    talk = talk_of("ITALY", "TURKEY")
    heir.open_talk(talk)
    heir.wait_for_words([letter.word for letter in post.letters if letter.talk == talk])
    heir.send(post.write(heir, talk, "I am new here"))
    turkey = table.player("TURKEY")
    turkey.open_talk(talk)
    turkey.see("Italy has another player since F1902M")
    turkey.send(post.write(turkey, talk, "Welcome"))
    heir.wait_for_words(post.words(talk)[-2:])
    leaver.power = "ITALY"
    leaver.open_talk(talk)
    expect(leaver.page.locator(".press-closed")).to_be_visible(timeout=PATIENCE)
    write_letters(post, table, neighbors=2)
    be_ready(table, "F1902M")
    end_game(table)


def end_game(table: Table) -> None:
    """Play the last builds without orders, until the time is up."""
    deadline = time.monotonic() + END_PATIENCE
    while time.monotonic() < deadline:
        for player in table.players:
            player.open()
            if "Game over" in player.page.locator(".bar__phase").inner_text():
                player.see("Time was up after 1902")
                return
            ready = player.button("Save and ready")
            if ready.count() and ready.is_visible():
                player.order()
    raise AssertionError("the game does not end")


def open_archives(post: Post, table: Table, watcher: Person) -> None:
    """A group agrees to open its conversation; of a pair, only one does."""
    group, pair = talk_of("ENGLAND", "FRANCE", "GERMANY"), talk_of("AUSTRIA", "RUSSIA")
    agreements = [(power, group) for power in group.members] + [("AUSTRIA", pair)]
    for power, talk in agreements:
        player = table.player(power)
        secret = read_chronicle(post, table, watcher)
        assert post.words(talk)[0] not in secret
        player.open("press/opening/")
        player.picture("opening")
        others = talk.address_for(player).split("+")
        title = ", ".join(other.capitalize() for other in others)
        player.button(f"Agree to open the conversation: {title}").click()
        if talk == group and power == group.members[-1]:
            player.see("Open:")
            post.open(group)
        else:
            player.see("You agreed to open this.")
    chronicle = read_chronicle(post, table, watcher)
    assert all(word in chronicle for word in post.words(group))
    watcher.open("chronicle/")
    watcher.page.get_by_role("link", name=re.compile("^Begin")).click()
    watcher.picture("chapter")
