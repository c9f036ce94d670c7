"""Five people play a game to its end on the site as `play` runs it, and one of them cheats.

The cheater is the game master who plays, has two tabs, forges forms, asks for what others wrote,
looks for traces of their saves, and sends orders until after the deadline.
"""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import HERE, PASSWORD, ROOT, Site

CHEATER, *OTHERS = NAMES = ("Mallory", "Honest", "Upright", "Decent", "Candid")
SPRING = {
    "AUSTRIA": "A VIE - GAL\nA BUD - SER\nF TRI - ALB",
    "ENGLAND": "F LON - NTH\nF EDI - NWG\nA LVP - YOR",
    "FRANCE": "F BRE - MAO\nA PAR - BUR\nA MAR - SPA",
    "GERMANY": "F KIE - DEN\nA BER - KIE\nA MUN - RUH",
    "ITALY": "F NAP - ION\nA ROM - APU\nA VEN - TUS",
    "RUSSIA": "A MOS - UKR\nA WAR - SIL\nF SEV - BLA",
    "TURKEY": "A CON - BUL\nA SMY - CON\nF ANK - ARM",
}
SECONDS_LEFT = 6
"""How long before the second deadline the cheater begins to send orders without a pause."""
PATIENCE = 240
POLLED = (
    "", "state/", "log/", "receipts/", "drafts/compare/", "conditional-orders/", "phases/1/",
    "record/", "record.jsonl", "record-and-receipts.jsonl", "master/", "rules/", "statistics/",
    "parts/powers/", "parts/votes/", "parts/conditional-orders/",
)  # fmt: skip
FORGED = {
    "master/end-phase/": {"reason": "x", "key": "a" * 16},
    "master/remove/": {"reason": "x"},
    "master/roll-back/": {"reason": "x", "to": "1"},
    "master/preview/": {"reason": "x"},
    "master/time/": {"reason": "x", "key": "b" * 16, "question": "extend", "length": "3600"},
    "bot/": {"reason": "x", "bot": "hold"},
}
"""Acts of a game master, which someone who plays may not do alone."""


