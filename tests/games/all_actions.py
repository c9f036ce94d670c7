"""All actions on games, by name: the public functions of each room that change something."""

import inspect
import pkgutil
from importlib import import_module

from diplomaccloud import games

HELPERS = {
    *("find_differences", "new_map", "open_phase", "play_solo", "release_lease", "write_orders")
}
"""Functions that look like actions, but are parts of one, or read, or call several."""


def _list_modules():
    for module in pkgutil.walk_packages(games.__path__, f"{games.__name__}."):
        room, _, name = module.name.removeprefix(f"{games.__name__}.").partition(".")
        if name in ("actions", "rollback") or (room == "turn" and name):
            yield module.name


def _find_actions(module):
    for name, function in vars(import_module(module)).items():
        if not inspect.isfunction(function) or function.__module__ != module:
            continue
        kinds = {each.kind for each in inspect.signature(function).parameters.values()}
        if kinds == {inspect.Parameter.KEYWORD_ONLY} and not name.startswith("_"):
            yield name, function


ACTIONS = {
    name: function
    for module in _list_modules()
    for name, function in _find_actions(module)
    if name not in HELPERS
}
"""The public functions whose arguments are all named: that is how actions are written."""
