"""Which page of a list to show, and whether to hide one's ratings."""

from django import forms

_MAX_PAGE = 1_000_000


class PageForm(forms.Form):
    """The number of a page; anything else stands for the first."""

    page = forms.IntegerField(min_value=1, max_value=_MAX_PAGE, required=False)

    def read_page(self) -> int:
        """Return the number of the page."""
        self.is_valid()
        return self.cleaned_data.get("page") or 1


class HidingForm(forms.Form):
    """Whether others may see a person's ratings."""

    hidden = forms.ChoiceField(choices=[("yes", "hide"), ("no", "show")])

    @property
    def is_hidden(self) -> bool:
        """Whether a valid form hides the ratings."""
        return bool(self.cleaned_data["hidden"] == "yes")
