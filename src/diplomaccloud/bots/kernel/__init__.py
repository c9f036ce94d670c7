"""The fast part of the bots: the policy, and the choices of learning programs.

Like the judge's kernel, it is run as Python or compiled, and works on the rows of
`judge.kernel.layout`. Its extension contains the judge's kernel: between the two only buffers and
the tables of boards are passed.
"""

import os
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from diplomaccloud.judge.kernel import selection, sources

HERE = Path(__file__).resolve().parent


@dataclass(slots=True)
class BotKernel:
    """The functions of a kernel, described in `core.plays` and `core.choices`."""

    name: str
    choose_orders: Callable[..., None]
    sample_orders: Callable[..., None]
    measure_states: Callable[..., None]
    play_policy: Callable[..., None]
    try_candidates: Callable[..., None]
    list_choices: Callable[..., tuple["array[int]", int]]
    play_choices: Callable[..., tuple["array[int]", int]]
    read_choices: Callable[..., int]


def load_kernel(name: str) -> BotKernel:
    """Return the kernel `python` or `compiled`, even if it is out of date."""
    names = {"python": ("core.plays", "core.choices"), "compiled": ("compiled.joined",) * 2}
    plays, choices = (import_module(f"{__name__}.{module}") for module in names[name])
    return BotKernel(
        name,
        plays.choose_orders,
        plays.sample_orders,
        plays.measure_states,
        plays.play_policy,
        plays.try_candidates,
        choices.list_choices,
        choices.play_choices,
        choices.read_choices,
    )


def choose_kernel(wanted: str = "") -> BotKernel:
    """Return the kernel named `wanted`, or the fastest available; see `selection.choose`."""
    return selection.choose(load_kernel, wanted, HERE, sources.KERNEL)


KERNEL = choose_kernel(os.environ.get(selection.VARIABLE, ""))


def _find_slowness() -> str:
    if selection.KERNEL.name == "python":
        return sources.SLOW_KERNEL
    if KERNEL.name == "python":
        problem = "The bots are not compiled, so they and map tests are"
        return sources.tell_slowness(problem, ". ./judge")
    return ""


SLOW_KERNEL = _find_slowness()
"""A sentence about what is not compiled, the judge or the bots, and what to do, or nothing."""
