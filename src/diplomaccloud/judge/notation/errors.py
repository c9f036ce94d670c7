"""What is said of text that cannot be read."""


class NotationError(ValueError):
    """Text that is no order, or has more than one meaning; the message names the part at fault."""


class NotYours(NotationError):
    """An order that is well written, for a unit of another power."""


def listed(words: list[str], last: str) -> str:
    """Return `words` as a list in prose: `A, B or C` when `last` is "or"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
