"""Errors for text that cannot be read."""


class NotationError(ValueError):
    """Text that is not an order or is ambiguous; the message names the part at fault."""


class NotYours(NotationError):
    """A well-written order for a unit of another power."""


def join_words(words: list[str], last: str) -> str:
    """Return `words` as a list in prose: `A, B or C` when `last` is "or"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
