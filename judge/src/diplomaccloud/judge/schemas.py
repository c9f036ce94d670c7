"""The JSON Schemas of the published formats, which stand beside the code that writes them.

`docs/formats.md` lists their versions.
"""

from importlib.resources import files
from importlib.util import find_spec

from diplomaccloud.judge.version import tell_install

_PACKAGES = {
    "board": "diplomaccloud.judge",
    "map": "diplomaccloud.atlas",
    "position": "diplomaccloud.judge.protocol",
    "protocol": "diplomaccloud.judge.protocol",
    "record": "diplomaccloud.record",
}
"""Where each schema is; those outside of the judge are installed with the site."""


def list_schemas() -> list[str]:
    """Return the names of the schemas that are installed, sorted."""
    return [name for name, package in _PACKAGES.items() if find_spec(package) is not None]


def read_schema(name: str) -> str:
    """Return the schema `name` as JSON; raise `ValueError` if it is not installed."""
    if name in _PACKAGES and name not in list_schemas():
        told = f"in a checkout, install it with {tell_install('')}"
        raise ValueError(f"the schema {name!r} comes with the site; {told}")
    if name not in list_schemas():
        listed = ", ".join(list_schemas())
        raise ValueError(f"there is no schema named {name[:40]!r} (available: {listed})")
    return (files(_PACKAGES[name]) / f"{name}.schema.json").read_text(encoding="utf-8")
