"""Selects the kernel: the compiled one if it was built from these sources, otherwise Python.

The environment variable DIPLOMACCLOUD_KERNEL overrides this: `python` or `compiled`.
"""

import os
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TypeVar

from diplomaccloud.judge.kernel.sources import BUILD, is_current

if TYPE_CHECKING:
    from diplomaccloud.judge.kernel.core.result_values import Resolved
    from diplomaccloud.judge.kernel.core.unclear_orders import Separated
    from diplomaccloud.judge.kernel.core.year_ends import Closed
    from diplomaccloud.judge.orders import MovementOrder
    from diplomaccloud.judge.results import OrderResult

VARIABLE = "DIPLOMACCLOUD_KERNEL"

MODULES = {
    "python": (
        "core.batches",
        "core.phase_values",
        "core.year_ends",
        "core.listed_values",
        "core.explained_orders",
        "core.builders",
        "core.plays",
        "core.choices",
    ),
    "compiled": ("compiled.joined",) * 8,
}
"""The package of each kernel. All modules are joined into one before compilation."""


_Value = TypeVar("_Value")


class _MakesBuilders(Protocol):
    def __call__(self, kind: type[_Value], /) -> Callable[..., _Value]: ...


@dataclass(slots=True)
class Kernel:
    """The functions of a kernel, described in `core.batches` and its sibling modules.

    `builder` returns a function that builds instances of a class; see `core.builders`.
    """

    name: str
    resolve: "Callable[..., Resolved | None]"
    resolve_listed: "Callable[..., Resolved | Separated | None]"
    resolve_rest: "Callable[..., Resolved | None]"
    explain_orders: "Callable[..., tuple[OrderResult, ...] | None]"
    close_year: "Callable[..., Closed | None]"
    list_orders: "Callable[..., tuple[MovementOrder, ...] | None]"
    find_unlisted: Callable[..., list[int]]
    pack_orders: "Callable[..., array[int] | None]"
    adjudicate: Callable[..., None]
    list_batch: Callable[..., tuple["array[int]", "array[int]"]]
    random_orders: Callable[..., None]
    play: Callable[..., None]
    builder: _MakesBuilders
    choose_orders: Callable[..., None]
    sample_orders: Callable[..., None]
    measure_states: Callable[..., None]
    play_policy: Callable[..., None]
    try_candidates: Callable[..., None]
    list_choices: Callable[..., tuple["array[int]", int]]
    play_choices: Callable[..., tuple["array[int]", int]]
    read_choices: Callable[..., int]


def load_kernel(name: str) -> Kernel:
    """Return the kernel `python` or `compiled`, even if it is out of date."""
    modules = [import_module(f"diplomaccloud.judge.kernel.{module}") for module in MODULES[name]]
    batches, phase_values, year_ends, listed_values, explained_orders, builders, plays, choices = (
        modules
    )
    return Kernel(
        name,
        phase_values.resolve,
        phase_values.resolve_listed,
        phase_values.resolve_rest,
        explained_orders.explain_orders,
        year_ends.close_year,
        listed_values.list_orders,
        listed_values.find_unlisted,
        listed_values.pack_orders,
        batches.adjudicate,
        batches.list_batch,
        batches.random_orders,
        batches.play,
        builders.Builder,
        plays.choose_orders,
        plays.sample_orders,
        plays.measure_states,
        plays.play_policy,
        plays.try_candidates,
        choices.list_choices,
        choices.play_choices,
        choices.read_choices,
    )


def choose_kernel(wanted: str = "") -> Kernel:
    """Return the kernel named `wanted`, `python` or `compiled`, or the fastest available.

    Raises `ImportError` if the compiled kernel is requested by name and has not been built, or
    was built from other sources.
    """
    if wanted not in {"", *MODULES}:
        raise ImportError(f"{VARIABLE} is {wanted!r}: use python or compiled")
    if wanted == "python" or (not wanted and not is_current()):
        return load_kernel("python")
    if not is_current():
        state = "out of date" if BUILD.exists() else "not built"
        raise ImportError(f"the compiled kernel is {state}: run scripts/kernel")
    try:
        return load_kernel("compiled")
    except ImportError:
        # It was built for another version of Python.
        if wanted:
            raise
        return load_kernel("python")


KERNEL = choose_kernel(os.environ.get(VARIABLE, ""))