class PlaySite(Site):
    """The site as `play` runs it: a web server, a worker and their supervisor."""

    patience = PATIENCE

    def serve(self) -> subprocess.Popen[bytes]:
        data = self.environment["DIPLOMACCLOUD_DATA"]
        command = [sys.executable, "-P", "-m", "diplomaccloud", "play", "--data", data]
        server = subprocess.Popen(
            [*command, "--port", str(self.port)],
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.wait_for(server)
        return server

    def prepare(self, *arguments: str) -> str:
        return self.run(str(HERE / "people_setup.py"), *arguments)


class Person:
    """A person with their own browser."""

    def __init__(self, browser: Browser, name: str, site: PlaySite, game: dict) -> None:
        self.name, self.site, self.path = name, site, game["path"]
        self.power = game["powers"][name]
        self.orders = SPRING[self.power]
        context = browser.new_context(base_url=site.url)
        context.set_default_timeout(PATIENCE * 1000)
        self.page = context.new_page()
        self.page.goto(f"/accounts/login/?next={self.path}")
        self.page.get_by_label("Screen name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.locator("main").get_by_role("button", name="Log in").click()
        self.page.wait_for_url(f"**{self.path}")

    def save(self, text: str, page: Page | None = None) -> None:
        """Write orders as text and send them."""
        page = page or self.page
        write(page, text)
        with page.expect_response("**/orders/"):
            page.evaluate(SEND_FORM)

    def get(self, rest: str) -> tuple[int, str]:
        """Return the status and the text of a page of the game."""
        answer = self.page.request.get(f"{self.path}{rest}")
        return answer.status, answer.text()

    def post(self, rest: str, *, forged: bool = False, **fields: str) -> int:
        """Return the status of a form with the browser's cookies, and unless forged its token."""
        cookies = {cookie["name"]: cookie["value"] for cookie in self.page.context.cookies()}
        token = {} if forged else {"csrfmiddlewaretoken": cookies["csrftoken"]}
        address = f"{self.path}{rest}"
        return self.page.request.post(address, form={**token, **fields}, max_redirects=0).status

    def read_record(self) -> list[dict]:
        """Return the lines of the game's record."""
        return [json.loads(line) for line in self.get("record.jsonl")[1].splitlines()]

    def wait_for_results(self, sequence: int) -> dict[str, list[str]]:
        """Return the orders of a phase by power, once the phase is processed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for line in self.read_record():
                if line["kind"] == "resolve" and line["sequence"] == sequence:
                    return line["orders"]
            time.sleep(0.3)
        raise AssertionError(f"phase {sequence} is not processed")


SEND_FORM = "document.getElementById('orders').requestSubmit()"


def write(page: Page, text: str) -> None:
    """Put orders into the field for text, whether or not it is open."""
    page.locator("textarea[name=sheet]").evaluate(
        """(field, text) => {
            field.value = text;
            field.dispatchEvent(new Event("input", {bubbles: true}));
        }""",
        text,
    )


def without_noise(text: str) -> list[str]:
    """Return the lines of a page without tokens, keys of forms and numbers, which are times."""
    text = re.sub(r'(name="(?:key|csrfmiddlewaretoken)"\s+value=)"\w+"', r"\1", text)
    text = re.sub(r"\b\w{64}\b", "token", text)
    return re.sub(r"\d+", "#", text).splitlines()


@pytest.fixture
def people(pytestconfig, chromium, browser, tmp_path):
    """The five people, by name, in a game of two turns on a running site."""
    if pytestconfig.getoption("--times") == 1:
        pytest.skip("takes minutes: scripts/long-trials people")
    site = PlaySite(tmp_path / "data")
    game = json.loads(site.prepare("start", "2", *NAMES).splitlines()[-1])
    server = site.serve()
    try:
        everyone = {name: Person(browser, name, site, game) for name in NAMES}
        yield everyone
        for person in everyone.values():
            person.page.context.close()
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


def test_five_people_play_to_the_end_and_one_cheats(people, tmp_path):
    cheater, honest = people[CHEATER], [people[name] for name in OTHERS]
    cheater.save(cheater.orders)
    look_for_traces(cheater, honest)
    forge(cheater, honest[0])
    use_two_tabs(cheater)
    for person in people.values():
        assert person.post("ready/", phase="1", ready="1") in {302, 303}
    first = cheater.wait_for_results(1)
    for person in people.values():
        assert set(person.orders.split("\n")) <= set(first[person.power])
    late = send_late_orders(cheater, honest)
    finish(people)
    for person in people.values():
        person.page.goto(person.path)
        expect(person.page.locator("body")).to_contain_text("Time was up after 1901")
    check_record(people, tmp_path, late)


def look_for_traces(cheater: Person, honest: list[Person]) -> None:
    """Check that nothing the cheater can request changes when the others save orders."""

    def poll() -> dict[str, list[str]]:
        answers = {rest: cheater.get(rest) for rest in POLLED}
        return {rest: [str(code), *without_noise(text)] for rest, (code, text) in answers.items()}

    poll()
    before = poll()
    assert before[""][0] == before["state/"][0] == "200"
    for person in honest:
        person.save("\n".join(reversed(person.orders.split("\n"))))
        person.save(person.orders)
        person.post("conditional-orders/", phase="1", ahead="")
    after = poll()
    for rest in POLLED:
        changes = [line for line in after[rest] if line not in before[rest]]
        assert after[rest] == before[rest], (rest, changes)


def forge(cheater: Person, victim: Person) -> None:
    """Check that game master actions, orders for others, and forms without a token do nothing."""
    for rest, fields in FORGED.items():
        # The best that a master who plays can get is a vote of the others.
        status = cheater.post(rest, phase="1", power=victim.power, **fields)
        assert status in {303, 400, 403, 409}, (rest, status)
    kinds = [line["kind"] for line in victim.read_record()]
    assert not {"seat", "resolve", "lock", "rollback"} & set(kinds)
    assert kinds.count("vote") <= len(FORGED)
    victim.get("")  # the one-time message has been shown
    before = [victim.get(rest) for rest in ("", "record.jsonl")]
    theirs = re.sub(r" - \w+", " H", victim.orders)
    for seat in ({"power": victim.power}, {"seat": victim.power, "user": victim.name}):
        status = cheater.post("orders/", phase="1", sheet=f"{theirs}\n{cheater.orders}", **seat)
        assert status in {200, 302, 303, 409, 422}, status
    assert cheater.post("orders/", forged=True, phase="1", sheet="") == 403
    assert cheater.post("ready/", forged=True, phase="1", ready="1") == 403
    after = [victim.get(rest) for rest in ("", "record.jsonl")]
    for (status, text), (status_before, text_before) in zip(after, before, strict=True):
        changes = set(without_noise(text)) ^ set(without_noise(text_before))
        assert (status, changes) == (status_before, set())


def use_two_tabs(cheater: Person) -> None:
    """The older of two tabs cannot overwrite what the other has saved without asking."""
    first, second = cheater.page, cheater.page.context.new_page()
    for tab in (first, second):
        tab.goto(cheater.path)
    cheater.save(re.sub(r" - \w+", " H", cheater.orders), first)
    write(second, cheater.orders)
    second.evaluate(SEND_FORM)
    second.locator(".conflict__form").get_by_role("button").click()
    expect(second.locator(".conflict")).to_have_count(0)
    second.close()
    first.goto(cheater.path)
    cheater.save(cheater.orders, first)


def send_late_orders(cheater: Person, honest: list[Person]) -> list[str]:
    """Orders count if they were accepted before the lock, and no others; return the late ones."""
    for person in honest:
        person.page.goto(person.path)
        person.save("")
    cheater.page.goto(cheater.path)
    unit = list_units(cheater)[0]
    texts = [f"{unit} H", f"{unit} - {NEAR[unit.split()[1]]}"]
    cheater.site.prepare("due", cheater.path, str(SECONDS_LEFT))
    accepted, end = [], time.monotonic() + PATIENCE
    while True:
        late = texts[len(accepted) % 2]
        status = cheater.post("orders/", phase="2", sheet=late)
        if status not in {302, 303}:
            break
        accepted.append(late)
        assert time.monotonic() < end, "the phase does not close"
    assert status == 409
    assert len(accepted) > 1
    second = cheater.wait_for_results(2)
    assert accepted[-1] in second[cheater.power]
    assert late not in second[cheater.power]
    assert {cheater.post("orders/", phase=old, sheet=late) for old in ("1", "2")} <= {409}
    return [late]


NEAR = {
    "GAL": "UKR", "NTH": "NWY", "MAO": "POR", "DEN": "SWE", "ION": "TUN", "UKR": "RUM", "BUL": "GRE"
}  # fmt: skip
"""Where the first unit of each power can go in fall, by where it stands."""


def list_units(person: Person) -> list[str]:
    """Return the person's units after a spring without any conflicts."""
    moves = [line.split(" - ") for line in person.orders.split("\n")]
    return [f"{unit.split()[0]} {goal}" for unit, goal in moves]


def finish(people: dict[str, Person]) -> None:
    """Play what is left, without orders, until the game is over."""
    end = time.monotonic() + PATIENCE
    while True:
        lines = people[CHEATER].read_record()
        if any(line["kind"] == "end" for line in lines):
            return
        assert time.monotonic() < end, "the game does not end"
        sequence = max(line["sequence"] for line in lines if line["kind"] == "open")
        for person in people.values():
            person.post("ready/", phase=str(sequence), ready="1")
        time.sleep(0.5)


def check_record(people: dict[str, Person], folder: Path, late: list[str]) -> None:
    """The record and the receipts pass, with the site's page of keys."""
    keys = folder / "keys.json"
    keys.write_text(people[CHEATER].page.request.get("/keys/").text())
    for name in NAMES[:2]:
        person, record = people[name], folder / f"{name}.jsonl"
        record.write_text(person.get("record-and-receipts.jsonl")[1])
        shown = person.site.run("-m", "diplomaccloud", "replay", str(record), "--keys", str(keys))
        assert "0 differences" in shown
        assert "before the lock" in shown
    for line in people[CHEATER].read_record():
        if line["kind"] == "resolve" and line["sequence"] == 2:
            assert not set(late) & set(line["orders"][people[CHEATER].power])
