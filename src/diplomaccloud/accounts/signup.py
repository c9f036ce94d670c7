"""Signing up, also at the very instant at which another person takes the name."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.views import SignupView
from django.db import IntegrityError, transaction
from django.http import HttpResponse

from diplomaccloud.accounts.models import User


class UniqueSignup(SignupView):  # type: ignore[misc]
    """The library's page, which checks a name first and saves it a moment later.

    A name that the same or another person has taken in between is an error of the form, too.
    """

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Return a redirect, or the form again if the name is no longer free."""
        try:
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            name = form.cleaned_data["username"]
            taken = User.objects.filter(folded_name=name.lower()).exists()
            error = "username_taken" if taken else "username_alike"
            form.add_error("username", get_adapter().validation_error(error))
            response = self.form_invalid(form)
        return response
