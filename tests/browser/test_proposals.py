"""A deal in real browsers: proposed by touch, countered, accepted, judged by the ledger."""

import json
import os
from pathlib import Path

from playwright.sync_api import expect
from tests.browser.test_play import let_it_act

HERE = "tests/browser/deals_setup.py"
PICTURES = os.environ.get("PICTURES")
"""A folder for pictures of the pages, for those who change them."""


def picture(page, name):
    """Take pictures on wide and narrow screens, light and dark, if someone wants to look."""
    if PICTURES:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for width, height in ((1440, 900), (390, 844)):
                page.set_viewport_size({"width": width, "height": height})
                let_it_act(page)
                path = Path(PICTURES) / f"{name}-{width}-{scheme}.png"
                page.screenshot(path=path, full_page=width < 1000)
        page.set_viewport_size({"width": 1280, "height": 900})


def add(page):
    page.get_by_role("button", name="Add this clause").click()


def choose(page, kind):
    page.locator(f"label[for=kind-{kind}]").click()


def test_a_deal_is_made_kept_and_broken(site, visit):
    path = site.arrange("movement", "Ann", "Ben")
    press = f"{path}press/"
    ann = visit("Ann", f"{press}FRANCE/")
    ben = visit("Ben", f"{press}ENGLAND/")
    ann.locator(".composer__attach summary").click()
    ann.get_by_role("button", name="Proposal").click()
    choose(ann, "peace")
    add(ann)
    choose(ann, "order")
    ann.locator("#order").select_option("FRANCE A PAR - BUR")
    add(ann)
    expect(ann.locator(".draft-deal__clauses li")).to_have_count(2)
    picture(ann, "compose")
    ann.get_by_role("button", name="Send the proposal").click()
    expect(ann.locator(".deal")).to_contain_text("France has not answered.")

    expect(ben.locator(".deal")).to_be_visible()
    picture(ben, "card")
    ben.get_by_role("link", name="Counter-offer").click()
    expect(ben.locator(".draft-deal__clauses li")).to_have_count(2)
    choose(ben, "dmz")
    picture(ben, "zone")
    ben.locator(".proposal__map path.province[data-province=NTH]").click()
    expect(ben.locator("[name=province][value=NTH]")).to_be_checked()
    ben.locator("label[data-province=NTH]").click()
    ben.locator("label[data-province=ENG]").click()
    ben.locator(".kind-fields[data-kind=powers] .pick", has_text="France").click()
    add(ben)
    ben.get_by_role("button", name="Send the proposal").click()
    expect(ben.locator(".deal").first).to_contain_text("Countered")

    expect(ann.locator(".deal")).to_have_count(2)
    expect(ann.locator(".deal").first).to_contain_text("Countered")
    ann.get_by_role("button", name="Accept").click()
    expect(ann.locator(".deal").last).to_contain_text("Accepted")
    expect(ben.locator(".deal").last).to_contain_text("England accepted.")

    given = [["Ben", "A PAR - BUR"], ["Ann", "A LON H", "F NTH H", "F ENG H", "A YOR H"]]
    site.run(HERE, path.split("/")[2], json.dumps(given))
    ben.goto(f"{press}ledger/")
    expect(ben.locator(".ledger__deal")).to_contain_text("France kept this.")
    expect(ben.locator(".ledger__deal")).to_contain_text("England broke this by ordering F ENG H.")
    picture(ben, "ledger")
    ben.goto(f"{press}ENGLAND/")
    expect(ben.locator(".deal").last).to_contain_text("England broke this")
    picture(ben, "judged")
