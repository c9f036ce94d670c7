"""What people do in the trial with seven browsers: talk, deal, draw, report, leave, open."""

import re

from playwright.sync_api import expect
from tests.browser.seven_people import PATIENCE, Person, Table
from tests.browser.seven_post import (
    EVERYONE,
    GRAY,
    MASTER,
    NOTES,
    PERSONAL,
    SEATS,
    TABLE,
    Post,
    Talk,
    talk_of,
)

PUBLIC, UNSIGNED, OWN_NOTES = Talk(EVERYONE), Talk(GRAY), Talk(NOTES)
WAITING_ROOM = Talk(TABLE)
LOOKS = 20
"""How often a player looks for what the worker writes after a phase."""
PAGES = (
    *("", "press/", "press/new/", "press/ledger/", "press/opening/", "press/everyone/"),
    *("press/gray/", "press/game-master/", "press/notes/", "press/table/", "maps/", "log/"),
    *("rules/", "record/", "record.jsonl", "state/", "receipts/", "statistics/", "chronicle/"),
)
"""Pages of the game on which a word could be."""
BRIEF_PAGES = ("", "press/", "press/everyone/", "log/")
SITE_PAGES = (
    *("/", "/games/", "/messages/", "/messages/sent/", "/messages/search/?q=zq", "/notices/"),
    *("/messages/settings/", "/reports/", "/moderation/"),
)


def meet(post: Post, table: Table) -> None:
    """Everyone says hello at the table, before countries are assigned."""
    for person in table.members:
        person.open()
        person.send(post.write(person, WAITING_ROOM, "Hello"))
    words = post.words(WAITING_ROOM)
    for person in table.members:
        person.wait_for_words(words)


def write_letters(post: Post, table: Table, *, neighbors: int) -> None:
    """Each player writes to some others at once, each of whom gets a private copy."""
    powers = sorted(player.power for player in table.players)
    for index, power in enumerate(powers):
        player = table.player(power)
        others = [powers[(index + step) % len(powers)] for step in range(1, neighbors + 1)]
        text = post.copy(player, [talk_of(power, other) for other in others], "Greetings")
        player.open("press/new/")
        for other in others:
            player.page.locator(f"label[for=to-{other}]").click()
        player.page.get_by_role("textbox", name="Message").fill(text)
        player.press_send()
        expect(player.page.locator(".talk, .conversation").first).to_be_visible(timeout=PATIENCE)
        player.page.wait_for_url(re.compile(r"/press/(?!new/)"))


def found_group(post: Post, table: Table, *powers: str, rounds: int) -> Talk:
    """A player founds a group, and all its members talk in turn, seeing each other live."""
    talk = talk_of(*powers)
    first, *others = (table.player(power) for power in powers)
    first.open("press/new/")
    for other in others:
        first.page.locator(f"label[for=to-{other.power}]").click()
    first.page.get_by_text("Group conversation").click()
    first.page.get_by_role("textbox", name="Message").fill(post.write(first, talk, "Friends"))
    first.press_send()
    first.page.wait_for_url(f"**/press/{talk.address_for(first)}/**")
    for other in others:
        other.open_talk(talk)
    speakers = [first, *others]
    for _ in range(rounds):
        for speaker in speakers:
            speaker.send(post.write(speaker, talk))
    for speaker in speakers:
        speaker.wait_for_words(post.words(talk))
    return talk


def talk_live(post: Post, table: Table, first: str, second: str, *, rounds: int) -> Talk:
    """Two players talk beside the map, and see each other's messages without reloading."""
    talk = talk_of(first, second)
    pair = (table.player(first), table.player(second))
    for person, other in (pair, pair[::-1]):
        person.open_talk_at_table(other.power.capitalize())
    for _ in range(rounds):
        for person in pair:
            person.send(post.write(person, talk, "A PAR - BUR"))
    for person in pair:
        person.wait_for_words(post.words(talk))
        person.picture("live")
    return talk


def ask_master(post: Post, table: Table, *powers: str) -> None:
    """Players ask the game master, who answers each."""
    for power in powers:
        player, talk = table.player(power), Talk(MASTER, (power,))
        for person in (player, table.master):
            person.open_talk(talk)
            person.send(post.write(person, talk, "A question about the rules"))


