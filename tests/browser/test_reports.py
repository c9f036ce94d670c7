"""A report, its decision and the appeal, in real browsers of four people."""

import json

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PHONE = {"width": 390, "height": 844}
INSULT = "You are a fool."


def require_tidy(page):
    """Check that nothing is out of reach, and what axe checks."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    faults = Axe().run(page).response["violations"]
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in faults] == []


def test_a_message_is_reported_judged_and_appealed(site, visit):
    path = site.arrange("movement", "Ivy", "Jon")
    said = [["Jon", "ENGLAND", "Hello."], ["Jon", "ENGLAND", INSULT]]
    site.run("tests/browser/press_setup.py", path.split("/")[2], json.dumps(said))
    site.run("-m", "tests.browser.moderators_setup", "Kim", "Lea")

    ivy = visit("Ivy", f"{path}press/FRANCE/", viewport=PHONE)
    ivy.locator(".message__menu summary").last.click()
    ivy.get_by_role("link", name="Report").click()
    expect(ivy.locator(".copy--reported")).to_contain_text(INSULT)
    require_tidy(ivy)
    ivy.get_by_label("Insults or harassment").check()
    ivy.get_by_role("button", name="Send the report").click()
    expect(ivy.locator("#notices")).to_contain_text("under review")

    # The moderators' pages need no scripts.
    kim = visit("Kim", "/moderation/", viewport=PHONE, java_script_enabled=False)
    kim.get_by_role("link", name="Insults or harassment").click()
    kim.get_by_role("button", name="Take this case").click()
    kim.get_by_label("Press limited").check()
    kim.locator("#reason").fill("Be kind.")
    kim.get_by_role("button", name="Decide the case").click()
    expect(kim.locator("#notices")).to_contain_text("decided")

    jon = visit("Jon", f"{path}press/ENGLAND/")
    expect(jon.locator(".press-closed")).to_contain_text("limited")
    jon.goto("/reports/")
    expect(jon.locator("main")).to_contain_text("Be kind.")
    require_tidy(jon)
    jon.get_by_role("link", name="Appeal to another moderator").click()
    jon.get_by_label("Why should the decision change?").fill("It was a joke.")
    jon.get_by_role("button", name="Send the appeal").click()

    lea = visit("Lea", "/moderation/")
    lea.get_by_role("link", name="Insults or harassment").click()
    lea.get_by_role("button", name="Take this case").click()
    require_tidy(lea)
    lea.get_by_label("No action").check()
    lea.locator("#reason").fill("It was a joke indeed.")
    lea.get_by_role("button", name="Decide the case").click()
    jon.goto("/reports/")
    expect(jon.locator("main")).to_contain_text("Overturned on appeal")
    jon.goto(f"{path}press/ENGLAND/")
    expect(jon.locator("#composer-text")).to_be_visible()
    ivy.goto("/reports/")
    expect(ivy.locator("main")).to_contain_text("Decided")


def test_a_name_is_reported_hidden_and_replaced(site, visit):
    site.arrange("movement", "Nia", "Rude-Rob")
    site.run("-m", "tests.browser.moderators_setup", "Kim")

    nia = visit("Nia", "/people/Rude-Rob/", viewport=PHONE)
    nia.get_by_role("link", name="Report the name").click()
    require_tidy(nia)
    nia.get_by_label("Insults or harassment").check()
    nia.get_by_role("button", name="Send the report").click()
    expect(nia.locator("#notices")).to_contain_text("under review")

    kim = visit("Kim", "/moderation/", viewport=PHONE)
    require_tidy(kim)
    kim.get_by_role("link", name="Rude-Rob").click()
    require_tidy(kim)
    rob = visit("Rude-Rob", "/")
    kim.get_by_label("Hide it").check()
    kim.locator("#reason").fill("It insults people.")
    kim.get_by_role("button", name="Decide").click()
    expect(kim.locator("#notices")).to_contain_text("hidden")

    rob.goto("/reports/")
    expect(rob.locator("main")).to_contain_text("It insults people.")
    require_tidy(rob)
    rob.get_by_role("link", name="Choose another name").click()
    require_tidy(rob)
    rob.get_by_label("New screen name").fill("Robert")
    rob.get_by_role("button", name="Take this name").click()
    expect(rob.get_by_role("heading", level=1)).to_have_text("Robert")
