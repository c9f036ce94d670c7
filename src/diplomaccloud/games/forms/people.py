"""The search form above the list of players."""

from django import forms

from diplomaccloud.games.viewpoint import Order, Sought


class PeopleForm(forms.Form):
    """Which players to list, and in which order; invalid values are ignored."""

    name = forms.CharField(
        max_length=30,
        required=False,
        label="Screen name",
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    order = forms.ChoiceField(
        required=False,
        choices=[
            (Order.NAME, "Name"),
            (Order.NEWEST, "Newest first"),
            (Order.LOGIN, "Last login first"),
        ],
        label="Sort by",
    )

    def sought(self) -> Sought:
        """Return the search as far as it is valid."""
        self.is_valid()
        search = self.cleaned_data
        return Sought(search.get("name") or "", Order(search.get("order") or Order.NAME))
