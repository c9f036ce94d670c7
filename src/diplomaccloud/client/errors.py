"""Errors between a program and a site. Refusals by the site are in `problem`."""


class ClientError(Exception):
    """The base class of everything a call can raise, except for wrong arguments."""


class Unreachable(ClientError):
    """The site could not be reached or did not answer, even after retries.

    A write may still have taken effect. Repeating it with the same `key` is safe.
    """


class StrangeAnswer(ClientError):
    """The answer is not from this API: the URL may be wrong, or a proxy may have answered."""
