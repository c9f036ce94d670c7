"""Reading conditional orders from a form."""

from django.http import HttpRequest

from diplomaccloud.games.table.forms import CONDITION, FlagField, PhaseForm, RawTextField


class ConditionalOrdersForm(PhaseForm):
    """Conditional orders, as text and as choices from lists; the text wins if it was changed."""

    ahead = RawTextField()
    was = RawTextField()
    version = RawTextField()
    forget = FlagField()

    @property
    def typed(self) -> str | None:
        """The text as typed, None if it is the same as when the page was shown."""
        if self.cleaned_data["forget"]:
            return ""
        typed = _unify_lines(self.cleaned_data["ahead"])
        return typed if typed != _unify_lines(self.cleaned_data["was"]) else None


def read_condition_lists(request: HttpRequest) -> dict[str, list[str]]:
    """Return the choices sent for each condition, under the condition's text."""
    return {key: values for key, values in request.POST.lists() if CONDITION.fullmatch(key)}


def _unify_lines(text: str) -> str:
    """Return `text` with line feeds only: browsers change the line endings of the page."""
    return "\n".join(text.splitlines()).strip()