def take_notes(post: Post, table: Table, *powers: str) -> None:
    """Players write notes for themselves."""
    for power in powers:
        player = table.player(power)
        player.open_talk(OWN_NOTES)
        # Everyone's notes have the same address, so these are noted by their author.
        player.send(post.write(player, Talk(NOTES, (player.name,)), "Remember"))


def talk_in_private(post: Post, table: Table, first: str, second: str) -> Talk:
    """Two people write to each other outside the game."""
    pair = (table.player(first), table.player(second))
    talk = Talk(PERSONAL, tuple(sorted(person.name for person in pair)))
    for person in pair:
        person.open_talk(talk)
        person.send(post.write(person, talk, "See you on Sunday"))
    return talk


def spread_rumors(post: Post, table: Table, *powers: str) -> None:
    """Players write gray messages, which everyone gets once the quarter of an hour is over."""
    for power in powers:
        player = table.player(power)
        player.open_talk(UNSIGNED)
        player.send(post.write(player, UNSIGNED, "They say"))
        player.see("Yours, unsigned · appears at")
    table.site.prepare("quarter")
    words = post.publish_gray()
    for person in table.members:
        person.open_talk(UNSIGNED)
        person.wait_for_words(words)


def talk_through_an_outage(
    post: Post, table: Table, talks: list[tuple[Person, Talk]], *, lost: Person | None = None
) -> None:
    """The site is killed while everyone sends, and comes back: each message is sent once.

    The answer to the message of `lost` gets lost on the way: the site has it, but the browser
    cannot know.
    """
    for person, talk in talks:
        if not person.page.url.endswith(f"/{talk.address_for(person)}/"):
            person.open_talk(talk)
        expect(person.text).to_be_visible(timeout=PATIENCE)
        person.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for person, talk in talks:
        person.text.fill(post.write(person, talk, "Before the storm"))
    if lost is not None:
        _lose_answer(lost)
    for person, _ in talks:
        if person is not lost:
            person.press_send()
    table.site.kill()
    for person, _ in talks:
        person.finish_sending()
    for person, talk in talks:
        person.send(post.write(person, talk, "After the storm"))
    talks[0][0].picture("outage")
    table.site.open()
    for person, talk in talks:
        person.wait_for_words(post.words(talk))
        expect(person.page.locator(".message--waiting")).to_have_count(0, timeout=PATIENCE)


def _lose_answer(person: Person) -> None:
    """Send a message that the site gets, while the browser does not get the answer."""

    def lose(route) -> None:
        route.fetch()
        route.abort()

    person.page.route("**/send/", lose, times=1)
    with person.page.expect_event("requestfailed"):
        person.press_send()


def draw_map(post: Post, table: Table, author: str, reader: str, orders: str) -> Talk:
    """A player draws orders for both and a pin on a map, and sends it to another."""
    talk = talk_of(author, reader)
    player = table.player(author)
    player.open_talk(talk)
    player.attach("Map")
    player.page.locator("#typed summary").click()
    player.page.get_by_label("Orders as text").fill(orders)
    player.button("Read the orders").click()
    count = len(orders.splitlines())
    expect(player.page.locator("#orders-heading + span")).to_contain_text(
        f"{count} of", timeout=PATIENCE
    )
    player.link("Marks").click()
    player.page.get_by_role("radio", name="Pin").check(force=True)
    pin = post.write(player, talk, "Here", carried=True)
    player.page.get_by_label("Text of the pin").fill(pin)
    player.page.get_by_label("Place", exact=True).select_option("VEN")
    player.button("Draw it").click()
    expect(player.page.locator(".mark-lines li")).to_have_count(1, timeout=PATIENCE)
    player.picture("map")
    player.link("Send").click()
    player.button(f"Send to {reader.capitalize()}…").click()
    expect(player.page.locator("[data-attached]")).to_contain_text(
        f"{count} orders, 1 mark", timeout=PATIENCE
    )
    player.send(post.write(player, talk, "What do you think of this map"))
    return talk


