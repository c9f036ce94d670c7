"""What goes wrong between a program and a site. Refusals by the site are in `problem`."""


class ClientError(Exception):
    """Anything that a call can raise, apart from wrong arguments."""


class Unreachable(ClientError):
    """The site could not be reached, or did not answer, however often it was tried.

    A write may have had its effect all the same; repeated with its `key`, it has one.
    """


class StrangeAnswer(ClientError):
    """The answer is not one of this API: the address may be wrong, or something in between."""
