"""The search form above the list of players."""

from django import forms

from diplomaccloud.accounts.people import PeopleOrder
from diplomaccloud.accounts.screen_names import MAX_NAME
from diplomaccloud.games.people.read import PeopleQuery


class PeopleForm(forms.Form):
    """Which players to list, and in which order; invalid values are ignored."""

    name = forms.CharField(
        max_length=MAX_NAME,
        required=False,
        label="Screen name",
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    order = forms.TypedChoiceField(
        coerce=PeopleOrder,
        required=False,
        choices=[
            (PeopleOrder.NAME, "Name"),
            (PeopleOrder.NEWEST, "Newest first"),
            (PeopleOrder.LOGIN, "Last login first"),
        ],
        label="Sort by",
    )
    after = forms.CharField(max_length=MAX_NAME, required=False)
    before = forms.CharField(max_length=MAX_NAME, required=False)

    def query(self) -> PeopleQuery:
        """Return the search from the fields that are valid."""
        self.is_valid()
        return PeopleQuery(**{name: value for name, value in self.cleaned_data.items() if value})
