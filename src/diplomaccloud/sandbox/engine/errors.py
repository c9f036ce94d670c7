"""The error of the sandbox."""


class SandboxError(ValueError):
    """A text, an edit or an order that the sandbox refuses; the message is for people."""
