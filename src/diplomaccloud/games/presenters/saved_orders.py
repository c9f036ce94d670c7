"""Messages about saved orders."""

from collections.abc import Sequence


def describe_saved(orders: Sequence[str], *, ready: bool) -> str:
    """Return the message after saving the live draft, which has `orders` now."""
    done = "Orders saved, and you are ready." if ready else "Orders saved."
    return f"{done} Your orders for this phase: {'; '.join(orders) or 'no unit has an order'}."


def describe_unready(*, refused: int, draft: str) -> str:
    """Return why a player who saved orders was not marked as ready.

    `refused` is the number of refused orders; without any, `draft` is not the live one.
    """
    if not refused:
        return f"You are not marked as ready, because “{draft}” is not the draft that counts."
    orders = "one order was" if refused == 1 else f"{refused} orders were"
    return f"You are not marked as ready, because {orders} refused."


def describe_gaps(*, only_holds: bool, retreats: int, builds: int, disbands: int) -> str:
    """Return what a player who wants to be ready may have forgotten: see `Gaps`."""
    sentences = []
    if only_holds:
        sentences.append("All your units hold.")
    if retreats:
        units = "One unit" if retreats == 1 else f"{retreats} units"
        sentences.append(f"{units} that can retreat will be disbanded.")
    if builds:
        units = "one more unit" if builds == 1 else f"{builds} more units"
        sentences.append(f"You can build {units}. Choose “No build” to waive a build.")
    if disbands:
        units = "one more unit" if disbands == 1 else f"{disbands} more units"
        sentences.append(f"You must disband {units}. If you choose none, the rules decide.")
    return " ".join(sentences)
