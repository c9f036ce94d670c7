"""The people of the trial with seven browsers: what each does in their own browser."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from tests.browser.conftest import Site

PATIENCE = 120_000
"""Milliseconds that a busy machine may take for a page."""
DESK = {"width": 1440, "height": 900}
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 360, "height": 640}
SIZES = (PHONE, DESK, SMALL_PHONE, LAPTOP, PHONE, DESK, SMALL_PHONE)
LARGEST_PHONE = 500
PICTURES = os.environ.get("PICTURES")
"""A folder for pictures of the pages, for those who look at them."""
STREAM_FIELDS = {"version", "phase", "status", "now", "own"}
"""What a live stream may say."""
OUTAGE = ("net::ERR_", "Failed to fetch", "NetworkError")
"""What a browser complains about while the server is killed."""
INTERRUPTED = ("interrupted by another navigation", "net::ERR_ABORTED")
"""How a browser says that another page was asked for before this one came."""
LOGGED = """names => {
    const texts = [...document.querySelectorAll(".conversation [data-number] .message__text")];
    const shown = texts.map(text => text.textContent).join(" ");
    return names.every(name => shown.includes(name));
}"""


class TrialSite(Site):
    """A site with a web server and a worker, which can be killed together."""

    processes: tuple[subprocess.Popen[bytes], ...] = ()
    kills = 0

    def open(self) -> None:
        """Start the web server and the worker."""
        worker = self.start("-m", "diplomaccloud", "manage", "worker", "--pause", "0.3")
        self.processes = (worker, self.serve())

    def kill(self) -> None:
        """Kill both at once."""
        self.kills += 1
        self._stop(signal.SIGKILL)

    def close(self) -> None:
        """Stop both."""
        self._stop(signal.SIGTERM)

    def _stop(self, number: signal.Signals) -> None:
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.processes = ()

    def prepare(self, *arguments: str):
        """Run the script that sets up people and games, and return what it prints."""
        out = self.run("-m", "tests.browser.seven_setup", *arguments)
        return json.loads(out.splitlines()[-1]) if out.strip() else None


class Person:
    """A person with a browser, whose complaints and live stream are recorded."""

    def __init__(self, browser: Browser, site: Site, name: str, session: str, size: dict) -> None:
        self.site, self.name, self.power, self.path = site, name, "", "/"
        self.errors: list[str] = []
        self.stream: list[str] = []
        self.slowest = (0.0, "")
        self.has_account = bool(session)
        is_phone = size["width"] < LARGEST_PHONE
        self.context = browser.new_context(
            base_url=site.url,
            viewport=size,
            is_mobile=is_phone,
            has_touch=is_phone,
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE)
        if session:
            cookie = {"name": "sessionid", "value": session, "url": site.url}
            self.context.add_cookies([cookie])
        self.page = self.context.new_page()
        self._listen()

    def _listen(self) -> None:
        self.page.on("pageerror", lambda error: self._complain(str(error)))
        self.page.on(
            "console",
            lambda message: self._complain(message.text) if message.type == "error" else None,
        )
        self.page.on(
            "response",
            lambda answer: (
                self._complain(f"{answer.status} {answer.url}") if answer.status >= 500 else None
            ),
        )
        session = self.context.new_cdp_session(self.page)
        session.send("Network.enable")
        session.on(
            "Network.eventSourceMessageReceived", lambda event: self.stream.append(event["data"])
        )

    def _complain(self, text: str) -> None:
        if not any(word in text for word in (*OUTAGE, "the server responded with")):
            self.errors.append(text)

    def read(self, path: str) -> str:
        """Return the text of a page, asked for with the person's cookies."""
        return self.page.request.get(path, timeout=PATIENCE).text()

    def read_data(self) -> dict[str, str]:
        """Return the texts of the files in the person's data export, by name.

        They are not downloaded, since a person may request only one export in ten minutes.
        """
        return json.loads(self.site.run("-m", "tests.browser.own_data", self.name))

    def open(self, path: str = "") -> None:
        """Open a page: of the game if its path is relative."""
        start = time.monotonic()
        address = path if path.startswith("/") else f"{self.path}{path}"
        try:
            self.page.goto(address)
        except PlaywrightError as error:
            # A page that hears of a change reloads itself, perhaps right now.
            if not any(sign in str(error) for sign in INTERRUPTED):
                raise
            self.page.wait_for_load_state()
            self.page.goto(address)
        self.slowest = max(self.slowest, (time.monotonic() - start, self.page.url))

    def picture(self, name: str) -> None:
        """Take a picture of the window, if someone wants to look."""
        if PICTURES:
            self.page.screenshot(path=Path(PICTURES) / f"{name}-{self.power or self.name}.png")

    def button(self, name: str) -> Locator:
        """Return the button with exactly this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, name: str) -> Locator:
        """Return the link with exactly this name."""
        return self.page.get_by_role("link", name=name, exact=True)

    def see(self, text: str) -> None:
        """Wait until the page says something."""
        expect(self.page.locator("body")).to_contain_text(text, timeout=PATIENCE)

    def open_talk(self, talk) -> None:
        """Open the page of a conversation."""
        address = talk.address_for(self)
        self.open(f"/messages/with/{address}/" if talk.kind == "personal" else f"press/{address}/")

    def open_talk_at_table(self, title: str) -> None:
        """Open a conversation beside the map, from the tab Press."""
        self.open()
        panel = self.page.get_by_role("navigation", name="Panel")
        panel.get_by_role("link", name=re.compile("^Press")).click()
        self.page.wait_for_function("() => customElements.get('talk-panel')")
        self.page.locator("#press").get_by_role("link", name=title, exact=True).first.click()
        expect(self.text).to_be_visible(timeout=PATIENCE)

    @property
    def text(self) -> Locator:
        """The field of the composer."""
        return self.page.get_by_role("textbox", name=re.compile("^(Message|Write a note)"))

    def attach(self, kind: str) -> None:
        """Choose something to attach to the message."""
        self.page.locator(".composer__attach summary").click()
        self.button(kind).click()

    def send(self, text: str) -> None:
        """Write in the open conversation, and press the button until the field is empty."""
        self.text.fill(text)
        self.press_send()
        self.finish_sending()

    def press_send(self) -> None:
        """Press the button of the composer, without waiting for the answer."""
        self.button("Send").click()

    def finish_sending(self) -> None:
        """Wait until the field is empty: the message was sent, or waits on the device."""
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            try:
                expect(self.text).to_have_value("", timeout=4000)
            except AssertionError:
                with contextlib.suppress(PlaywrightTimeout):
                    self.button("Send").click(timeout=4000)
            else:
                return
        raise AssertionError(f"{self.name} cannot send: {self.text.input_value()}")

    def wait_for_words(self, words) -> None:
        """Wait until the open conversation shows messages with these words, which are sent."""
        try:
            self.page.wait_for_function(LOGGED, arg=list(words))
        except PlaywrightTimeout:
            shown = self.page.locator(".conversation .message").all_inner_texts()
            raise AssertionError(f"{self.name} waits for {words} and sees {shown}") from None

    def list_bubbles(self) -> list[str]:
        """Return the texts of the open conversation, from the oldest."""
        return self.page.locator(".conversation [data-number] .message__text").all_inner_texts()

    def order(self, orders: str = "", *, typed: bool = True) -> None:
        """Write orders, if there are any, and be ready."""
        self.open()
        if orders and typed:
            self.page.locator("#typed-orders summary").click()
            self.page.get_by_label("Orders as text").fill(orders)
        season = self.page.locator(".bar__phase").inner_text()
        self.button("Save and ready").click()
        ready = self.page.get_by_role("button", name=re.compile("^(I'm not ready|Mark as ready)"))
        turned = self.page.locator(".bar__phase").filter(has_not_text=season)
        expect(ready.or_(turned).first).to_be_visible(timeout=PATIENCE)
        anyway = self.page.locator("button[name=anyway]")
        if anyway.is_visible():
            anyway.click()
            expect(self.button("I'm not ready").or_(turned).first).to_be_visible(timeout=PATIENCE)

    def wait_for_phase(self, season: str, stage: str) -> None:
        """Wait until the page of the game shows a phase."""
        expect(self.page.locator(".season")).to_have_text(season, timeout=PATIENCE)
        expect(self.page.locator(".stage")).to_have_text(stage, timeout=PATIENCE)

    def check_stream(self) -> None:
        """Check that the live streams said only that something has changed."""
        for data in self.stream:
            message = json.loads(data)
            assert set(message) <= STREAM_FIELDS, message
        self.stream.clear()


class Table:
    """The people at one game: players, the game master, and others; see `Post`."""

    def __init__(self, site: TrialSite, master: Person, players: list[Person]) -> None:
        self.site, self.master, self.players = site, master, players
        self.others: list[Person] = []
        self.path = ""

    @property
    def members(self) -> list[Person]:
        """The players and the game master."""
        return [*self.players, self.master]

    @property
    def everyone(self) -> list[Person]:
        """All people with a browser."""
        return [*self.members, *self.others]

    def sit(self, path: str, powers: dict[str, str]) -> None:
        """Note the game, and who plays which power."""
        self.path = path
        for person in self.everyone:
            person.path, person.power = path, powers.get(person.name, "")

    def player(self, power: str) -> Person:
        """Return the person who plays a power now."""
        return next(person for person in self.players if person.power == power)

    def readers(self, talk) -> set[str]:
        """Return who can read what is written in a conversation now, besides the author."""
        match talk.kind:
            case "seats":
                return {self.player(power).name for power in talk.members}
            case "game-master":
                return {self.player(talk.members[0]).name, self.master.name}
            case "personal":
                return set(talk.members)
            case "notes":
                return set()
        return {person.name for person in self.members}