def adopt_map(post: Post, table: Table, talk: Talk, power: str, orders: str) -> None:
    """A player copies their own orders from a map to a draft, makes it live, and is ready."""
    player = table.player(power)
    player.open_talk(talk)
    player.page.locator("form[action$='/adopt/'] button").last.click()
    for order in orders.splitlines():
        expect(player.page.locator(".map-orders").first).to_contain_text(order, timeout=PATIENCE)
    player.link("Open the draft").click()
    player.button("Make this draft live").click()
    shown = player.page.locator(".drafts__tabs a[aria-current=page]")
    expect(shown).to_contain_text("live", timeout=PATIENCE)
    player.order()


def propose(post: Post, table: Table, author: str, other: str, kind: str, **terms: str) -> Talk:
    """A player proposes a zone or peace until a turn, and the other accepts."""
    talk = talk_of(author, other)
    proposer, partner = table.player(author), table.player(other)
    proposer.open_talk(talk)
    proposer.attach("Proposal")
    page = proposer.page
    page.locator(f"label[for=kind-{kind}]").click()
    if "zone" in terms:
        page.locator(f"label[data-province={terms['zone']}]").click()
    page.get_by_label("Until").select_option(label=f"The end of {terms['until']}")
    page.locator(".button[name=do][value=add]").click()
    expect(page.locator(".draft-deal__clauses li")).to_have_count(1, timeout=PATIENCE)
    page.get_by_label("Message, optional").fill(post.write(proposer, talk, "A deal for you"))
    proposer.picture("proposal")
    page.locator("[name=do][value=send]").click()
    proposer.see(f"{other.capitalize()} has not answered.")
    partner.open_talk(talk)
    partner.button("Accept").click()
    expect(partner.page.locator(".deal").last).to_contain_text("Accepted", timeout=PATIENCE)
    return talk


def check_deal(table: Table, talk: Talk, outcome: str) -> None:
    """The ledger of both parties says who kept a deal."""
    for member in talk.members:
        player = table.player(member)
        found = player.page.locator(".ledger__deal", has_text=outcome)
        for _ in range(LOOKS):
            player.open("press/ledger/")
            if found.count():
                break
            player.page.wait_for_timeout(500)
        expect(found.first).to_be_visible(timeout=PATIENCE)
        player.picture("ledger")


def sign_document(post: Post, table: Table, author: str, other: str, third: str) -> Talk:
    """Two players sign a document, and one of them shows it to a third."""
    talk = talk_of(author, other)
    writer, partner = table.player(author), table.player(other)
    writer.open_talk(talk)
    writer.attach("Document")
    text = post.write(writer, talk, "We will not fight for Holland", carried=True)
    writer.page.locator("#document-text").fill(text)
    body = post.write(writer, talk, "Please sign this")
    writer.page.get_by_label("Message, optional").fill(body)
    writer.page.locator(".proposal__form .button--main").click()
    writer.button("Sign").click()
    writer.see("Fixed")
    partner.open_talk(talk)
    partner.button("Sign").click()
    expect(partner.page.locator(".document .finding")).to_have_count(2, timeout=PATIENCE)
    partner.picture("document")
    partner.link("Show to others").click()
    partner.page.locator(f"label[for=to-{third}]").click()
    shown = talk_of(other, third)
    partner.page.get_by_role("textbox", name="Message").fill(post.write(partner, shown, "Look"))
    partner.press_send()
    partner.page.wait_for_url(re.compile(f"/press/{third}/"))
    post.share(text, table.player(third))
    reader = table.player(third)
    reader.open_talk(shown)
    expect(reader.page.locator(".document")).to_contain_text(text, timeout=PATIENCE)
    return talk


