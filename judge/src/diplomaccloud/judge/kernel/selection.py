"""Selects the kernel: the compiled one if it was built from these sources, otherwise Python.

The environment variable DIPLOMACCLOUD_KERNEL overrides this: `python` or `compiled`.
"""

import os
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from diplomaccloud.judge.kernel.sources import BUILD, is_current
from diplomaccloud.judge.kernel.sources import KERNEL as HERE

if TYPE_CHECKING:
    from diplomaccloud.judge.board import ProvinceCode
    from diplomaccloud.judge.kernel.core.order_values import Separated
    from diplomaccloud.judge.kernel.core.result_values import Resolved
    from diplomaccloud.judge.kernel.core.year_ends import Closed
    from diplomaccloud.judge.orders import MovementOrder
    from diplomaccloud.judge.results import OrderResult

VARIABLE = "DIPLOMACCLOUD_KERNEL"

MODULES = {
    "python": (
        "core.batches",
        "core.phase_values",
        "core.year_ends",
        "core.order_values",
        "core.explained_orders",
        "core.builders",
    ),
    "compiled": ("compiled.joined",) * 6,
}
"""The package of each kernel. All modules are joined into one before compilation."""

_Value = TypeVar("_Value")
_Kernel = TypeVar("_Kernel")


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
    find_facts: "Callable[..., list[tuple[bytes, array[int]]] | None]"
    close_year: "Callable[..., Closed | None]"
    list_orders: "Callable[..., tuple[MovementOrder, ...] | None]"
    find_routes: "Callable[..., dict[ProvinceCode, frozenset[ProvinceCode]]]"
    find_unlisted: Callable[..., list[int]]
    pack_orders: "Callable[..., array[int] | None]"
    adjudicate: Callable[..., None]
    list_batch: Callable[..., tuple["array[int]", "array[int]"]]
    random_orders: Callable[..., None]
    play: Callable[..., None]
    builder: _MakesBuilders


def load_kernel(name: str) -> Kernel:
    """Return the kernel `python` or `compiled`, even if it is out of date."""
    modules = [import_module(f"diplomaccloud.judge.kernel.{module}") for module in MODULES[name]]
    batches, phase_values, year_ends, order_values, explained_orders, builders = modules
    return Kernel(
        name,
        phase_values.resolve,
        phase_values.resolve_listed,
        phase_values.resolve_rest,
        explained_orders.explain_orders,
        explained_orders.find_facts,
        year_ends.close_year,
        order_values.list_orders,
        order_values.find_routes,
        order_values.find_unlisted,
        order_values.pack_orders,
        batches.adjudicate,
        batches.list_batch,
        batches.random_orders,
        batches.play,
        builders.Builder,
    )


def choose(load: Callable[[str], _Kernel], wanted: str, kernel: Path, *others: Path) -> _Kernel:
    """Return what `load` returns for `wanted`, `python` or `compiled`, or the fastest available.

    `kernel` is the folder of the kernel, and `others` are those whose sources it was compiled with.
    Raises `ImportError` if the compiled kernel is requested by name and has not been built, or
    was built from other sources.
    """
    if wanted not in {"", *MODULES}:
        raise ImportError(f"{VARIABLE} is {wanted!r}: use python or compiled")
    current = wanted != "python" and is_current(kernel, *others)
    if wanted == "python" or not (wanted or current):
        return load("python")
    if not current:
        state = "out of date" if (kernel / BUILD).exists() else "not built"
        raise ImportError(f"the compiled kernel is {state}: run scripts/kernel")
    try:
        return load("compiled")
    except ImportError:
        # It was built for another version of Python.
        if wanted:
            raise
        return load("python")


def choose_kernel(wanted: str = "") -> Kernel:
    """Return the kernel named `wanted`, or the fastest available; see `choose`."""
    return choose(load_kernel, wanted, HERE)


KERNEL = choose_kernel(os.environ.get(VARIABLE, ""))
