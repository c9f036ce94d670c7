"""Letters of twice the size on a phone: nothing overlaps, is cut, or lies outside, out of reach."""

import pytest
from tests.browser.conftest import FLAGS
from tests.browser.test_play import let_it_act, wait_for_scripts

SIZE = {"width": 390, "height": 844}
VISITOR = (
    *("/", "/games/", "/learn/", "/maps/", "/maps/new/", "/rules/", "/glossary/", "/people/"),
    *("/ratings/", "/status/", "/announcements/", "/learn/first-game/", "/games/play/"),
    *("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"),
)
PLAYER = (
    *("/", "/games/", "/games/new/", "/people/Reader/", "/account/following/"),
    *("/notices/", "/notices/settings/", "/messages/", "/messages/settings/", "/account/sessions/"),
    *("/accounts/email/", "/accounts/password/change/", "/account/export/"),
    *("/account/tokens/", "/account/relationships/", "/reports/"),
)
SCENES = ("movement", "dislodged", "builds", "disbands")
FAULTS = """() => {
    const faults = [];
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
    const find = (fault, element, by) => {
        const describe = ({ tagName, className, textContent }) =>
            `${tagName}.${className} “${textContent.trim().slice(0, 30)}”`;
        faults.push(`${fault}: ${describe(element)}${by ? ` by ${describe(by)}` : ""}`);
    };
    const { scrollWidth } = document.scrollingElement;
    if (scrollWidth > innerWidth + 1) faults.push(`the page is ${scrollWidth} wide`);

    // What cannot be scrolled shows all of its text; what an ellipsis cuts is elsewhere as a whole.
    const isFixed = getComputedStyle(document.body).position === "fixed";
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
        const parent = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !isShown(parent)) continue;
        if (parent.closest(".offscreen, .skip, .map__sheet, option, noscript, script")) continue;
        range.selectNodeContents(texts.currentNode);
        const box = range.getBoundingClientRect();
        if (box.width < 2) continue;
        let [across, down] = [true, true]; // whether it cannot be scrolled in this direction
        for (let around = parent; around !== document.body; around = around.parentElement) {
            const style = getComputedStyle(around);
            if (style.clipPath !== "none" || style.textOverflow === "ellipsis") {
                across = down = false;
            }
            if (style.display === "inline") continue;
            if (/auto|scroll/.test(style.overflowX)) across = false;
            if (/auto|scroll/.test(style.overflowY)) down = false;
            if (!/hidden|clip/.test(style.overflow)) continue;
            const room = around.getBoundingClientRect();
            const slack = parseFloat(style.fontSize) * 0.35; // the box of a line is higher
            const isCut = across && (box.right > room.right + 2 || box.left < room.left - 2)
                || down && (box.bottom > room.bottom + slack || box.top < room.top - slack);
            if (isCut) {
                find("cut", parent, around);
                break;
            }
        }
        const isOutside = across && (box.right > innerWidth + 1 || box.left < -1)
            || isFixed && down && (box.bottom > innerHeight + 1 || box.top < -1);
        if (isOutside) find("outside", parent);
    }

    // The middle of each control belongs to it, once it is scrolled into view.
    const isHigh = document.documentElement.dataset.sheet === "high";
    const controls = document.querySelectorAll(
        "a[href], button, input:not([type=hidden]), select, textarea, summary"
    );
    for (const control of controls) {
        if (!isShown(control) || control.matches(".skip, :disabled")) continue;
        if (control.closest(".offscreen, .map__sheet")) continue;
        if (isHigh && control.closest(".table__map")) continue; // the sheet is over the map
        if (getComputedStyle(control).clipPath !== "none") continue;
        control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const [box] = [...control.getClientRects()].sort((a, b) => b.width - a.width);
        if (!box || box.width < 2 || box.height < 2) continue;
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const own = [control, ...control.labels ?? []];
        if (!hit) find("out of reach", control);
        else if (!own.some((part) => part.contains(hit)) && !hit.contains(control)) {
            find("covered", control, hit);
        }
    }
    return faults;
}"""
STYLE = """addEventListener("DOMContentLoaded", () => {
    document.documentElement.style.fontSize = "200%";
});"""
SHARE = """() => {
    const height = (name) => {
        const part = document.querySelector(name);
        return part?.checkVisibility() ? part.getBoundingClientRect().height : 0;
    };
    return (height(".map__window") + height(".table__scroll") - height(".order-bar")) / innerHeight;
}"""


@pytest.fixture(scope="module", params=["preference", "style"])
def large(request, browser_type, browser_type_launch_args):
    """Return a browser with large letters, and a script for the beginning of each page.

    `preference` is the browser's setting, to which sizes in media queries refer, too.
    """
    if request.param == "style":
        browser = browser_type.launch(**browser_type_launch_args)
        yield browser, STYLE
    else:
        setting = "--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"
        browser = browser_type.launch(**browser_type_launch_args | {"args": [*FLAGS, setting]})
        yield browser, ""
    browser.close()


@pytest.fixture
def phone(large, site):
    browser, script = large
    context = browser.new_context(
        base_url=site.url,
        viewport=SIZE,
        has_touch=True,
        reduced_motion="reduce",
        service_workers="block",
    )
    context.add_init_script(script)
    page = context.new_page()
    yield page
    context.close()


def list_faults(page, paths) -> list[str]:
    faults = []
    for path in paths:
        assert page.goto(path).ok, path
        let_it_act(page)
        faults += [f"{path}: {fault}" for fault in page.evaluate(FAULTS)]
    return faults


@pytest.mark.long
def test_every_page_can_be_read_in_large_letters(phone):
    assert list_faults(phone, VISITOR) == []


@pytest.mark.long
def test_every_page_of_a_player_can_be_read_in_large_letters(phone, site, log_in):
    waiting = site.arrange("waiting", "Reader")
    battle = site.arrange("battle", "Reader")
    log_in(phone, "Reader", "/")
    paths = (*PLAYER, waiting, f"{battle}phases/1/", f"{battle}centers/", f"{battle}press/")
    assert list_faults(phone, paths) == []


@pytest.mark.long
@pytest.mark.parametrize("scene", SCENES)
def test_a_game_can_be_played_in_large_letters(phone, site, log_in, scene):
    log_in(phone, "Reader", site.arrange(scene, "Reader"))
    wait_for_scripts(phone)
    faults = []
    for tab in ("map", "powers", "press", "game", "orders"):
        phone.locator(f"a[data-tab={tab}]").tap()
        let_it_act(phone)
        if tab == "map":
            phone.locator(".order-bar").get_by_role("button").first.tap()
            let_it_act(phone)
        faults += [f"{tab}: {fault}" for fault in phone.evaluate(FAULTS)]
        share = phone.evaluate(SHARE)
        if share < 1 / 3:
            faults.append(f"{tab}: only {share:.0%} of the screen remain")
    assert faults == []