def report_message(post: Post, table: Table, talk: Talk, victim: str, judge: Person) -> None:
    """A player reports a message; the game master warns the author; a moderator overturns that."""
    (author,) = (power for power in talk.members if power != victim)
    reporter, culprit, master = table.player(victim), table.player(author), table.master
    culprit.open_talk(talk)
    insult = post.write(culprit, talk, "You are a fool")
    culprit.send(insult)
    reporter.open_talk(talk)
    reporter.wait_for_words([insult])
    bubble = reporter.page.locator(".message", has_text=insult)
    bubble.locator(".message__menu summary").click()
    bubble.get_by_role("link", name="Report").click()
    expect(reporter.page.locator(".copy--reported")).to_contain_text(insult, timeout=PATIENCE)
    reporter.page.locator("[name=grounds][value=abuse]").check()
    reporter.page.locator("form:has([name=grounds]) .button--main").click()
    reporter.see("under review")
    post.show_to_judges(talk, master.name, judge.name)
    _decide(master, insult, "Warning", "Be kind.")
    culprit.open("/reports/")
    culprit.see("Be kind.")
    culprit.picture("warned")
    culprit.page.locator(".decision a.button").click()
    culprit.page.locator("#text").fill("It was a joke.")
    culprit.page.locator("form:has(#text) .button--main").click()
    _decide(judge, insult, "No action", "It was a joke indeed.")
    culprit.open("/reports/")
    expect(culprit.page.locator(".decision--none")).to_be_visible(timeout=PATIENCE)
    reporter.open("/reports/")
    reporter.see("Decided")


def _decide(judge: Person, insult: str, outcome: str, reason: str) -> None:
    judge.open("/moderation/")
    judge.page.locator(".case-line a").click()
    expect(judge.page.locator(".copy--reported")).to_contain_text(insult, timeout=PATIENCE)
    judge.button("Take this case").click()
    judge.picture("case")
    judge.page.get_by_label(outcome).check()
    judge.page.locator("#reason").fill(reason)
    judge.page.locator("form[action$='/decide/'] .button--main").click()
    judge.see("decided")


def replace_player(post: Post, table: Table, power: str, heir: Person) -> Person:
    """A player leaves the game, and another takes over the seat and reads its messages."""
    leaver, country = table.player(power), power.capitalize()
    leaver.open("resign/")
    leaver.page.locator("form[action$='/resign/'] button").click()
    leaver.see(f"{country}")
    post.guests.add(leaver.name)
    heir.open()
    panel = heir.page.get_by_role("navigation", name="Panel")
    panel.get_by_role("link", name=re.compile("^Powers")).click()
    heir.picture("vacant")
    heir.button(f"Take over {country}").click()
    expect(heir.page.locator(".bar__country")).to_contain_text(country, timeout=PATIENCE)
    heir.power = power
    table.players[table.players.index(leaver)] = heir
    table.others.remove(heir)
    table.others.append(leaver)
    post.pass_on(power, heir)
    return leaver


def check_secrecy(post: Post, table: Table, *, brief: bool = False) -> None:
    """Check that no page or live stream shows anyone what others wrote to each other."""
    talks = {letter.talk for letter in post.letters}
    sets = {"+".join(talk.members) for talk in talks if talk.kind == SEATS}
    for person in table.everyone:
        paths = {f"press/{talk.address_for(person)}/" for talk in talks if talk.kind == SEATS}
        paths |= {*BRIEF_PAGES} if brief else {*PAGES, *(f"press/{text}/" for text in sets)}
        paths = {table.path + path for path in paths}
        if not brief:
            names = {name for talk in talks if talk.kind == PERSONAL for name in talk.members}
            paths |= {*SITE_PAGES, *(f"/messages/with/{name}/" for name in names)}
        for path in sorted(paths):
            post.require_secret(person.name, person.read(path), path)
        if person.has_account and not brief:
            post.require_secret(person.name, " ".join(person.read_data().values()), "the data")
        post.require_secret(person.name, person.page.content(), person.page.url)
        post.require_secret(person.name, " ".join(person.stream), "the live stream")
        person.check_stream()
        assert person.errors == [], person.name


def read_chronicle(post: Post, table: Table, reader: Person) -> str:
    """Return the chronicle, after searching it for what is still private."""
    cover = reader.read(f"{table.path}chronicle/")
    chapters = sorted(set(re.findall(rf'{table.path}chronicle/[^"/?]+/', cover)))
    text = cover + "".join(map(reader.read, chapters))
    post.require_secret(reader.name, text, "the chronicle")
    assert len(chapters) > 4
    return text
