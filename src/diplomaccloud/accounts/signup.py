"""Sign-up and log-in, where they differ from the library's.

A name is free until it is saved, even if another person takes it at the same instant; and people
choose whether to stay logged in.
"""

from typing import Final

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm, SignupForm
from allauth.account.views import SignupView
from django import forms
from django.db import IntegrityError, OperationalError, transaction
from django.http import HttpResponse

from diplomaccloud.accounts.models import User

_TRIES: Final = 3


class UniqueSignup(SignupView):  # type: ignore[misc]
    """The library's page, which checks a name first and saves it a moment later.

    If the same or another person takes the name in between, the form shows an error, too.
    """

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Return a redirect, or the form again if the name is no longer free."""
        for attempt in range(1, _TRIES + 1):
            try:
                with transaction.atomic():
                    response: HttpResponse = super().form_valid(form)
            except IntegrityError:
                return self._refuse_name(form)
            except OperationalError:
                # MariaDB ends one of two transactions that wait for each other's name.
                if attempt == _TRIES:
                    raise
            else:
                break
        return response

    def _refuse_name(self, form: SignupForm) -> HttpResponse:
        name = form.cleaned_data["username"]
        taken = User.objects.filter(folded_name=name.lower()).exists()
        error = "username_taken" if taken else "username_alike"
        form.add_error("username", get_adapter().validation_error(error))
        refused: HttpResponse = self.form_invalid(form)
        return refused


def _build_checkbox() -> forms.BooleanField:
    return forms.BooleanField(
        label="Keep me logged in",
        required=False,
        initial=True,
        help_text="On your own device. Otherwise, you are logged out when you close the browser.",
    )


class KeptLoginForm(LoginForm):  # type: ignore[misc]
    """The screen name, the password, and whether to stay logged in, which the library reads."""

    remember = _build_checkbox()


class KeptSignupForm(SignupForm):  # type: ignore[misc]
    """The new account, and whether to stay logged in, which the adapter reads."""

    remember = _build_checkbox()
