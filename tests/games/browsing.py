"""Pages and their forms, read and sent as a browser without JavaScript does."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.test import Client

# The whole page would take longer to read than to make.
_OUTSIDE = re.compile(
    r'<button\b[^>]* form="(?P<form>[^"]*)" name="(?P<name>[^"]*)" value="(?P<value>[^"]*)"'
)
_PART = re.compile(r'<folded-part data-url="([^"]*)"')
_FORM = re.compile(r'<form\b[^>]* action="(?P<action>[^"]*)"[^>]*>.*?</form>', re.DOTALL)


def read_page(response) -> str:
    """Return the text of a page with single spaces, so that line breaks don't matter."""
    return " ".join(response.content.decode().split())


@dataclass
class Control:
    """One field of a form; `value` is None while it would not be sent."""

    name: str
    value: str | None
    offered: list[str] = field(default_factory=list)


class Form:
    """A form of a page, with what it holds, and where it goes."""

    def __init__(self, action, key=""):
        self.action = action
        self.key = key
        self.controls: list[Control] = []
        self.buttons: list[tuple[str, str]] = []

    def fill(self, **values):
        """Put values into fields that the form has."""
        for name, value in values.items():
            found = [one for one in self.controls if one.name == name]
            assert found, f"{self.action} has no field {name!r}"
            offered = {value for one in found for value in one.offered}
            assert not offered or value in offered, f"{name} of {self.action} offers {offered}"
            for one in found[1:]:
                one.value = None
            found[0].value = value

    def choose(self, wanted):
        """Choose each of `wanted` in a different select that offers it."""
        free = [one for one in self.controls if one.offered]
        for value in wanted:
            line = next((one for one in free if value in one.offered), None)
            assert line, f"{value} is not offered in {self.action}"
            line.value = value
            free.remove(line)

    def data(self, button):
        """Return what is sent when `button`, a name and a value, is pressed."""
        sent: dict[str, list[str]] = {}
        for one in self.controls:
            if one.value is not None:
                sent.setdefault(one.name, []).append(one.value)
        if button:
            assert button in self.buttons, f"{self.action} has no button {button}: {self.buttons}"
            sent.setdefault(button[0], []).append(button[1])
        return sent


class _Reader(HTMLParser):
    """Collects the forms of a page."""

    def __init__(self):
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select: Control | None = None
        self._text: Control | None = None

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("id", ""))
            self.forms.append(self._form)
        elif self._form is not None and "disabled" not in given:
            self._control(tag, given)

    def _control(self, tag, given):
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "input" and name:
            boxed = given.get("type") in ("checkbox", "radio")
            value = value or "on" if boxed else value
            shown = value if not boxed or "checked" in given else None
            self._form.controls.append(
                Control(name, shown, [value] if given.get("type") == "radio" else [])
            )
        elif tag == "select":
            self._select = Control(name, None)
            self._form.controls.append(self._select)
        elif tag == "option" and self._select is not None:
            self._select.offered.append(value)
            if "selected" in given or self._select.value is None:
                self._select.value = value
        elif tag == "textarea":
            self._text = Control(name, "")
            self._form.controls.append(self._text)
        elif tag == "button" and name:
            self._form.buttons.append((name, value))

    def handle_data(self, data):
        if self._text is not None:
            self._text.value += data

    def handle_endtag(self, tag):
        match tag:
            case "form":
                self._form = None
            case "select":
                self._select = None
            case "textarea":
                self._text = None
            case _:
                pass


class Browser:
    """A person's browser, which keeps the page that it shows."""

    def __init__(self, client=None):
        self.client = client or Client(enforce_csrf_checks=True)
        self._answer = None

    def open(self, path):
        """Return the page at `path`, which is shown now."""
        self._answer = self.client.get(path, follow=True)
        return self._answer

    @property
    def shown(self):
        """The answer to what was opened or sent last, once it has led to a page."""
        # Followed only when someone looks: most tests of a form go elsewhere next.
        return self._answer if self._answer.status_code not in (302, 303) else self.follow()

    def follow(self):
        """Return the page that the last answer leads to."""
        return self.open(self._answer["Location"])

    @property
    def text(self):
        """The page's source."""
        return self.shown.content.decode()

    @property
    def words(self):
        """The page's source with every run of white space as one space, as a browser shows it."""
        return " ".join(self.text.split())

    @property
    def messages(self):
        """The messages at the top of the page."""
        return [str(message) for message in self.shown.context["messages"]]

    def forms(self, action):
        """Return the forms of the page that go to an address ending with `action`."""
        reader = _Reader()
        for form in _FORM.finditer(self.text):
            if form["action"].partition("#")[0].endswith(action):
                reader.feed(form[0])
        for button in _OUTSIDE.finditer(self.text):
            for form in reader.forms:
                if form.key == button["form"]:
                    form.buttons.append((button["name"], button["value"]))
        return reader.forms

    def _find(self, action, where):
        return [form for form in self.forms(action) if _holds(form, where or {})]

    def send(self, action, *, choose=(), button=None, where=None, to=None, **values):
        """Fill in and send the first form that goes to `action`; return the status of the answer.

        `where` are values that tell it from others that go there too; `to` is the address of a
        button that has one of its own.
        """
        found = self._find(action, where)
        # What is folded is behind links.
        for part in [] if found else _PART.findall(self.text):
            self.open(part)
            if found := self._find(action, where):
                break
        assert found, f"no form to {action} {where or ''} on {self.shown.request['PATH_INFO']}"
        form = found[0]
        form.fill(**values)
        form.choose(choose)
        path = to or form.action or self.shown.request["PATH_INFO"]
        self._answer = self.client.post(path, form.data(button))
        return self._answer.status_code


def _holds(form, values):
    held = {(one.name, one.value) for one in form.controls}
    return set(values.items()) <= held
