"""Join the modules of a kernel into one, so that C compilers see all of it at once.

One module compiles in less than half the time of many, because each would repeat Cython's
helpers, and its functions can be inlined into one another.
"""

import re
from graphlib import TopologicalSorter

NAME = "joined"
"""The module that contains all others."""

HEADER = "# Made from %s by kernel_joiner.py.\n"
FROM_MODULE = re.compile(r"from \.(\w+) c?import (?:\([^)]*\)|.*)\n")
FROM_PACKAGE = re.compile(r"from \. c?import (.*)\n")
NAMES = re.compile(r"(?:def|class) (\w+)|(\w+(?:, \w+)*) = ")


def join_modules(package, modules):
    """Join the named modules of a package into one module with one `.pxd`, and return its path."""
    order = _sort_modules(package, modules)
    for suffix, word in ((".py", "import"), (".pxd", "cimport")):
        texts = [(package / (name + suffix)).read_text(encoding="utf-8") for name in order]
        (package / (NAME + suffix)).write_text(_join_texts(texts, order, word), encoding="utf-8")
    return package / (NAME + ".py")


def _sort_modules(package, modules):
    """Return the module names in an order in which each follows its imports."""
    needs = {name: sorted(find_imports(package, name) & set(modules)) for name in modules}
    return list(TopologicalSorter(needs).static_order())


def find_imports(package, name):
    """Return the names of the modules that a module imports from."""
    return set(FROM_MODULE.findall((package / (name + ".py")).read_text(encoding="utf-8")))


def _join_texts(texts, modules, word):
    """Return the modules' source as one text, without their imports of one another."""
    shared = set()
    bodies = []
    taken = {}
    for name, text in zip(modules, texts, strict=True):
        for line in FROM_PACKAGE.findall(text):
            shared.update(line.split(", "))
        for line in text.splitlines() if word == "import" else ():
            _take_names(line, name, taken)
        bodies.append(FROM_PACKAGE.sub("", FROM_MODULE.sub("", text)))
    start = HEADER % ", ".join(modules) + "from . %s %s\n\n" % (word, ", ".join(sorted(shared)))
    return start + "\n\n".join(bodies)


def _take_names(line, module, taken):
    """Record the names that a line defines; raise if another module defines one of them."""
    match = NAMES.match(line)
    for name in re.findall(r"\w+", "".join(match.groups(""))) if match else ():
        if taken.setdefault(name, module) != module:
            raise ValueError("both %s and %s define %s" % (taken[name], module, name))
