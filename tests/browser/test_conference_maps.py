"""Players draw conference maps with taps, send them, answer with changes and copy orders."""

from playwright.sync_api import expect


def tap(page, province):
    page.wait_for_function("() => document.querySelector('sandbox-table')?.map?.isConnected")
    page.locator("map-view").evaluate(
        "(map, province) => map.dispatchEvent(new CustomEvent('map-pick', {detail: {province}}))",
        province,
    )


def test_a_map_goes_from_a_drawing_to_a_draft(site, visit):
    path = site.arrange("movement", "Ann", "Ben")
    ann = visit("Ann", f"{path}press/FRANCE/", viewport={"width": 390, "height": 844})
    ann.locator(".composer__attach summary").click()
    ann.get_by_role("button", name="Map", exact=True).click()
    expect(ann.locator("a[data-province=LON]")).to_be_visible()
    tap(ann, "LON")
    expect(ann.locator("[data-open]")).to_be_visible()
    tap(ann, "WAL")
    expect(ann.locator("#orders-heading + span")).to_contain_text("1 of")

    ann.get_by_role("link", name="Marks").click()
    ann.get_by_role("radio", name="Arrow").check(force=True)
    tap(ann, "LON")
    expect(ann.locator("[data-hint]")).to_contain_text("Click where it ends")
    tap(ann, "WAL")
    expect(ann.locator(".mark-lines li")).to_have_count(1)
    ann.get_by_role("link", name="Orders", exact=True).click()
    expect(ann.locator("#orders-heading")).to_be_visible()
    ann.get_by_role("button", name="Adjudicate").click()
    expect(ann.locator("#results-heading")).to_be_visible()
    ann.get_by_role("link", name="Change orders").click()
    expect(ann.locator("#orders-heading")).to_be_visible()

    ann.get_by_role("link", name="Send", exact=True).click()
    ann.get_by_role("button", name="Send to France").click()
    expect(ann.locator("[data-attached]")).to_contain_text("1 order, 1 mark")
    ann.locator(".composer__send").click()
    expect(ann.locator(".map-card")).to_have_count(1)
    expect(ann.locator("[data-attached]")).to_have_count(0)

    ben = visit("Ben", f"{path}press/ENGLAND/", color_scheme="dark")
    ben.locator(".map-card figcaption a").click()
    ben.locator(".row a[href*='parent=']").click()
    expect(ben.locator("a[data-province=LON] .slot__order")).to_contain_text("Wales")
    tap(ben, "LON")
    expect(ben.locator("[data-open]")).to_be_visible()
    tap(ben, "YOR")
    expect(ben.locator("a[data-province=LON] .slot__order")).to_contain_text("Yorkshire")
    ben.get_by_role("link", name="Send", exact=True).click()
    expect(ben.locator(".map-changes")).to_contain_text("A LON - WAL is now A LON - YOR")
    ben.get_by_role("button", name="Send to England").click()
    ben.locator(".composer__send").click()
    expect(ben.locator(".map-card")).to_have_count(2)

    expect(ann.locator(".map-card")).to_have_count(2)
    ann.locator(".map-card button").last.click()
    expect(ann.get_by_role("heading", name="Copied to a draft")).to_be_visible()
    ann.get_by_role("link", name="Open the draft").click()
    expect(ann.get_by_text("Map, S1902M").first).to_be_visible()
